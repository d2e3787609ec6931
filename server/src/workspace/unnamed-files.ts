/** Which files of a folder neither its `SKILL.md` nor a file that it leads to seems to name. */
import type { FolderFile } from '../abilities/folder.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isReadable, leadsUnnamed } from './furniture.ts';
import { Naming } from './naming.ts';
import type { SkillFolder } from './skill-folder.ts';

/** Of all texts together, in characters. */
const MAX_READ = 1_000_000;

/**
 * Every doubt counts as named: a word that is the file's name without its ending, a folder that is named whole, a pattern.
 * None where not all texts can be read for names: they are too long, or a link leads elsewhere.
 */
export function unnamedFiles(skill: SkillFile, folder: SkillFolder): readonly FolderFile[] {
  let budget = MAX_READ - skill.text.length;
  let left = folder.files;
  const waiting: (FolderFile | 'skill')[] = [...left.filter(({ path }) => leadsUnnamed(path)), 'skill'];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next !== 'skill') budget -= next.text?.length ?? 0;
    if (budget < 0) return [];
    const naming = next === 'skill' ? new Naming('', skill.text) : folder.naming(next);
    const found = left.filter((file) => file !== next && naming?.names(file.path));
    if (found.some(({ path, text }) => text === undefined && isReadable(path))) return [];
    if (found.length === 0) continue;
    const isFound = new Set(found);
    left = left.filter((file) => !isFound.has(file));
    waiting.push(...found.filter(({ path }) => !leadsUnnamed(path)));
  }
  return left;
}
