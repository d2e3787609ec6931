-- What docs/editors.md tells people to put into their configuration; old Neovims lack `vim.lsp.start`.
local patterns = { '*.skill.md', '*.skill.yaml', '*.skill.yml', 'SKILL.md', '*/skills/*.md', 'skills.config.yaml' }

vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = patterns,
  callback = function(event)
    local config = {
      name = 'skill-composer',
      cmd = vim.split(vim.env.SKILL_COMPOSER, ' '),
      root_dir = vim.fn.getcwd(),
    }
    if vim.lsp.start then
      vim.lsp.start(config)
    else
      SkillComposer = SkillComposer or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, SkillComposer)
    end
  end,
})
