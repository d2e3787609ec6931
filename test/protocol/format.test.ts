/** Formatting and refactorings over the wire. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CodeAction, TextEdit } from 'vscode-languageserver-protocol';
import { withServer } from './server.ts';

const text = `---
version: 1.0.0
name: a
description: Does it.
input_schema: {tone: string}
---

Do 🦀 it.
`;
const files = { 'a.skill.md': text, 'b.skill.md': text.replace('name: a', 'name: [b') };
const options = { tabSize: 2, insertSpaces: true };
const line = (number: number) => ({ line: number, character: 0 });

test('formats a file with small edits, and skips invalid files', async () => {
  await withServer(files, async ({ connection, open, uri, initialized }) => {
    assert.equal(initialized.capabilities.documentFormattingProvider, true);
    const formatted = async (path: string) => {
      await open(path);
      const params = { textDocument: { uri: uri(path) }, options };
      return connection.sendRequest<TextEdit[]>('textDocument/formatting', params);
    };
    assert.deepEqual(await formatted('a.skill.md'), [
      { range: { start: line(1), end: line(2) }, newText: '' },
      { range: { start: line(4), end: line(4) }, newText: 'version: 1.0.0\n' },
    ]);
    assert.deepEqual(await formatted('b.skill.md'), []);
  });
});

test('does not format if the setting is off', async () => {
  await withServer(
    files,
    async ({ connection, open, uri }) => {
      await open('a.skill.md');
      const params = { textDocument: { uri: uri('a.skill.md') }, options };
      assert.deepEqual(await connection.sendRequest('textDocument/formatting', params), []);
    },
    { initializationOptions: { format: { enable: false } } },
  );
});

test('registers formatting dynamically if the client supports it', async () => {
  const dynamic = { dynamicRegistration: true };
  const textDocument = { formatting: dynamic, rangeFormatting: dynamic, onTypeFormatting: dynamic };
  await withServer(
    files,
    async ({ connection, initialized }) => {
      assert.equal(initialized.capabilities.documentFormattingProvider, undefined);
      const methods = new Set<string>();
      const patterns = new Set<string>();
      await new Promise<void>((resolve) => {
        connection.onRequest('client/registerCapability', ({ registrations }) => {
          for (const { method, registerOptions } of registrations) {
            methods.add(method);
            for (const { pattern } of registerOptions.documentSelector ?? []) if (pattern) patterns.add(pattern);
          }
          if (methods.size === 3) resolve();
        });
      });
      assert.deepEqual([...methods].sort(), [
        'textDocument/formatting',
        'textDocument/onTypeFormatting',
        'textDocument/rangeFormatting',
      ]);
      // Editors format JSON themselves.
      assert.ok(patterns.has('**/*.skill.md'));
      assert.deepEqual(
        [...patterns].filter((pattern) => pattern.endsWith('.json')),
        [],
      );
    },
    { capabilities: { textDocument } },
  );
});

test('returns a refactoring with its kind, and with a command that starts a rename of the new name', async () => {
  await withServer(
    files,
    async ({ connection, open, uri }) => {
      await open('a.skill.md');
      const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri: uri('a.skill.md') },
        range: { start: { line: 7, character: 3 }, end: { line: 7, character: 8 } },
        context: { diagnostics: [], only: ['refactor'] },
      });
      assert.deepEqual(
        actions.map(({ title, kind }) => [title, kind]),
        [
          ['Extract into a parameter', 'refactor.extract'],
          ['Convert the framing to a template', 'refactor.rewrite'],
        ],
      );
      assert.deepEqual(actions[0]?.command, {
        title: 'Rename',
        command: 'client.rename',
        arguments: [{ uri: uri('a.skill.md'), position: { line: 10, character: 6 } }],
      });
      assert.equal(actions[0]?.edit?.changes?.[uri('a.skill.md')]?.length, 3);
    },
    { initializationOptions: { renameCommand: 'client.rename' } },
  );
});
