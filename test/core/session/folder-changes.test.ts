/** Folders that change on disk outside the editor. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { toUri } from '../../../server/src/io/paths.ts';
import { writeFiles } from '../../temporary.mjs';
import {
  checked,
  type DiskSession,
  eventsBetween,
  folderWith,
  openSession,
  removeFolder,
  startSession,
  stateOf,
  treeOf,
} from './disk-session.ts';
import { skill } from './fake-session.ts';

const TYPO = 'tols: [x]\n';
const many = (count: number, folder = 'skills'): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${folder}/s${at}/s${at}.skill.md`, skill(`s${at}`, TYPO)]),
  );

/** Skills in one folder, which are quicker to write. */
const flat = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`flat/f${at}.skill.md`, skill(`f${at}`)]));

const git = (root: string, ...words: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], {
    cwd: root,
    stdio: 'pipe',
  });

/** Reports changed paths to the session. */
const report = ({ session }: DiskSession, root: string, paths: readonly string[]): void =>
  session.receive({ kind: 'watched', uris: paths.map((path) => toUri(join(root, path))) });

interface Scene {
  readonly root: string;
  readonly made: DiskSession;
  /** Changes files, and reports the changes without the events of files in new folders. */
  change(work: () => void): Promise<void>;
  /** Checks that the session has the same state as a new session. */
  isCurrent(): Promise<void>;
}

async function inFolder(files: Readonly<Record<string, string>>, body: (scene: Scene) => Promise<void>): Promise<void> {
  const root = folderWith(files);
  const made = await startSession(root);
  try {
    await body({
      root,
      made,
      async change(work) {
        const before = treeOf(root);
        work();
        report(
          made,
          root,
          eventsBetween(before, treeOf(root), () => true),
        );
        await checked(made);
      },
      async isCurrent() {
        const fresh = await startSession(root);
        assert.deepEqual(stateOf(made), stateOf(fresh));
        fresh.end();
      },
    });
  } finally {
    made.end();
    removeFolder(root);
  }
}

const count = ({ session }: DiskSession): number => session.analysis.graph.skills.size;

