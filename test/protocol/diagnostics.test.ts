import { strict as assert } from 'node:assert';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Diagnostic, DocumentDiagnosticReport, WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { RefreshRequest } from '../../server/src/protocol.ts';
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

test('publishes findings of the whole workspace, including closed files', async () => {
  await withServer(files, async ({ published }) => {
    assert.deepEqual(codes(await published('bad.skill.md')), ['unknown-tool']);
  });
});

test('removes the findings that an incremental edit fixes', async () => {
  await withServer(files, async (server) => {
    await server.open('bad.skill.md');
    await server.published('bad.skill.md', some);
    const range = { start: { line: 4, character: 8 }, end: { line: 4, character: 16 } };
    await change(server, 'bad.skill.md', 2, [{ range, text: 'read_page' }]);
    await server.published('bad.skill.md', none);
  });
});

test('publishes the findings after the last of several fast edits', async () => {
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

test('updates the findings in skills after an edit to their catalog', async () => {
  await withServer(files, async (server) => {
    await server.published('bad.skill.md', some);
    await server.open('skills.config.yaml');
    await change(server, 'skills.config.yaml', 2, [{ text: catalog('red_page') }]);
    await server.published('bad.skill.md', none);
    await server.published('good.skill.md', some);
  });
});

test('reads changed files on disk again, and forgets deleted files', async () => {
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

test('forgets the files of a deleted folder, and reads an unreported folder after a refresh', async () => {
  const inFolder = { 'sub/bad.skill.md': skill('bad', 'red_page'), ...files };
  await withServer(inFolder, async ({ connection, uri, published }) => {
    await published('sub/bad.skill.md', some);
    const sub = fileURLToPath(uri('sub'));
    renameSync(sub, `${sub}-moved`);
    await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uri('sub/'), type: 3 }] });
    await published('sub/bad.skill.md', none);
    await connection.sendRequest(RefreshRequest.method, {});
    await published('sub-moved/bad.skill.md', some);
  });
});

test('removes the finding about a reference when the referenced skill is added', async () => {
  const referring = { 'a.skill.md': skill('a', '', 'See #skill:b.') };
  await withServer(referring, async (server) => {
    assert.deepEqual(codes(await server.published('a.skill.md', some)), ['skill-not-found']);
    await server.open('b.skill.md', skill('b', ''));
    await server.published('a.skill.md', (found) => !codes(found).includes('skill-not-found'));
  });
});

test('applies the severities in the settings', async () => {
  await withServer(files, async ({ connection, published }) => {
    await published('bad.skill.md', some);
    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { skillComposer: { rules: { 'unknown-tool': 'off' } } },
    });
    await published('bad.skill.md', none);
  });
});

const pulling = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };

test('returns diagnostics to a client that pulls them, and publishes nothing to this client', async () => {
  await withServer(
    files,
    async ({ connection, initialized, open, uri }) => {
      assert.equal(initialized.capabilities.diagnosticProvider?.workspaceDiagnostics, true);
      connection.onNotification('textDocument/publishDiagnostics', () => assert.fail('nothing is published'));
      await open('bad.skill.md');
      const pull = (previousResultId?: string) =>
        connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri: uri('bad.skill.md') },
          ...(previousResultId ? { previousResultId } : {}),
        });
      let report = await pull();
      // The catalog may not have been read at the first request.
      while (report.kind !== 'full' || report.items.length === 0) report = await pull();
      assert.deepEqual(codes(report.items), ['unknown-tool']);
      assert.equal((await pull(report.resultId)).kind, 'unchanged');
      const { items } = await connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', {
        previousResultIds: [],
      });
      assert.deepEqual(items.map((item) => item.uri).sort(), Object.keys(files).map(uri).sort());
    },
    { capabilities: pulling },
  );
});

test('checks the folder of `rootUri` for a client that sends an empty list of folders', async () => {
  await withServer(files, async ({ published }) => void (await published('bad.skill.md', some)), {
    workspaceFolders: [],
  });
});

test('publishes diagnostics to a client that pulls without support for a refresh', async () => {
  await withServer(
    files,
    async ({ initialized, published }) => {
      assert.equal(initialized.capabilities.diagnosticProvider, undefined);
      assert.deepEqual(codes(await published('bad.skill.md', some)), ['unknown-tool']);
    },
    { capabilities: { textDocument: pulling.textDocument } },
  );
});

test('offers Neovim no diagnostics of the workspace, because it would ignore those of open files', async () => {
  await withServer(
    files,
    async ({ initialized }) => {
      assert.equal(initialized.capabilities.diagnosticProvider?.workspaceDiagnostics, false);
    },
    { capabilities: pulling, clientInfo: { name: 'Neovim' } },
  );
});

test("counts positions in the client's preferred encoding", async () => {
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

test('reads a workspace folder that is added, and forgets a folder that is removed', async () => {
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
