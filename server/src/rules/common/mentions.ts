/** Every place where a document names a tool, an interrupt or a skill. */
import type { Body } from '../../skill/body.ts';
import { type Named, namesOf } from '../../skill/contract.ts';
import type { SkillDocument } from '../../skill/document.ts';
import { createRecent } from '../../skill/recent.ts';
import { findValue } from '../../skill/yaml/node.ts';
import type { Span } from '../../text.ts';

/** A name in the body or in an artifact's metadata; `nameSpan` is the name alone, without `#kind:`. */
export interface Mention extends Named {
  readonly nameSpan: Span;
  readonly isReference: boolean;
}

/** What was gathered of a body, for the rules that ask one after the other. */
interface Gathered {
  readonly references: Map<'tool' | 'skill' | 'interrupt', readonly Mention[]>;
  tools: readonly Mention[] | undefined;
}

const gathered = createRecent<Body, Gathered>(2);

const gatheredOf = (body: Body): Gathered =>
  gathered.get(body) ?? gathered.set(body, { references: new Map(), tools: undefined });

/** The `#kind:name` references of a document, in order. */
export function referencesTo({ body }: SkillDocument, kind: 'tool' | 'skill' | 'interrupt'): readonly Mention[] {
  if (!body) return [];
  const { references } = gatheredOf(body);
  const known =
    references.get(kind) ??
    body.references
      .filter((reference) => reference.kind === kind)
      .map(({ name, span, nameSpan }) => ({ name, span, nameSpan, isReference: true }));
  references.set(kind, known);
  return known;
}

/** The tools that the body names: references, and the subsets that approaches declare. */
export function toolMentions(document: SkillDocument): readonly Mention[] {
  if (!document.body) return [];
  const known = gatheredOf(document.body);
  known.tools ??= gatherTools(document);
  return known.tools;
}

function gatherTools(document: SkillDocument): readonly Mention[] {
  const subsets = document.metadata.flatMap(({ artifact, tree }) =>
    artifact.kind === 'Approach' && !tree.broken ? namesOf(findValue(tree.root, 'tools')) : [],
  );
  const inProse = referencesTo(document, 'tool');
  // They stand in order; sorting the 1,400 of a long body was as dear as finding them.
  if (subsets.length === 0) return inProse;
  const inMetadata = subsets.map(({ name, span }) => ({ name, span, nameSpan: span, isReference: false }));
  return [...inMetadata, ...inProse].sort((a, b) => a.span.start - b.span.start);
}

/** The skills that the frontmatter and the body name, those that are composed first. */
export function skillMentions(document: SkillDocument): readonly Mention[] {
  const { composes, requires, successor } = document.contract;
  const inFrontmatter = [...composes, ...requires, ...(successor ? [successor] : [])];
  return [
    ...inFrontmatter.map(({ name, span }) => ({ name, span, nameSpan: span, isReference: false })),
    ...referencesTo(document, 'skill'),
  ];
}

/** Mentions by name, each group in the order given. */
export function byName(mentions: readonly Mention[]): ReadonlyMap<string, readonly [Mention, ...Mention[]]> {
  const groups = new Map<string, [Mention, ...Mention[]]>();
  for (const mention of mentions) {
    const group = groups.get(mention.name);
    if (group) group.push(mention);
    else groups.set(mention.name, [mention]);
  }
  return groups;
}
