/** `check --fix`: applies safe fixes until nothing changes, in the workspace first and then on the disk. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FixAll } from '../../../features/actions/fix-all.ts';
import { isWithin } from '../../node/paths.ts';
import { assertCatalogsParse, lookAround, type Project } from '../../node/project.ts';
import { removeLeftovers, replaceFile } from '../../node/write-file.ts';
import { reasonOf, UserError } from '../../user-error.ts';

export interface Fixed {
  /** The texts on the disk of the files that changed in the workspace. */
  readonly before: ReadonlyMap<string, string>;
  /** Files that have safe fixes and are left alone, with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

export interface FixedFiles {
  readonly fixed: Fixed;
  readonly written: Written;
}

/** Applies the safe fixes to the named files, and writes them. Nothing is written under a catalog that stays broken. */
export async function fixFiles(project: Project): Promise<FixedFiles> {
  // Fixes come first, since they may fix the catalog.
  const fixed = await applyFixes(project);
  assertCatalogsParse(project);
  return { fixed, written: await writeFixes(project, fixed) };
}

/** Tells which files are left alone, and why. */
export function tellUnfixed({ fileOf }: Project, { fixed, written }: FixedFiles, note: (line: string) => void): void {
  const changed = written.changed.map((uri) => [uri, 'it has just been changed'] as const);
  for (const [uri, reason] of [...fixed.skipped, ...changed]) note(`\`${fileOf(uri)}\` is not fixed: ${reason}.`);
}

/** Applies the safe fixes to the named files in the workspace; nothing is written. */
export async function applyFixes(project: Project): Promise<Fixed> {
  const { workspace, named } = project;
  const skipped = new Map<string, string>();
  const run = new FixAll(workspace, named);
  for (let uri = run.next(); uri !== undefined; uri = run.next()) {
    if (skipped.has(uri)) continue;
    await lookAround(project, uri);
    const fixed = run.fix(uri);
    workspace.apply({ kind: 'folder', uri, folder: undefined });
    if (!fixed) continue;
    const reason = run.before.has(uri) ? undefined : await findReasonToSkip(project, uri);
    if (reason) skipped.set(uri, reason);
    else run.take(uri, fixed);
  }
  return { before: run.before, skipped };
}

/** Why a file must not be written: it stands somewhere else than its path says. */
async function findReasonToSkip({ cwd, pathOf }: Project, uri: string): Promise<string | undefined> {
  const path = pathOf(uri);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return 'it can no longer be read';
  const realFolder = await realpath(dirname(path));
  // A path that leads outside without a link is one that the user has written.
  const leadsOut = isWithin(cwd, path) && !isWithin(await realpath(cwd), real);
  if (leadsOut || real !== join(realFolder, basename(path))) {
    return 'it is behind a symbolic link';
  }
  return undefined;
}

export interface Written {
  readonly count: number;
  /** Files that somebody else has changed since they were read, which are left alone. */
  readonly changed: readonly string[];
}

/** Writes what changed. A file that somebody else has changed meanwhile is read again, so that its findings are true. */
export async function writeFixes(project: Project, { before }: Fixed): Promise<Written> {
  const { workspace, pathOf, fileOf } = project;
  await Promise.all([...new Set([...project.named].map(pathOf).map(dirname))].map(removeLeftovers));
  let count = 0;
  const changed: string[] = [];
  for (const [uri, old] of before) {
    const text = workspace.index.files.get(uri)?.text;
    if (text === undefined || text === old) continue;
    const result = await replaceFile(pathOf(uri), { old, text }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return 'changed';
      throw new UserError(`\`${fileOf(uri)}\` cannot be written: ${reasonOf(error)}.`);
    });
    if (result === 'written') count++;
    else changed.push(uri);
  }
  for (const uri of changed) await project.read(uri);
  return { count, changed };
}
