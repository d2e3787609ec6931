/** The rename of a skill over the wire: what each client can confirm, the moves it announces, and the names it leaves. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { ClientCapabilities, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { ServerMessage } from '../../server/src/protocol.ts';
import { type Server, whenRead, withServer } from './server.ts';
import { until } from './until.ts';

const skill = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Does it. Use it when asked.\n---\n\n${body}\n`;

const READER = '.claude/skills/log-reader/SKILL.md';
const REPORT = '.claude/skills/crash-report/SKILL.md';
const files = {
  [READER]: skill('log-reader', 'Read the logs. See [reports](../crash-report/SKILL.md).'),
  [REPORT]: skill('crash-report', 'Use the skill `log-reader`, see [how](../log-reader/SKILL.md#how).'),
  '.claude/agents/sre.md': '---\nname: sre\ndescription: Runs.\nskills: [log-reader]\n---\n\nRun.\n',
  '.claude/skills/crash-report/references/more.md': 'Then use the `log-reader` skill, a log-reader.\n',
  'CLAUDE.md': 'Use the skill `log-reader`; see .claude/skills/log-reader/SKILL.md.\n',
};

const clientWith = (changeAnnotationSupport: boolean): ClientCapabilities => ({
  workspace: {
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['rename'],
      ...(changeAnnotationSupport ? { changeAnnotationSupport: {} } : {}),
    },
    fileOperations: { willRename: true },
  },
});

const atName = ({ uri }: Server) => ({ textDocument: { uri: uri(READER) }, position: { line: 1, character: 8 } });

/** Renames the skill, and returns the edits of each file: `?` marks an edit that the client must confirm. */
async function renamed(server: Server, newName: string) {
  const { connection, uri } = server;
  const edit = await whenRead(() =>
    connection.sendRequest<WorkspaceEdit>('textDocument/rename', { ...atName(server), newName }),
  );
  return shown(edit, `${uri('')}/`);
}

function shown({ documentChanges = [], changeAnnotations = {} }: WorkspaceEdit, root: string): readonly string[] {
  return documentChanges.flatMap((change) => {
    if ('kind' in change) return 'newUri' in change ? [`→ ${change.newUri.slice(root.length)}`] : [];
    const path = change.textDocument.uri.slice(root.length);
    return change.edits.map((one) => {
      assert.ok('newText' in one);
      const asks = 'annotationId' in one && changeAnnotations[one.annotationId]?.needsConfirmation === true;
      return `${asks ? '? ' : ''}${path} ${one.range.start.line}:${one.range.start.character} ${one.newText}`;
    });
  });
}

/** Collects the messages that the server shows, each followed by the places that a client can open. */
function messagesTo({ connection, uri: uriOf }: Server): readonly string[] {
  const told: string[] = [];
  connection.onNotification('window/showMessage', ({ message, places }: ServerMessage) => {
    told.push(
      message,
      ...(places ?? []).map(
        ({ uri, range }) => `${uri.slice(uriOf('').length + 1)} ${range.start.line}:${range.start.character}`,
      ),
    );
  });
  return told;
}

const willRename = ({ connection, uri }: Server, from: string, to: string) =>
  connection.sendRequest<WorkspaceEdit | null>('workspace/willRenameFiles', {
    files: [{ oldUri: uri(from), newUri: uri(to) }],
  });

/** Waits until the workspace is read. */
const read = (server: Server) =>
  whenRead(() => server.connection.sendRequest('textDocument/prepareRename', atName(server)));

test('a client that can confirm edits gets all places, the moved folder first, and is told about the names that it left', async () => {
  await withServer(
    files,
    async (server) => {
      const told = messagesTo(server);
      await server.open(READER);
      const edits = await renamed(server, 'log-finder');
      const finder = '.claude/skills/log-finder/SKILL.md';
      assert.deepEqual(edits, [
        '→ .claude/skills/log-finder',
        '.claude/agents/sre.md 3:9 log-finder',
        `${REPORT} 5:15 log-finder`,
        `${REPORT} 5:41 log-finder`,
        `${finder} 1:6 log-finder`,
        '? CLAUDE.md 0:15 log-finder',
        'CLAUDE.md 0:47 log-finder',
      ]);
      // The client announces the move of its own rename, whose edits it already has.
      assert.equal(await willRename(server, '.claude/skills/log-reader', '.claude/skills/log-finder'), null);
      const { connection, open, uri } = server;
      const close = (path: string) =>
        connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(path) } });
      await close(READER);
      await connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: uri(READER), type: 3 }],
      });
      for (const [path, text] of Object.entries(files)) {
        if (path.includes('/references/')) continue;
        const isReader = path === READER;
        const after =
          path === 'CLAUDE.md'
            ? text.replace('s/log-reader', 's/log-finder')
            : text.replaceAll('log-reader', 'log-finder');
        await open(isReader ? finder : path, after);
      }
      // The folder on the disk of this test did not move.
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(READER), languageId: 'skillmd', version: 2, text: '' },
      });
      await until('the message about the names that are left', () => told.length > 0);
      assert.deepEqual(told, [
        'These places still have the name ‘log-reader’: ‘CLAUDE.md’ line 1, ‘.claude/skills/crash-report/references/more.md’ line 1. Change them by hand if they mean the skill.',
        'CLAUDE.md 0:15',
        '.claude/skills/crash-report/references/more.md 0:14',
      ]);
    },
    { capabilities: clientWith(true) },
  );
});

