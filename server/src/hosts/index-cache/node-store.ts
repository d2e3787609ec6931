/**
 * The cache as files, in the folder that the system has for such. One for each set of workspace folders, the oldest of
 * which go. Nothing in them is secret or executed: they hold what the server has said of skills.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../version.ts';
import { writeWhole } from '../write-whole.ts';
import type { CacheStore } from './store.ts';

const MAX_FILES = 16;
const AT_LEAST = 200;
const QUIET_MS = 2_000;
/** A workspace of 10,000 skills has 10 MB. */
const MAX_LENGTH = 200_000_000;
/** Also what a server leaves behind that is killed while it writes. */
const NAME = /^index-[0-9a-f]{32}\.json(?:\.[0-9a-f]+)?$/;

export function createNodeStore(folder = cacheFolder()): CacheStore {
  const pathOf = (name: string): string =>
    join(folder, `index-${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`);
  return {
    program: programOf(),
    atLeast: AT_LEAST,
    quiet: QUIET_MS,
    async read(name) {
      try {
        const path = pathOf(name);
        return (await stat(path)).size > MAX_LENGTH ? undefined : await readFile(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    async write(name, text) {
      if (text.length > MAX_LENGTH) return;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // A lost one is no loss.
        await writeWhole(pathOf(name), text, { mode: 0o600, sync: false });
        await removeOldest(folder);
      } catch {
        // A start without it is slower, and that is all.
      }
    },
  };
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  if (names.length <= MAX_FILES) return;
  const times = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  times.sort((a, b) => b.time - a.time);
  await Promise.all(times.slice(MAX_FILES).map(({ name }) => rm(join(folder, name), { force: true })));
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const home = homedir();
  const ours = join('skill-composer', 'index');
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, ours);
  if (platform() === 'win32') return join(LOCALAPPDATA ?? join(home, 'AppData', 'Local'), ours);
  if (platform() === 'darwin') return join(home, 'Library', 'Caches', ours);
  return join(home, '.cache', ours);
}

/** A version says little of a program that is being worked on; its script's own stamp does. */
function programOf(): string {
  try {
    const { size, mtimeMs } = statSync(__filename);
    return `${VERSION} ${size} ${mtimeMs}`;
  } catch {
    return VERSION;
  }
}
