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

-- These versions insert a completion of several lines as one line, with NUL characters for the line breaks.
local function break_lines()
  local done = vim.v.completed_item
  local item = vim.tbl_get(done, 'user_data', 'nvim', 'lsp', 'completion_item')
  local text = vim.api.nvim_get_current_line()
  if not item or not text:find('%z') then return end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  if vim.snippet and item.insertTextFormat == 2 then
    vim.api.nvim_buf_set_text(0, row - 1, column - #done.word, row - 1, column, {})
    return vim.snippet.expand(item.textEdit.newText)
  end
  local before = vim.split(text:sub(1, column), '%z')
  vim.api.nvim_buf_set_lines(0, row - 1, row, true, vim.split(text, '%z'))
  vim.api.nvim_win_set_cursor(0, { row + #before - 1, #before[#before] })
end

local function attach(_, buffer)
  vim.api.nvim_create_autocmd('CompleteDone', { buffer = buffer, callback = break_lines })
  -- Newer versions set these options. The runtime sets `htmlcomplete` for Markdown.
  local own = vim.bo[buffer]
  if own.omnifunc == '' or vim.startswith(own.omnifunc, 'htmlcomplete#') then own.omnifunc = 'v:lua.vim.lsp.omnifunc' end
  if own.tagfunc == '' then own.tagfunc = 'v:lua.vim.lsp.tagfunc' end
  if own.formatexpr == '' then own.formatexpr = 'v:lua.vim.lsp.formatexpr()' end
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
      on_attach = attach,
    })
  end,
})