test('a client that cannot confirm edits gets only the sure ones, and is told about the others', async () => {
  await withServer(
    files,
    async (server) => {
      const told = messagesTo(server);
      await server.open(READER);
      assert.deepEqual(
        (await renamed(server, 'log-finder')).filter((one) => one.includes('CLAUDE.md')),
        ['CLAUDE.md 0:47 log-finder'],
      );
      await until('the message about the names that are left', () => told.length > 0);
      assert.deepEqual(told, [
        'These places still have the name ‘log-reader’: ‘CLAUDE.md’ line 1, ‘.claude/skills/crash-report/references/more.md’ line 1. Change them by hand if they mean the skill.',
        'CLAUDE.md 0:15',
        '.claude/skills/crash-report/references/more.md 0:14',
      ]);
    },
    { capabilities: clientWith(false) },
  );
});

test('a folder that the user renames renames its skill, and one that moves keeps its name', async () => {
  await withServer(
    files,
    async (server) => {
      const root = `${server.uri('')}/`;
      await server.open(READER);
      await read(server);
      const toNewName = await willRename(server, '.claude/skills/log-reader', '.claude/skills/log-finder');
      assert.deepEqual(toNewName && shown(toNewName, root), [
        '.claude/agents/sre.md 3:9 log-finder',
        `${REPORT} 5:15 log-finder`,
        `${REPORT} 5:41 log-finder`,
        `${READER} 1:6 log-finder`,
        '? CLAUDE.md 0:15 log-finder',
        'CLAUDE.md 0:47 log-finder',
      ]);
      const moved = await willRename(server, '.claude/skills/log-reader', 'shared/log-reader');
      assert.deepEqual(moved && shown(moved, root), [
        `${REPORT} 5:41 ../../shared/log-reader`,
        `${READER} 5:32 ../.claude/skills/crash-report`,
        'CLAUDE.md 0:32 shared',
      ]);
      const parent = await willRename(server, '.claude/skills', '.claude/abilities');
      assert.deepEqual(parent && shown(parent, root), ['CLAUDE.md 0:40 abilities']);
      assert.equal(await willRename(server, '.claude/skills/log-reader', '.claude/skills/crash-report'), null);
    },
    { capabilities: clientWith(true) },
  );
});

/** The capabilities that real clients declare (observed 2026-12-01). */
const NEOVIM_0_7: ClientCapabilities = {
  workspace: { workspaceEdit: { resourceOperations: ['rename', 'create', 'delete'] } },
};
const EGLOT_1_9: ClientCapabilities = { workspace: { workspaceEdit: { documentChanges: true } } };
const WITHOUT_EDITS: ClientCapabilities = {};

test('a client that declares only operations on files gets the texts without versions, and then the moved folder', async () => {
  await withServer(
    files,
    async (server) => {
      const told = messagesTo(server);
      await server.open(READER);
      const edit = await whenRead(() =>
        server.connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
          ...atName(server),
          newName: 'log-finder',
        }),
      );
      const changes = edit.documentChanges ?? [];
      assert.deepEqual(
        changes.map((one) => ('kind' in one ? one.kind : one.textDocument.version)),
        [...changes.slice(1).map(() => null), 'rename'],
      );
      const edits = shown(edit, `${server.uri('')}/`);
      assert.ok(edits.includes(`${READER} 1:6 log-finder`), edits.join('\n'));
      assert.equal(edits.at(-1), '→ .claude/skills/log-finder');
      await until('the message about the names that are left', () => told.length > 0);
      assert.match(told[0] ?? '', /^These places still have the name/);
    },
    { capabilities: NEOVIM_0_7 },
  );
});

for (const [name, capabilities] of Object.entries({ EGLOT_1_9, WITHOUT_EDITS })) {
  test(`a client without operations on files gets only texts, and a message that says what to rename: ${name}`, async () => {
    await withServer(
      files,
      async (server) => {
        const told = messagesTo(server);
        await server.open(READER);
        const edit = await whenRead(() =>
          server.connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
            ...atName(server),
            newName: 'log-finder',
          }),
        );
        const changed = [
          ...Object.keys(edit.changes ?? {}),
          ...(edit.documentChanges ?? []).map((one) => ('kind' in one ? one.kind : one.textDocument.uri)),
        ];
        const paths = [READER, REPORT, '.claude/agents/sre.md', 'CLAUDE.md'];
        assert.deepEqual(changed.sort(), paths.map(server.uri).sort());
        await until('both messages', () => told.length > 1);
        assert.equal(
          told[0],
          'This editor does not rename files with a skill. Rename ‘.claude/skills/log-reader’ to ‘log-finder’.',
        );
      },
      { capabilities },
    );
  });
}
