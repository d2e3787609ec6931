-- What Neovim 0.11 and newer start. `vim.g.skill_composer` has the settings; docs/editors.md, "Settings", names them.
return {
  cmd = { 'skill-composer', 'lsp', '--stdio' },
  filetypes = { 'markdown', 'yaml' },
  root_markers = { 'skills.config.yaml', '.git' },
  init_options = vim.g.skill_composer,
}
