/** The file that an address which leads nowhere may mean. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf } from '../../../vocabulary/dialect.ts';
import { nearbyFiles } from '../../../workspace/looked-for.ts';
import type { SkillFolder } from '../../../workspace/skill-folder.ts';

/** The path below the folder whose letters differ in nothing but their case. */
export function findOtherCase(folder: SkillFolder | undefined, uri: string): string | undefined {
  const path = folder?.pathOf(uri);
  if (!folder?.isWhole || path === undefined || folder.has(uri)) return undefined;
  return folder.files.find((file) => file.path.toLowerCase() === path.toLowerCase())?.path;
}

/** The path of the one file of the same name in the folder; undefined where there is none, or more than one. */
export function findNearby(file: SkillFile, analysis: Analysis, missing: string): string | undefined {
  const folder = analysis.folder(file.uri);
  const other = findOtherCase(folder, missing);
  if (other !== undefined) return other;
  const name = decoded(fileNameOf(missing)).toLowerCase();
  const near = folder
    ? folder.files.map(({ path }) => path).filter((path) => fileNameOf(path).toLowerCase() === name)
    : nearbyFiles(file, missing)
        .filter((uri) => analysis.exists(uri) === true)
        .map((uri) => decoded(uri.slice(folderOf(file.uri).length + 1)));
  return near.length === 1 && name.includes('.') ? near[0] : undefined;
}

/** A path that is meant to be filled in (`{baseDir}/x`, `<name>.md`, `$DIR/x`), or another repository beside this one. */
export const isPlaceholder = (path: string): boolean => /[{}<>$‹›…*]|\.\.\.|^(?:\.\.\/)+[^./]+$/.test(path);
