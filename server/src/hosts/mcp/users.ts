/** Who composes a skill that is to go, or to have another name. */
import { type SkillView, usersOf } from '../../authoring/skill-view.ts';
import { listedUpTo } from '../../rules/common/composed-skills.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { refuse } from './refused.ts';
import type { ServedFolders } from './served-folders.ts';
import type { WriteCall } from './subject.ts';

/** The answer's `composed_by`; refused where somebody does and the call does not say that this is known. */
export function assertUnused({ tools: { folders }, given }: WriteCall, skill: IndexedSkill, advice: string) {
  const users = usersOf(folders.workspace.analysis, skill);
  const composed_by = withFiles(folders, users);
  if (users.length === 0 || given.even_if_used === true) return composed_by;
  const compose = users.length === 1 ? 'composes' : 'compose';
  const name = skill.summary.name ?? '';
  return refuse('used', `${namesOf(users)} ${compose} \`${name}\`: ${advice}`, { composed_by });
}

export const withFiles = ({ fileOf }: ServedFolders, users: SkillView['composed_by']) =>
  users.map(({ uri, ...one }) => ({ ...one, file: fileOf(uri) }));

export const namesOf = (users: readonly { readonly name: string }[]): string =>
  listedUpTo(users.map(({ name }) => `\`${name}\``));
