#!/usr/bin/env bash
# Finding: after `workspace/diagnostic/refresh`, Neovim 0.12.4 requests `workspace/diagnostic` if the server offers it, and ignores the reports of files
# that are open, because it pulls those one by one. It does not pull them either, so an open file keeps its old findings until it is edited.
# Guess before running: the open file shows the new findings, or is pulled again.
# Needs Debian, root and the package debootstrap: Debian's sid goes into a temporary folder.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
debootstrap --variant=minbase --include=neovim sid "$folder" > /dev/null
mkdir "$folder/session"
cd "$folder/session"
cat > session.lua <<'LUA'
-- A server in Neovim's own process. It knows of one finding at first, and of two after the refresh.
local asked, known = {}, 1
local function report()
  local items = {}
  for number = 1, known do
    local place = { line = number - 1, character = 0 }
    items[number] = { range = { start = place, ['end'] = place }, message = 'finding ' .. number }
  end
  return items
end
local refresh
local function cmd(dispatchers)
  refresh = function() known = 2; dispatchers.server_request('workspace/diagnostic/refresh', nil) end
  local answers = {
    initialize = function()
      return { capabilities = { textDocumentSync = { openClose = true, change = 1 }, diagnosticProvider = { interFileDependencies = true, workspaceDiagnostics = true } } }
    end,
    ['textDocument/diagnostic'] = function() return { kind = 'full', items = report() } end,
    ['workspace/diagnostic'] = function()
      return { items = { { kind = 'full', uri = vim.uri_from_bufnr(0), version = vim.NIL, items = report() } } }
    end,
  }
  return {
    request = function(method, _, callback)
      asked[#asked + 1] = method
      vim.schedule(function() callback(nil, answers[method] and answers[method]() or vim.NIL) end)
      return true, #asked
    end,
    notify = function() return true end,
    is_closing = function() return false end,
    terminate = function() end,
  }
end
vim.cmd('edit note.md')
vim.lsp.start({ name = 'findings', cmd = cmd, root_dir = vim.fn.getcwd() })
vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end)
print('findings shown: ' .. #vim.diagnostic.get(0))
asked = {}
refresh()
vim.wait(10000, function() return #asked > 0 end)
vim.wait(1000)
print('asked after the refresh: ' .. table.concat(asked, ' '))
print('findings known: ' .. known .. ', shown: ' .. #vim.diagnostic.get(0))
vim.cmd('qa!')
LUA
echo "Neovim $(chroot "$folder" nvim --version | sed -n "1s/NVIM v//p")" | tee seen
printf 'one\ntwo\n' > note.md
chroot "$folder" env HOME=/session sh -c "cd /session && nvim --headless --clean -n -c 'luafile session.lua'" 2>&1 | tr -d '\r' | grep -v '^$' | tee -a seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
Neovim 0.12.4
findings shown: 1
asked after the refresh: workspace/diagnostic
findings known: 2, shown: 1
SEEN
