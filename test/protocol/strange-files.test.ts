/** Both hosts find files with names in every script, cyclic links, and objects that only look like files. */
import assert from 'node:assert/strict';
import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DidChangeWatchedFilesNotification, FileChangeType } from 'vscode-languageserver-protocol/node';
import { allGlobs, servedTest } from '../../server/src/io/globs.ts';
import { nodeFiles } from '../../server/src/io/node-files.ts';
import { toUri } from '../../server/src/io/paths.ts';
import { findBelow } from '../../server/src/io/select-files.ts';
import { DEFAULT_FILES } from '../../server/src/protocol.ts';
import { CATALOG, checkJson, folderWith, misspelt, rulesOf, run } from './cli.ts';
import { withServer } from './server.ts';

const windows = process.platform === 'win32';

/** Leaves out objects that Windows does not support. */
const NAMES: readonly string[] = [
  ...[
    '스킬',
    'инструмент',
    'مهارة',
    '日本語',
    'कौशल',
    '🦊',
    'a b',
    ' lead',
    '100%',
    '%41',
    '%zz',
    'a#b',
    "it's",
    '-rf',
  ],
  ...['[a]', '{a,b}', '!not', '~home', 'a;b', 'a&b', '(a)', '@(b)', '+(c)', '.hidden', 'a..b', 'x'.repeat(200)],
  // A file system may treat both spellings as one name, so each has its own folder.
  ...['composed/\u00e9', 'decomposed/e\u0301'],
  ...(windows ? [] : ['a?b', 'a\nb', 'tab\tb', 'quo"te', 'back\\slash', 'a*b', '**', '\u001b[31mred', '\u202eltr']),
];

const byFile = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> => Object.fromEntries(entries);

/** Creates a folder in which each name is the name of a file and of a folder. */
const strange = (): string =>
  folderWith({
    'skills.config.yaml': CATALOG,
    ...byFile(NAMES.map((name) => [`${name}.skill.md`, misspelt('a')])),
    ...byFile(NAMES.filter((name) => !name.includes('\n')).map((name) => [`in ${name}/b.skill.md`, misspelt('b')])),
  });

const filesBelow = (folder: string): Promise<readonly string[]> =>
  nodeFiles.find([toUri(folder)], allGlobs({ folders: [], globs: DEFAULT_FILES }));

describe('files with strange names', () => {
  it('are checked by the command line, and reported with their exact names', async () => {
    const folder = strange();
    const expected = NAMES.flatMap((name) => [
      `${name}.skill.md`,
      ...(name.includes('\n') ? [] : [`in ${name}/b.skill.md`]),
    ]);
    const report = await checkJson(folder);
    const found = report.findings.filter(({ rule }) => rule === 'unknown-tool').map(({ file }) => file);
    assert.deepEqual(found.sort(), expected.sort());
    // Text output must not move the cursor or reverse a line.
    const { stdout } = await run(folder, ['check']);
    assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'));
    assert.equal(stdout.split('\n').filter((line) => line.endsWith(' error unknown-tool')).length, expected.length);
  });

  it('can be named on the command line', async () => {
    const folder = strange();
    for (const name of ['스킬', '🦊', 'a b', '100%', '%41', '[a]', '{a,b}', '!not', '(a)']) {
      const report = await checkJson(folder, `./${name}.skill.md`);
      assert.deepEqual(rulesOf(report, 'unknown-tool'), [`${name}.skill.md unknown-tool`]);
    }
  });

  it('are found by the server at URIs that resolve to these files', async () => {
    const folder = strange();
    const uris = await filesBelow(folder);
    assert.deepEqual([...uris].sort(), (await findBelow(folder)).paths.map(toUri).sort());
    const isServed = servedTest({ folders: [toUri(folder)], globs: DEFAULT_FILES });
    for (const uri of uris) {
      assert.ok(isServed(uri), uri);
      assert.ok(await nodeFiles.exists(uri), uri);
      const content = await nodeFiles.read(uri, { folders: [], isReadDirectly: () => false });
      assert.ok(content.kind === 'text', uri);
      assert.match(content.text, uri.endsWith('skills.config.yaml') ? /^tools:/ : /^---\nname: [ab]\n/, uri);
    }
  });
});

