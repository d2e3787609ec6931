/** Finds converted folders that no source is converted to (docs/sharing.md). */
import { resolve } from 'node:path';
import { nodeFiles } from '../../../io/node-files.ts';
import { toUri } from '../../../io/paths.ts';
import { MAX_ENTRIES, MAX_ENTRY_BYTES } from '../../../packing/limits.ts';
import { uriAt } from '../../../services/packing/folder-access.ts';
import type { Emitting, PlannedSkill, SkillSource } from '../../../services/packing/plan-skills.ts';
import { textIn } from '../../../services/packing/source.ts';
import { foldedPath } from '../../../skill/kebab-name.ts';
import { originOf, sourceUri } from '../../../skill/origin.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import type { ConvertOptions } from './options.ts';

/** The path of a converted `SKILL.md` that no source is converted to, and the reason. */
interface LeftOver {
  readonly path: string;
  readonly why: string;
}

/**
 * Returns the `SKILL.md` files in the target folders whose source is now converted to another folder, or was deleted
 * from one of the named folders.
 */
export async function findLeftOver(
  { cwd, files }: Pick<ConvertOptions, 'cwd' | 'files'>,
  { folder, targetFolders, fileOf, read }: Emitting,
  sources: readonly SkillSource[],
  plans: readonly PlannedSkill[],
): Promise<readonly LeftOver[]> {
  const planned = new Set(plans.map(({ path }) => foldedPath(path)));
  const named = files.map((file) => `${toUri(resolve(cwd, file))}/`);
  const found: LeftOver[] = [];
  for (const { path: targetPath } of targetFolders) {
    const entries = (await nodeFiles.list(uriAt(folder, targetPath))).filter(({ isFolder: isBelow }) => isBelow);
    for (const { name } of entries.slice(0, MAX_ENTRIES)) {
      const path = `${targetPath === '' ? '' : `${targetPath}/`}${name}/SKILL.md`;
      const content = planned.has(foldedPath(path)) ? 'absent' : await folder.read(path, MAX_ENTRY_BYTES);
      const file = new SkillFile(uriAt(folder, path), (typeof content === 'object' && textIn(content.bytes)) || '');
      const origin = originOf(file);
      const source = origin && sourceUri(file.uri, origin);
      if (source === undefined) continue;
      const isDeleted = async () => named.some((one) => source.startsWith(one)) && (await read(source, 0)) === 'absent';
      if (sources.some(({ uri }) => uri === source)) {
        found.push({ path, why: `\`${fileOf(source)}\` is now converted to another folder.` });
      } else if (await isDeleted()) found.push({ path, why: `\`${fileOf(source)}\` does not exist.` });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
