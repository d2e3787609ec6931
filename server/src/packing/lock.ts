/**
 * `skills.lock.json`: the installed skills with their origin, digests and capabilities (docs/installing.md). The file
 * is treated as untrusted input, because its strings are used as paths.
 */

import { networkCalls } from '../abilities/network.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { Workspace } from '../analysis/workspace.ts';
import { isObject } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import { SkillFolder } from '../skill-folder/skill-folder.ts';
import { dialectOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import type { Index } from '../workspace/workspace-index.ts';
import { pathProblem } from './archive-path.ts';
import { CAPABILITY_LISTS, type Capabilities, OPERATIONS, sortedOnce } from './capabilities.ts';
import { nameOf, parentOf, type Unit } from './unit.ts';

export const LOCK_NAME = 'skills.lock.json';

/** The version of the format. Later versions are not read. */
const LOCK_VERSION = 1;

export interface LockedSkill {
  /** The path of the skill's own file, relative to the folder of the lock file, with `/` separators. */
  readonly path: string;
  /** The source as the user specified it: a path relative to the workspace. */
  readonly origin: string;
  /** The version of the skill; undefined if the skill has none. */
  readonly version: string | undefined;
  /** The SHA-256 digest of each installed file, keyed by the file's path relative to the folder of the lock file. */
  readonly files: ReadonlyMap<string, string>;
  readonly capabilities: Capabilities;
}

/** The skills by name. If several versions of a skill are installed, the key of each version is `name@version`. */
export type Lock = ReadonlyMap<string, LockedSkill>;

/** The maximum length of a string, in UTF-16 code units. */
const MAX_TEXT = 1024;

/** The value or, if it cannot be read, the problem as a clause and the advice as a sentence. */
type Read<Value> = { readonly value: Value } | { readonly problem: string; readonly advice: string };

export const RESTORE = 'Restore it, or delete it and install the skills again.';

/** Parses the text of a lock file. Returns the contents or the first problem. */
export function readLock(text: string): Read<Lock> {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: 'it is not valid JSON', advice: RESTORE };
  }
  try {
    return { value: lockOf(json as Json) };
  } catch (error) {
    if (error instanceof LockProblem) return { problem: error.message, advice: error.advice };
    throw error;
  }
}

/** The error that stops reading at the first problem. */
class LockProblem extends Error {
  readonly advice: string;

  constructor(message: string, advice = RESTORE) {
    super(message);
    this.advice = advice;
  }
}

function lockOf(json: Json): Lock {
  const { version, skills } = objectOf(json, 'the file', ['version', 'skills']);
  if (version !== LOCK_VERSION) {
    throw typeof version === 'number' && version > LOCK_VERSION
      ? new LockProblem('it was written by a newer version of Skill Composer', 'Update Skill Composer.')
      : new LockProblem(`\`version\` is not ${LOCK_VERSION}`);
  }
  if (!isObject(skills)) throw new LockProblem('`skills` is not an object');
  return new Map(Object.entries(skills).map(([name, entry]) => [textOf(name, 'a name'), skillOf(name, entry)]));
}

function skillOf(name: string, json: Json): LockedSkill {
  const where = `\`${name}\``;
  const entry = objectOf(json, where, ['path', 'origin', 'version', 'files', 'capabilities']);
  const path = pathOf(entry.path, `\`path\` of ${where}`);
  if (!isObject(entry.files)) throw new LockProblem(`\`files\` of ${where} is not an object`);
  const files = new Map(
    Object.entries(entry.files).map(([file, digest]) => {
      if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) {
        throw new LockProblem(`the digest of \`${file}\` in ${where} is not a SHA-256`);
      }
      return [pathOf(file, `a path in ${where}`), digest] as const;
    }),
  );
  if (!files.has(path)) throw new LockProblem(`\`files\` of ${where} does not contain its \`path\``);
  return {
    path,
    origin: textOf(entry.origin, `\`origin\` of ${where}`),
    version: entry.version === undefined ? undefined : textOf(entry.version, `\`version\` of ${where}`),
    files,
    capabilities: capabilitiesIn(entry.capabilities, where),
  };
}

