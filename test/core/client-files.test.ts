/**
 * File access through the client, for a server without a file system: it returns the same results as access through a
 * host.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import type { Connection } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import {
  fileExists,
  listFolder,
  readBytes,
  readContent,
  uriIn,
  writeTree,
} from '../../client/src/language-server/file-access.ts';
import { walkFolder } from '../../client/src/language-server/walk-folder.ts';
import { clientFiles } from '../../server/src/frontends/lsp/client-files.ts';
import { ClientRequests } from '../../server/src/frontends/lsp/client-requests.ts';
import { isUserError } from '../../server/src/io/user-error.ts';
import { FindFilesRequest, type ListedEntry } from '../../server/src/protocol.ts';

const [FILE, FOLDER, LINK, UNKNOWN] = [1, 2, 64, 0];
const MEGABYTE = 1024 * 1024;

interface Entry {
  readonly type?: number;
  /** The size as the file system reports it. */
  readonly size?: number;
  readonly bytes?: Uint8Array | string;
  /** The code of an error that the client returns instead of a result. */
  readonly fails?: string;
}

/** The result for an entry, and whether its bytes were requested. */
async function contentOf({ type = FILE, size = 0, bytes = '', fails }: Entry) {
  let isRead = false;
  const fs = {
    async stat() {
      if (fails) throw Object.assign(new Error(fails), { code: fails });
      return { type, size, ctime: 0, mtime: 0 };
    },
    async readFile() {
      isRead = true;
      return typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    },
  };
  return { content: await readContent(fs, {} as Uri), isRead };
}

test('reads the whole text of a file', async () => {
  const text = '\ufeff---\r\nname: a\r\n---\r\n';
  assert.deepEqual((await contentOf({ bytes: text })).content, { kind: 'text', text });
  assert.deepEqual((await contentOf({ type: FILE | LINK, bytes: text })).content, { kind: 'text', text });
});

test('does not read folders, special files or files above the size limit', async () => {
  const refused: readonly (readonly [Entry, string])[] = [
    [{ type: FOLDER }, 'folder'],
    [{ type: FOLDER | LINK }, 'folder'],
    [{ type: UNKNOWN }, 'special'],
    [{ type: UNKNOWN | LINK }, 'special'],
    [{ size: 10 * MEGABYTE + 1 }, 'too-large'],
  ];
  for (const [entry, reason] of refused) {
    assert.deepEqual(await contentOf(entry), { content: { kind: 'unreadable', reason }, isRead: false });
  }
});

test('rejects a file whose bytes exceed the size limit or are not UTF-8', async () => {
  const long = new Uint8Array(10 * MEGABYTE + 1);
  assert.deepEqual((await contentOf({ bytes: long })).content, { kind: 'unreadable', reason: 'too-large' });
  const broken = Uint8Array.from([0x2d, 0xff]);
  assert.deepEqual((await contentOf({ bytes: broken })).content, {
    kind: 'unreadable',
    reason: 'not-utf8',
    replaced: new TextDecoder().decode(broken),
  });
});

test('treats a deleted file as missing, and reports other failures', async () => {
  assert.deepEqual((await contentOf({ fails: 'FileNotFound' })).content, { kind: 'absent' });
  assert.deepEqual((await contentOf({ fails: 'NoPermissions' })).content, { kind: 'unreadable', reason: 'denied' });
  assert.deepEqual((await contentOf({ fails: 'Unavailable' })).content, { kind: 'unreadable', reason: 'failed' });
});

test('filters files from a client with the same globs as files on disk', async () => {
  const asked: unknown[] = [];
  const sendRequest = async (method: string, params: unknown) => {
    asked.push([method, params]);
    return ['a%20b.skill.md', 'notes.md', 'old/d.skill.md', 'node_modules/e.skill.md'].map(
      (path) => `memory:/w/${path}`,
    );
  };
  const files = clientFiles(new ClientRequests({ sendRequest } as Connection));
  assert.deepEqual(await files.find(['memory:/w'], ['**/*.skill.md', '!old/**']), ['memory:/w/a%20b.skill.md']);
  assert.deepEqual(asked, [[FindFilesRequest.method, { folder: 'memory:/w', globs: ['**/*.skill.md'] }]]);
});

test('walks a folder that cannot be searched, but skips links to folders and folders such as node_modules', async () => {
  const folders: Readonly<Record<string, readonly ListedEntry[]>> = {
    '': [
      { name: 'a.md', kind: 'file' },
      { name: 'deep', kind: 'folder' },
      { name: 'node_modules', kind: 'folder' },
      { name: 'locked', kind: 'folder' },
    ],
    deep: [
      { name: 'er', kind: 'folder' },
      { name: 'b.md', kind: 'link' },
    ],
    'deep/er': [{ name: 'c.md', kind: 'file' }],
  };
  const listed: string[] = [];
  const found = await walkFolder(async (path) => {
    listed.push(path);
    return folders[path] ?? [];
  });
  assert.deepEqual(found.sort(), ['a.md', 'deep/b.md', 'deep/er/c.md']);
  assert.deepEqual(listed.sort(), ['', 'deep', 'deep/er', 'locked']);
});

