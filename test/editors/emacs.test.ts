/** Emacs with the setup of `docs/editors.md`, if it is on the PATH with the packages. */
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { assertSeen, documented, missing, sit } from './sitting.ts';

const skip = missing('emacs', '--batch', '--eval', "(mapc #'require '(eglot markdown-mode yaml-mode))");

test('Emacs shows findings, fixes, completes, hovers, goes to definitions, renames and formats', { skip }, () => {
  const seen = sit({
    commands: documented('Emacs', 'sh'),
    configuration: ['.emacs.d/init.el', documented('Emacs', 'elisp').join('\n')],
    program: 'emacs',
    words: (home) => ['--batch', '-l', join(home, '.emacs.d', 'init.el'), '-l', resolve('test/editors/session.el')],
  });
  assertSeen(seen);
});
