/** `check --fix`: applies safe fixes until nothing changes, in the workspace first and then on the disk. */
import { isUtf8 } from 'node:buffer';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { safeEdits } from '../../../features/actions/code-actions.ts';
import { check } from '../../../rules/check.ts';
import { applyEdits } from '../../../text.ts';
import { writeWhole } from '../../disk/write-whole.ts';
import { lookForLinks, type Project } from '../project.ts';
import { isWithin } from '../selection.ts';
import { reasonOf, Stop } from '../stop.ts';

export interface Fixed {
  /** The texts on the disk of the files that changed in the workspace. */
  readonly before: ReadonlyMap<string, string>;
  /** Files that have safe fixes and are left alone, with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

/** A fix may make another one possible, and two that undo each other must come to an end. */
const ROUNDS = 10;

/** Applies the safe fixes to the named files in the workspace; nothing is written. */
export async function applyFixes(project: Project): Promise<Fixed> {
  const { workspace, named } = project;
  const before = new Map<string, string>();
  const skipped = new Map<string, string>();
  let pending: ReadonlySet<string> = named;
  for (let round = 0; round < ROUNDS && pending.size > 0; round++) {
    const next = new Set<string>();
    for (const uri of pending) {
      if (skipped.has(uri)) continue;
      await lookForLinks(workspace, uri);
      const file = workspace.analysis.file(uri);
      if (!file) continue;
      const text = applyEdits(file.text, safeEdits(uri, check(file, workspace.analysis)));
      if (text === file.text) continue;
      const reason = before.has(uri) ? undefined : await findReasonToSkip(project, uri, file.text);
      if (reason) {
        skipped.set(uri, reason);
        continue;
      }
      if (!before.has(uri)) before.set(uri, file.text);
      const affected = workspace.apply({ kind: 'text', uri, text });
      for (const other of affected === 'all' ? named : affected) if (named.has(other)) next.add(other);
    }
    pending = next;
  }
  return { before, skipped };
}

/** Why a file must not be written: its bytes would not survive, or it stands somewhere else than its path says. */
async function findReasonToSkip({ cwd, pathOf }: Project, uri: string, text: string): Promise<string | undefined> {
  const path = pathOf(uri);
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) return 'it can no longer be read';
  if (!isUtf8(bytes)) return 'it is not valid UTF-8';
  if (!bytes.equals(Buffer.from(text, 'utf8'))) return 'it has just been changed';
  const folder = dirname(path);
  const [real, realFolder] = await Promise.all([realpath(path), realpath(folder)]);
  // A path that leads outside without a link is one that the user has written.
  const leadsOut = isWithin(cwd, path) && !isWithin(await realpath(cwd), real);
  if (leadsOut || real !== join(realFolder, basename(path))) {
    return 'it is behind a symbolic link';
  }
  return undefined;
}

/** Writes what changed and returns how many files that were. */
export async function writeFixes({ workspace, pathOf, fileOf }: Project, { before }: Fixed): Promise<number> {
  let written = 0;
  for (const [uri, old] of before) {
    const text = workspace.index.files.get(uri)?.text;
    if (text === undefined || text === old) continue;
    await writeWhole(pathOf(uri), text).catch((error: unknown) => {
      throw new Stop(`\`${fileOf(uri)}\` cannot be written: ${reasonOf(error)}.`);
    });
    written++;
  }
  return written;
}