describe('a folder that changes on disk', () => {
  it('follows a checkout of 200 skills in new folders, and back', async () => {
    await inFolder({ 'a.skill.md': skill('a') }, async ({ root, made, change }) => {
      git(root, 'init', '--quiet', '--initial-branch=main');
      git(root, 'add', '.');
      git(root, 'commit', '--quiet', '-m', 'One skill');
      git(root, 'checkout', '--quiet', '-b', 'more');
      writeFiles(root, { ...many(20), ...flat(180) });
      git(root, 'add', '.');
      git(root, 'commit', '--quiet', '-m', 'More skills');
      git(root, 'checkout', '--quiet', 'main');
      await change(() => git(root, 'checkout', '--quiet', 'more'));
      assert.equal(count(made), 201);
      assert.equal(made.published.size, 20);
      await change(() => git(root, 'checkout', '--quiet', 'main'));
      assert.equal(count(made), 1);
      assert.equal(made.published.size, 0);
    });
  });

  it('follows copied, moved and deleted folders', async () => {
    await inFolder(many(3), async ({ root, made, change, isCurrent }) => {
      await change(() => cpSync(join(root, 'skills'), join(root, 'deep/copy'), { recursive: true }));
      assert.equal(count(made), 6);
      await change(() => renameSync(join(root, 'deep'), join(root, 'moved')));
      assert.equal(count(made), 6);
      await isCurrent();
      await change(() => rmSync(join(root, 'moved'), { recursive: true }));
      assert.equal(count(made), 3);
      await isCurrent();
    });
  });

  it('follows a folder that was replaced by another folder or a file', async () => {
    await inFolder({ ...many(3), 'other/x.skill.md': skill('x') }, async ({ root, change, isCurrent }) => {
      await change(() => {
        rmSync(join(root, 'skills'), { recursive: true });
        renameSync(join(root, 'other'), join(root, 'skills'));
      });
      await isCurrent();
      await change(() => {
        rmSync(join(root, 'skills'), { recursive: true });
        writeFiles(root, { skills: 'A file.' });
      });
      await isCurrent();
    });
  });

  it('removes catalogs, tool snapshots and baselines of a deleted folder', async () => {
    const files = {
      'sub/skills.config.yaml': 'tools: []\n',
      'sub/skills.tools.json': '{"tools": [{"name": "read"}]}',
      'sub/skills.baseline.json': '{"version": 1, "findings": []}',
      'sub/a.skill.md': skill('a', TYPO),
    };
    await inFolder(files, async ({ root, change, isCurrent }) => {
      await change(() => rmSync(join(root, 'sub'), { recursive: true }));
      await isCurrent();
      await change(() => writeFiles(root, files));
      await isCurrent();
    });
  });

  it('follows folders that have the name of a skill file', async () => {
    await inFolder({ 'a.skill.md': skill('a') }, async ({ root, made, change, isCurrent }) => {
      await change(() => writeFiles(root, { 'x.skill.md/b.skill.md': skill('b') }));
      assert.equal(count(made), 2);
      await isCurrent();
      await change(() => rmSync(join(root, 'x.skill.md'), { recursive: true }));
      await isCurrent();
    });
  });

  it('follows no new links to folders, and no ignored folders', async () => {
    await inFolder(many(1), async ({ root, made, change }) => {
      await change(() => symlinkSync(join(root, 'skills'), join(root, 'link'), 'dir'));
      await change(() => cpSync(join(root, 'skills'), join(root, 'node_modules/skills'), { recursive: true }));
      report(made, root, ['link/s0', 'node_modules/skills/s0']);
      await checked(made);
      assert.equal(count(made), 1);
    });
  });

  it('follows a workspace folder that disappears and returns', async () => {
    await inFolder(many(3), async ({ root, made, change, isCurrent }) => {
      await change(() => renameSync(root, `${root}-away`));
      assert.equal(count(made), 0);
      renameSync(`${root}-away`, root);
      // Some clients report the folder above.
      report(made, root, ['..']);
      await checked(made);
      assert.equal(count(made), 3);
      await isCurrent();
    });
  });

  it('reports a link to a file in a deleted folder, and removes the finding when the folder returns', async () => {
    const files = { 'a.skill.md': skill('a', '', 'See [the notes](notes/all.md).'), 'notes/all.md': '' };
    await inFolder(files, async ({ root, made, change }) => {
      assert.equal(made.published.size, 0);
      await change(() => renameSync(join(root, 'notes'), join(root, 'others')));
      assert.equal(made.published.size, 1);
      await change(() => renameSync(join(root, 'others'), join(root, 'notes')));
      assert.equal(made.published.size, 0);
    });
  });

  it('reads a file through its link again when the folder of the target changes', async () => {
    const files = { 'texts/a.txt': skill('a'), 'others/a.txt': skill('b'), 'skills/x.md': '' };
    await inFolder(files, async ({ root, change, isCurrent }) => {
      await change(() => symlinkSync(join(root, 'texts/a.txt'), join(root, 'a.skill.md')));
      await change(() => {
        rmSync(join(root, 'texts'), { recursive: true });
        renameSync(join(root, 'others'), join(root, 'texts'));
      });
      await isCurrent();
    });
  });

  it('removes a deleted file that is open without unsaved text, until it is edited or returns', async () => {
    await inFolder(many(3), async ({ root, made, change, isCurrent }) => {
      const uri = toUri(join(root, 'skills/s0/s0.skill.md'));
      const [first, second] = ['', '\n'].map((end) => skill('s0', TYPO) + end) as [string, string];
      const edit = (version: number, text: string): void =>
        made.session.receive({ kind: 'change', uri, version, changes: [{ text }] });
      made.session.receive({ kind: 'open', document: TextDocument.create(uri, 'skillmd', 1, first) });
      await checked(made);
      await change(() => renameSync(join(root, 'skills'), join(root, 'moved')));
      assert.equal(count(made), 3);
      await isCurrent();

      await change(() => renameSync(join(root, 'moved'), join(root, 'skills')));
      assert.equal(count(made), 3);
      await isCurrent();

      edit(2, second);
      await change(() => writeFiles(root, { 'skills/s0/s0.skill.md': second }));
      await change(() => rmSync(join(root, 'skills/s0/s0.skill.md')));
      assert.equal(count(made), 2);
      await isCurrent();

      edit(3, first);
      await checked(made);
      assert.equal(count(made), 3);
      assert.equal(made.published.size, 3);
    });
  });

  it('keeps an open file that was never saved', async () => {
    await inFolder(many(1), async ({ root, made, change }) => {
      const document = TextDocument.create(toUri(join(root, 'new/a.skill.md')), 'skillmd', 1, skill('a'));
      made.session.receive({ kind: 'open', document });
      await change(() => rmSync(join(root, 'skills'), { recursive: true }));
      made.session.receive({ kind: 'refresh' });
      await checked(made);
      assert.equal(count(made), 1);
      // An editor closes and opens a file to change its language.
      made.session.receive({ kind: 'close', uri: document.uri });
      made.session.receive({ kind: 'open', document });
      await checked(made);
      assert.equal(count(made), 1);
    });
  });

  it('keeps the unsaved text of an open file in a deleted folder', async () => {
    await inFolder(many(3), async ({ root, made, change, isCurrent }) => {
      const uri = toUri(join(root, 'skills/s0/s0.skill.md'));
      made.session.receive({ kind: 'open', document: TextDocument.create(uri, 'skillmd', 1, skill('unsaved', TYPO)) });
      await change(() => rmSync(join(root, 'skills'), { recursive: true }));
      assert.deepEqual(
        [...made.session.analysis.graph.skills.values()].map(({ summary }) => summary.name),
        ['unsaved'],
      );
      assert.deepEqual([...made.published.keys()], ['skills/s0/s0.skill.md']);
      made.session.receive({ kind: 'close', uri });
      await checked(made);
      await isCurrent();
    });
  });
});

