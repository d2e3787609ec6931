/** Writes either all files of a change or none, whatever happens meanwhile. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it, mock } from 'node:test';
import type { TreeChange } from '../../../server/src/io/files.ts';
import { lockOf } from '../../../server/src/io/write-file.ts';
import { inTurn, writeTree } from '../../../server/src/io/write-tree.ts';
import { stride } from '../../random.ts';
import { temporaryFolder } from '../../temporary.mjs';
import { beforeEachStep, restoreSteps } from './steps.ts';

type Files = Readonly<Record<string, string>>;

/** Returns the texts of all files below a folder, and the targets of links. */
const textsIn = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text), isExecutable: false });

/** Returns the change from some files to others, as an update of installed skills. */
const changeBetween = (before: Files, now: Files): TreeChange => ({
  write: Object.entries(now).flatMap(([path, text]) => (before[path] === text ? [] : [file(path, text)])),
  same: Object.entries(now).flatMap(([path, text]) => (before[path] === text ? [file(path, text)] : [])),
  remove: Object.keys(before).filter((path) => !(path in now)),
});

const write = (
  folder: string,
  change: TreeChange,
  isUnchanged = async () => true,
  note: (line: string) => void = () => {},
): Promise<'written' | 'changed'> => inTurn(folder, note, (turn) => writeTree(turn, change, isUnchanged));

afterEach(restoreSteps);

describe('a tree of files', () => {
  it('is written as a whole, with new, changed and deleted files', async () => {
    const folder = temporaryFolder({ 'a/one.md': 'old', 'a/gone.md': 'x', 'b/only/gone.md': 'x', 'c.md': 'stays' });
    const change = {
      write: [file('a/one.md', 'new'), file('d/e/two.md', '2'), file('d/three.md', '3')],
      remove: ['a/gone.md', 'b/only/gone.md'],
    };
    assert.equal(await write(folder, change), 'written');
    assert.deepEqual(textsIn(folder), { 'a/one.md': 'new', 'c.md': 'stays', 'd/e/two.md': '2', 'd/three.md': '3' });
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'c.md', 'd']);
  });

  it('keeps the permissions of files and folders, and adapts them to executable files', {
    skip: process.platform === 'win32',
  }, async () => {
    const modesIn = (folder: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        ['a', 'a/SKILL.md', 'a/n', 'a/n/same.md', 'a/n/run.sh', 'b.md'].map((path) => [
          path,
          (statSync(join(folder, path)).mode & 0o777).toString(8),
        ]),
      );
    const texts = { 'a/SKILL.md': 'old', 'a/n/same.md': 'same', 'a/n/run.sh': 'old', 'b.md': 'old' };
    const change: TreeChange = {
      write: [file('a/SKILL.md', 'new'), { ...file('a/n/run.sh', 'new'), isExecutable: true }, file('b.md', 'new')],
      same: [file('a/n/same.md', 'same')],
      remove: [],
    };
    // The folder of a skill is exchanged as a whole, except if it contains other files.
    for (const more of [{}, { 'a/mine.md': 'mine' }]) {
      const folder = temporaryFolder({ ...texts, ...more });
      for (const [path, mode] of [
        ...([
          ['a', 0o700],
          ['a/n', 0o750],
          ['a/SKILL.md', 0o600],
          ['a/n/same.md', 0o640],
        ] as const),
        ...([
          ['a/n/run.sh', 0o640],
          ['b.md', 0o444],
        ] as const),
      ])
        chmodSync(join(folder, path), mode);
      assert.equal(await write(folder, change), 'written');
      assert.deepEqual(modesIn(folder), {
        ...{ a: '700', 'a/SKILL.md': '600', 'a/n': '750', 'a/n/same.md': '640', 'a/n/run.sh': '750', 'b.md': '444' },
      });
    }
  });

  it('is unchanged after a failure', async () => {
    const texts = { 'a/one.md': 'old', 'a/gone.md': 'x', 'z/file': 'no folder' };
    const folder = temporaryFolder(texts);
    const change = {
      write: [file('a/one.md', 'new'), file('b/new.md', '1'), file('z/file/below.md', '2')],
      remove: ['a/gone.md'],
    };
    await assert.rejects(write(folder, change), /`z\/file` is a link or a file/);
    assert.deepEqual(textsIn(folder), texts);
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'z']);
  });

  it('is unchanged if a path is both a file and a folder', async () => {
    const texts = { 'a/one.md': 'old', 'a/gone.md': 'x' };
    const folder = temporaryFolder(texts);
    const change = {
      write: [file('a/one.md', 'new'), file('b/x.md', '1'), file('b/x.md/below.md', '2')],
      remove: ['a/gone.md'],
    };
    await assert.rejects(write(folder, change));
    assert.deepEqual(textsIn(folder), texts);
  });

  it('is not written if another program changes it in the meantime', async () => {
    const folder = temporaryFolder({ 'a.md': 'old' });
    const change = { write: [file('a.md', 'new')], remove: [] };
    assert.equal(await write(folder, change, async () => false), 'changed');
    assert.deepEqual(textsIn(folder), { 'a.md': 'old' });
  });

  it('is never written through a link', async () => {
    const [folder, outside] = [temporaryFolder({ 'x.md': 'x' }), temporaryFolder({ 'a.md': 'theirs' })];
    symlinkSync(outside, join(folder, 'out'));
    for (const change of [
      { write: [file('out/new.md', '1')], remove: [] },
      { write: [], remove: ['out/a.md'] },
    ]) {
      await assert.rejects(write(folder, change), /is a link or a file, not a folder/);
    }
    assert.deepEqual(textsIn(outside), { 'a.md': 'theirs' });
  });

  it('leaves no new root behind if nothing is written', async () => {
    const folder = temporaryFolder({});
    const change = { write: [file('a.md', 'new')], remove: [] };
    assert.equal(await write(join(folder, 'deep/root'), change, async () => false), 'changed');
    assert.deepEqual(readdirSync(folder), []);
  });
});

