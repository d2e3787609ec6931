/** The skills that a file composes, and places in their files for findings that show several files. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { RelatedPlace } from '../../finding.ts';
import { nodeAt } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import type { Named, SkillContract } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { Part } from '../../workspace/parts-and-composers.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';

/**
 * The skill of a file in the graph. Undefined while files are still being read, because a name is resolved by all
 * versions that there are.
 */
export function settledSkill(analysis: Analysis, { uri }: SkillFile): IndexedSkill | undefined {
  return analysis.partial ? undefined : analysis.graph.skills.get(uri);
}

/** The entries of `composes` with the skills that they mean. */
export function composedSkills(analysis: Analysis, file: SkillFile): readonly (Part & { readonly named: Named })[] {
  const skill = settledSkill(analysis, file);
  if (!skill) return [];
  return analysis.graph.partsOf(skill).flatMap((part) => {
    const named = file.contract.composes[part.entry];
    return named ? [{ named, ...part }] : [];
  });
}

/** The name for a message; whatever composes or is composed has one. */
export const nameOf = ({ summary }: IndexedSkill): string => summary.name ?? 'this skill';

export type Pick = (contract: SkillContract, file: SkillFile) => { readonly span: Span } | undefined;

/** The place that `pick` finds in the file of a skill; none where it finds nothing. */
export function placeIn(analysis: Analysis, { uri }: IndexedSkill, pick: Pick, message: string): RelatedPlace[] {
  const file = analysis.file(uri);
  const found = file && pick(file.contract, file);
  return found ? [{ uri, span: found.span, message }] : [];
}

/** Where one skill composes another. */
export const placeOfEntry = (
  analysis: Analysis,
  composer: IndexedSkill,
  { summary }: IndexedSkill,
  message: string,
): RelatedPlace[] =>
  placeIn(analysis, composer, ({ composes }) => composes.find(({ name }) => name === summary.name), message);

/** A value of the frontmatter by its path of keys. */
export const valueAt =
  (...path: readonly string[]): Pick =>
  (_, { frontmatter }) =>
    nodeAt(frontmatter.tree.root, path);

/** `a`, `a and b`, `a, b and c`; of very many the first few. */
export function listedUpTo(words: readonly string[], most = 6): string {
  if (words.length > most) return `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
  return listed(words);
}
