/** Signatures, tokens, code lenses with their settings, and paths from the disk, over the wire. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { CodeLens, CompletionItem, SemanticTokens, SignatureHelp } from 'vscode-languageserver-protocol';
import { type Server, withServer } from './server.ts';
import { until } from './until.ts';

const head = (rest: string) =>
  `---\nname: part\ndescription: A skill.\nversion: 1.0.0\ninput_schema: {tone: string}\n${rest}---\n`;

const files = {
  'part.skill.md': `${head('')}\n## PromptTemplate: main\n\n{{ tone | replace("a", ) }}\n\n[it](refs/)\n`,
  'whole.skill.md': '---\nname: whole\nversion: 1.0.0\nlevel: 2\ncomposes: [part]\n---\n',
  'refs/guide.md': 'A guide.\n',
};

const options = { previewCommand: 'preview', showReferencesCommand: 'show' };

const at = ({ uri }: Server, line: number, character: number) => ({
  textDocument: { uri: uri('part.skill.md') },
  position: { line, character },
});

test('returns a signature, with offsets in its label if the client supports them', async () => {
  const ask = async (server: Server) => {
    await server.open('part.skill.md');
    const help = await server.connection.sendRequest<SignatureHelp>('textDocument/signatureHelp', at(server, 9, 23));
    return [help.activeParameter, help.signatures[0]?.parameters?.[1]?.label];
  };
  await withServer(files, async (server) => {
    assert.ok(server.initialized.capabilities.signatureHelpProvider);
    assert.deepEqual(await ask(server), [1, 'to']);
  });
  const information = { parameterInformation: { labelOffsetSupport: true } };
  const capabilities = { textDocument: { signatureHelp: { signatureInformation: information } } };
  await withServer(files, async (server) => assert.deepEqual(await ask(server), [1, [14, 16]]), { capabilities });
});

test('returns semantic tokens for a file and for a range, and none for a file that is not a skill', async () => {
  await withServer(files, async (server) => {
    const { connection, initialized, open, uri } = server;
    const { semanticTokensProvider } = initialized.capabilities;
    assert.ok(semanticTokensProvider && 'legend' in semanticTokensProvider);
    assert.equal(semanticTokensProvider.legend.tokenTypes[0], 'parameter');
    await open('part.skill.md');
    const textDocument = { uri: uri('part.skill.md') };
    const range = { start: { line: 9, character: 0 }, end: { line: 9, character: 6 } };
    const some = await connection.sendRequest<SemanticTokens>('textDocument/semanticTokens/range', {
      textDocument,
      range,
    });
    assert.deepEqual(some.data, [9, 3, 4, 0, 0]);
    const all = await connection.sendRequest<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
    // The first token is the skill's name, a declaration of a class.
    assert.deepEqual(all.data.slice(0, 5), [1, 6, 4, 4, 1]);
    assert.ok(all.data.length > some.data.length);
    const other = { textDocument: { uri: uri('refs/guide.md') } };
    assert.deepEqual(
      (await connection.sendRequest<SemanticTokens>('textDocument/semanticTokens/full', other)).data,
      [],
    );
  });
});

const lensesOf = async (server: Server): Promise<readonly (string | undefined)[]> => {
  const lenses = await server.connection.sendRequest<CodeLens[]>('textDocument/codeLens', at(server, 0, 0));
  const resolved = await Promise.all(
    lenses.map((lens) => server.connection.sendRequest<CodeLens>('codeLens/resolve', lens)),
  );
  return resolved.map(({ command }) => command?.title);
};

test('returns code lenses according to the commands and the settings of the client', async () => {
  await withServer(files, async ({ initialized }) => {
    assert.equal(initialized.capabilities.codeLensProvider, undefined);
  });
  const settings = { ...options, codeLens: ['samples', 'composedBy'] };
  await withServer(
    files,
    async (server) => {
      await server.open('part.skill.md');
      await until('a lens', async () => (await lensesOf(server)).length > 0);
      assert.deepEqual(await lensesOf(server), ['Composed by 1 skill']);
      await server.connection.sendNotification('workspace/didChangeConfiguration', {
        settings: { skillComposer: { codeLens: ['preview'] } },
      });
      assert.deepEqual(await lensesOf(server), ['Preview']);
    },
    { initializationOptions: settings },
  );
});

test('completes paths of files on disk', async () => {
  await withServer(files, async (server) => {
    await server.open('part.skill.md');
    const items = await server.connection.sendRequest<CompletionItem[]>('textDocument/completion', at(server, 11, 10));
    assert.deepEqual(
      items.map(({ label }) => label),
      ['guide.md'],
    );
  });
});
