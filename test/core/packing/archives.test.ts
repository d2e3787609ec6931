/** Reading and writing archives, and all reasons to refuse an archive. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { packTar } from 'modern-tar';
import { readArchive, writeArchive } from '../../../server/src/io/archives/archive.ts';
import type { ArchiveEntry } from '../../../server/src/io/archives/entry-guard.ts';
import { isUserError } from '../../../server/src/io/user-error.ts';
import type { ArchiveLimits } from '../../../server/src/packing/limits.ts';
import { extended } from '../../extended.ts';
import { cases } from '../../random.ts';

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

const zip = (names: readonly string[], mode = 0o100644, os = 3): Uint8Array =>
  zipSync(Object.fromEntries(names.map((name) => [name, [bytes('hi'), { os, attrs: (mode << 16) >>> 0, level: 0 }]])));

async function refusalOf(archive: Uint8Array | Promise<Uint8Array>, limits?: ArchiveLimits): Promise<string> {
  const error = await readArchive(await archive, limits).then(
    (entries) => assert.fail(`it is read: ${entries.map(({ path }) => path).join(', ')}`),
    (error: unknown) => error,
  );
  assert.ok(isUserError(error), String((error as Error).stack));
  return error.message;
}

const SPARSE = /` is a sparse file. Pack it without `--sparse`/;

/** A header of a tar with its checksum. */
function header(name: string, flag: string, size: number | string | Uint8Array): Uint8Array {
  const block = Buffer.alloc(512);
  block.write(name.slice(0, 100), 0, 'latin1');
  block.write('0000644\0', 100);
  if (size instanceof Uint8Array) block.set(size, 124);
  else block.write(typeof size === 'string' ? size : `${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(flag, 156);
  block.write('ustar\x0000', 257);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return block;
}

function padded(body: string | Uint8Array): Uint8Array {
  const data = Buffer.from(body);
  return Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

const entry = (
  name: string,
  { flag = '0', body = bytes('hi') }: { readonly flag?: string; readonly body?: Uint8Array } = {},
) => [header(name, flag, body.length), padded(body)];

const longName = (name: string) => [header('././@LongLink', 'L', name.length + 1), padded(`${name}\0`)];

function attributes(...records: readonly (readonly [string, string])[]) {
  const text = records.map(([key, value]) => record(`${key}=${value}\n`)).join('');
  return [header('PaxHeader', 'x', text.length), padded(text)];
}

const record = (rest: string): string => {
  const length = [2, 3, 4].find((digits) => String(rest.length + 1 + digits - 1).length === digits - 1) ?? 0;
  return `${rest.length + length} ${rest}`;
};

const rawTar = (...blocks: readonly (Uint8Array | readonly Uint8Array[])[]): Uint8Array =>
  gzipSync(Buffer.concat([...blocks.flat(), new Uint8Array(1024)] as Uint8Array[]));

/** A zip with two entries of one name. */
function zipWithTwo(name: string): Uint8Array {
  const archive = Buffer.from(zip([name, name.replace('a', 'b')]));
  for (let at = archive.indexOf('b.md'); at >= 0; at = archive.indexOf('b.md')) archive.write(name, at);
  return archive;
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
          assert.ok(isUserError(error), `byte ${at}: ${(error as Error).stack}`);
          return [];
        });
        for (const one of read) assert.ok(contents.has(String([...one.bytes])), `byte ${at}: ${one.path}`);
      }
    });
  });
}

describe('the contents of an entry', () => {
  const inner = Buffer.concat([...entry('evil/CON.md'), ...entry('evil.md', { flag: 'S' }), new Uint8Array(1024)]);

  it('are never read as headers', async () => {
    const long = `a/${'n'.repeat(120)}.tar`;
    for (const before of [[], longName(long), attributes(['path', long])]) {
      const found = await readArchive(rawTar(...entry('a/SKILL.md'), ...before, ...entry('a/x', { body: inner })));
      assert.deepEqual(
        found.map((one) => [one.path, one.bytes.length]),
        [
          ['a/SKILL.md', 2],
          [before.length > 0 ? long : 'a/x', inner.length],
        ],
      );
    }
    const found = await readArchive(zipSync({ 'a/x.zip': [zip(['../b']), { level: 0 }] }));
    assert.deepEqual(
      found.map(({ path }) => path),
      ['a/x.zip'],
    );
  });

  it('are returned unchanged, also if they consist of headers', async () => {
    const block = fc.oneof(
      fc.constantFrom(...'01235LKxgSZ\0').map((flag) => header('../evil.md', flag, 512)),
      fc.constant(new Uint8Array(512)),
      fc.uint8Array({ maxLength: 600 }),
    );
    const body = fc.array(block, { maxLength: 5 }).map((blocks) => Buffer.concat(blocks));
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 4 }), async (bodies) => {
        const tarred = bodies.flatMap((one, at) => [
          ...longName(`a/${'n'.repeat(120)}${at}`),
          ...entry('x', { body: one }),
        ]);
        const found = await readArchive(rawTar(tarred));
        assert.deepEqual(
          found.map((one) => [...one.bytes]),
          bodies.map((one) => [...one]),
        );
      }),
      cases(40),
    );
  });

  it('are read from an archive with a comment, of several gzip members, or with an old format', async () => {
    const comment = [header('pax_global_header', 'g', 13), padded('13 comment=a\n')];
    const [first, second] = [rawTar(...comment, ...entry('a/x')), rawTar(...entry('a/y'))];
    assert.deepEqual(
      (await readArchive(first)).map(({ path }) => path),
      ['a/x'],
    );
    const whole = gunzipSync(second);
    const members = Buffer.concat([gzipSync(whole.subarray(0, 700)), gzipSync(whole.subarray(700))]);
    assert.deepEqual(
      (await readArchive(members)).map(({ path }) => path),
      ['a/y'],
    );
    assert.equal((await readArchive(rawTar(...entry('a/z', { flag: '\0' })))).length, 1);
  });
});

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
    'a/LPT\u00b9.skill.md': /Windows device/,
    'a/\uff21ux.md': /Windows device/,
    'a/trailing. ': /ends with a period or a space/,
    'a/trailing.': /ends with a period or a space/,
    'a/what?.md': /Windows does not allow/,
    'a/b:stream': /Windows does not allow/,
    'a//b.md': /has an empty part/,
    'a/./b.md': /has an empty part/,
    'a/\u202etxt.md': /invisible character/,
    'a/\u0007.md': /invisible character \(U\+0007\)/,
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
      // A capital sharp S, its small letter and their upper case; a long s; the sign for Kelvin; Turkish letters.
      ['a/\u1e9e.md', 'a/\u00df.md'],
      ['a/\u1e9e.md', 'a/SS.md'],
      ['a/\u017f.md', 'a/S.md'],
      ['a/\u212a.md', 'a/k.md'],
      ['a/\u0130.md', 'a/i.md'],
      ['a/\u0131.md', 'a/I.md'],
      ['a/\ufb01.md', 'a/FI.md'],
    ];
    for (const pair of pairs) {
      assert.match(await refusalOf(tar(...pair.map((name) => ({ name })))), /case|accents|a file and a folder/);
      assert.match(await refusalOf(zip(pair)), /case|accents|a file and a folder/);
    }
    assert.match(await refusalOf(tar({ name: 'a.md' }, { name: 'a.md' })), /twice/);
    assert.match(await refusalOf(zipWithTwo('a.md')), /^`a\.md` occurs twice/);
    // The message names the part of the path that differs, and does not report lookalike letters as a difference in
    // case.
    assert.match(await refusalOf(zip(['A/one.md', 'a/two.md'])), /^`a` differs from `A` only in case/);
    assert.match(await refusalOf(zip(['\u00e9.md', 'e\u0301.md'])), /different encodings of its accents/);
  });

  it('a name with a character that is not visible', async () => {
    const points = [
      0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180b, 0x200b, 0x2065, 0x2800, 0x3164, 0xfe0f, 0xffa0, 0xe0041,
    ];
    for (const point of [...points, 0x1d159, 0xffff]) {
      const name = `a/run${String.fromCodePoint(point)}.md`;
      assert.match(await refusalOf(tar({ name })), /invisible character \(U\+/, point.toString(16));
      assert.match(await refusalOf(zip([name])), /invisible character \(U\+/, point.toString(16));
    }
    assert.match(await refusalOf(tar({ name: '\ufeffrun.md' })), /invisible character \(U\+FEFF\)/);
    assert.equal((await readArchive(await tar({ name: 'a/\u65e5\u672c 한\u3000é at 9.41\u202fAM.md' }))).length, 1);
  });

  it('sparse files in the old or the new format, also with a long name', async () => {
    const long = `a/${'n'.repeat(120)}.md`;
    const names = [[], longName(long), attributes(['path', long])];
    for (const before of names) assert.match(await refusalOf(rawTar(...before, entry('a/x', { flag: 'S' }))), SPARSE);
    for (const key of ['GNU.sparse.major', 'GNU.sparse.map', 'GNU.sparse.size', 'GNU.sparse.name'])
      assert.match(await refusalOf(rawTar(...attributes(['path', long], [key, '1']), entry('a/x'))), SPARSE);
    assert.match(
      await refusalOf(rawTar(...attributes(['GNU.sparse.major', '1']).with(0, header('', 'g', 22)), entry('a/x'))),
      SPARSE,
    );
  });

  it('links, devices or pipes', async () => {
    assert.match(await refusalOf(tar({ name: 'a', type: 'symlink', linkname: '/etc/passwd' })), /`a` is a link/);
    assert.match(await refusalOf(tar({ name: 'a', type: 'link', linkname: 'b' })), /`a` is a link/);
    assert.match(await refusalOf(tar({ name: 'a', type: 'character-device' })), /is a device/);
    assert.match(await refusalOf(tar({ name: 'a', type: 'fifo' })), /is a device/);
    assert.match(await refusalOf(zip(['a'], 0o120777)), /`a` is a link/);
    assert.match(await refusalOf(zip(['a'], 0o120777, 0)), /`a` is a link/);
    assert.match(await refusalOf(zip(['a'], 0o020666)), /is a device/);
  });

  it('an entry of an unknown type', async () => {
    for (const flag of 'ADEIMNVXZ89') {
      assert.match(await refusalOf(rawTar(entry('a/x', { flag }))), /`a\/x` is neither a file nor a folder/, flag);
    }
  });

  it('headers that programs read differently', async () => {
    const inner = Buffer.concat(entry('evil.md'));
    const archives: Readonly<Record<string, readonly Uint8Array[]>> = {
      'an attribute that shortens the contents': [...attributes(['size', '0']), ...entry('a/x', { body: inner })],
      'an attribute that extends the contents': [...attributes(['size', '2048']), ...entry('a/x'), inner],
      'contents of a folder': [...entry('a/d/', { flag: '5', body: inner })],
      'contents of a file whose name ends with a slash': entry('a/d/', { body: inner }),
      'two long names': [...longName('a/b'), ...longName('a/c'), ...entry('a/x')],
      'a long name after attributes': [...attributes(['GNU.sparse.major', '1']), ...longName('a/b'), ...entry('a/x')],
      'attributes without an entry': [...entry('a/x'), ...attributes(['path', 'a/b'])],
      'a path for all entries': [header('', 'g', 12), padded('12 path=a/b\n'), ...entry('a/x')],
      'an attribute with a wrong length': [header('', 'x', 11), padded('5 path=a/b\n'), ...entry('a/x')],
      'an attribute with the length zero': [header('', 'x', 12), padded('6 a=b\n0 c=d\n'), ...entry('a/x')],
      'a size with a space between its digits': [header('a/x', '0', '1 2'), padded('hi'), padded('')],
    };
    for (const [name, blocks] of Object.entries(archives)) {
      assert.match(await refusalOf(rawTar(blocks)), /programs read its headers differently/, name);
    }
  });

  it('entries after the end, a negative size or an invalid checksum', async () => {
    const end = new Uint8Array(1024);
    const negative = Buffer.alloc(12, 0xff);
    const wrong = Buffer.from(header('a/x', '0', 2));
    wrong.write('000001', 148);
    for (const blocks of [[...entry('a/x'), end, ...entry('b')], [header('a/x', '0', negative)], [wrong, padded('hi')]])
      assert.match(await refusalOf(rawTar(blocks)), /truncated or not a tar/);
  });

  it('a zip that programs read differently', async () => {
    const one = zip(['a.md']);
    const other = Buffer.from(one);
    other.write('b.md', 30);
    const archives = [other, Buffer.concat([one, zip(['b.md'])]), Buffer.concat([one, Buffer.from('appended')])];
    for (const archive of archives) assert.match(await refusalOf(archive), /do not match its directory/);
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

  it('twice as many entries as allowed', extended, async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `f/${at}.md`);
    assert.match(
      await refusalOf(tar(...names.map((name) => ({ name, type: 'directory' as const })))),
      /more than 10000 entries/,
    );
    assert.match(await refusalOf(zip(names)), /more than 10000 entries/);
  });

  // Slow, because the limits are those of the product.
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