function capabilitiesIn(json: Json | undefined, where: string): Capabilities {
  const entry = objectOf(json, `\`capabilities\` of ${where}`, ['operation', ...CAPABILITY_LISTS]);
  const operation = OPERATIONS.find((one) => one === entry.operation);
  if (entry.operation !== undefined && !operation)
    throw new LockProblem(`\`operation\` of ${where} is not a known operation`);
  const lists = CAPABILITY_LISTS.map((key) => {
    const words = entry[key] ?? [];
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
      throw new LockProblem(`\`${key}\` of ${where} is not a list of strings`);
    }
    return [key, sortedOnce(words)] as const;
  });
  return { ...(operation ? { operation } : {}), ...(Object.fromEntries(lists) as Omit<Capabilities, 'operation'>) };
}

function objectOf(json: Json | undefined, where: string, keys: readonly string[]): Readonly<Record<string, Json>> {
  if (!isObject(json)) throw new LockProblem(`${where} is not an object`);
  const other = Object.keys(json).find((key) => !keys.includes(key));
  if (other !== undefined) throw new LockProblem(`${where} has the unknown key \`${other.slice(0, MAX_TEXT)}\``);
  return json as Readonly<Record<string, Json>>;
}

function textOf(json: Json | undefined, where: string): string {
  if (typeof json === 'string' && json !== '' && json.length <= MAX_TEXT) return json;
  throw new LockProblem(`${where} is not a string of at most ${MAX_TEXT} characters`);
}

function pathOf(json: Json | undefined, where: string): string {
  const path = textOf(json, where);
  const problem = pathProblem(path);
  if (problem !== undefined) throw new LockProblem(`${where} ${problem}`);
  return path;
}

/** Returns the data of the lock file, with sorted keys and without empty lists. */
function lockAsJson(lock: Lock): object {
  const skills = sortedOnce(lock.keys()).map((name) => {
    const { path, origin, version, files, capabilities } = lock.get(name) as LockedSkill;
    const { operation } = capabilities;
    const lists = CAPABILITY_LISTS.filter((key) => capabilities[key].length > 0).map((key) => [key, capabilities[key]]);
    return [
      name,
      {
        path,
        origin,
        ...(version === undefined ? {} : { version }),
        files: Object.fromEntries(sortedOnce(files.keys()).map((file) => [file, files.get(file)])),
        capabilities: { ...(operation ? { operation } : {}), ...Object.fromEntries(lists) },
      },
    ] as const;
  });
  return { version: LOCK_VERSION, skills: Object.fromEntries(skills) };
}

export const printLock = (lock: Lock): string => `${JSON.stringify(lockAsJson(lock), null, 2)}\n`;

// The workspace after units are installed.

/**
 * Returns the analysis of the workspace after an installation. `uriOf` returns the URI of a path. Does not change
 * `index`.
 */
export function indexAfterInstall(
  index: Index,
  units: readonly Unit[],
  removed: readonly string[],
  uriOf: (path: string) => string,
): Analysis {
  const workspace = new Workspace(index);
  for (const path of removed) workspace.apply({ kind: 'delete', uri: uriOf(path) });
  for (const { files } of units) {
    for (const { path, text } of files) {
      const uri = uriOf(path);
      if (text !== undefined && isOwnFile(path, units)) workspace.apply({ kind: 'text', uri, text });
    }
  }
  for (const { uri, path, files } of units) {
    if (!isAgentSkillName(nameOf(path))) continue;
    const folder = parentOf(path);
    const beside = files
      .filter((file) => file.path !== path)
      .map((file) => ({ path: folder === '' ? file.path : file.path.slice(folder.length + 1), text: file.text }));
    workspace.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), beside) });
    workspace.apply({ kind: 'network-calls', uri, calls: networkCalls(beside) });
  }
  return workspace.analysis;
}

const isOwnFile = (path: string, units: readonly Unit[]): boolean =>
  dialectOf(path) !== undefined && units.some((unit) => unit.path === path);
