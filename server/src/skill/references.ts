/** Finds references in prose with a sign (`#kind:name`; docs/format.md, section 5). */

import type { ProseReader } from '../languages/markdown/chunks.ts';
import { type Span, shift, span } from '../text.ts';

export type ReferenceKind = 'tool' | 'skill' | 'interrupt' | 'artifact';

export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
  /** The whole `#kind:name`. */
  readonly span: Span;
  readonly nameSpan: Span;
}

const KINDS: readonly ReferenceKind[] = ['tool', 'skill', 'interrupt', 'artifact'];

/**
 * The characters that may precede a reference: white space, an opening bracket or quote, emphasis, a comma, a dash, the
 * end of a tag, and letters of scripts without spaces. `foo#tool:x` and `\#tool:x` are not references.
 */
const BEFORE =
  /^[\s([{<>"'“‘«„‹*_~|,;、，。：；（「『【《—–\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/** A name such as `server/tool` or `mcp__server__tool`. The period at the end of a sentence does not belong to it. */
const NAME = /[\p{Script=Latin}\d_./-]*[\p{Script=Latin}\d_]/uy;
/** The name of an artifact that is not in the file. Such a name is one word in any script. */
const WORD = /[\p{L}\p{M}\p{N}_./-]*[\p{L}\p{M}\p{N}_]/uy;

/** The references in the prose of a chunk, found before the artifacts of the file are known. */
export interface FoundReferences {
  /** The references to tools, skills and interrupts. */
  readonly references: Reference[];
  /** The spans that may name an artifact. Each span is from the `#` of `#artifact:` to the end of the prose. */
  readonly artifactSigns: Span[];
}

/** Returns the references in the prose `spans` (sorted, without overlaps). */
function findReferences(text: string, spans: readonly Span[]): FoundReferences {
  const found: FoundReferences = { references: [], artifactSigns: [] };
  let index = 0;
  // Searches the whole text only for the sign, which is much faster than a search for the pattern.
  for (let start = text.indexOf('#'); start >= 0; start = text.indexOf('#', start + 1)) {
    while (index < spans.length && (spans[index] as Span).end <= start) index++;
    const place = spans[index];
    if (!place) break;
    if (start < place.start) continue;
    const kind = KINDS.find((word) => text.startsWith(word, start + 1) && text[start + 1 + word.length] === ':');
    if (!kind || (start > 0 && !BEFORE.test(text[start - 1] as string))) continue;
    const sign = span(start, place.end);
    if (kind === 'artifact') {
      found.artifactSigns.push(sign);
      continue;
    }
    const reference = referenceAt(text, kind, sign);
    if (reference) found.references.push(reference);
  }
  return found;
}

/** The reader that finds references while the body is parsed in chunks. */
export const referenceReader: ProseReader<FoundReferences> = {
  read: findReferences,
  none: () => ({ references: [], artifactSigns: [] }),
  append(to, from, by) {
    for (const { kind, name, span, nameSpan } of from.references) {
      to.references.push({ kind, name, span: shift(span, by), nameSpan: shift(nameSpan, by) });
    }
    for (const sign of from.artifactSigns) to.artifactSigns.push(shift(sign, by));
  },
};

/**
 * Returns all references in a string in order, without those inside `tags` of templates (sorted, without overlaps). The
 * name of an artifact, which may contain spaces, is the longest match in `artifactNames`, or else one word
 * (docs/format.md, section 5).
 */
export function referencesOf(
  text: string,
  { references, artifactSigns }: FoundReferences,
  artifactNames: readonly string[],
  tags: readonly Span[],
): readonly Reference[] {
  const toArtifacts = artifactSigns.length === 0 ? [] : referencesToArtifacts(text, artifactSigns, artifactNames);
  const all =
    toArtifacts.length === 0 ? references : [...references, ...toArtifacts].sort((a, b) => a.span.start - b.span.start);
  return tags.length === 0 ? all : outside(all, tags);
}

function referencesToArtifacts(text: string, signs: readonly Span[], artifactNames: readonly string[]): Reference[] {
  const names = new Set(artifactNames);
  const lengths = [...new Set(artifactNames.map(({ length }) => length))].sort((a, b) => b - a);
  return signs.flatMap((sign) => {
    const known = knownLength(text, sign.start + '#artifact:'.length, lengths, names);
    return referenceAt(text, 'artifact', sign, known) ?? [];
  });
}

/** Returns the reference that starts at the start of `sign` and ends within it; undefined if no name follows. */
function referenceAt(text: string, kind: ReferenceKind, sign: Span, known = 0): Reference | undefined {
  const nameStart = sign.start + kind.length + 2;
  let end = nameStart + (known || matchLength(kind === 'artifact' ? WORD : NAME, text, nameStart));
  // In `_#tool:x_` the second underscore ends the emphasis that the first began.
  if (known === 0 && text[sign.start - 1] === '_') while (end > nameStart && text[end - 1] === '_') end--;
  end = Math.min(end, sign.end);
  if (end <= nameStart) return undefined;
  return { kind, name: text.slice(nameStart, end), span: span(sign.start, end), nameSpan: span(nameStart, end) };
}

function outside(references: readonly Reference[], tags: readonly Span[]): readonly Reference[] {
  let next = 0;
  return references.filter(({ span: { start } }) => {
    while (next < tags.length && (tags[next] as Span).end <= start) next++;
    return start < (tags[next]?.start ?? Number.POSITIVE_INFINITY);
  });
}

/**
 * Returns the names of the skills that a body may refer to, also in code and comments. The body begins at `bodyStart`.
 */
export const skillsMentioned = (text: string, bodyStart: number): readonly string[] =>
  // Most bodies refer to no skill, and the search for a short word is fast.
  text.includes('#skill', bodyStart) ? skillsIn(text, bodyStart) : [];

const skillsIn = (text: string, bodyStart: number): readonly string[] =>
  findReferences(text, [span(bodyStart, text.length)]).references.flatMap(({ kind, name }) =>
    kind === 'skill' ? [name] : [],
  );

/** Returns the length of the longest known name at `at` that does not end inside a word; else 0. */
function knownLength(text: string, at: number, lengths: readonly number[], names: ReadonlySet<string>): number {
  const known = lengths.find((length) => {
    const inWord = WORD_CHARACTER.test(text[at + length - 1] ?? '') && WORD_CHARACTER.test(text[at + length] ?? '');
    return !inWord && names.has(text.slice(at, at + length));
  });
  return known ?? 0;
}

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}_]$/u;

/** Returns the length of what a sticky pattern matches at the offset `at`, or 0 without a match. */
function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/**
 * Returns the spans of the tags in a template: `{{ }}`, `{% %}` and `{# #}`. Tags contain no prose and no references.
 */
export function tagsOf(text: string, template: Span): Span[] {
  const source = text.slice(template.start, template.end);
  const tags: Span[] = [];
  /** The closing marks that do not occur again, because repeated searches for such marks would take quadratic time. */
  const absent = new Set<string>();
  const tag = /\{[{%#]/g;
  for (let open = tag.exec(source); open; open = tag.exec(source)) {
    const close = open[0] === '{{' ? '}}' : `${open[0][1]}}`;
    const found = absent.has(close) ? -1 : source.indexOf(close, open.index + 2);
    if (found < 0) absent.add(close);
    // A tag that is still being typed ends with its line, so that references below it are found.
    tag.lastIndex = found < 0 ? lineEndFrom(source, open.index) : found + 2;
    tags.push(span(template.start + open.index, template.start + tag.lastIndex));
  }
  return tags;
}

function lineEndFrom(source: string, at: number): number {
  for (let i = at; i < source.length; i++) if (source[i] === '\n' || source[i] === '\r') return i;
  return source.length;
}
