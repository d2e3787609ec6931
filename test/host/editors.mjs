/** Installs the editors of `test/editors` from Debian. Otherwise, the tests report the missing editor. */
import { locked } from './cache.mjs';
import { installFromDebian } from './debian.mjs';
import { run } from './process.mjs';
import { say } from './say.mjs';

/** For each editor: the command that succeeds if it is complete, and its packages. */
const EDITORS = [
  { command: ['nvim', '--version'], packages: ['neovim'] },
  {
    command: ['emacs', '--batch', '--eval', "(mapc #'require '(eglot markdown-mode yaml-mode dap-mode))"],
    packages: ['emacs-nox', 'elpa-eglot', 'elpa-markdown-mode', 'elpa-yaml-mode', 'elpa-dap-mode'],
  },
];

export async function ensureEditors() {
  const packages = await missingPackages();
  if (packages.length === 0) return;
  await locked('editors', async () => {
    const wanted = await missingPackages();
    if (wanted.length === 0) return;
    try {
      await installFromDebian(wanted);
    } catch (error) {
      say(`  ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
  });
}

async function missingPackages() {
  const missing = [];
  for (const { command, packages } of EDITORS) {
    const [file = '', ...words] = command;
    const { code } = await run(file, words).catch(() => ({ code: 1 }));
    if (code !== 0) missing.push(...packages);
  }
  return missing;
}
