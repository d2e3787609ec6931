/** What a client reads for a server without a file system: the same as a host with one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import { readContent } from '../../client/src/language-server/read-content.ts';
import { walkFolder } from '../../client/src/language-server/walk-folder.ts';
import { clientFiles } from '../../server/src/hosts/lsp/client-files.ts';
import { FindFilesRequest } from '../../server/src/protocol.ts';

const [FILE, FOLDER, LINK, UNKNOWN] = [1, 2, 64, 0];
const MEGABYTE = 1024 * 1024;

interface Entry {
  readonly type?: number;
  /** As the file system says. */
  readonly size?: number;
  readonly bytes?: Uint8Array | string;
  /** The code of the error in place of an answer. */
  readonly fails?: string;
}

/** What is found in an entry, and whether its bytes were asked for. */
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

test('a file is text with all that stands in it', async () => {
  const text = '\ufeff---\r\nname: a\r\n---\r\n';
  assert.deepEqual((await contentOf({ bytes: text })).content, { kind: 'text', text });
  assert.deepEqual((await contentOf({ type: FILE | LINK, bytes: text })).content, { kind: 'text', text });
});

test('what is no regular file, or too large, is not asked for its bytes', async () => {
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

test('a file that is longer than it says is not taken, nor one that is not UTF-8', async () => {
  const long = new Uint8Array(10 * MEGABYTE + 1);
  assert.deepEqual((await contentOf({ bytes: long })).content, { kind: 'unreadable', reason: 'too-large' });
  const broken = Uint8Array.from([0x2d, 0xff]);
  assert.deepEqual((await contentOf({ bytes: broken })).content, { kind: 'unreadable', reason: 'not-utf8' });
});

test('a file that is gone is absent; another failure is said', async () => {
  assert.deepEqual((await contentOf({ fails: 'FileNotFound' })).content, { kind: 'absent' });
  assert.deepEqual((await contentOf({ fails: 'NoPermissions' })).content, { kind: 'unreadable', reason: 'denied' });
  assert.deepEqual((await contentOf({ fails: 'Unavailable' })).content, { kind: 'unreadable', reason: 'failed' });
});

test('what a client finds counts by the same globs as a disk does', async () => {
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

test('a folder that cannot be searched is walked, but for links and what is never a skill', async () => {
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