test('ends the walk of a file system that lists folders in themselves, and finds the outer files', async () => {
  for (const names of [['a'], ['a', 'b', 'c']]) {
    let listed = 0;
    const found = await walkFolder(async () => {
      listed++;
      return [{ name: 'x.skill.md', kind: 'file' }, ...names.map((name) => ({ name, kind: 'folder' as const }))];
    });
    assert.ok(listed <= 20_000);
    assert.ok(['x.skill.md', 'a/x.skill.md', 'a/a/x.skill.md'].every((path) => found.includes(path)));
  }
});

const at = (uri: string): Uri => URI.parse(uri) as unknown as Uri;

test('builds the URIs of files in any folder, also in the root of a file system', () => {
  const uris = ['memfs:', 'memfs:/', 'test://mount', 'test://mount/', 'vfs://github/a/b', 'memfs:/w/?q=1'];
  assert.deepEqual(
    uris.map((uri) => [uriIn(at(uri), '').toString(), uriIn(at(uri), 'skills/a b.md').toString()]),
    [
      ['memfs:/', 'memfs:/skills/a%20b.md'],
      ['memfs:/', 'memfs:/skills/a%20b.md'],
      ['test://mount/', 'test://mount/skills/a%20b.md'],
      ['test://mount/', 'test://mount/skills/a%20b.md'],
      ['vfs://github/a/b', 'vfs://github/a/b/skills/a%20b.md'],
      ['memfs:/w?q%3D1', 'memfs:/w/skills/a%20b.md?q%3D1'],
    ],
  );
});

test('lists only entries with a name that leads to one file in the folder', async () => {
  const names = ['a.md', '', '.', '..', 'b/c.md', '../x.md', '\\x', 'nul\0', 'lone\ud800', 5, undefined, 'ä\n😀'];
  const entries: readonly unknown[] = [null, undefined, {}, [], 5, ...names.map((name) => [name, FILE])];
  const readDirectory = async () => entries as [string, 1][];
  const listed = await listFolder({ readDirectory }, at('memfs:/'));
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['a.md', 'ä\n😀'],
  );
});

test('treats each value that a file system throws, and each wrong value that it returns, as a failure', async () => {
  const odd: readonly unknown[] = [undefined, null, 'text', 5, {}, [], [null], { bytes: 1 }, new ArrayBuffer(2)];
  const stat = async () => ({ type: FILE, size: 1, ctime: 0, mtime: 0 });
  const failed = { kind: 'unreadable', reason: 'failed' };
  const tries = odd.flatMap((value): readonly (() => Promise<never>)[] => [
    async () => value as never,
    async () => Promise.reject(value),
    () => {
      throw value;
    },
  ]);
  for (const call of tries) {
    const fs = { stat: call, readFile: call, readDirectory: call, writeFile: call, delete: call } as never;
    assert.deepEqual(await listFolder(fs, at('memfs:/')), []);
    assert.equal((await readContent(fs, at('memfs:/a'))).kind, 'unreadable');
    assert.deepEqual(await readBytes({ stat, readFile: call }, at('memfs:/a'), 9), failed);
    const change = { write: [{ path: 'a', bytes: new Uint8Array(1) }], remove: [] };
    assert.equal(typeof (await writeTree(fs, at, change)).problem, 'string');
  }
});

test('waits at most a minute for an answer of a file system', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const silent = () => new Promise<never>(() => {});
  const fs = { stat: silent, readFile: silent, readDirectory: silent };
  const answers = Promise.all([
    readContent(fs, at('memfs:/a')),
    listFolder(fs, at('memfs:/')),
    fileExists(fs, at('memfs:/a')),
  ]);
  mock.timers.tick(60_000);
  assert.deepEqual(await answers, [{ kind: 'unreadable', reason: 'failed' }, [], false]);
});

test('a declined or invalid reply is logged once, and no file seems to be absent', async () => {
  const replies = [
    () => Promise.reject(new Error('Unhandled method')),
    ...[null, 42, {}, [1]].map((reply) => async () => reply),
  ];
  for (const sendRequest of replies) {
    const logged: string[] = [];
    const console = { warn: (line: string) => void logged.push(line) };
    const files = clientFiles(new ClientRequests({ sendRequest, console } as unknown as Connection));
    const scope = { folders: [], isReadDirectly: () => false };
    for (const name of ['a', 'b']) {
      assert.deepEqual(await files.read(`memory:/w/${name}`, scope), { kind: 'unreadable', reason: 'failed' });
      for (const work of [files.find(['memory:/w'], ['**']), files.list('memory:/w'), files.exists('memory:/w/a')])
        await assert.rejects(
          work,
          (error) => isUserError(error) && /^The client declined `skill\//.test(error.message),
        );
    }
    assert.equal(logged.length, 4, 'one line for each method');
    for (const line of logged)
      assert.match(line, /: The server cannot read all files|\. The server cannot read all files/);
  }
});
