import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CodeAction, CompletionItem, Hover } from 'vscode-languageserver-protocol';
import { withServer } from './server.ts';

const text = `---
name: a
description: Use it for: pages.
version: 1.0.0
tools: [red_page]
input_schema: {}
---

Do it.
`;

const files = {
  'skills.config.yaml': 'tools:\n  - {name: read_page, description: "Reads a page", operation: READ}\n',
  'a.skill.md': text,
  'b.skill.md': text.replace('it for: pages', 'it').replace('name: a', 'name: b'),
};

const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });

test('returns the fixes of a finding, with the preferred one first', async () => {
  await withServer(files, async ({ connection, open, uri, published }) => {
    await open('b.skill.md');
    const diagnostics = await published('b.skill.md', (all) => all.length > 0);
    const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: uri('b.skill.md') },
      range: at(4, 10),
      context: { diagnostics },
    });
    assert.deepEqual(
      actions.map(({ title }) => title),
      [
        'Replace with ‘read_page’',
        'Add ‘red_page’ to the catalog',
        'Remove ‘red_page’ from ‘tools’',
        'Suppress ‘unknown-tool’ here',
      ],
    );
    assert.equal(actions[0]?.isPreferred, true);
    assert.deepEqual(Object.keys(actions[1]?.edit?.changes ?? {}), [uri('skills.config.yaml')]);
  });
});

test('`source.fixAll` applies only safe fixes', async () => {
  await withServer(files, async ({ connection, open, uri }) => {
    await open('a.skill.md');
    const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: uri('a.skill.md') },
      range: at(0, 0),
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    assert.equal(actions.length, 1);
    assert.deepEqual(
      actions[0]?.edit?.changes?.[uri('a.skill.md')]?.map(({ newText }) => newText),
      ['"Use it for: pages."'],
    );
  });
});

test('completion and hover also work in an invalid file', async () => {
  await withServer(files, async ({ connection, open, uri, published }) => {
    await open('a.skill.md');
    // The catalog has been read when its skills are checked.
    await published('b.skill.md', (all) => all.length > 0);
    const where = { textDocument: { uri: uri('a.skill.md') }, position: { line: 4, character: 8 } };
    const answer = await connection.sendRequest<CompletionItem[] | { items: CompletionItem[] }>(
      'textDocument/completion',
      where,
    );
    const items = Array.isArray(answer) ? answer : answer.items;
    assert.ok(items.some(({ label }) => label === 'read_page'));
    const hover = await connection.sendRequest<Hover>('textDocument/hover', {
      ...where,
      position: { line: 3, character: 2 },
    });
    assert.match(JSON.stringify(hover.contents), /version/);
  });
});

test('returns nothing for a file that is not a skill', async () => {
  await withServer({ 'README.md': '# Read me' }, async ({ connection, open, uri }) => {
    await open('README.md');
    const answer = await connection.sendRequest('textDocument/hover', {
      textDocument: { uri: uri('README.md') },
      position: { line: 0, character: 3 },
    });
    assert.equal(answer, null);
  });
});

for (const workspaceEdit of [
  { documentChanges: true, resourceOperations: ['create' as const] },
  // Neovim declares only these.
  { resourceOperations: ['rename' as const, 'create' as const, 'delete' as const] },
]) {
  test(`offers to create a missing skill if the client can create files: ${JSON.stringify(workspaceEdit)}`, async () => {
    const referring = {
      'c.skill.md': `${files['b.skill.md'].replace('name: b', 'name: c').replace('tools: [red_page]\n', '')}See #skill:page-index.\n`,
    };
    const capabilities = { workspace: { workspaceEdit } };
    await withServer(
      referring,
      async ({ connection, open, uri, published }) => {
        await open('c.skill.md');
        const [finding] = await published('c.skill.md', (all) => all.some(({ code }) => code === 'skill-not-found'));
        const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
          textDocument: { uri: uri('c.skill.md') },
          range: finding?.range,
          context: { diagnostics: [] },
        });
        const create = actions.find(({ title }) => title === 'Create ‘page-index’');
        assert.deepEqual(
          create?.edit?.documentChanges?.map((one) =>
            'kind' in one ? [one.kind, 'uri' in one && one.uri] : one.textDocument.uri,
          ),
          [['create', uri('page-index.skill.md')], uri('page-index.skill.md')],
        );
      },
      { capabilities },
    );
  });
}

test('offers no skill at the path of a file that the server does not know, which some editors would overwrite', async () => {
  const referring = `${files['b.skill.md'].replace('name: b', 'name: c').replace('tools: [red_page]\n', '')}See #skill:page-index.\n`;
  const capabilities = { workspace: { workspaceEdit: { resourceOperations: ['create' as const] } } };
  await withServer(
    { 'c.skill.md': referring },
    async ({ connection, open, uri, published }) => {
      await open('c.skill.md');
      const [finding] = await published('c.skill.md', (all) => all.some(({ code }) => code === 'skill-not-found'));
      const params = { textDocument: { uri: uri('c.skill.md') }, range: finding?.range, context: { diagnostics: [] } };
      const titles = async () =>
        (await connection.sendRequest<CodeAction[]>('textDocument/codeAction', params)).map(({ title }) => title);
      assert.ok((await titles()).includes('Create ‘page-index’'));
      // The client has not said that the file was written.
      writeFileSync(new URL(uri('page-index.skill.md')), 'Notes.\n');
      assert.ok(!(await titles()).includes('Create ‘page-index’'));
    },
    { capabilities },
  );
});
