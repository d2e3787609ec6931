import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic, DocumentDiagnosticReport, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { type Server, withServer } from './server.ts';

const skill = (name: string, tools: string, body = 'Do it.') => `---
name: ${name}
description: Reads a page.
version: 1.0.0
tools: [${tools}]
input_schema: {}
---

${body}
`;

const catalog = (tool: string) => `tools:\n  - {name: ${tool}, description: "Reads a page", operation: READ}\n`;

const files = {
  'skills.config.yaml': catalog('read_page'),
  'good.skill.md': skill('good', 'read_page'),
  'bad.skill.md': skill('bad', 'red_page'),
};

const codes = (all: readonly Diagnostic[]) => all.map(({ code }) => code);
const none = (all: readonly Diagnostic[]) => all.length === 0;
const some = (all: readonly Diagnostic[]) => all.length > 0;

const change = ({ connection, uri }: Server, path: string, version: number, contentChanges: object[]) =>
  connection.sendNotification('textDocument/didChange', { textDocument: { uri: uri(path), version }, contentChanges });

test('findings of the whole workspace are published, closed files included', async () => {
  await withServer(files, async ({ published }) => {
    assert.deepEqual(codes(await published('bad.skill.md')), ['unknown-tool']);
  });
});

test('an incremental edit is taken in, and what it fixes goes', async () => {
  await withServer(files, async (server) => {
    await server.open('bad.skill.md');
    await server.published('bad.skill.md', some);
    const range = { start: { line: 4, character: 8 }, end: { line: 4, character: 16 } };
    await change(server, 'bad.skill.md', 2, [{ range, text: 'read_page' }]);
    await server.published('bad.skill.md', none);
  });
});

test('the newest of a burst of edits wins', async () => {
  await withServer(files, async (server) => {
    await server.open('good.skill.md');
    for (let version = 2; version < 40; version++) {
      await change(server, 'good.skill.md', version, [{ text: skill('good', version % 2 ? 'read_page' : 'red_page') }]);
    }
    await server.published('good.skill.md', none);
    await change(server, 'good.skill.md', 40, [{ text: skill('good', 'red_page') }]);
    assert.deepEqual(codes(await server.published('good.skill.md', some)), ['unknown-tool']);
  });
});

test('an edit of the catalog reaches the skills that it governs', async () => {
  await withServer(files, async (server) => {
    await server.published('bad.skill.md', some);
    await server.open('skills.config.yaml');
    await change(server, 'skills.config.yaml', 2, [{ text: catalog('red_page') }]);
    await server.published('bad.skill.md', none);
    await server.published('good.skill.md', some);
  });
});

test('what changes on disk is read again, what is deleted is forgotten', async () => {
  await withServer(files, async ({ connection, uri, published }) => {
    await published('bad.skill.md', some);
    writeFileSync(fileURLToPath(uri('good.skill.md')), skill('good', 'red_page'));
    await connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uri('good.skill.md'), type: 2 }],
    });
    await published('good.skill.md', some);
    rmSync(fileURLToPath(uri('bad.skill.md')));
    await connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uri('bad.skill.md'), type: 3 }],
    });
    await published('bad.skill.md', none);
  });
});

test('a skill that comes fixes the reference to it', async () => {
  const referring = { 'a.skill.md': skill('a', '', 'See #skill:b.') };
  await withServer(referring, async (server) => {
    assert.deepEqual(codes(await server.published('a.skill.md', some)), ['skill-not-found']);
    await server.open('b.skill.md', skill('b', ''));
    await server.published('a.skill.md', (found) => !codes(found).includes('skill-not-found'));
  });
});

test('severities come with the settings', async () => {
  await withServer(files, async ({ connection, published }) => {
    await published('bad.skill.md', some);
    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { skillComposer: { rules: { 'unknown-tool': 'off' } } },
    });
    await published('bad.skill.md', none);
  });
});

test('a client that pulls is answered and not published to', async () => {
  const capabilities = { textDocument: { diagnostic: {} } };
  await withServer(
    files,
    async ({ connection, initialized, open, uri }) => {
      assert.ok(initialized.capabilities.diagnosticProvider);
      connection.onNotification('textDocument/publishDiagnostics', () => assert.fail('nothing is published'));
      await open('bad.skill.md');
      const pull = (previousResultId?: string) =>
        connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri: uri('bad.skill.md') },
          ...(previousResultId ? { previousResultId } : {}),
        });
      let report = await pull();
      // The catalog may not be read yet when the first question comes.
      while (report.kind !== 'full' || report.items.length === 0) report = await pull();
      assert.deepEqual(codes(report.items), ['unknown-tool']);
      assert.equal((await pull(report.resultId)).kind, 'unchanged');
      const { items } = await connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', {
        previousResultIds: [],
      });
      assert.deepEqual(items.map((item) => item.uri).sort(), Object.keys(files).map(uri).sort());
    },
    { capabilities },
  );
});

test('positions are counted in the encoding that the client prefers', async () => {
  const emoji = { ...files, 'bad.skill.md': skill('bad', '"🌍🌍", red_page') };
  for (const [encoding, character] of [
    ['utf-16', 16],
    ['utf-8', 20],
  ] as const) {
    await withServer(
      emoji,
      async ({ initialized, published }) => {
        assert.equal(initialized.capabilities.positionEncoding, encoding);
        const all = await published('bad.skill.md', (found) => found.length > 1);
        assert.equal(all[1]?.range.start.character, character);
      },
      { capabilities: { general: { positionEncodings: [encoding] } } },
    );
  }
});

test('a second workspace folder is read when it comes and forgotten when it goes', async () => {
  await withServer(
    { 'one/a.skill.md': skill('a', ''), 'two/b.skill.md': skill('b', '', 'See #skill:nowhere.') },
    async ({ connection, uri, published }) => {
      const folder = { uri: uri('two'), name: 'two' };
      const say = (event: object) => connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
      await say({ added: [folder], removed: [] });
      await published('two/b.skill.md', some);
      await say({ added: [], removed: [folder] });
      await published('two/b.skill.md', none);
    },
    { workspaceFolders: null, rootUri: null, capabilities: { workspace: { workspaceFolders: true } } },
  );
});
