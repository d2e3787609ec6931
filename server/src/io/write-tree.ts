/**
 * Writes many files below a folder, all or none (docs/installing.md, "How files are written"): stages them beside their
 * targets, and exchanges whole skill folders, or single files, by renames. The same steps undo a failed exchange, and
 * after a journal, what a killed process left.
 */
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_TOTAL_BYTES } from '../packing/limits.ts';
import { LOCK_NAME } from '../packing/lock.ts';
import { bytesDigest } from '../skill/content-digest.ts';
import { isAgentSkillName } from '../vocabulary/dialect.ts';
import type { FileToWrite, TreeChange } from './files.ts';
import { type HeldFolder, inFolder, openFolder, removeEmptyFolders } from './held-folder.ts';
import { readBytes } from './read-file.ts';
import { reasonOf, toUserError, UserError } from './user-error.ts';
import { alone, giveName, lockOf, ownerOf } from './write-file.ts';

/** The turn of this process to write below a root. No other process writes there at the same time. */
export interface Turn {
  readonly root: HeldFolder;
  /** Writes a line for the user. */
  readonly note: (line: string) => void;
  /** Rejects if the process was interrupted, or has lost its turn. */
  check(): Promise<void>;
  /** Runs work that must not be interrupted between two steps. It calls `check` before each step. */
  busy<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The pauses between two tries to get a turn, and their number. */
const PAUSE_MS = 100;
const TRIES = 600;
/** The try at which the user reads that this process waits. */
const NOTED_TRY = 10;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits until no other process writes below a folder, undoes or finishes what a killed process left, and runs `work`.
 * Creates the folder. Writes nothing in it if `accept` rejects. Throws a `UserError` if another process writes for too
 * long, or if the folder is not writable.
 */
export async function inTurn<Result>(
  path: string,
  note: (line: string) => void,
  work: (turn: Turn) => Promise<Result>,
  accept?: (root: HeldFolder) => Promise<void>,
): Promise<Result> {
  const cannot = (error: unknown): never => {
    throw toUserError(error, (reason) => `\`${path}\` cannot be written: ${reason}.`);
  };
  const outermost = await mkdir(path, { recursive: true }).catch(cannot);
  return inFolder(path, '', async (root) => {
    await accept?.(root);
    const file = root.at(LOCK_NAME);
    for (let tries = 0; tries < TRIES; tries++) {
      let isWorking = false;
      const done = await alone(file, async ({ isOurs, release }) => {
        const result = await interruptible(root, note, isOurs, release, async (turn) => {
          await turn.busy(() => recover(turn));
          isWorking = true;
          return work(turn);
        });
        return { result };
      }).catch((error: unknown) => (isWorking ? Promise.reject(error) : cannot(error)));
      if (done !== 'changed') return done.result;
      if (tries === NOTED_TRY) note('Waiting for another installation in this folder…');
      await pause(PAUSE_MS);
    }
    const lock = lockOf(file);
    const owner = await ownerOf(lock);
    const who = owner === undefined ? '' : ` (process ${owner})`;
    const shown = lock.slice(root.at('.').length + 1);
    const advice = `Wait until it ends. If no installation is running, delete \`${shown}\`.`;
    throw new UserError(`Another installation is running in this folder${who}. ${advice}`);
  }).finally(() => (outermost === undefined ? undefined : removeEmpty(path, outermost)));
}

/** Removes a folder and those above it, up to `outermost`, that are empty. */
async function removeEmpty(path: string, outermost: string): Promise<void> {
  for (let folder = path; folder.length >= outermost.length; folder = join(folder, '..')) {
    if (
      !(await rmdir(folder).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

/** Runs work during which a signal ends this process at once, or after the current step of busy work. */
async function interruptible<Result>(
  root: HeldFolder,
  note: (line: string) => void,
  isOurs: () => Promise<boolean>,
  release: () => Promise<void>,
  work: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  let isBusy = false;
  let signal: NodeJS.Signals | undefined;
  const off = (): void => {
    for (const one of SIGNALS) process.off(one, onSignal);
  };
  const end = async (): Promise<void> => {
    await release();
    off();
    if (signal) process.kill(process.pid, signal);
  };
  const onSignal = (one: NodeJS.Signals): void => {
    signal ??= one;
    if (!isBusy) void end();
  };
  for (const one of SIGNALS) process.on(one, onSignal);
  try {
    return await work({
      root,
      note,
      async check() {
        if (signal) throw new Error('it was interrupted');
        if (!(await isOurs())) throw new Error('another process took over the folder');
      },
      async busy(task) {
        isBusy = true;
        try {
          return await task();
        } finally {
          isBusy = false;
          if (signal) await end();
        }
      },
    });
  } finally {
    off();
  }
}

// The plan: what is exchanged, and by what.

/** The digests of files by their paths below an entry. The path of a file that is itself the entry is empty. */
type Digests = readonly (readonly [path: string, digest: string])[];

/** A file or folder that is exchanged as a whole. */
interface Entry {
  readonly name: string;
  /** The content that is replaced. Null if there was nothing. */
  readonly before: Digests | null;
  /** The new content. Null to remove the entry. */
  readonly after: Digests | null;
}

/** The entries of one folder, which are exchanged through the same temporary folder in it. */
interface Group {
  readonly folder: HeldFolder;
  readonly entries: readonly Entry[];
}

/** The file to write, if any, and whether it differs from the file on disk. */
interface Leaf {
  readonly file?: FileToWrite;
  readonly isChanged: boolean;
}

type Tree = ReadonlyMap<string, Tree | Leaf>;

/**
 * Writes and removes files. Rejects with an error whose message is a clause after it has undone all changes. Calls
 * `isUnchanged` before the first change, and returns `changed` if that returns false. Never writes through a link.
 */
export function writeTree(
  turn: Turn,
  change: TreeChange,
  isUnchanged: () => Promise<boolean>,
): Promise<'written' | 'changed'> {
  const write = async (isWhole: boolean): Promise<'written' | 'changed'> => {
    const groups: PlannedGroup[] = [];
    try {
      await plan(turn.root, turn.root, treeOf(change), isWhole, groups);
      return await turn.busy(() => exchange(turn, groups, change.remove, isUnchanged));
    } finally {
      for (const { folder } of groups) if (folder !== turn.root) await folder.close();
    }
  };
  // A mounted folder, a folder of a lower layer, and on Windows a folder with open files cannot be renamed.
  const cannotRename = ({ code }: NodeJS.ErrnoException) => ['EBUSY', 'EXDEV', 'EPERM', 'EACCES'].includes(code ?? '');
  return write(true).catch((error) => (cannotRename(error) ? write(false) : Promise.reject(error)));
}

function treeOf({ write, same = [], remove }: TreeChange): Tree {
  const root = new Map<string, Tree | Leaf>();
  const add = (path: string, leaf: Leaf): void => {
    const names = path.split('/');
    const last = names.pop() as string;
    let folder = root;
    for (const name of names) {
      const inner = folder.get(name) ?? new Map<string, Tree | Leaf>();
      if (!(inner instanceof Map)) throw new Error(`\`${path}\` is below a file`);
      folder.set(name, inner);
      folder = inner;
    }
    if (folder.get(last) instanceof Map) throw new Error(`\`${path}\` is both a file and a folder`);
    folder.set(last, leaf);
  };
  for (const path of remove) add(path, { isChanged: true });
  for (const file of same) add(file.path, { file, isChanged: false });
  for (const file of write) add(file.path, { file, isChanged: true });
  return root;
}

const isTree = (node: Tree | Leaf): node is Tree => node instanceof Map;

/** Returns the leaves of a node by their paths below it. */
const leavesOf = (node: Tree | Leaf, relativePath = ''): readonly (readonly [string, Leaf])[] =>
  isTree(node)
    ? [...node].flatMap(([name, inner]) => leavesOf(inner, relativePath === '' ? name : `${relativePath}/${name}`))
    : [[relativePath, node]];

interface PlannedGroup extends Group {
  readonly nodes: Tree;
}

/** Adds the groups below a folder: folders of skills and new folders are exchanged as a whole, and else single files. */
async function plan(
  root: HeldFolder,
  folder: HeldFolder,
  tree: Tree,
  isWhole: boolean,
  groups: PlannedGroup[],
): Promise<void> {
  const planBelow = async (name: string, node: Tree): Promise<void> => {
    const inner = await openFolder(root, pathIn(folder, name));
    await plan(root, inner, node, isWhole, groups).finally(() =>
      groups.some((group) => group.folder === inner) ? undefined : inner.close(),
    );
  };
  const entries: Entry[] = [];
  for (const [name, node] of tree) {
    const leaves = leavesOf(node);
    if (!leaves.some(([, { isChanged }]) => isChanged)) continue;
    const written = leaves.flatMap(([path, { file }]) => (file ? [[path, bytesDigest(file.bytes)] as const] : []));
    const after = written.length > 0 ? written : null;
    const stats = await find(folder.at(name));
    if (!stats) {
      if (after) entries.push({ name, before: null, after });
      continue;
    }
    if (isTree(node) && !(isWhole && stats.isDirectory() && [...node.keys()].some(isAgentSkillName))) {
      await planBelow(name, node);
      continue;
    }
    const before = await contentOf(folder, name);
    const own = new Set(leaves.map(([path]) => path));
    if (before?.every(([path]) => own.has(path))) entries.push({ name, before, after });
    else if (isTree(node)) await planBelow(name, node);
    else throw new Error(`\`${pathIn(folder, name)}\` is not a regular file or cannot be read`);
  }
  if (entries.length > 0) groups.push({ folder, entries, nodes: tree });
}

const pathIn = ({ relativePath }: HeldFolder, name: string): string =>
  relativePath === '' ? name : `${relativePath}/${name}`;

/**
 * Returns the digests of the files in an entry; undefined if it contains anything else, such as a link, an empty folder,
 * or a folder of another disk.
 */
async function contentOf(folder: HeldFolder, name: string, relativePath = ''): Promise<Digests | undefined> {
  const stats = await find(folder.at(name));
  if (stats?.dev !== folder.stats.dev) return undefined;
  if (!stats.isDirectory()) {
    const digest = await digestAt(folder.at(name));
    return digest === undefined ? undefined : [[relativePath, digest]];
  }
  return inFolder(folder, name, async (inner) => {
    const found: Digests[number][] = [];
    for (const one of await readdir(inner.at('.'))) {
      const content = await contentOf(inner, one, relativePath === '' ? one : `${relativePath}/${one}`);
      if (!content) return undefined;
      found.push(...content);
    }
    return found.length === 0 ? undefined : found;
  });
}

async function digestAt(path: string): Promise<string | undefined> {
  const read = await readBytes(path, MAX_TOTAL_BYTES);
  return typeof read === 'string' ? undefined : bytesDigest(read.bytes);
}

/** Returns the facts about a path; undefined if nothing has this path. Follows no link. */
const find = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return undefined;
  });

// The exchange, and its end.

/** What remains to be done if the process is killed: for each stage, see `STAGES`. */
interface Work {
  readonly id: string;
  readonly groups: readonly Group[];
  /** The folders in which files are removed. */
  readonly emptied: readonly string[];
}

async function exchange(
  turn: Turn,
  groups: readonly PlannedGroup[],
  remove: readonly string[],
  isUnchanged: () => Promise<boolean>,
): Promise<'written' | 'changed'> {
  const { root } = turn;
  const emptied = [...new Set(remove.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))];
  const work: Work = { id: randomBytes(6).toString('hex'), groups, emptied };
  await writeJournal(root, work);
  let stage: Stage = 'staging';
  const next = async (to: Stage): Promise<void> => {
    await turn.check();
    await root.verify();
    for (const { folder } of groups) await folder.verify();
    await rename(root.at(journalName(stage, work.id)), root.at(journalName(to, work.id)));
    stage = to;
  };
  try {
    for (const group of groups) await stageGroup(turn, work.id, group);
    if (!(await isUnchanged())) {
      await undo(turn, work, stage);
      return 'changed';
    }
    await next('exchange');
    for (const { folder, entries } of groups) {
      await inParts(folder, work.id, async ({ fresh, old }) => {
        for (const { name, before, after } of entries) {
          await turn.check();
          if (before) await rename(folder.at(name), old.at(name));
          if (after) await moveTo(fresh.at(name), folder.at(name));
        }
      });
    }
    await next('written');
  } catch (error) {
    await undo(turn, work, stage).catch((second: unknown) => {
      throw new Error(
        `${reasonOf(error)}, and it could not be undone: ${reasonOf(second)}. Fix this, and install again`,
      );
    });
    throw error;
  }
  await finish(turn, work, stage);
  return 'written';
}

const temporaryOf = (id: string): string => `.skill-composer-install-${id}.tmp`;

/** The parts of a temporary folder: new content, replaced content, and content whose exchange was undone. */
const PARTS = ['new', 'old', 'undone'] as const;

interface Parts {
  readonly fresh: HeldFolder;
  readonly old: HeldFolder;
  readonly undone: HeldFolder;
}

const inParts = <Result>(folder: HeldFolder, id: string, use: (parts: Parts) => Promise<Result>): Promise<Result> => {
  const [fresh, old, undone] = PARTS.map((part) => `${temporaryOf(id)}/${part}`) as [string, string, string];
  return inFolder(folder, fresh, (one) =>
    inFolder(folder, old, (two) => inFolder(folder, undone, (three) => use({ fresh: one, old: two, undone: three }))),
  );
};

async function stageGroup(turn: Turn, id: string, { folder, entries, nodes }: PlannedGroup): Promise<void> {
  await mkdir(folder.at(temporaryOf(id)), { mode: 0o700 });
  for (const part of PARTS) await inFolder(folder, `${temporaryOf(id)}/${part}`, async () => {}, true);
  const wanted = entries.map(({ name }) => [name, nodes.get(name) as Tree | Leaf] as const);
  await inParts(folder, id, ({ fresh }) => stageNodes(turn, fresh, wanted, folder));
}

/** Writes files with the permissions of the files in `old` that they replace, and of their folders. */
async function stageNodes(
  turn: Turn,
  folder: HeldFolder,
  nodes: Iterable<readonly [string, Tree | Leaf]>,
  old: HeldFolder | undefined,
): Promise<void> {
  await turn.check();
  for (const [name, node] of nodes) {
    if (isTree(node)) {
      const isWritten = leavesOf(node).some(([, { file }]) => file);
      const before = old && isWritten ? await openFolder(old, name).catch(() => undefined) : undefined;
      const stage = async (inner: HeldFolder): Promise<void> => {
        await stageNodes(turn, inner, node, before);
        const mode = Number((before?.stats.mode ?? 0n) & 0o7777n);
        if ((mode & 0o700) === 0o700) await setMode(inner.at('.'), mode);
      };
      if (isWritten) await inFolder(folder, name, stage, true).finally(() => before?.close());
    } else if (node.file) {
      const { bytes, isExecutable } = node.file;
      await writeFile(folder.at(name), bytes, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
      const before = old && (await find(old.at(name)));
      if (!before?.isFile()) continue;
      const mode = Number(before.mode & 0o777n);
      await setMode(folder.at(name), isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
    }
  }
}

/** Sets the permissions of a file or folder that this process has created, where the file system supports them. */
async function setMode(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return;
  const file = await open(path, 'r');
  await file.chmod(mode).catch(() => {});
  await file.close();
}

/** Moves a file or folder to a path that must be free. */
async function moveTo(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  if (stats.isFile()) return giveName(from, to);
  if (!stats.isDirectory()) throw new Error('another program replaced a staged file by a link');
  // A folder replaces only an empty folder.
  await rename(from, to);
}

/** Restores the replaced content of all entries, and removes what was staged. */
async function undo(turn: Turn, { id, groups }: Work, stage: Stage): Promise<void> {
  const problems: unknown[] = [];
  for (const group of groups) {
    const { folder, entries } = group;
    const undoGroup = async (): Promise<void> => {
      if (stage === 'staging') await discard(folder, temporaryOf(id), undefined);
      // The folder of the replaced content is removed first, after everything in it was restored.
      else if (await find(folder.at(`${temporaryOf(id)}/old`))) await restore(group, id);
      await clear(turn.note, folder, id, entries);
    };
    await undoGroup().catch((error: unknown) => problems.push(error));
  }
  if (problems.length > 0) throw problems[0];
  await unlink(turn.root.at(journalName(stage, id))).catch(unlessAbsent);
}

const restore = ({ folder, entries }: Group, id: string): Promise<void> =>
  inParts(folder, id, async ({ fresh, old, undone }) => {
    for (const { name, before, after } of entries) {
      const [here, fromNew, fromOld] = await Promise.all([folder, fresh, old].map((one) => find(one.at(name))));
      // A killed process may have given a file its new name, and not yet removed its old one.
      if (fromOld && fromOld.ino === here?.ino) await unlink(old.at(name));
      const isReplaced = before !== null && fromOld !== undefined && fromOld.ino !== here?.ino;
      const isPlaced = after !== null && (!fromNew || fromNew.ino === here?.ino);
      if (!isReplaced && (before || !isPlaced || !(await hasContent(folder, name, after)))) continue;
      // A second try must not overwrite what the first try has moved.
      const free = (await find(undone.at(name))) ? `${name}~${randomBytes(4).toString('hex')}` : name;
      await rename(folder.at(name), undone.at(free)).catch(unlessAbsent);
      if (isReplaced) await moveTo(old.at(name), folder.at(name));
    }
  });

/** Removes the replaced content, except what another program has changed in the meantime. Never rejects. */
async function finish({ root, note }: Turn, { id, groups, emptied }: Work, stage: Stage): Promise<void> {
  try {
    for (const { folder, entries } of groups) await clear(note, folder, id, entries);
    for (const relativePath of emptied) await removeEmptyFolders(root, relativePath);
    await unlink(root.at(journalName(stage, id))).catch(unlessAbsent);
  } catch (error) {
    note(`Replaced files cannot be removed: ${reasonOf(error)}. The next installation tries it again.`);
  }
}

function unlessAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function hasContent(folder: HeldFolder, name: string, content: Digests): Promise<boolean> {
  const known = new Map(content);
  const found = await contentOf(folder, name);
  return found?.length === known.size && found.every(([path, digest]) => known.get(path) === digest);
}

/** Removes a temporary folder. If it contains changes of other programs, renames it, and names these files. */
async function clear(note: Turn['note'], folder: HeldFolder, id: string, entries: readonly Entry[]): Promise<void> {
  const known = new Set<string>();
  for (const { name, before, after } of entries)
    for (const [path, digest] of [...(before ?? []), ...(after ?? [])]) known.add(join(name, path, digest));
  const temporary = temporaryOf(id);
  if (!(await find(folder.at(temporary)))) return;
  const left = await inFolder(folder, temporary, async (inner) => [
    ...(await discard(inner, 'old', known)),
    ...(await discard(inner, 'undone', known)),
    ...(await discard(inner, 'new', undefined)),
  ]);
  if (left.length === 0) return rmdir(folder.at(temporary));
  const kept = `.skill-composer-kept-${id}`;
  await rename(folder.at(temporary), folder.at(kept));
  const shown = left
    .slice(0, MAX_NAMED)
    .map((path) => `\`${join(folder.relativePath, kept, path).replaceAll('\\', '/')}\``);
  const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : '';
  note(`Another program changed files during the installation. They are kept: ${shown.join(', ')}${more}.`);
}

const MAX_NAMED = 10;

/**
 * Removes a file or folder. Keeps files that are not in `known`, which contains paths below the folder joined with
 * digests, and returns their paths. Without `known`, removes all files.
 */
async function discard(
  folder: HeldFolder,
  name: string,
  known: ReadonlySet<string> | undefined,
  relativePath = '',
): Promise<readonly string[]> {
  const stats = await find(folder.at(name));
  if (!stats) return [];
  if (!stats.isDirectory()) {
    if (known && !known.has(join(relativePath, (await digestAt(folder.at(name))) ?? ''))) return [name];
    await unlink(folder.at(name));
    return [];
  }
  const left = await inFolder(folder, name, async (inner) => {
    const all: string[] = [];
    for (const one of await readdir(inner.at('.')))
      all.push(...(await discard(inner, one, known, join(relativePath, one))));
    return all;
  });
  if (left.length === 0) await rmdir(folder.at(name));
  return left.map((one) => `${name}/${one}`);
}

// The journal: a file in the root, whose name contains the stage.

/** The stages of an exchange. In the last stage, it is finished; in the others, it is undone. */
const STAGES = ['staging', 'exchange', 'written'] as const;
type Stage = (typeof STAGES)[number];

const journalName = (stage: Stage, id: string): string => `.skill-composer-${stage}-${id}.tmp`;

const JOURNAL = /^\.skill-composer-(staging|exchange|written)-([0-9a-f]{12})\.tmp$/;

interface Journal {
  /** The identity of the journal file itself. A file from elsewhere, such as from a cloned folder, has another one. */
  readonly self: string;
  readonly groups: readonly { readonly folder: string; readonly entries: readonly Entry[] }[];
  readonly emptied: readonly string[];
}

const identityOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino} ${birthtimeNs}`;

async function writeJournal(root: HeldFolder, { id, groups, emptied }: Work): Promise<void> {
  const path = root.at(journalName('staging', id));
  const file = await open(path, 'wx', 0o600);
  try {
    const journal: Journal = {
      self: identityOf(await file.stat({ bigint: true })),
      groups: groups.map(({ folder, entries }) => ({ folder: folder.relativePath, entries })),
      emptied,
    };
    await file.writeFile(JSON.stringify(journal));
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** Returns whether a killed process left an exchange in a folder, or a process is exchanging. */
export const hasLeftWork = async (root: string): Promise<boolean> =>
  (await readdir(root).catch((): string[] => [])).some((name) => JOURNAL.test(name));

/** Undoes or finishes what killed processes left. */
async function recover(turn: Turn): Promise<void> {
  const { root, note } = turn;
  for (const name of await readdir(root.at('.'))) {
    const [, stage, id] = JOURNAL.exec(name) ?? [];
    if (stage === undefined || id === undefined) continue;
    const journal = await readJournal(root, name);
    if (journal === 'foreign') note(`\`${name}\` is from another folder and was ignored. Delete it.`);
    else if (journal === 'partial') await unlink(root.at(name));
    else {
      await endWork(turn, id, stage as Stage, journal).catch((error: unknown) => {
        const advice = `Fix this, or delete \`${name}\` and move the files from the folders \`${temporaryOf(id)}\``;
        throw new UserError(`An interrupted installation cannot be undone: ${reasonOf(error)}. ${advice}.`);
      });
    }
  }
}

