/**
 * Objects that are named like files but are not files: every host reports each such object with one finding, in limited
 * time.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DidChangeWatchedFilesNotification, FileChangeType, type FileEvent } from 'vscode-languageserver-protocol/node';
import { toUri } from '../../server/src/io/paths.ts';
import { openProject } from '../../server/src/io/project.ts';
import { readFound } from '../../server/src/io/read-file.ts';
import { assertUsageError, CATALOG, checkJson, folderWith, misspelt, rulesOf, run, skill } from './cli.ts';
import { type Server, withServer } from './server.ts';

const windows = process.platform === 'win32';

interface Strange {
  readonly make: (path: string) => void;
  readonly reason: RegExp;
}

const outside = folderWith({ 'secret.md': 'The key is hidden behind the clock.' });

const STRANGE: Readonly<Record<string, Strange>> = {
  endless: { make: (path) => symlinkSync('/dev/zero', path), reason: /a link to a file outside the workspace/ },
  leading: { make: (path) => symlinkSync(join(outside, 'secret.md'), path), reason: /outside the workspace/ },
  pipe: { make: (path) => execFileSync('mkfifo', [path]), reason: /it is not a regular file/ },
  piped: {
    make(path) {
      execFileSync('mkfifo', [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, path);
    },
    reason: /it is not a regular file/,
  },
  socket: { make: (path) => createServer().listen(path).unref(), reason: /it is not a regular file/ },
  dangling: { make: (path) => symlinkSync('nowhere', path), reason: /a link to a file that does not exist/ },
  loop: { make: (path) => symlinkSync(path, path), reason: /a link that leads back to itself/ },
  folder: { make: (path) => mkdirSync(path), reason: /it is a folder/ },
  large: {
    make(path) {
      writeFileSync(path, skill('large'));
      truncateSync(path, 10 * 1024 * 1024 + 1);
    },
    reason: /larger than 10 MB/,
  },
  bytes: { make: (path) => writeFileSync(path, Buffer.from([0x2d, 0xff, 0x80])), reason: /it is not valid UTF-8/ },
  wide: {
    make: (path) => writeFileSync(path, Buffer.from(`\ufeff${skill('wide')}`, 'utf16le')),
    reason: /it is not valid UTF-8/,
  },
};

/** Files that only look strange. */
const PLAIN: Readonly<Record<string, string>> = { marked: `\ufeff${misspelt('marked')}`, usual: misspelt('usual') };

const nameOf = (kind: string): string => `${kind}.skill.md`;

/** Creates a folder with normal files and every strange file. */
function folderOfAll(): string {
  const files = Object.entries(PLAIN).map(([kind, text]) => [nameOf(kind), text]);
  const folder = folderWith({ 'skills.config.yaml': CATALOG, ...Object.fromEntries(files) });
  for (const [kind, { make }] of Object.entries(STRANGE)) make(join(folder, nameOf(kind)));
  return folder;
}

/** Returns the path of a file relative to the test server's workspace. */
const relativePath = ({ uri }: Server, folder: string, name: string): string =>
  relative(dirname(fileURLToPath(uri('x'))), join(folder, name));

/** Notifies the server of created, changed or deleted files. */
const notifyChanges = ({ connection }: Server, folder: string, ...names: string[]): Promise<void> =>
  connection.sendNotification(DidChangeWatchedFilesNotification.type, {
    changes: names.map((name): FileEvent => ({ uri: toUri(join(folder, name)), type: FileChangeType.Changed })),
  });

const isUnreadable = ({ code }: { readonly code?: unknown }): boolean => code === 'unreadable-file';

const open = (folder: string) => ({ workspaceFolders: [{ uri: toUri(folder), name: 'w' }] });

