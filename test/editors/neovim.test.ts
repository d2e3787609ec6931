/** Neovim with the setup of `docs/editors.md`, if it is on the PATH. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary.mjs';
import { assertFilesChanged, assertSeen, documentedBlock, missingReason, runSession } from './session.ts';

const skip = missingReason('nvim', '--version');

test('Neovim with the plugin supports findings, fixes, completion, hovers, definitions, renames and formatting', {
  skip,
}, () => {
  const seen = runSession({
    commands: documentedBlock('neovim-plugin'),
    configuration: ['.config/nvim/init.lua', documentedBlock('neovim-settings')],
    program: 'nvim',
    words: () => ['--headless', '-i', 'NONE', '-n', '-c', `luafile ${resolve('test/editors/session.lua')}`],
  });
  assertSeen(seen);
  assertFilesChanged(seen);
});

test('the plugin has the same configuration as the documented setup for newer versions of Neovim', { skip }, () => {
  // An old Neovim lacks the two functions of `vim.lsp`, so the script defines them and records their arguments.
  const script = `
    local noted = {}
    vim.lsp.config = function(name, config) noted.name, noted.config = name, config end
    vim.lsp.enable = function(name) noted.enabled = name end
    ${documentedBlock('neovim-config')}
    noted.plugin = dofile('client/editors/neovim/lsp/skill_composer.lua')
    dofile('client/editors/neovim/plugin/skill-composer.lua')
    io.stdout:write(vim.fn.json_encode(noted))`;
  const words = ['--headless', '--clean', '-i', 'NONE', '-n', '-c', 'lua load(vim.env.SCRIPT)()', '-c', 'qa!'];
  const said = execFileSync('nvim', words, {
    encoding: 'utf8',
    env: { ...process.env, SCRIPT: script, TMPDIR: temporaryFolder() },
  });
  const { name, enabled, config, plugin } = JSON.parse(said);
  assert.deepEqual([name, enabled], ['skill_composer', 'skill_composer']);
  assert.deepEqual(config, plugin);
});
