/** The files whose existence rules ask for; hosts find it out. */
import type { SkillFile } from '../skill/skill-file.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { linkTargets } from './links.ts';

/** What is there where the folder of a skill is the root of a repository. */
export const repositoryMark = (uri: string): string => `${folderOf(uri)}/.git`;

/** Each once. */
export function lookedFor(file: SkillFile): readonly string[] {
  const targets = linkTargets(file).map(({ uri }) => uri);
  return [...new Set(file.dialect === 'agent-skill' ? [...targets, repositoryMark(file.uri)] : targets)];
}
