-- What a person does in one sitting. Each step leaves what came of it in `seen`, which goes to $SEEN as JSON.
local seen = {}

local function finish(problem)
  seen.problem = problem
  local file = assert(io.open(vim.env.SEEN, 'w'))
  file:write(vim.fn.json_encode(seen))
  file:close()
  vim.cmd('qa!')
end

local function wait(what, ready)
  if not vim.wait(20000, ready, 50) then
    error('waited in vain for ' .. what .. ': ' .. vim.inspect(vim.diagnostic.get(0)) .. vim.fn.execute('messages'))
  end
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), '\n')
end

local function to(pattern)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(pattern, 'c') > 0, pattern .. ' is in the text')
end

local function codes()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    found[#found + 1] = one.code or (one.user_data and one.user_data.lsp and one.user_data.lsp.code) or one.message
  end
  return found
end

-- The newest Neovims want to be told in which encoding places count.
local function ask(method, more)
  local client = vim.lsp.get_active_clients and vim.lsp.get_active_clients()[1] or vim.lsp.get_clients()[1]
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, more or {}), 10000)
  for _, answer in pairs(answers or {}) do
    if answer.error then error(method .. ': ' .. answer.error.message) end
    return answer.result
  end
end

local function labels(answer)
  local found, snippets = {}, false
  for _, item in ipairs(answer.items or answer) do
    found[#found + 1] = item.label
    snippets = snippets or item.insertTextFormat == 2
  end
  return found, snippets
end

-- Takes the choice whose title is this, as a person would from the list.
local function choose(title)
  seen.actions = {}
  vim.ui.select = function(items, _, take)
    for place, item in ipairs(items) do
      local action = item.action or item[2]
      seen.actions[#seen.actions + 1] = action.title
      if action.title == title then return take(item, place) end
    end
    take(nil, nil)
  end
end

local function run()
  vim.cmd('edit broken.skill.md')
  wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  seen.findings = codes()

  to('reed_page')
  choose('Replace with ‘read_page’')
  vim.lsp.buf.code_action()
  wait('the fix', function() return text():find('%[read_page%]') ~= nil end)
  wait('no finding', function() return #vim.diagnostic.get(0) == 0 end)
  seen.fixed = text()

  to('read_page')
  seen.hover = ask('textDocument/hover').contents.value
  seen.completion, seen.snippets = labels(ask('textDocument/completion'))
  local definition = ask('textDocument/definition')
  definition = definition[1] or definition
  seen.definition = vim.fn.fnamemodify(vim.uri_to_fname(definition.targetUri or definition.uri), ':t')

  to('slug: string')
  vim.lsp.buf.rename('page')
  wait('the rename', function() return text():find('{{ page }}') ~= nil end)
  seen.renamed = text()

  if vim.lsp.buf.format then
    vim.lsp.buf.format({ async = false, timeout_ms = 10000 })
  else
    vim.lsp.buf.formatting_sync(nil, 10000)
  end
  seen.formatted = text()
  wait('no finding after formatting', function() return #vim.diagnostic.get(0) == 0 end)
  seen.after = codes()
  vim.cmd('wall')

  vim.cmd('edit other.skill.md')
  wait('the missing skill', function() return vim.tbl_contains(codes(), 'skill-not-found') end)
  local found = vim.tbl_filter(function(one) return one.code == 'skill-not-found' end, vim.diagnostic.get(0))[1]
  seen.marked = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, true)[1]:sub(found.col + 1, found.end_col)
  to('gone')
  choose('Create ‘gone’')
  vim.lsp.buf.code_action()
  wait('the new skill', function() return vim.fn.bufnr('gone.skill.md') > 0 and #text(vim.fn.bufnr('gone.skill.md')) > 0 end)
  seen.created = text(vim.fn.bufnr('gone.skill.md'))
  vim.cmd('wall')
  wait('no missing skill', function() return not vim.tbl_contains(codes(), 'skill-not-found') end)

  to('part')
  vim.lsp.buf.rename('piece')
  wait('the renamed file', function() return vim.fn.filereadable('piece.skill.md') == 1 end)
  wait('the renamed skill', function() return text():find('#skill:piece') ~= nil end)
  vim.cmd('wall')
  seen.other = text()
  seen.files = vim.fn.readdir('.')
  seen.messages = vim.fn.execute('messages')
end

-- Once Neovim is up, so that waiting lets it work.
vim.schedule(function()
  local ok, problem = pcall(run)
  finish(not ok and problem or nil)
end)