async function endWork(turn: Turn, id: string, stage: Stage, { groups, emptied }: Journal): Promise<void> {
  const opened: Group[] = [];
  try {
    for (const { folder: relativePath, entries } of groups) {
      const folder = await openFolder(turn.root, relativePath).catch(unlessAbsent);
      if (folder) opened.push({ folder, entries });
    }
    await (stage === 'written' ? finish : undo)(turn, { id, groups: opened, emptied }, stage);
  } finally {
    for (const { folder } of opened) if (folder !== turn.root) await folder.close();
  }
}

/** Returns a journal of this folder, or `partial` if the process was killed before it had written the journal. */
async function readJournal(root: HeldFolder, name: string): Promise<Journal | 'partial' | 'foreign'> {
  const stats = await find(root.at(name));
  const read = await readBytes(root.at(name), MAX_TOTAL_BYTES);
  if (typeof read === 'string' || !stats) return 'foreign';
  const text = read.bytes.toString();
  if (text === '') return 'partial';
  if (!text.startsWith(`{"self":"${identityOf(stats)}",`)) return 'foreign';
  try {
    const journal = JSON.parse(text) as Journal;
    return journal.groups.every(isPlain) ? journal : 'foreign';
  } catch {
    return 'partial';
  }
}

/** Returns whether the entries of a group are directly in its folder, and none is a file of git. */
const isPlain = ({ folder, entries }: Journal['groups'][number]): boolean =>
  [...folder.split('/'), ...entries.map(({ name }) => name)].every(
    (name) => !/^(?:\.\.?|\.git)$|[/\0]/i.test(name) && !name.includes(sep),
  );
