#!/usr/bin/env bash
# Finding: a completion item without `insertTextFormat` is plain text by the protocol. Neovim 0.10.4, which declares that it has no snippets, reads it
# as a snippet: of `plan: $input.note`, `$input` is taken for a variable and is not inserted. With `insertTextFormat: 1`, all of it is.
# Guess before running: a client without snippets inserts the text as it is.
# Needs Debian, root and the package debootstrap: Debian's trixie goes into a temporary folder.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
debootstrap --variant=minbase --include=neovim trixie "$folder" > /dev/null
mkdir "$folder/session"
cd "$folder/session"
cat > session.lua <<'LUA'
-- A language server in the process of Neovim.
local items = loadstring(vim.env.ITEMS)()
local function cmd()
  return {
    request = function(method, _, callback)
      local answer = vim.NIL
      if method == "initialize" then
        answer = { capabilities = { textDocumentSync = { openClose = true, change = 1 }, completionProvider = vim.empty_dict() } }
      elseif method == "textDocument/completion" then
        answer = items
      end
      vim.schedule(function() callback(nil, answer) end)
      return true, 1
    end,
    notify = function() return true end,
    is_closing = function() return false end,
    terminate = function() end,
  }
end
vim.o.completeopt = "menuone"
vim.cmd("edit note.txt")
vim.lsp.start({ name = "items", cmd = cmd, root_dir = vim.fn.getcwd() })
local keys = { "Go  pla<C-x><C-o>", "<C-y>", "<Esc>:w<CR>" }
for number, text in ipairs(keys) do vim.defer_fn(function() vim.api.nvim_input(text) end, 1500 * number) end
vim.defer_fn(function() vim.cmd("qa!") end, 1500 * (#keys + 1))
LUA
echo "Neovim $(chroot "$folder" nvim --version | sed -n "1s/NVIM v//p")" | tee seen
for format in nil 1; do
items="return {{ label = 'plan', insertText = 'plan: \$input.note', insertTextFormat = $format }}"
printf "one\n" > note.txt
chroot "$folder" env HOME=/session ITEMS="$items" sh -c "cd /session && nvim --headless --clean -n -c 'luafile session.lua'" > /dev/null 2>&1
echo "format $format: $(sed -n 2p note.txt)" | tee -a seen
done
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
Neovim 0.10.4
format nil:   plan: .note
format 1:   plan: $input.note
SEEN
