/** Which files of a folder neither its `SKILL.md` nor a file that it leads to seems to name. */
import type { FolderFile } from '../abilities/folder.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isReadable, leadsUnnamed } from './furniture.ts';
import { type Naming, readNaming } from './naming.ts';
import type { SkillFolder } from './skill-folder.ts';

/** Of all texts together, in characters. */
const MAX_READ = 1_000_000;

/**
 * Every doubt counts as named: a word that is the file's name without its ending, a folder that is named whole, a pattern.
 * None where not all texts can be read for names: they are too long, or a link leads elsewhere.
 */
export function unnamedFiles(skill: SkillFile, { files }: SkillFolder): readonly FolderFile[] {
  let budget = MAX_READ;
  let left = files;
  const waiting: (readonly [path: string, text: string])[] = [['', skill.text]];
  for (const { path, text } of files) if (text !== undefined && leadsUnnamed(path)) waiting.push([path, text]);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [from, { length }] = next;
    budget -= length;
    if (budget < 0) return [];
    const { names }: Naming = readNaming(...next);
    const found = left.filter(({ path }) => path !== from && names(path));
    if (found.some(({ path, text }) => text === undefined && isReadable(path))) return [];
    if (found.length === 0) continue;
    const isFound = new Set(found);
    left = left.filter((file) => !isFound.has(file));
    for (const { path, text } of found) if (text !== undefined && !leadsUnnamed(path)) waiting.push([path, text]);
  }
  return left;
}
