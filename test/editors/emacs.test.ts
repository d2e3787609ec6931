/** Emacs with the setup of `docs/editors.md`, if it is on the PATH with the packages. */
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { assertFilesKept, assertSeen, documentedBlock, missingReason, runSession } from './session.ts';

const skip = missingReason('emacs', '--batch', '--eval', "(mapc #'require '(eglot markdown-mode yaml-mode))");

test('Emacs supports findings, fixes, completion, hovers, definitions, renames and formatting', { skip }, () => {
  const seen = runSession({
    commands: documentedBlock('emacs-package'),
    configuration: ['.emacs.d/init.el', documentedBlock('emacs-init') + documentedBlock('emacs-settings')],
    program: 'emacs',
    words: (home) => ['--batch', '-l', join(home, '.emacs.d', 'init.el'), '-l', resolve('test/editors/session.el')],
  });
  assertSeen(seen);
  assertFilesKept(seen);
});
