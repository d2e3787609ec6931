/** Completion over the wire: complete items, and items that the client resolves. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CompletionItem, CompletionList, InitializeParams } from 'vscode-languageserver-protocol';
import { type Server, withServer } from './server.ts';

const files = { 'part.skill.md': '---\nname: part\n\n---\n\nProse.\n' };

const completionAt = ({ connection, uri }: Server, line: number, character = 0) =>
  connection.sendRequest<CompletionItem[] | CompletionList>('textDocument/completion', {
    textDocument: { uri: uri('part.skill.md') },
    position: { line, character },
  });

const itemOf = (answer: CompletionItem[] | CompletionList, label: string): CompletionItem => {
  const found = (Array.isArray(answer) ? answer : answer.items).find((item) => item.label === label);
  assert.ok(found, label);
  return found;
};

const withDocsLater = { completionItem: { snippetSupport: true, resolveSupport: { properties: ['documentation'] } } };

const client = (completion: object): Partial<InitializeParams> => ({ capabilities: { textDocument: { completion } } });

test('returns complete items to a client without resolve support', async () => {
  await withServer(files, async (server) => {
    assert.equal(server.initialized.capabilities.completionProvider?.resolveProvider, false);
    await server.open('part.skill.md');
    const { documentation, textEdit, insertTextFormat } = itemOf(await completionAt(server, 2), 'version');
    assert.notEqual(insertTextFormat, 2, 'the client does not support snippets');
    assert.match(JSON.stringify(documentation), /\*\*version\*\* · semantic version/);
    assert.ok(textEdit);
  });
});

test('returns the documentation of an item when the client resolves it', async () => {
  let whole: CompletionItem | undefined;
  await withServer(
    files,
    async (server) => {
      await server.open('part.skill.md');
      whole = itemOf(await completionAt(server, 2), 'version');
    },
    client({ completionItem: { snippetSupport: true } }),
  );
  await withServer(
    files,
    async (server) => {
      const { connection, initialized, open, uri } = server;
      const resolve = (item: CompletionItem) => connection.sendRequest<CompletionItem>('completionItem/resolve', item);
      assert.equal(initialized.capabilities.completionProvider?.resolveProvider, true);
      await open('part.skill.md');
      const item = itemOf(await completionAt(server, 2), 'version');
      assert.equal(item.documentation, undefined);
      assert.deepEqual(await resolve(item), { ...whole, data: item.data });
      // The user continues to type while the list is open.
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri('part.skill.md'), version: 2 },
        contentChanges: [{ text: '---\nname: part\nver\n---\n' }],
      });
      assert.deepEqual((await resolve(item)).documentation, whole?.documentation);
      // Items of a replaced list and unknown items are not resolved.
      const next = itemOf(await completionAt(server, 2), 'version');
      assert.deepEqual(await resolve(item), item);
      assert.deepEqual(await resolve({ ...next, label: 'else' }), { ...next, label: 'else' });
      assert.deepEqual(await resolve({ label: 'version' }), { label: 'version' });
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri('part.skill.md') } });
      assert.deepEqual((await resolve(next)).documentation, whole?.documentation);
    },
    client(withDocsLater),
  );
});

test('returns shared properties once if the client supports item defaults', async () => {
  const itemDefaults = ['editRange', 'insertTextFormat', 'insertTextMode', 'data'];
  await withServer(
    files,
    async (server) => {
      await server.open('part.skill.md');
      const answer = await completionAt(server, 2);
      assert.ok(!Array.isArray(answer));
      const place = { line: 2, character: 0 };
      assert.deepEqual(answer.itemDefaults, {
        editRange: { start: place, end: place },
        insertTextFormat: 2,
        insertTextMode: 1,
        data: 1,
      });
      const { label, textEdit, textEditText, data } = itemOf(answer, 'tags');
      assert.deepEqual([label, textEdit, textEditText, data], ['tags', undefined, 'tags: [$1]', undefined]);
      // An empty list has no item defaults.
      assert.deepEqual(await completionAt(server, 5), []);
    },
    client({
      completionItem: { ...withDocsLater.completionItem, insertTextModeSupport: { valueSet: [1, 2] } },
      completionList: { itemDefaults },
    }),
  );
});

test('sends the indentation of the line to a client that inserts the lines of a snippet as they are', async () => {
  const text = '---\nname: part\ncomposes: [other]\nexecution:\n  - step: other\n    \n---\n';
  const secondLine = async (insertTextModeSupport: object | undefined, name: string): Promise<string | undefined> => {
    let line: string | undefined;
    await withServer(
      { 'part.skill.md': text },
      async (server) => {
        await server.open('part.skill.md');
        const answer = await completionAt(server, 5, 4);
        line = itemOf(answer, 'retry').textEdit?.newText.split('\n')[1];
      },
      {
        ...client({ completionItem: { snippetSupport: true, insertTextModeSupport } }),
        ...(name === '' ? {} : { clientInfo: { name } }),
      },
    );
    return line;
  };
  assert.equal(await secondLine({ valueSet: [1, 2] }, 'Visual Studio Code'), '      $1');
  assert.equal(await secondLine(undefined, ''), '      $1', 'Kate');
  assert.equal(await secondLine({ valueSet: [2] }, ''), '  $1');
  for (const name of ['Neovim', 'helix']) assert.equal(await secondLine(undefined, name), '  $1', name);
});
