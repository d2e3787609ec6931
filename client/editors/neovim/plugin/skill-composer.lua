-- Starts the language server for Markdown and YAML; it reports nothing for files that are no skills.
if vim.lsp.enable then
  vim.lsp.enable('skill_composer')
  return
end

local config = dofile(vim.api.nvim_get_runtime_file('lsp/skill_composer.lua', false)[1])

local function root_of(path)
  local above = vim.fn.fnamemodify(path, ':p:h') .. ';'
  for _, marker in ipairs(config.root_markers) do
    local file = vim.fn.findfile(marker, above)
    if file ~= '' then return vim.fn.fnamemodify(file, ':p:h') end
    local folder = vim.fn.finddir(marker, above)
    if folder ~= '' then return vim.fn.fnamemodify(folder, ':p:h:h') end
  end
  return vim.fn.getcwd()
end

-- 0.7 has no `vim.lsp.start`, which starts one client a folder.
local clients = {}
local start = vim.lsp.start or function(wanted)
  clients[wanted.root_dir] = clients[wanted.root_dir] or vim.lsp.start_client(wanted)
  vim.lsp.buf_attach_client(0, clients[wanted.root_dir])
end

-- Newer versions set these options themselves. The runtime sets `htmlcomplete` for Markdown.
local function set_options(_, buffer)
  local own = vim.bo[buffer]
  if own.omnifunc == '' or vim.startswith(own.omnifunc, 'htmlcomplete#') then own.omnifunc = 'v:lua.vim.lsp.omnifunc' end
  if own.tagfunc == '' then own.tagfunc = 'v:lua.vim.lsp.tagfunc' end
  if own.formatexpr == '' and vim.lsp.formatexpr then own.formatexpr = 'v:lua.vim.lsp.formatexpr()' end
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = config.filetypes,
  callback = function(event)
    -- What plugins show in buffers of their own is no file.
    if vim.bo[event.buf].buftype ~= '' or vim.fn.executable(config.cmd[1]) == 0 then return end
    start({
      name = 'skill_composer',
      cmd = config.cmd,
      init_options = config.init_options,
      root_dir = root_of(vim.api.nvim_buf_get_name(event.buf)),
      on_attach = vim.fn.has('nvim-0.8') == 0 and set_options or nil,
    })
  end,
})