describe('many changes at once', () => {
  it('are followed by one search, even if most events were lost', async () => {
    await inFolder(many(160), async ({ root, made, isCurrent }) => {
      for (let at = 0; at < 160; at++) {
        if (at % 2 === 0) rmSync(join(root, `skills/s${at}/s${at}.skill.md`));
        else writeFiles(root, { [`skills/s${at}/t${at}.skill.md`]: skill(`t${at}`) });
      }
      made.searches = 0;
      const reported = Array.from(
        { length: 110 },
        (_, at) => `skills/s${at}/${at % 2 === 0 ? 's' : 't'}${at}.skill.md`,
      );
      report(made, root, reported);
      await checked(made);
      // The second search finds the same files, so that there is no third one.
      assert.equal(made.searches, 2);
      await isCurrent();
    });
  });

  it('are followed although files are still being read', async () => {
    const root = folderWith(many(200));
    const made = openSession(root);
    let reads = 0;
    made.onRead = () => {
      if (++reads !== 100) return;
      const before = treeOf(root);
      rmSync(join(root, 'skills/s150'), { recursive: true });
      renameSync(join(root, 'skills/s1'), join(root, 'skills/moved'));
      writeFiles(root, many(20, 'more'));
      report(
        made,
        root,
        eventsBetween(before, treeOf(root), () => true),
      );
    };
    made.session.receive({ kind: 'start' });
    await made.session.read();
    await checked(made);
    const fresh = await startSession(root);
    assert.deepEqual(stateOf(made), stateOf(fresh));
    for (const one of [made, fresh]) one.end();
    removeFolder(root);
  });

  it('are followed while a program still fills a folder that the editor does not watch yet', async () => {
    await inFolder({}, async ({ root, made, isCurrent }) => {
      mkdirSync(join(root, 'new'));
      writeFiles(root, { 'new/a/a.skill.md': skill('a') });
      // Each file appears after the file before was read.
      const next = new Map([
        ['new/a/a.skill.md', 'b'],
        ['new/b/b.skill.md', 'c'],
      ]);
      made.onRead = (path) => {
        const name = next.get(path);
        if (name) writeFiles(root, { [`new/${name}/${name}.skill.md`]: skill(name) });
      };
      report(made, root, ['new']);
      await checked(made);
      assert.equal(count(made), 3);
      await isCurrent();
    });
  });
});

