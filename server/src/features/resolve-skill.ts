/** Which of several skills of one name a file means (skill-format.md, section 4, "Side by side"). */
import { compare, satisfies, valid } from 'semver';
import type { SkillDocument } from '../skill/document.ts';
import { skillsNamed, type WorkspaceIndex } from '../workspace/workspace-index.ts';

/** The highest version that the file's `requires` allows, without a range the highest that is not deprecated. */
export function resolveSkill(index: WorkspaceIndex, from: SkillDocument, name: string): SkillDocument | undefined {
  const all = skillsNamed(index, name).flatMap(({ uri }) => index.documents.get(uri) ?? []);
  if (all.length < 2) return all[0];
  const range = from.contract.requires.find((entry) => entry.name === name)?.version?.name;
  const allowed = all.filter(({ summary }) =>
    range === undefined ? !summary.deprecated : satisfies(summary.version ?? '', range),
  );
  const candidates = allowed.length > 0 ? allowed : all;
  return [...candidates].sort(byVersion)[0];
}

const byVersion = (a: SkillDocument, b: SkillDocument): number =>
  compare(valid(b.summary.version) ?? '0.0.0', valid(a.summary.version) ?? '0.0.0');
