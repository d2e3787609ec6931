/** Navigation and rename over the wire: capabilities, results for different clients, refusals as errors. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type {
  DocumentLink,
  DocumentSymbol,
  Location,
  LocationLink,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { type Server, whenRead, withServer } from './server.ts';
import { until } from './until.ts';

const skill = (name: string, rest: string) =>
  `---\nname: ${name}\ndescription: A skill.\nversion: 1.0.0\ninput_schema: {}\n${rest}---\n\nDo it.\n`;

const files = {
  'part.skill.md': skill('part', ''),
  'whole.skill.md': skill('whole', 'requires: [{skill: part, version: ^1.0.0}]\n'),
};

/** The position of `part` in `requires`. */
const onPart = ({ uri }: Server) => ({
  textDocument: { uri: uri('whole.skill.md') },
  position: { line: 5, character: 20 },
});

/** Waits until a closed file is known, which shows that the workspace was read. */
async function read({ connection }: Server): Promise<void> {
  await until('a symbol of the other file', async () => {
    const found = await connection.sendRequest<SymbolInformation[]>('workspace/symbol', { query: 'part' });
    return found.length > 0;
  });
}

test('returns locations, a list of symbols, and changes by file to a client without capabilities', async () => {
  await withServer(files, async (server) => {
    const { connection, initialized, open, uri } = server;
    assert.equal(initialized.capabilities.renameProvider, true);
    await open('whole.skill.md');
    await read(server);
    const [place] = await connection.sendRequest<Location[]>('textDocument/definition', onPart(server));
    assert.equal(place?.uri, uri('part.skill.md'));
    const named = await connection.sendRequest<Location[]>('textDocument/references', {
      ...onPart(server),
      context: { includeDeclaration: true },
    });
    assert.equal(named.length, 2);
    const [symbol] = await connection.sendRequest<SymbolInformation[]>('textDocument/documentSymbol', onPart(server));
    assert.ok(symbol && 'location' in symbol);
    const edit = await whenRead(() =>
      connection.sendRequest<WorkspaceEdit>('textDocument/rename', { ...onPart(server), newName: 'piece' }),
    );
    assert.deepEqual(Object.keys(edit.changes ?? {}), [uri('part.skill.md'), uri('whole.skill.md')]);
  });
});

test('returns links, an outline, and one edit with versions and the renamed file to a capable client', async () => {
  const capabilities = {
    workspace: {
      workspaceEdit: { documentChanges: true, resourceOperations: ['rename' as const], changeAnnotationSupport: {} },
    },
    textDocument: {
      definition: { linkSupport: true },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      rename: { prepareSupport: true },
    },
  };
  await withServer(
    files,
    async (server) => {
      const { connection, initialized, open, uri } = server;
      assert.deepEqual(initialized.capabilities.renameProvider, { prepareProvider: true });
      await open('whole.skill.md');
      await read(server);
      const [link] = await connection.sendRequest<LocationLink[]>('textDocument/definition', onPart(server));
      assert.equal(link?.targetUri, uri('part.skill.md'));
      const [symbol] = await connection.sendRequest<DocumentSymbol[]>('textDocument/documentSymbol', onPart(server));
      assert.deepEqual(
        symbol?.children?.map(({ name }) => name),
        ['input_schema', 'requires'],
      );
      const prepared = await whenRead(() =>
        connection.sendRequest<{ placeholder: string }>('textDocument/prepareRename', onPart(server)),
      );
      assert.equal(prepared.placeholder, 'part');
      const edit = await connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
        ...onPart(server),
        newName: 'piece',
      });
      assert.deepEqual(
        edit.documentChanges?.map((one) => ('kind' in one ? one.kind : one.textDocument.version)),
        ['rename', null, 1],
      );
    },
    { capabilities },
  );
});

