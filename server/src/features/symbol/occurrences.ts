/**
 * Where a target is named. A file is searched for the name as text, and whoever stands there says itself what it is: so
 * what is found from one occurrence is found from every other, and a file that does not hold the name costs nothing.
 */
import { type SkillDocument, unread } from '../../skill/document.ts';
import { type Span, sliceOf, span } from '../../text.ts';
import { catalogOf, skillsNamed, type WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { SkillSymbol } from './skill-symbol.ts';
import { symbolAt } from './symbol.ts';
import { type CatalogDomain, sameTarget, type Target, targetOf } from './target.ts';

/** A name in one file; `span` is the name alone, without quotes. */
export interface Occurrence {
  readonly document: SkillDocument;
  readonly span: Span;
}

/** What stands at a place, and what it stands for. */
export function targetAt(
  index: WorkspaceIndex,
  document: SkillDocument,
  offset: number,
): { readonly symbol: SkillSymbol; readonly target: Target; readonly span: Span } | undefined {
  const symbol = symbolAt(document, offset);
  const target = symbol && targetOf(index, document, symbol);
  return symbol && target && { symbol, target, span: nameSpanOf(document, symbol) };
}

/** The name of a symbol without what stands around it. */
export function nameSpanOf({ text }: SkillDocument, symbol: SkillSymbol): Span {
  const whole = symbol.kind === 'field' ? (symbol.nameSpan ?? symbol.span) : symbol.span;
  const source = sliceOf(text, whole);
  const isQuoted = /^(["']).*\1$/s.test(source) && source.length > 1;
  return isQuoted ? span(whole.start + 1, whole.end - 1) : whole;
}

/** In the order of the text. */
export function occurrencesIn(index: WorkspaceIndex, document: SkillDocument, target: Target): readonly Occurrence[] {
  if (target.kind === 'local') {
    if (target.uri !== document.uri) return [];
    const spans = [...target.definitions, ...target.uses.map((use) => use.span)];
    return distinct(spans).map((place) => ({ document, span: place }));
  }
  const found: Span[] = [];
  for (const place of placesOf(document.text, target.name)) {
    if (place.start >= document.frontmatter.bodyStart && !mayStandInBody(document.text, place, target)) continue;
    const here = targetAt(index, document, place.start + Math.min(1, target.name.length - 1));
    if (here && here.span.start === place.start && here.span.end === place.end && sameTarget(target, here.target)) {
      found.push(place);
    }
  }
  return found.map((place) => ({ document, span: place }));
}

/**
 * Whether a place in a body is worth a look: reading a body costs more than all else, and a skill or a tool is named in
 * many that only speak of it. Names in the metadata of an artifact stand under a fence with that word.
 */
function mayStandInBody(text: string, { start }: Span, target: Target): boolean {
  if (target.kind !== 'skill' && target.kind !== 'catalog') return true;
  if (/#(?:skill|tool|interrupt):$/.test(text.slice(Math.max(0, start - 12), start))) return true;
  return (target.kind === 'skill' || IN_METADATA.has(target.domain)) && /\sartifact\b/.test(text);
}

const IN_METADATA: ReadonlySet<CatalogDomain> = new Set(['tool', 'model']);

/** Every file's, in the order of their addresses. */
export function occurrencesOf(index: WorkspaceIndex, document: SkillDocument, target: Target): readonly Occurrence[] {
  return filesNaming(index, target).flatMap((file) =>
    // What is read of a file that nobody looks at is held no longer than this takes.
    occurrencesIn(index, file === document ? file : unread(file), target),
  );
}

/** The files that may name a target. Only a name of the catalog, which no index has, costs a look at every text. */
export function filesNaming(index: WorkspaceIndex, target: Target): readonly SkillDocument[] {
  const { documents, graph } = index;
  switch (target.kind) {
    case 'skill': {
      const { name } = target;
      const uris = new Set([...skillsNamed(index, name).map(({ uri }) => uri), ...(graph.mentionedBy.get(name) ?? [])]);
      return graph.tools.has(name)
        ? textsWith(index, name)
        : inOrder([...uris].flatMap((uri) => documents.get(uri) ?? []));
    }
    case 'catalog':
      return textsWith(index, target.name).filter(({ uri }) => catalogOf(index, uri).uri === target.catalog);
    case 'field': {
      const home = documents.get(target.uri);
      if (home?.dialect === 'catalog' || home?.summary.isTool) return textsWith(index, target.name);
      const name = home?.summary.name;
      const uris = new Set([target.uri, ...((name && graph.mentionedBy.get(name)) || [])]);
      return inOrder([...uris].flatMap((uri) => documents.get(uri) ?? []));
    }
    default:
      return inOrder([documents.get(target.uri)].flatMap((document) => document ?? []));
  }
}

function textsWith({ documents }: WorkspaceIndex, name: string): readonly SkillDocument[] {
  const found: SkillDocument[] = [];
  for (const document of documents.values()) {
    if (document.isSkill && document.text.includes(name)) found.push(document);
  }
  return inOrder(found);
}

const inOrder = (documents: readonly SkillDocument[]): readonly SkillDocument[] =>
  [...documents].filter(({ isSkill }) => isSkill).sort((a, b) => (a.uri < b.uri ? -1 : 1));

/** Where a name stands in a text as a word of its own. */
function* placesOf(text: string, name: string): Iterable<Span> {
  if (name === '') return;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? '';
    const behind = text[at + name.length] ?? '';
    // The letter of an escape (`"\ntone"`) is no part of the word behind it.
    const beginsWord = !WORD.test(before) || !WORD.test(name[0] ?? '') || text[at - 2] === '\\';
    const endsWord = !WORD.test(behind) || !WORD.test(name.at(-1) ?? '');
    if (beginsWord && endsWord) yield span(at, at + name.length);
  }
}

const WORD = /\w/;

function distinct(spans: readonly Span[]): readonly Span[] {
  const byStart = new Map(spans.map((place) => [place.start, place]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}
