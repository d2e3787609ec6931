/** Places in the skills of a closure, for findings that tell of several files. */
import type { RelatedPlace } from '../../finding.ts';
import { nodeAt } from '../../languages/yaml/node.ts';
import { createRecent } from '../../recent.ts';
import type { Named, SkillContract } from '../../skill/contract.ts';
import type { SkillDocument } from '../../skill/document.ts';
import type { Span } from '../../text.ts';
import { type Part, partsOf } from '../../workspace/composing.ts';
import type { IndexedSkill, WorkspaceIndex } from '../../workspace/workspace-index.ts';

/**
 * The document as the graph has it. Undefined while files are still being read: what a name resolves to is decided by
 * all versions that there are, so nothing that rests on it may be said before.
 */
export function settledSkill(index: WorkspaceIndex, { uri }: SkillDocument): IndexedSkill | undefined {
  if (index.partial) return undefined;
  const { skills } = index.graph;
  const asked = last.get(skills);
  if (asked?.uri === uri) return asked.skill;
  return last.set(skills, { uri, skill: skills.get(uri) }).skill;
}

/** Twelve rules ask for the same skill one after the other: of all look-ups in a check these were every fourth. */
const last = createRecent<
  WorkspaceIndex['graph']['skills'],
  { readonly uri: string; readonly skill: IndexedSkill | undefined }
>(1);

/** The document's entries of `composes` with the skills that they mean. */
export function composedSkills(
  index: WorkspaceIndex,
  document: SkillDocument,
): readonly (Part & { readonly named: Named })[] {
  const skill = settledSkill(index, document);
  if (!skill) return [];
  return partsOf(index.graph, skill).flatMap((part) => {
    const named = document.contract.composes[part.entry];
    return named ? [{ named, ...part }] : [];
  });
}

/** The name in words; whatever composes or is composed has one. */
export const nameOf = ({ summary }: IndexedSkill): string => summary.name ?? 'this skill';

type Pick = (contract: SkillContract, document: SkillDocument) => { readonly span: Span } | undefined;

/** A place in another skill's file, none where it is not written there. */
export function placeIn(index: WorkspaceIndex, { uri }: IndexedSkill, pick: Pick, message: string): RelatedPlace[] {
  const document = index.documents.get(uri);
  const found = document && pick(document.contract, document);
  return found ? [{ uri, span: found.span, message }] : [];
}

/** Where one skill composes another. */
export const placeOfEntry = (
  index: WorkspaceIndex,
  composer: IndexedSkill,
  { summary }: IndexedSkill,
  message: string,
): RelatedPlace[] =>
  placeIn(index, composer, ({ composes }) => composes.find(({ name }) => name === summary.name), message);

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