const OLD: Files = {
  'agents/one/SKILL.md': '1',
  'agents/one/same.md': 'same',
  'agents/one/deep/gone.md': '1',
  'agents/two/SKILL.md': '1',
  'skills/a.skill.md': '1',
  'skills/gone/b.skill.md': '1',
  lock: '1',
};
const NEW: Files = {
  'agents/one/SKILL.md': '2',
  'agents/one/same.md': 'same',
  'agents/one/deeper/new.md': '2',
  'agents/two/SKILL.md': '2',
  'agents/three/SKILL.md': '2',
  'skills/a.skill.md': '2',
  'skills/new.skill.md': '2',
  lock: '2',
};
/** Files of the user, which no installation may touch. */
const MINE: Files = { 'agents/two/notes.md': 'mine', 'skills/mine.skill.md': 'mine', 'readme.md': 'mine' };

/** Returns the number of steps of the update from `OLD` to `NEW`. */
async function countSteps(): Promise<number> {
  let count = 0;
  beforeEachStep(() => count++);
  assert.equal(await write(temporaryFolder({ ...OLD, ...MINE }), changeBetween(OLD, NEW)), 'written');
  restoreSteps();
  return count;
}

const failure = (): Error => Object.assign(new Error('EIO: i/o error, step'), { code: 'EIO', syscall: 'step' });

/** Removes the lock, as if its process had ended. */
function unlock(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('.skill-composer-lock-')) rmSync(join(folder, name));
}

/** Asserts that the folder has exactly the old or the new files, after another process had its turn. */
async function assertWhole(folder: string, when: string): Promise<void> {
  unlock(folder);
  const notes: string[] = [];
  await inTurn(
    folder,
    (line) => notes.push(line),
    async () => {},
  );
  const texts = textsIn(folder);
  const expected = texts.lock === '1' ? OLD : NEW;
  assert.deepEqual(texts, sorted({ ...expected, ...MINE }), when);
  assert.deepEqual(notes, [], when);
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('composer'));
  assert.deepEqual(left, [], when);
}

const sorted = (texts: Files): Files => Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));

