/** Packages and conversions in an editor: findings, hover, outline, the code action, and the preview's request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeAction, Hover, SymbolInformation } from 'vscode-languageserver-protocol';
import type { ConvertReply } from '../../server/src/protocol.ts';
import { CONSISTENCY_CHECKER } from '../core/exchange/consistency-checker.ts';
import { withServer } from './server.ts';

const files = {
  'checker.skill.json': CONSISTENCY_CHECKER,
  'draft.skill.md':
    '---\nname: draft\ndescription: Drafts.\nversion: 1.0.0\ninput_schema: {}\nsamples: {}\n---\n\nDo it.\n',
};

const CREATES = {
  capabilities: { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create' as const] } } },
};

const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });

test('returns findings, a hover and an outline for a package, and an action that converts it to a skill', async () => {
  await withServer(
    files,
    async ({ connection, open, uri, published }) => {
      await open('checker.skill.json');
      const diagnostics = await published('checker.skill.json', (all) => all.length > 0);
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['retired-artifact-kind', 'retired-artifact-kind'],
      );
      const textDocument = { uri: uri('checker.skill.json') };
      const line = CONSISTENCY_CHECKER.split('\n').findIndex((one) => one.includes('"kind"'));
      const position = { line, character: 8 };
      const hover = await connection.sendRequest<Hover | null>('textDocument/hover', { textDocument, position });
      assert.match(JSON.stringify(hover), /The kind of the artifact\./);
      // The list is flat, because the client does not support hierarchical symbols.
      const symbols = await connection.sendRequest<SymbolInformation[]>('textDocument/documentSymbol', {
        textDocument,
      });
      assert.deepEqual(
        symbols.map(({ name }) => name),
        ['Consistency Checker', 'Overview', 'Check Prompt', 'Cross-Reference Script', 'DSPy Checker'],
      );
      const context = { diagnostics: [] };
      const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        ...{ textDocument, range: at(0, 0), context },
      });
      const action = actions.find(({ title }) => title === 'Convert to ‘consistency-checker.skill.md’');
      const [made, written] = action?.edit?.documentChanges ?? [];
      assert.deepEqual(made, {
        kind: 'create',
        uri: uri('consistency-checker.skill.md'),
        options: { overwrite: false, ignoreIfExists: false },
      });
      assert.match(JSON.stringify(written), /\\ntitle: Consistency Checker\\n/);
    },
    CREATES,
  );
});

test('the preview of a conversion contains the files, and the losses with their locations', async () => {
  await withServer(files, async ({ connection, uri }) => {
    const ask = (path: string, to: string, text?: string) =>
      connection.sendRequest<ConvertReply | null>('skill/convert', { uri: uri(path), to, text });
    const made = await ask('draft.skill.md', 'agent-skill');
    assert.ok(made && 'files' in made);
    assert.deepEqual(
      made.files.map(({ path }) => path),
      ['draft/SKILL.md'],
    );
    const range = { start: { line: 5, character: 0 }, end: { line: 5, character: 11 } };
    assert.deepEqual(made.lost, [{ what: 'samples', range, why: 'A `SKILL.md` does not support this key.' }]);
    const record = await ask('draft.skill.md', 'record');
    assert.ok(record && 'files' in record);
    const back = await ask('draft.record.json', 'skill-md', record.files[0]?.text);
    assert.ok(back && 'files' in back);
    assert.equal(back.files[0]?.text, files['draft.skill.md']);
    assert.deepEqual(await ask('draft.skill.md', 'skill-md'), {
      problem: 'It is already a `.skill.md`.',
      range: null,
    });
    assert.equal(await ask('none.skill.md', 'record'), null);
  });
});
