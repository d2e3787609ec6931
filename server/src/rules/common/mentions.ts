/** Every place where a document names a tool, an interrupt or a skill. */

import { findValue } from '../../languages/yaml/node.ts';
import type { ReferenceKind } from '../../skill/body.ts';
import { type Named, namesOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

/** A name in the body or in an artifact's metadata; `nameSpan` is the name alone, without `#kind:`. */
export interface Mention extends Named {
  readonly nameSpan: Span;
  readonly isReference: boolean;
}

/** Mentions by name, each group in the order of the file. */
export type Mentions = ReadonlyMap<string, readonly [Mention, ...Mention[]]>;

/** What a file names, gathered once for the rules that ask one after the other. */
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
  const inMetadata = subsets.map(({ name, span }) => ({ name, span, nameSpan: span, isReference: false }));
  // References stand in order already.
  const tools =
    subsets.length === 0
      ? references.tool
      : [...inMetadata, ...references.tool].sort((a, b) => a.span.start - b.span.start);
  return { references, tools: byName(tools) };
}

/** The `#kind:name` references of a document, in order. */
export const referencesTo = (file: SkillFile, kind: ReferenceKind): readonly Mention[] =>
  file.derive(gather).references[kind];

/** The tools that the body names: references, and the subsets that approaches declare. */
export const toolMentionsByName = (file: SkillFile): Mentions => file.derive(gather).tools;

/** The skills that the frontmatter and the body name, those that are composed first. */
export function skillMentions(file: SkillFile): readonly Mention[] {
  const { composes, requires, successor } = file.contract;
  const inFrontmatter = [...composes, ...requires, ...(successor ? [successor] : [])];
  return [
    ...inFrontmatter.map(({ name, span }) => ({ name, span, nameSpan: span, isReference: false })),
    ...referencesTo(file, 'skill'),
  ];
}

export function byName(mentions: readonly Mention[]): Mentions {
  const groups = new Map<string, [Mention, ...Mention[]]>();
  for (const mention of mentions) {
    const group = groups.get(mention.name);
    if (group) group.push(mention);
    else groups.set(mention.name, [mention]);
  }
  return groups;
}