describe('an object that is not a file', { skip: windows, timeout: 60_000 }, () => {
  it('is reported once by `check` with the reason, and other files are checked', async () => {
    const report = await checkJson(folderOfAll());
    for (const [kind, { reason }] of Object.entries(STRANGE)) {
      const findings = report.findings.filter(({ file }) => file === nameOf(kind));
      assert.deepEqual(
        findings.map(({ rule, severity }) => [rule, severity]),
        [['unreadable-file', 'warning']],
        kind,
      );
      assert.match(findings[0]?.message ?? '', reason);
    }
    assert.deepEqual(
      rulesOf(report, 'unknown-tool'),
      Object.keys(PLAIN).map((kind) => `${nameOf(kind)} unknown-tool`),
    );
  });

  it('can be named on the command line', async () => {
    const folder = folderOfAll();
    for (const kind of Object.keys(STRANGE).filter((one) => one !== 'folder')) {
      assert.deepEqual(rulesOf(await checkJson(folder, nameOf(kind)), 'unreadable-file'), [
        `${nameOf(kind)} unreadable-file`,
      ]);
    }
  });

  it('is reported once if it exists when the server starts', async () => {
    const folder = folderOfAll();
    await withServer(
      {},
      async (server) => {
        for (const [kind, { reason }] of Object.entries(STRANGE)) {
          const findings = await server.published(relativePath(server, folder, nameOf(kind)));
          assert.equal(findings.length, 1, kind);
          assert.match(String(findings[0]?.message), reason);
        }
        for (const kind of Object.keys(PLAIN)) await server.published(relativePath(server, folder, nameOf(kind)));
      },
      open(folder),
    );
  });

  it('is reported once if added while the server runs, until a file replaces the object', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, [nameOf('usual')]: misspelt('usual') });
    await withServer(
      {},
      async (server) => {
        const { published } = server;
        await published(relativePath(server, folder, nameOf('usual')));
        for (const [kind, { make, reason }] of Object.entries(STRANGE)) {
          const [name, place] = [nameOf(kind), relativePath(server, folder, nameOf(kind))];
          make(join(folder, name));
          await notifyChanges(server, folder, name);
          const [finding] = await published(place, (all) => all.some(isUnreadable));
          assert.match(String(finding?.message), reason);
          rmSync(join(folder, name), { recursive: true });
          writeFileSync(join(folder, name), skill(kind));
          await notifyChanges(server, folder, name);
          await published(place, (all) => all.length === 0);
        }
      },
      open(folder),
    );
  });

  for (const [kind, { make, reason }] of Object.entries(STRANGE)) {
    it(`stops the run with a reason if it is a catalog: ${kind}`, async () => {
      const folder = folderWith({ 'a.skill.md': misspelt('a') });
      make(join(folder, 'skills.config.yaml'));
      const message = /^skill-composer: The catalog `skills\.config\.yaml` cannot be read: /;
      const ran = await run(folder, ['check']);
      assertUsageError(ran, message);
      assertUsageError(ran, reason);
    });

    it(`causes a finding in the catalog but no unknown tools if it is a tool snapshot: ${kind}`, async () => {
      const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
      make(join(folder, 'skills.tools.json'));
      const { findings } = await checkJson(folder);
      assert.deepEqual(
        findings.map(({ file, rule }) => `${file} ${rule}`),
        ['skills.config.yaml unreadable-file'],
      );
      assert.match(findings[0]?.message ?? '', reason);
    });

    it(`is refused as an argument of a command: ${kind}`, async () => {
      const folder = folderWith({ 'a.skill.md': skill('a') });
      make(join(folder, 'given'));
      // A link is read if the user names it explicitly.
      if (kind === 'leading') return;
      const words = [
        ['compose', 'a.skill.md', '--params', '@given'],
        ['diff', 'a.skill.md', '--base-file', 'given'],
        ['check', '--config', 'given'],
      ];
      for (const line of words) assertUsageError(await run(folder, line), /given` cannot be read: .*\./);
    });
  }

  it('is reported if it is a catalog, and causes no reports of unknown names', async () => {
    const folder = folderWith({ 'a.skill.md': misspelt('a') });
    symlinkSync('/dev/zero', join(folder, 'skills.config.yaml'));
    await withServer(
      {},
      async (server) => {
        const [finding] = await server.published(relativePath(server, folder, 'skills.config.yaml'));
        assert.match(String(finding?.message), /outside the workspace/);
        await server.open(relativePath(server, folder, 'a.skill.md'), misspelt('a'));
        assert.deepEqual(await server.published(relativePath(server, folder, 'a.skill.md')), []);
      },
      open(folder),
    );
  });

  it('is reported if permission is denied', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a'), 'b.skill.md': skill('b') });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'b.skill.md'), 0o000);
    const how = process.getuid?.() === 0 ? { uid: 65534 } : {};
    const { stdout, status } = await run(folder, ['check'], how);
    assert.match(stdout, /b\.skill\.md:1:1 warning unreadable-file[\s\S]*permission denied/);
    assert.equal(status, 0);
  });

  it('is reported if its name is not UTF-8', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
    const broken = (path: string): Buffer =>
      Buffer.from(Buffer.from(path).map((byte) => (byte === 0x3f ? 0xff : byte)));
    writeFileSync(broken(`${folder}/b?.skill.md`), '');
    mkdirSync(broken(`${folder}/c?`));
    const report = await checkJson(folder);
    assert.deepEqual(rulesOf(report, 'unknown-tool', 'unreadable-file'), [
      'a.skill.md unknown-tool',
      'b\ufffd.skill.md unreadable-file',
      'c\ufffd unreadable-file',
    ]);
    for (const { rule, message } of report.findings)
      if (rule === 'unreadable-file') assert.match(message, /cannot be read: its name is not valid UTF-8/);
  });

  it('is unreadable with the reason `gone` if it was deleted before it was read', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a'), 'b.skill.md': skill('b') });
    const step = () => rmSync(join(folder, 'a.skill.md'), { force: true });
    const options = { cwd: folder, paths: [], config: undefined, progress: { step, end() {} } };
    const { workspace, named } = await openProject(options);
    const { analysis } = workspace;
    assert.deepEqual(
      [...named].map((uri) => analysis.unreadable(uri)),
      ['gone', undefined],
    );
  });

  it('is absent after it was deleted', async () => {
    const folder = folderWith({});
    const content = await readFound(join(folder, 'gone.skill.md'), { folders: [], isReadDirectly: () => false });
    assert.deepEqual(content, { kind: 'absent' });
  });
});

describe('a symbolic link', { skip: windows, timeout: 60_000 }, () => {
  it('to a `SKILL.md` is reported if the client of its folder ignores such links', async () => {
    const text = '---\nname: demo\ndescription: Shows a demo. Use when asked for one.\n---\n\nDo it.\n';
    const folder = folderWith({ 'shared/demo/SKILL.md': text, '.codex/skills/demo/a.md': '' });
    symlinkSync('../../../shared/demo/SKILL.md', join(folder, '.codex/skills/demo/SKILL.md'));
    const { findings } = await checkJson(folder);
    assert.deepEqual(
      findings.map(({ file, rule }) => `${file} ${rule}`),
      ['.codex/skills/demo/SKILL.md agent-skill-not-loaded'],
    );
  });

  it('in a folder of skills is reported if it leads nowhere, or if it was checked out as text', async () => {
    const text = '---\nname: pipe\ndescription: Joins pipes. Use when asked.\n---\n\nDo it.\n';
    const path = '../../.claude/skills/pipe';
    const files = {
      '.claude/skills/pipe/SKILL.md': text,
      '.agents/skills/text': path,
      '.agents/skills/LICENSE': 'MIT',
    };
    const folder = folderWith({ ...files, '.claude/skills/demo/SKILL.md': '../../shared/demo/SKILL.md\n' });
    symlinkSync(path, join(folder, '.agents/skills/good'));
    symlinkSync(path.slice(3), join(folder, '.agents/skills/pipe'));
    const { findings } = await checkJson(folder);
    assert.deepEqual(
      findings.map(({ file, rule }) => `${file} ${rule}`),
      [
        '.agents/skills/pipe unreadable-file',
        '.agents/skills/text unreadable-file',
        '.claude/skills/demo/SKILL.md missing-frontmatter',
      ],
    );
    assert.match(findings[0]?.message ?? '', /Did you mean `\.\.\/\.\.\/\.claude\/skills\/pipe`\?$/);
    assert.match(findings[1]?.message ?? '', /checked a link out as text/);
    assert.match(findings[2]?.message ?? '', /checked a link out as text/);
  });

  it('to a skill in the workspace is treated as this skill, even if the link is added later', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'skills/a.skill.md': misspelt('a') });
    const link = join(folder, 'again.skill.md');
    symlinkSync('skills/a.skill.md', link);
    const report = await checkJson(folder);
    assert.deepEqual(
      report.findings.map(({ file, rule }) => `${file} ${rule}`),
      ['skills/a.skill.md unknown-tool'],
    );
    rmSync(link);
    await withServer(
      {},
      async (server) => {
        const { published } = server;
        const place = (name: string) => relativePath(server, folder, name);
        await published(place('skills/a.skill.md'));
        symlinkSync('skills/a.skill.md', link);
        // `b.skill.md` is read in the same batch as the link, so its findings show that the link was read.
        writeFileSync(join(folder, 'b.skill.md'), misspelt('b'));
        await notifyChanges(server, folder, 'again.skill.md', 'b.skill.md');
        await published(place('b.skill.md'), (all) => all.length > 0);
        const [only, ...others] = await published(place('skills/a.skill.md'));
        assert.equal(only?.code, 'unknown-tool');
        assert.deepEqual(others, []);
        // The link is broken after its target is deleted, and refers to a skill again after the target is restored.
        renameSync(join(folder, 'skills/a.skill.md'), join(folder, 'skills/a'));
        await notifyChanges(server, folder, 'skills/a.skill.md');
        await published(place('again.skill.md'), (all) => all.some(isUnreadable));
        renameSync(join(folder, 'skills/a'), join(folder, 'skills/a.skill.md'));
        await notifyChanges(server, folder, 'skills/a.skill.md');
        await published(place('again.skill.md'), (all) => all.length === 0);
      },
      open(folder),
    );
  });

  it('to another file in the workspace is read at the path of the link, and again if the target changes', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'docs/a.txt': misspelt('a') });
    symlinkSync('docs/a.txt', join(folder, 'a.skill.md'));
    assert.deepEqual(rulesOf(await checkJson(folder), 'unknown-tool', 'unreadable-file'), ['a.skill.md unknown-tool']);
    await withServer(
      {},
      async (server) => {
        const place = relativePath(server, folder, 'a.skill.md');
        await server.published(place, (all) => all.length > 0);
        writeFileSync(join(folder, 'docs/a.txt'), skill('a'));
        await notifyChanges(server, folder, 'docs/a.txt');
        await server.published(place, (all) => all.length === 0);
      },
      open(folder),
    );
  });

  it('to a catalog in the workspace is a catalog at the path of the link', async () => {
    const folder = folderWith({ 'shared/skills.config.yaml': CATALOG, 'skills/a.skill.md': misspelt('a') });
    symlinkSync('../shared/skills.config.yaml', join(folder, 'skills/skills.config.yaml'));
    assert.deepEqual(rulesOf(await checkJson(folder), 'unknown-tool'), ['skills/a.skill.md unknown-tool']);
  });

  it('to a file outside of the workspace shows nothing of that file', async () => {
    const folder = folderWith({ 'b.skill.md': skill('b') });
    STRANGE.leading?.make(join(folder, 'a.skill.md'));
    for (const format of ['pretty', 'json']) {
      const { stdout, stderr } = await run(folder, ['check', '--format', format]);
      assert.ok(!(stdout + stderr).includes('clock'));
    }
  });
});
