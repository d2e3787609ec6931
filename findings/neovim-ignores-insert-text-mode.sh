#!/usr/bin/env bash
# Finding: Neovim 0.12.4 lists `insertTextMode` among the defaults of completion items that it reads, and ignores it: with `asIs` (1), the lines of a
# snippet get the indentation of the current line once more, as with `adjustIndentation` (2). A map in YAML is then too deep.
# Guess before running: `asIs` inserts the lines as they are.
# Needs Debian, root and the package debootstrap: Debian's sid goes into a temporary folder.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
debootstrap --variant=minbase --include=neovim sid "$folder" > /dev/null
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
for mode in 1 2; do
items="return {{ label = 'plan', insertText = 'plan:\\n    note', insertTextFormat = 2, insertTextMode = $mode }}"
printf "one\n" > note.txt
chroot "$folder" env HOME=/session ITEMS="$items" sh -c "cd /session && nvim --headless --clean -n -c 'luafile session.lua'" > /dev/null 2>&1
echo "mode $mode:$(sed -n 3p note.txt)" | tee -a seen
done
echo "declared: $(chroot "$folder" nvim --headless --clean -c 'lua io.stdout:write(vim.inspect(vim.tbl_contains(vim.lsp.protocol.make_client_capabilities().textDocument.completion.completionList.itemDefaults, "insertTextMode")))' -c 'qa!' 2> /dev/null)" | tee -a seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
Neovim 0.12.4
mode 1:      note
mode 2:      note
declared: true
SEEN
