/**
 * File access through the client, for a server without a file system: it returns the same results as access through a
 * host.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import { readContent } from '../../client/src/language-server/file-access.ts';
import { walkFolder } from '../../client/src/language-server/walk-folder.ts';
import { clientFiles } from '../../server/src/hosts/lsp/client-files.ts';
import { FindFilesRequest } from '../../server/src/protocol.ts';

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
  assert.deepEqual((await contentOf({ bytes: broken })).content, { kind: 'unreadable', reason: 'not-utf8' });
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
  const files = clientFiles({ sendRequest } as Parameters<typeof clientFiles>[0]);
  assert.deepEqual(await files.find(['memory:/w'], ['**/*.skill.md', '!old/**']), ['memory:/w/a%20b.skill.md']);
  assert.deepEqual(asked, [[FindFilesRequest.method, { folder: 'memory:/w', globs: ['**/*.skill.md'] }]]);
});

test('walks a folder that cannot be searched, but skips linked folders and folders such as node_modules', async () => {
  const folders: Readonly<Record<string, readonly [string, number][]>> = {
    '': [
      ['a.md', FILE],
      ['deep', FOLDER],
      ['node_modules', FOLDER],
      ['round', FOLDER | LINK],
      ['locked', FOLDER],
    ],
    deep: [
      ['er', FOLDER],
      ['b.md', FILE | LINK],
    ],
    'deep/er': [['c.md', FILE]],
  };
  const listed: string[] = [];
  const found = await walkFolder(async (path) => {
    listed.push(path);
    const inside = folders[path];
    if (!inside) throw new Error('no permission');
    return [...inside];
  });
  assert.deepEqual(found.sort(), ['a.md', 'deep/b.md', 'deep/er/c.md']);
  assert.deepEqual(listed.sort(), ['', 'deep', 'deep/er', 'locked']);
});