test('returns the edit for a file that the client is about to rename', async () => {
  const capabilities = {
    workspace: {
      workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} },
      fileOperations: { willRename: true },
    },
  };
  await withServer(
    files,
    async (server) => {
      const { connection, initialized, open, uri } = server;
      assert.ok(initialized.capabilities.workspace?.fileOperations?.willRename);
      await open('whole.skill.md');
      await read(server);
      const moved = { oldUri: uri('part.skill.md'), newUri: uri('piece.skill.md') };
      const edit = await whenRead(async () => {
        const answer = await connection.sendRequest<WorkspaceEdit | null>('workspace/willRenameFiles', {
          files: [moved],
        });
        return answer ?? Promise.reject(new Error('still being read'));
      });
      assert.deepEqual(
        edit.documentChanges?.map((one) => 'edits' in one && [one.textDocument.uri, one.edits.length]),
        [
          [uri('part.skill.md'), 1],
          [uri('whole.skill.md'), 1],
        ],
      );
      assert.deepEqual(
        Object.values(edit.changeAnnotations ?? {}).map(({ label }) => label),
        ['Rename to piece in other files'],
      );
    },
    { capabilities },
  );
});

test('renames a `SKILL.md` with its folder, its mentions and the links to it in one edit', async () => {
  const capabilities = {
    workspace: {
      workspaceEdit: { documentChanges: true, resourceOperations: ['rename' as const], changeAnnotationSupport: {} },
    },
  };
  const agentSkill = (name: string, body: string) =>
    `---\nname: ${name}\ndescription: Does it. Use it when asked.\n---\n\n${body}\n`;
  const plain = {
    'part/SKILL.md': agentSkill('part', 'Do it.'),
    'whole/SKILL.md': agentSkill('whole', 'Run `/part now`; see [it](../part/SKILL.md). Not /parts.'),
  };
  await withServer(
    plain,
    async (server) => {
      const { connection, open, uri } = server;
      await open('whole/SKILL.md');
      await read(server);
      const at = { textDocument: { uri: uri('whole/SKILL.md') }, position: { line: 5, character: 7 } };
      const edit = await whenRead(() =>
        connection.sendRequest<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'piece' }),
      );
      assert.deepEqual(
        edit.documentChanges?.map((one) =>
          'edits' in one ? one.edits.map((each) => 'range' in each && each.range.start) : 'newUri' in one && one.newUri,
        ),
        [
          uri('piece'),
          [{ line: 1, character: 6 }],
          [
            { line: 5, character: 6 },
            { line: 5, character: 29 },
          ],
        ],
      );
      const links = await connection.sendRequest<DocumentLink[]>('textDocument/documentLink', at);
      assert.deepEqual([...new Set(links.map(({ target }) => target))], [uri('part/SKILL.md')]);
    },
    { capabilities },
  );
});

test('returns a refusal as an error with its reason', async () => {
  await withServer(files, async (server) => {
    const { connection, open } = server;
    await open('whole.skill.md');
    await read(server);
    const answer = whenRead(() =>
      connection.sendRequest('textDocument/rename', { ...onPart(server), newName: 'Not A Name' }),
    );
    await assert.rejects(answer, /‘Not A Name’ is not a valid skill name/);
  });
});

test('returns folding ranges, selection ranges, links and linked editing ranges', async () => {
  await withServer(files, async (server) => {
    const { connection, open } = server;
    await open('whole.skill.md');
    const { textDocument, position } = onPart(server);
    assert.ok(Array.isArray(await connection.sendRequest('textDocument/foldingRange', { textDocument })));
    const ranges = await connection.sendRequest<unknown[]>('textDocument/selectionRange', {
      textDocument,
      positions: [position, position],
    });
    assert.equal(ranges.length, 2);
    assert.deepEqual(await connection.sendRequest('textDocument/documentLink', { textDocument }), []);
    assert.equal(await connection.sendRequest('textDocument/linkedEditingRange', { textDocument, position }), null);
    assert.ok(
      Array.isArray(await connection.sendRequest('textDocument/documentHighlight', { textDocument, position })),
    );
  });
});
