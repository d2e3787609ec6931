/** The mentions of tools, interrupts and skills in a file. */
import { findValue } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import type { ReferenceKind } from './body.ts';
import { findSkillEntry, type Named, namedOf, namesOf } from './contract.ts';
import type { SkillFile } from './skill-file.ts';

/**
 * A name in the frontmatter, in the body or in an artifact's metadata. `nameSpan` is the span of the name without
 * `#kind:`.
 */
export interface Mention extends Named {
  readonly nameSpan: Span;
  readonly isReference: boolean;
}

/** Mentions by name, each group in the order of the file. */
export type Mentions = ReadonlyMap<string, readonly [Mention, ...Mention[]]>;

interface Gathered {
  readonly references: Readonly<Record<ReferenceKind, readonly Mention[]>>;
  readonly tools: Mentions;
}

function gather({ metadata, body }: SkillFile): Gathered {
  const references: Record<ReferenceKind, Mention[]> = { tool: [], skill: [], interrupt: [], artifact: [] };
  for (const { kind, name, span, nameSpan } of body?.references ?? []) {
    references[kind].push({ name, span, nameSpan, isReference: true });
  }
  const subsets = metadata.flatMap(({ artifact, tree }) =>
    artifact.kind === 'Approach' && !tree.broken ? namesOf(findValue(tree.root, 'tools')) : [],
  );
  const tools = [...subsets.map(asMention), ...references.tool].sort((a, b) => a.span.start - b.span.start);
  return { references, tools: byName(tools) };
}

/** Returns the `#kind:name` references of a file, in order. */
export const referencesTo = (file: SkillFile, kind: ReferenceKind): readonly Mention[] =>
  file.derive(gather).references[kind];

/** Returns the tools that the body names in references and in the subsets that approaches declare. */
export const toolMentionsByName = (file: SkillFile): Mentions => file.derive(gather).tools;

/** Returns the skills that the file composes, requires or refers to. Composed skills come first. */
export const usedSkills = (file: SkillFile): readonly Mention[] => skillMentions(file, []);

/** Returns the skills of `usedSkills`, the adapters and, for a deprecated skill, its successor. */
export const namedSkills = (file: SkillFile): readonly Mention[] => {
  const { adapts, deprecation } = file.contract;
  return skillMentions(file, [...adapts.map(({ adapter }) => adapter), ...(deprecation?.use ? [deprecation.use] : [])]);
};

const skillMentions = (file: SkillFile, more: readonly Named[]): readonly Mention[] => [
  ...[...file.contract.composes, ...file.contract.requires, ...more].map(asMention),
  ...referencesTo(file, 'skill'),
];

/** Returns the mention of a name without `#kind:`. */
const asMention = ({ name, span }: Named): Mention => ({ name, span, nameSpan: span, isReference: false });

/** Groups mentions by name. */
export const byName = (mentions: readonly Mention[]): Mentions => groupBy(mentions, ({ name }) => name);

/** Groups items by a key. The groups are sorted by the position of their first items. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Returns the models that are named in the preference, the samples and the templates of a skill. */
export function* modelsNamedIn(file: SkillFile): Iterable<Named> {
  const { frontmatter, contract, metadata } = file;
  yield* namesOf(findSkillEntry(frontmatter.tree.root, 'model_preference')?.value);
  for (const { value } of contract.samples) {
    const named = namedOf(findValue(value, 'model'));
    if (named) yield named;
  }
  for (const { artifact, tree } of metadata) {
    const named = artifact.kind === 'PromptTemplate' ? namedOf(findValue(tree.root, 'model_variant')) : undefined;
    if (named && !tree.broken) yield named;
  }
}
