/** `check --fix`: applies safe fixes until nothing changes, first in the workspace and then on disk. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FixAll } from '../../../features/actions/fix-all.ts';
import { isWithin } from '../../../io/paths.ts';
import { assertCatalogsParse, type Project, readSurroundings } from '../../../io/project.ts';
import { reasonOf, UserError } from '../../../io/user-error.ts';
import { removeLeftovers, replaceFile } from '../../../io/write-file.ts';

export interface Fixed {
  /** The text on disk of the files that were changed in the workspace. */
  readonly before: ReadonlyMap<string, string>;
  /** The files that have safe fixes but are not changed, with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

export interface FixedFiles {
  readonly fixed: Fixed;
  readonly written: Written;
}

/**
 * Applies the safe fixes and those of `rules` to the named files, and writes the files. Writes nothing if a catalog is
 * still invalid.
 */
export async function fixFiles(project: Project, rules: ReadonlySet<string> = new Set()): Promise<FixedFiles> {
  // Fixes may make the catalog valid, so the catalog is checked after the fixes.
  const fixed = await applyFixes(project, rules);
  assertCatalogsParse(project);
  return { fixed, written: await writeFixes(project, fixed) };
}

/** Reports the files that were not fixed, with the reason. */
export function reportUnfixed({ fileOf }: Project, { fixed, written }: FixedFiles, note: (line: string) => void): void {
  const changed = written.changed.map((uri) => [uri, 'it was changed by another program'] as const);
  for (const [uri, reason] of [...fixed.skipped, ...changed]) note(`Not fixed: \`${fileOf(uri)}\`, because ${reason}.`);
}

/** Applies the safe fixes and those of `rules` to the named files in the workspace. Writes nothing. */
export async function applyFixes(project: Project, rules: ReadonlySet<string> = new Set()): Promise<Fixed> {
  const { workspace, named } = project;
  const skipped = new Map<string, string>();
  const run = new FixAll(workspace, named, { rules });
  for (let uri = run.next(); uri !== undefined; uri = run.next()) {
    if (skipped.has(uri)) continue;
    await readSurroundings(project, uri);
    const fixed = run.fix(uri);
    workspace.apply({ kind: 'folder', uri, folder: undefined });
    if (!fixed) continue;
    const reason = run.before.has(uri) ? undefined : await findReasonToSkip(project, uri);
    if (reason) skipped.set(uri, reason);
    else run.applyFixed(uri, fixed);
  }
  return { before: run.before, skipped };
}

/** Returns the reason why a file must not be written, such as a symbolic link, or undefined. */
async function findReasonToSkip({ cwd, pathOf }: Project, uri: string): Promise<string | undefined> {
  const path = pathOf(uri);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return 'it can no longer be read';
  const realFolder = await realpath(dirname(path));
  // The user named the path, so a path outside the working folder is allowed unless a link leads out of the folder.
  const leadsOut = isWithin(cwd, path) && !isWithin(await realpath(cwd), real);
  if (leadsOut || real !== join(realFolder, basename(path))) {
    return 'it is a symbolic link or in a linked folder';
  }
  return undefined;
}

export interface Written {
  readonly count: number;
  /** The files that are not written, because another program changed them after they were read. */
  readonly changed: readonly string[];
}

/** Writes the changed files. A file that another program changed is read again, so that its findings are correct. */
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
