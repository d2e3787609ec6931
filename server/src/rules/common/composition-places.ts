/** Places in the skills of a closure, for findings that tell of several files. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { RelatedPlace } from '../../finding.ts';
import { nodeAt } from '../../languages/yaml/node.ts';
import type { Named, SkillContract } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { Part } from '../../workspace/composing.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';

/**
 * The document as the graph has it. Undefined while files are still being read: what a name resolves to is decided by
 * all versions that there are, so nothing that rests on it may be said before.
 */
export function settledSkill(analysis: Analysis, { uri }: SkillFile): IndexedSkill | undefined {
  if (analysis.partial) return undefined;
  return analysis.graph.skills.get(uri);
}

/** The document's entries of `composes` with the skills that they mean. */
export function composedSkills(analysis: Analysis, file: SkillFile): readonly (Part & { readonly named: Named })[] {
  const skill = settledSkill(analysis, file);
  if (!skill) return [];
  return analysis.graph.partsOf(skill).flatMap((part) => {
    const named = file.contract.composes[part.entry];
    return named ? [{ named, ...part }] : [];
  });
}

/** The name in words; whatever composes or is composed has one. */
export const nameOf = ({ summary }: IndexedSkill): string => summary.name ?? 'this skill';

type Pick = (contract: SkillContract, file: SkillFile) => { readonly span: Span } | undefined;

/** A place in another skill's file, none where it is not written there. */
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
export function listed(words: readonly string[], most = 6): string {
  if (words.length > most) return `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
