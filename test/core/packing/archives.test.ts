/** Reading and writing archives, and all reasons to refuse an archive. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import { readArchive, writeArchive } from '../../../server/src/hosts/packing/archive.ts';
import type { ArchiveEntry } from '../../../server/src/hosts/packing/entry-guard.ts';
import { UserError } from '../../../server/src/hosts/user-error.ts';
import type { ArchiveLimits } from '../../../server/src/packing/limits.ts';
import { extended } from '../../extended.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Header {
  readonly name: string;
  readonly type?: 'file' | 'symlink' | 'link' | 'character-device' | 'fifo' | 'directory';
  readonly linkname?: string;
  readonly size?: number;
}

async function tar(...headers: readonly Header[]): Promise<Uint8Array> {
  const entries = headers.map(({ name, type = 'file', linkname }) => ({
    header: { name, type, size: type === 'file' ? 2 : 0, ...(linkname === undefined ? {} : { linkname }) },
    ...(type === 'file' ? { body: 'hi' } : {}),
  }));
  return gzipSync(await packTar(entries));
}

const zip = (names: readonly string[], mode = 0o100644): Uint8Array =>
  zipSync(
    Object.fromEntries(names.map((name) => [name, [bytes('hi'), { os: 3, attrs: (mode << 16) >>> 0, level: 0 }]])),
  );

async function refusalOf(archive: Uint8Array | Promise<Uint8Array>, limits?: ArchiveLimits): Promise<string> {
  const error = await readArchive(await archive, limits).then(
    (entries) => assert.fail(`it is read: ${entries.map(({ path }) => path).join(', ')}`),
    (error: unknown) => error,
  );
  assert.ok(error instanceof UserError, String((error as Error).stack));
  return error.message;
}

const FILES: readonly ArchiveEntry[] = [
  { path: 'a/SKILL.md', bytes: bytes('---\nname: a\n---\n'), isExecutable: false },
  { path: 'a/scripts/run.sh', bytes: bytes('#!/bin/sh\n'), isExecutable: true },
  { path: `a/${'long/'.repeat(12)}${'n'.repeat(120)}.md`, bytes: bytes(''), isExecutable: false },
  { path: 'a/ünder.md', bytes: Uint8Array.from([0, 255, 1]), isExecutable: false },
];

const sorted = (entries: readonly ArchiveEntry[]) =>
  entries.map((one) => ({ ...one, bytes: [...one.bytes] })).sort((a, b) => (a.path < b.path ? -1 : 1));

for (const kind of ['tgz', 'zip'] as const) {
  describe(`a ${kind} archive from Skill Composer`, () => {
    it('returns the packed files with their bytes and modes', async () => {
      assert.deepEqual(sorted(await readArchive(await writeArchive(kind, FILES))), sorted(FILES));
    });

    it('has the same bytes every time', async () => {
      assert.deepEqual(await writeArchive(kind, FILES), await writeArchive(kind, FILES));
    });

    it('is refused if it is truncated at any position', async () => {
      const whole = await writeArchive(kind, FILES);
      for (let length = 0; length < whole.length; length += 7) {
        assert.match(await refusalOf(whole.subarray(0, length)), /truncated|neither/, `after ${length} bytes`);
      }
    });

    it('returns unchanged files or is refused if any byte is changed', async () => {
      const whole = await writeArchive(kind, FILES.slice(0, 2));
      const contents = new Set(FILES.map((one) => String([...one.bytes])));
      for (let at = 0; at < whole.length; at++) {
        const broken = Uint8Array.from(whole);
        broken[at] = (whole[at] ?? 0) ^ 0x15;
        const read = await readArchive(broken).catch((error: unknown) => {
          assert.ok(error instanceof UserError, `byte ${at}: ${(error as Error).stack}`);
          return [];
        });
        for (const one of read) assert.ok(contents.has(String([...one.bytes])), `byte ${at}: ${one.path}`);
      }
    });
  });
}

describe('an archive is refused if it contains', () => {
  const names: Readonly<Record<string, RegExp>> = {
    '../out.md': /`\.\.\/out\.md` leaves the folder/,
    'a/../../out.md': /leaves the folder/,
    '/etc/passwd': /is an absolute path/,
    'C:/windows/x.md': /begins with a Windows drive letter/,
    'c:x.md': /begins with a Windows drive letter/,
    'a\\..\\b.md': /has a backslash/,
    'a/CON': /Windows device/,
    'a/nul.txt': /Windows device/,
    'a/com1.md': /Windows device/,
    'a/trailing. ': /ends with a period or a space/,
    'a/trailing.': /ends with a period or a space/,
    'a/what?.md': /Windows does not allow/,
    'a/b:stream': /Windows does not allow/,
    'a//b.md': /has an empty part/,
    'a/./b.md': /has an empty part/,
    'a/\u202etxt.md': /invisible character/,
    'a/\u0007.md': /invisible character/,
    '.git/hooks/post-checkout': /is a file of git/,
    'a/.GIT/config': /is a file of git/,
    'GIT~1/config': /is a file of git/,
    [`${'d/'.repeat(30)}x.md`]: /folders deep/,
    [`${'n'.repeat(300)}.md`]: /longer than/,
  };
  for (const [name, problem] of Object.entries(names)) {
    it(`a path such as ${JSON.stringify(name.slice(0, 30))}`, async () => {
      assert.match(await refusalOf(tar({ name })), problem);
      // In the encoding of names in zip files, the bytes of control characters are graphic characters.
      if (!name.includes('\u0007')) assert.match(await refusalOf(zip([name])), problem);
    });
  }

  it('two names that differ only in case, or a file and a folder with the same path', async () => {
    const pairs: readonly (readonly [string, string])[] = [
      ['a/Read.md', 'a/read.md'],
      ['A/one.md', 'a/two.md'],
      ['a/b', 'a/b/c.md'],
      ['a/\u00e9.md', 'a/e\u0301.md'],
    ];
    for (const pair of pairs) {
      assert.match(await refusalOf(tar(...pair.map((name) => ({ name })))), /case|accents|a file and a folder/);
      assert.match(await refusalOf(zip(pair)), /case|accents|a file and a folder/);
    }
    assert.match(await refusalOf(tar({ name: 'a.md' }, { name: 'a.md' })), /twice/);
    // The message names the part of the path that differs, and does not report lookalike letters as a difference in
    // case.
    assert.match(await refusalOf(zip(['A/one.md', 'a/two.md'])), /^`a` differs from `A` only in case/);
    assert.match(await refusalOf(zip(['\u00e9.md', 'e\u0301.md'])), /different encodings of its accents/);
  });

  it('sparse files in the old or the new format', async () => {
    const old = gunzipSync(await tar({ name: 'a/sparse' }));
    // Changes the type, and the checksum, which covers the type.
    const more = 'S'.charCodeAt(0) - (old[156] as number);
    old[156] = 'S'.charCodeAt(0);
    const sum = Number.parseInt(old.toString('latin1', 148, 154), 8) + more;
    old.write(sum.toString(8).padStart(6, '0'), 148, 'latin1');
    assert.match(await refusalOf(gzipSync(old)), /^`a\/sparse` is a sparse file/);
    const pax = { 'GNU.sparse.major': '1', 'GNU.sparse.name': 'a/sparse' };
    const header = { name: 'a/GNUSparseFile.0/sparse', type: 'file', size: 2, pax } as const;
    assert.match(await refusalOf(gzipSync(await packTar([{ header, body: 'hi' }]))), /is a sparse file/);
  });

  it('links, devices or pipes', async () => {
    assert.match(await refusalOf(tar({ name: 'a', type: 'symlink', linkname: '/etc/passwd' })), /`a` is a link/);
    assert.match(await refusalOf(tar({ name: 'a', type: 'link', linkname: 'b' })), /`a` is a link/);
    assert.match(await refusalOf(tar({ name: 'a', type: 'character-device' })), /is a device/);
    assert.match(await refusalOf(tar({ name: 'a', type: 'fifo' })), /is a device/);
    assert.match(await refusalOf(zip(['a'], 0o120777)), /`a` is a link/);
    assert.match(await refusalOf(zip(['a'], 0o020666)), /is a device/);
  });

  const few: ArchiveLimits = { entries: 10, packed: 2 ** 20, entry: 2 ** 18, total: 2 ** 19 };

  it('more entries than are allowed', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `f/${at}.md`);
    assert.match(
      await refusalOf(tar(...names.map((name) => ({ name, type: 'directory' as const }))), few),
      /than 10 entries/,
    );
    assert.match(await refusalOf(zip(names), few), /more than 10 entries/);
    assert.equal((await readArchive(zip(names.slice(1)), few)).length, 10);
  });

  it('too many bytes in the archive, in one entry or in all entries', async () => {
    const part = new Uint8Array(2 ** 18);
    assert.match(await refusalOf(new Uint8Array(2 ** 20 + 1), few), /^it is larger than 1 MiB/);
    assert.match(await refusalOf(zipSync({ 'a.md': new Uint8Array(2 ** 18 + 1) }), few), /larger than 0\.25 MiB/);
    assert.match(await refusalOf(zipSync({ 'a.md': part, 'b.md': part, 'c.md': part }), few), /more than 0\.5 MiB/);
    assert.match(await refusalOf(gzipSync(new Uint8Array(2 ** 20)), few), /unpacks to more than 0\.5 MiB/);
  });

  it('a hundred thousand entries', extended, async () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `f/${at}.md`);
    assert.match(
      await refusalOf(tar(...names.map((name) => ({ name, type: 'directory' as const })))),
      /more than 10000 entries/,
    );
    assert.match(await refusalOf(zip(names)), /more than 10000 entries/);
  });

  it('a decompression bomb', extended, async () => {
    const zeros = new Uint8Array(21 * 2 ** 20);
    assert.match(await refusalOf(zipSync({ 'a.md': zeros }, { level: 1 })), /larger than 20 MiB/);
    const part = zeros.subarray(0, 19 * 2 ** 20);
    const parts = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, part]));
    assert.match(await refusalOf(zipSync(parts, { level: 1 })), /unpacks to more than 100 MiB/);
    assert.match(
      await refusalOf(gzipSync(new Uint8Array(150 * 2 ** 20), { level: 1 })),
      /unpacks to more than 100 MiB/,
    );
  });

  it('a zip directory that does not match the entries', async () => {
    const archive = zipSync({ 'a.md': bytes('x'.repeat(5000)) });
    const lying = Buffer.from(archive);
    const list = lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    lying.writeUInt32LE(10, list + 24);
    assert.match(await refusalOf(lying), /do not match its directory/);
  });

  it('a zip entry with an unsupported compression method', async () => {
    const archive = Buffer.from(zip(['a.md']));
    const list = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    // Sets LZMA as the compression method, in the entry and in the central directory.
    archive.writeUInt16LE(14, 8);
    archive.writeUInt16LE(14, list + 10);
    assert.match(await refusalOf(archive), /^`a\.md` uses an unsupported compression method. Use Deflate/);
  });

  it('zip entries that overlap or have a wrong length', async () => {
    const archive = Buffer.from(zip(['a.md', 'b.md']));
    const first = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const second = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]), first + 1);
    const shared = Buffer.from(archive);
    // Gives the second entry the same offset as the first entry.
    shared.writeUInt32LE(0, second + 42);
    assert.match(await refusalOf(shared), /do not match its directory/);
    const lying = Buffer.from(archive);
    lying.writeUInt32LE(1, 22);
    assert.match(await refusalOf(lying), /do not match its directory/);
  });

  it('neither a tar nor a zip', async () => {
    assert.match(await refusalOf(bytes('---\nname: a\n---\n')), /neither a gzipped tar nor a zip/);
    assert.match(await refusalOf(gzipSync('no tar')), /truncated or not a tar/);
    assert.match(await refusalOf(new Uint8Array()), /neither/);
  });
});
