/** Findings on the screen, and a completion of several lines by keys, at the level of the line. */
import { join } from 'node:path';
import { test } from 'node:test';
import { withScreen } from './screen.ts';
import { documentedBlock, HELIX_COMMANDS, missingReason } from './session.ts';

const before = `---
name: plan
description: "🐉 Plans pages: use it for plans."
version: 1.0.0
input_schema: {note: string}
output_schema: {page: string}
composes: [part]
execution:
  - step: part
`;
const after = '---\n\nUse #skill:gone.\n';
const files = { 'plan.skill.md': before + after };
const completed = (attempts = ''): string => `${before}    retry:\n      ${attempts}\n${after}`;
const missing = missingReason('tmux', '-V');

test('Neovim inserts several lines', { skip: missing || missingReason('nvim', '--version') }, () =>
  withScreen(
    {
      commands: documentedBlock('neovim-plugin'),
      configuration: ['.config/nvim/init.lua', "vim.o.completeopt = 'menuone'"],
      program: 'nvim',
      words: () => ['-i', 'NONE', '-n', 'plan.skill.md'],
      files,
    },
    async ({ press, shows, saved }) => {
      await shows(/E Use #skill:gone|^E .*#skill:gone/m);
      press(' 9Go', '   ret', 'C-x', 'C-o');
      await shows(/retry +Property/);
      press('C-y');
      await shows(/^.{0,2} {4}retry:$/m);
      press('Escape', ' :w', 'Enter');
      await saved('plan.skill.md', completed());
    },
  ),
);

test(
  'Emacs inserts several lines',
  {
    skip: missing || missingReason('emacs', '--batch', '--eval', "(mapc #'require '(eglot markdown-mode yasnippet))"),
  },
  () =>
    withScreen(
      {
        commands: documentedBlock('emacs-package'),
        configuration: ['.emacs.d/init.el', documentedBlock('emacs-init') + documentedBlock('emacs-snippets')],
        program: 'emacs',
        words: () => ['-nw', 'plan.skill.md'],
        files,
      },
      async ({ press, shows, saved }) => {
        await shows(/Flymake\[\d/);
        press('M-g', 'g', ' 9', 'Enter', 'C-e', 'Enter', '   retr', 'C-M-i');
        await shows(/^.{0,2} {4}retry:$/m);
        press(' max', 'C-x', 'C-s');
        await saved('plan.skill.md', completed('max'));
      },
    ),
);

test('Helix inserts several lines', { skip: missing || missingReason('hx', '--version') }, () =>
  withScreen(
    {
      commands: HELIX_COMMANDS,
      configuration: ['.config/helix/languages.toml', documentedBlock('helix-languages')],
      program: 'hx',
      words: (home) => [join(home, 'work', 'plan.skill.md')],
      files,
    },
    async ({ press, shows, saved }) => {
      await shows(/#skill:gone.*Unknown skill/);
      press(' 9gg', ' o', '   retr');
      await shows(/retry +property/);
      press('Tab', 'Enter');
      await shows(/ {4}retry:$/m);
      press(' max', 'Escape', ' :w', 'Enter');
      await saved('plan.skill.md', completed('max'));
    },
  ),
);
