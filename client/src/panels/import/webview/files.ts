/** How the files of a skill are named and gathered in its rows. */
import type { ImportedSkill } from '../messages.ts';

/** A `SKILL.md` has its folder to itself: a file in it is named from there, as the skill names it. */
export function withinFolder(skillPath: string): (path: string) => string {
  const [, folder] = /^(.*\/)SKILL\.md$/i.exec(skillPath) ?? [];
  return (path) => (folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : path);
}

export interface UnscannedFiles {
  readonly why: string;
  readonly paths: readonly string[];
}

export function unscannedByReason(files: ImportedSkill['notScanned']): readonly UnscannedFiles[] {
  const reasons = new Set(files.map(({ why }) => why));
  return [...reasons].map((why) => ({ why, paths: files.flatMap((one) => (one.why === why ? [one.path] : [])) }));
}