describe('the files that a search leaves out', () => {
  it('change with .gitignore, at the root and in a folder', async () => {
    await inFolder({ ...many(3, 'lib'), ...many(2, 'build') }, async ({ root, made, change, isCurrent }) => {
      await change(() => writeFiles(root, { '.gitignore': 'build\n' }));
      assert.equal(count(made), 3);
      assert.equal(made.published.size, 3);
      await isCurrent();
      await change(() => writeFiles(root, { 'lib/.gitignore': '/s1/\n' }));
      assert.equal(count(made), 2);
      await isCurrent();
      await change(() => writeFiles(root, { '.gitignore': 'lib\n' }));
      assert.equal(count(made), 2);
      await isCurrent();
      await change(() => rmSync(join(root, '.gitignore')));
      await isCurrent();
    });
  });

  it('are not read when they are created, moved or changed', async () => {
    await inFolder({ ...many(1), '.gitignore': 'build\n' }, async ({ root, made, change, isCurrent }) => {
      await change(() => writeFiles(root, many(2, 'build')));
      report(made, root, ['build/s0/s0.skill.md', 'build/s1']);
      await checked(made);
      assert.equal(count(made), 1);
      await change(() => renameSync(join(root, 'build'), join(root, 'kept')));
      assert.equal(count(made), 3);
      await isCurrent();
      await change(() => renameSync(join(root, 'kept'), join(root, 'build')));
      assert.equal(count(made), 1);
      await isCurrent();
    });
  });

  it('contain the worktrees that git adds', async () => {
    await inFolder(many(2), async ({ root, made, change, isCurrent }) => {
      git(root, 'init', '--quiet');
      git(root, 'add', '.');
      git(root, 'commit', '--quiet', '-m', 'Skills');
      await change(() => git(root, 'worktree', 'add', '--quiet', '.claude/worktrees/fix'));
      assert.equal(count(made), 2);
      await isCurrent();
    });
  });

  it('are checked while they are open', async () => {
    await inFolder({ ...many(1), ...many(1, 'build'), '.gitignore': 'build\n' }, async ({ root, made, change }) => {
      const uri = toUri(join(root, 'build/s0/s0.skill.md'));
      made.session.receive({ kind: 'open', document: TextDocument.create(uri, 'skillmd', 1, skill('s0', TYPO)) });
      await checked(made);
      assert.deepEqual([...made.published.keys()].sort(), ['build/s0/s0.skill.md', 'skills/s0/s0.skill.md']);
      await change(() => writeFiles(root, { '.gitignore': 'build/\n' }));
      report(made, root, ['build/s0/s0.skill.md']);
      await checked(made);
      assert.equal(made.published.size, 2);
      made.session.receive({ kind: 'close', uri });
      await checked(made);
      assert.deepEqual([...made.published.keys()], ['skills/s0/s0.skill.md']);
    });
  });

  it('are read with the setting `useIgnoreFiles: false`', async () => {
    await inFolder({ ...many(1), ...many(1, 'build'), '.gitignore': 'build\n' }, async ({ made }) => {
      assert.equal(count(made), 1);
      for (const [useIgnoreFiles, expected] of [
        [false, 2],
        [true, 1],
      ] as const) {
        made.session.receive({ kind: 'settings', settings: { useIgnoreFiles } });
        await checked(made);
        assert.equal(count(made), expected);
      }
    });
  });
});

describe('an ordinary change', () => {
  it('of a skill file needs no search', async () => {
    await inFolder(many(3), async ({ root, made, isCurrent }) => {
      const path = 'skills/s0/s0.skill.md';
      made.searches = 0;
      writeFiles(root, { [path]: skill('other') });
      report(made, root, [path]);
      assert.equal(made.session.analysis.index.partial, false);
      await checked(made);
      await isCurrent();
      assert.equal(made.searches, 0);
    });
  });

  it('of another file needs no search, and a refresh searches once', async () => {
    await inFolder({ ...many(3), 'notes.txt': '' }, async ({ root, made, isCurrent }) => {
      made.searches = 0;
      report(made, root, ['notes.txt', '.git/index', 'node_modules/a/b.js', `../${dirname(root)}`]);
      await checked(made);
      assert.equal(made.searches, 0);
      writeFiles(root, { 'unseen/u.skill.md': skill('u') });
      made.session.receive({ kind: 'refresh' });
      await checked(made);
      assert.equal(count(made), 4);
      await isCurrent();
    });
  });
});
