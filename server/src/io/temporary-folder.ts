/** A temporary folder for a program that is run once: its files, and its removal. */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Creates an empty folder, and returns its path without links. */
export const makeTemporaryFolder = (): string => mkdtempSync(join(realpathSync(tmpdir()), 'skill-composer-'));

/** Creates a folder with its parents, and returns its path without links. */
export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return realpathSync(path);
}

/** Writes a new file, and creates its folders. */
export function writeBelow(folder: string, path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Makes a link, and creates its folders. `target` is what the link contains. */
export function linkBelow(folder: string, path: string, target: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(target, file);
}

/** Removes a folder. A process that has just ended may still write into it. */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });

/** Opens a file for the output of a process. Returns its descriptor. */
export const openOutput = (path: string): number => openSync(path, 'w');

export const closeOutput = (descriptor: number): void => closeSync(descriptor);

/** Returns the beginning of an output. */
export const readOutput = (path: string, characters: number): string => readFileSync(path, 'utf8').slice(0, characters);

/**
 * Ends all processes that have this home in their environment, also those in process groups of their own (Linux only).
 *
 * @returns their commands
 */
export function endProcessesOf(home: string): readonly string[] {
  const ended: string[] = [];
  for (const pid of process.platform === 'linux' ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      process.kill(Number(pid), 'SIGKILL');
      // A process that has ended and waits for its parent has no command.
      if (command !== '') ended.push(command);
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  return ended;
}