describe('an object that only looks like a file', () => {
  it('is found by both hosts, which follow no cyclic link', { skip: windows }, async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'a.skill.md': misspelt('a'),
      'folder.skill.md/b.skill.md': misspelt('b'),
      'node_modules/c.skill.md': misspelt('c'),
      '.git/d.skill.md': misspelt('d'),
      'deep/e/e/e/e.skill.md': misspelt('e'),
    });
    mkdirSync(join(folder, 'empty.skill.md'));
    const links = {
      'gone.skill.md': 'nowhere',
      'self.skill.md': 'self.skill.md',
      'again.skill.md': 'a.skill.md',
      'looks.skill.md': 'folder.skill.md',
      ...{ self: 'self', here: '.', up: '..', 'deep/e/back': '../..', one: 'two', two: 'one' },
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
    const expected = ['a.skill.md', 'deep/e/e/e/e.skill.md', 'folder.skill.md/b.skill.md'];
    const none = ['empty.skill.md', 'folder.skill.md', 'gone.skill.md', 'self.skill.md'];
    const report = await checkJson(folder);
    assert.deepEqual(
      rulesOf(report, 'unknown-tool', 'duplicate-skill'),
      expected.map((file) => `${file} unknown-tool`),
    );
    assert.deepEqual(
      rulesOf(report, 'unreadable-file'),
      none.map((file) => `${file} unreadable-file`),
    );
    const paths = (await findBelow(folder)).paths.map((path) => path.slice(folder.length + 1).replaceAll(sep, '/'));
    const again = ['again.skill.md', 'looks.skill.md'];
    assert.deepEqual(paths, [...expected, ...none, ...again, 'skills.config.yaml'].sort());
    assert.deepEqual(
      [...(await filesBelow(folder))].sort(),
      paths.map((path) => toUri(join(folder, path))),
    );
  });

  it('does not prevent checks of other files if its bytes are not text', async () => {
    const bytes = Buffer.concat([Buffer.from(misspelt('b')), Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0, 0xf0, 0x9f])]);
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'a.skill.md': misspelt('a'),
      'b.skill.md': bytes,
      'c.skill.md': Buffer.from(`\ufeff${misspelt('c')}`, 'utf16le'),
      'd.skill.md': Buffer.alloc(0),
      'e.skill.md': Buffer.alloc(5_000),
    });
    const report = await checkJson(folder);
    assert.deepEqual(
      report.findings.map(({ file, rule }) => `${file} ${rule}`),
      [
        'a.skill.md unknown-tool',
        'b.skill.md unreadable-file',
        'c.skill.md unreadable-file',
        'd.skill.md missing-frontmatter',
        'e.skill.md missing-frontmatter',
      ],
    );
  });
});

describe('an edit', () => {
  it('that keeps the size and the date of a file is read', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
    const path = join(folder, 'a.skill.md');
    const right = misspelt('a').replace('reed', 'read');
    await withServer(
      {},
      async ({ connection, uri, published }) => {
        const place = relative(fileURLToPath(uri('')), path);
        await published(place, (all) => all.some(({ code }) => code === 'unknown-tool'));
        const { atime, mtime } = statSync(path);
        writeFileSync(path, right);
        utimesSync(path, atime, mtime);
        await connection.sendNotification(DidChangeWatchedFilesNotification.type, {
          changes: [{ uri: toUri(path), type: FileChangeType.Changed }],
        });
        await published(place, (all) => !all.some(({ code }) => code === 'unknown-tool'));
      },
      { workspaceFolders: [{ uri: toUri(folder), name: 'w' }] },
    );
  });
});