describe('an update of skills', () => {
  it('exchanges the folder of a skill as a whole, and keeps other files of the user', async () => {
    const folder = temporaryFolder({ ...OLD, ...MINE });
    const [one, two] = ['agents/one', 'agents/two'].map((path) => statSync(join(folder, path)).ino);
    await write(folder, changeBetween(OLD, NEW));
    assert.deepEqual(textsIn(folder), sorted({ ...NEW, ...MINE }));
    assert.notEqual(statSync(join(folder, 'agents/one')).ino, one);
    assert.equal(statSync(join(folder, 'agents/two')).ino, two, 'the folder has a file of the user');
  });

  it('is undone or finished by the next process if a process is killed', async () => {
    const steps = await countSteps();
    assert.ok(steps > 50, String(steps));
    for (let at = 1; at < steps; at += stride(1)) {
      const folder = temporaryFolder({ ...OLD, ...MINE });
      beforeEachStep((step) => {
        if (step >= at) throw failure();
      });
      await write(folder, changeBetween(OLD, NEW)).catch(() => {});
      restoreSteps();
      await assertWhole(folder, `killed at step ${at}`);
    }
  });

  it('is undone if a step fails, even if the process is killed while it undoes the steps before', async () => {
    const steps = await countSteps();
    for (let at = 0; at < steps; at += stride(1)) {
      const more = [1000, 1, 4, 16][at % 4] as number;
      const folder = temporaryFolder({ ...OLD, ...MINE });
      beforeEachStep((step) => {
        if (step === at || step >= at + more) throw failure();
      });
      const error = await write(folder, changeBetween(OLD, NEW)).then(
        () => undefined,
        (one: Error) => one,
      );
      restoreSteps();
      if (error && more === 1000) assert.match(error.message, /i\/o error/);
      if (error && more === 1000) assert.equal(textsIn(folder).lock, '1', `failed at step ${at}`);
      await assertWhole(folder, `failed at step ${at}, killed ${more} steps later`);
    }
  });

  it('loses no edit that another program saves meanwhile', async () => {
    const steps = await countSteps();
    for (let at = 0; at < steps; at += stride(1)) {
      const folder = temporaryFolder({ ...OLD, ...MINE });
      const path = join(folder, ['agents/one/SKILL.md', 'agents/two/SKILL.md', 'skills/a.skill.md'][at % 3] as string);
      const notes: string[] = [];
      let isSaved = false;
      beforeEachStep((step) => {
        if (step !== at || !existsSync(path)) return;
        isSaved = true;
        writeFileSync(path, 'edit');
      });
      const isUnchanged = async () => readFileSync(path, 'utf8') === '1';
      await write(folder, changeBetween(OLD, NEW), isUnchanged, (line) => notes.push(line)).catch(() => {});
      restoreSteps();
      if (!isSaved) continue;
      const kept = Object.entries(textsIn(folder)).filter(([, text]) => text === 'edit');
      assert.equal(kept.length, 1, `saved at step ${at}`);
      const [[where]] = kept as [[string, string]];
      if (where.includes('composer')) assert.match(notes.join(), /Another program changed files .*They are kept: /);
      if (where.includes('composer')) assert.ok(notes.join().includes(where), where);
      else assert.equal(join(folder, where), path);
    }
  });

  it('stays in its root if folders are exchanged for links', async () => {
    const steps = await countSteps();
    const names = ['agents', 'agents/one', 'agents/two', 'skills', 'skills/gone', 'agents/one/deep'];
    for (let at = 0; at < steps; at += stride(1)) {
      const [folder, outside] = [temporaryFolder({ ...OLD, ...MINE }), temporaryFolder(OLD)];
      const mine = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /composer/.test(path));
      const name = [...names, ...mine][at % (names.length + mine.length)] as string;
      beforeEachStep((step) => {
        if (step !== at || !existsSync(join(folder, name))) return;
        renameSync(join(folder, name), join(folder, `${name}-moved`));
        symlinkSync(existsSync(join(outside, name)) ? join(outside, name) : outside, join(folder, name));
      });
      await write(folder, changeBetween(OLD, NEW)).catch(() => {});
      restoreSteps();
      assert.deepEqual(textsIn(outside), sorted(OLD), `${name} at step ${at}`);
      unlock(folder);
      await inTurn(
        folder,
        () => {},
        async () => {},
      ).catch(() => {});
      assert.deepEqual(textsIn(outside), sorted(OLD), `${name} at step ${at}`);
    }
  });

  it('is undone if the process is interrupted, which then ends with the signal', async () => {
    const folder = temporaryFolder({ ...OLD, ...MINE });
    const ended = mock.method(process, 'kill', () => true);
    let isSent = false;
    beforeEachStep(() => {
      if (isSent || !existsSync(join(folder, 'agents/three'))) return;
      isSent = true;
      process.emit('SIGTERM', 'SIGTERM');
    });
    await assert.rejects(write(folder, changeBetween(OLD, NEW)), /it was interrupted/);
    assert.deepEqual(
      ended.mock.calls.map((call) => call.arguments),
      [[process.pid, 'SIGTERM']],
    );
    restoreSteps();
    assert.deepEqual(textsIn(folder), sorted({ ...OLD, ...MINE }));
    assert.equal(process.listenerCount('SIGTERM'), 0);
  });

  it('ignores a journal that was not written in this folder', async () => {
    const from = temporaryFolder({ ...OLD, ...MINE });
    beforeEachStep(() => {
      if (readdirSync(from).some((one) => /-exchange-/.test(one))) throw failure();
    });
    await write(from, changeBetween(OLD, NEW)).catch(() => {});
    restoreSteps();
    unlock(from);
    const folder = temporaryFolder(textsIn(from));
    const before = textsIn(folder);
    const [name] = readdirSync(folder).filter((one) => /-exchange-/.test(one));
    const notes: string[] = [];
    await inTurn(
      folder,
      (line) => notes.push(line),
      async () => {},
    );
    assert.deepEqual(notes, [`\`${name}\` is from another folder and was ignored. Delete it.`]);
    assert.deepEqual(textsIn(folder), before);
  });

  it('waits for another process, and then finds what that process has written', async () => {
    const folder = temporaryFolder({});
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        inTurn(
          folder,
          () => {},
          async (turn) => {
            order.push(name);
            const all = `${textsIn(folder).list ?? ''}${name}`;
            await writeTree(turn, { write: [file('list', all)], remove: [] }, async () => true);
          },
        ),
      ),
    );
    assert.deepEqual(textsIn(folder), { list: order.join('') });
  });

  it('takes over the lock of a process that has ended, and any lock that is not a file', async () => {
    for (const make of [
      (lock: string) => writeFileSync(lock, `999999999 ${hostname()} ${'0'.repeat(24)}`),
      (lock: string) => mkdirSync(join(lock, 'x'), { recursive: true }),
      (lock: string) => symlinkSync('nowhere', lock),
    ]) {
      const folder = temporaryFolder({});
      make(lockOf(join(folder, 'skills.lock.json')));
      assert.equal(await write(folder, { write: [file('a', '1')], remove: [] }), 'written');
      assert.deepEqual(readdirSync(folder), ['a']);
    }
  });
});
