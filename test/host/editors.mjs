/** Installs the editors of `test/editors` from Debian. Otherwise, the tests report the missing editor. */
import { locked } from './cache.mjs';
import { installFromDebian } from './debian.mjs';
import { run } from './process.mjs';
import { say } from './say.mjs';

/** For each editor: the command that succeeds if it is complete, and its packages. */
const EDITORS = [
  { command: ['nvim', '--version'], packages: ['neovim'] },
  {
    command: ['emacs', '--batch', '--eval', "(mapc #'require '(eglot markdown-mode yaml-mode yasnippet dap-mode))"],
    packages: ['emacs-nox', 'elpa-eglot', 'elpa-markdown-mode', 'elpa-yaml-mode', 'elpa-yasnippet', 'elpa-dap-mode'],
  },
  { command: ['tmux', '-V'], packages: ['tmux'] },
  { command: ['hx', '--version'], packages: ['hx'] },
];

export async function ensureEditors() {
  if ((await missingEditors()).length === 0) return;
  await locked('editors', async () => {
    for (const packages of await missingEditors()) {
      try {
        await installFromDebian(packages);
      } catch (error) {
        say(`  ${error instanceof Error ? error.message.split('\n')[0] : error}`);
      }
    }
  });
}

/** Returns the packages of each missing editor. Debian 12 has no Helix. */
async function missingEditors() {
  const missing = [];
  for (const { command, packages } of EDITORS) {
    const [file = '', ...words] = command;
    const { code } = await run(file, words).catch(() => ({ code: 1 }));
    if (code !== 0) missing.push(packages);
  }
  return missing;
}
