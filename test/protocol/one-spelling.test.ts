/** Different spellings of a URI refer to one file, and the server uses the spelling of the client. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Location, SymbolInformation, WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import { skill } from './cli.ts';
import { whenRead, withServer } from './server.ts';

const PART = "a+b (x)/it's @/part.skill.md";
const FILES = {
  [PART]: skill('part', 'output_schema: {}'),
  'whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part]'),
};

describe('the URI of a file', { concurrency: 2 }, () => {
  it('refers to the file on disk even with fewer escapes than in VS Code', async () => {
    await withServer(FILES, async ({ open, published, connection, uri }) => {
      assert.match(uri(PART), /a\+b%20\(x\)/);
      await open(PART);
      await open('whole.skill.md');
      await published('whole.skill.md');
      const symbols = await connection.sendRequest<SymbolInformation[]>('workspace/symbol', { query: 'part' });
      assert.deepEqual(
        symbols.map(({ location }) => location.uri),
        [uri(PART)],
      );
      assert.deepEqual(await published(PART), []);
    });
  });

  it("is returned in the client's spelling in locations and in the keys of edits", async () => {
    await withServer(FILES, async ({ open, published, connection, uri }) => {
      await open(PART);
      await open('whole.skill.md');
      await published('whole.skill.md');
      const line = FILES['whole.skill.md'].split('\n').findIndex((text) => text.startsWith('composes'));
      const at = { textDocument: { uri: uri('whole.skill.md') }, position: { line, character: 12 } };
      const found = await connection.sendRequest<Location | Location[]>('textDocument/definition', at);
      assert.deepEqual(
        [found].flat().map((one) => one.uri),
        [uri(PART)],
      );
      const edit = await whenRead(() =>
        connection.sendRequest<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'piece' }),
      );
      assert.ok(Object.keys(edit.changes ?? {}).includes(uri(PART)), JSON.stringify(edit));
    });
  });

  it('is not changed in the text of a document', async () => {
    const text = `${skill('part')}\nSee ${pathToFileURL('/a+b')}.\n`;
    await withServer({ ...FILES, [PART]: text }, async ({ open, published, connection, uri }) => {
      await open(PART, pathToFileURL('/a+b').href);
      const [first] = await published(PART, (all) => all.length > 0);
      assert.equal(first?.range.start.line, 0);
      const whole = { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } }, text };
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(PART), version: 2 },
        contentChanges: [whole],
      });
      assert.deepEqual(await published(PART, (all) => all.length === 0), []);
    });
  });

  it('of a folder may end with a slash', async () => {
    const params = { workspaceFolders: [], capabilities: { workspace: { workspaceFolders: true } } };
    await withServer(
      { 'a.skill.md': skill('a', 'tols: [x]') },
      async ({ connection, published, uri }) => {
        const added = [{ uri: `${uri('')}/`, name: 'workspace' }];
        await connection.sendNotification('workspace/didChangeWorkspaceFolders', { event: { added, removed: [] } });
        await published('a.skill.md', (all) => all.some(({ code }) => code === 'unknown-key'));
      },
      params,
    );
  });
});
