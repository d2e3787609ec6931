/** References in prose, `#kind:name` (skill-format.md, section 5). */
import { type Span, span } from '../text.ts';

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
 * What may stand before a reference: white space, an opening bracket or quote, emphasis, a comma, a dash or the end of
 * a tag; and any letter of a script that is written without spaces. `foo#tool:x` is no reference, nor is `\#tool:x`.
 */
const BEFORE =
  /^[\s([{<>"'“‘«„‹*_~|,;、，。：；（「『【《—–\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/** Letters, digits, `_`, `.`, `-` and `/`, so that `server/tool` and `mcp__server__tool` are names; the end of a sentence is not. */
const NAME = /[\p{Script=Latin}\d_./-]*[\p{Script=Latin}\d_]/uy;
/** The name of an artifact that the file does not have: one word in any script. */
const WORD = /[\p{L}\p{M}\p{N}_./-]*[\p{L}\p{M}\p{N}_]/uy;

/**
 * The references in the stretches of prose `spans` (sorted, without overlaps). The names of artifacts may hold spaces:
 * the longest of `artifactNames` that follows counts, letter by letter, else one word.
 */
export function parseReferences(
  text: string,
  spans: readonly Span[],
  artifactNames: readonly string[],
): readonly Reference[] {
  const references: Reference[] = [];
  const names = new Set(artifactNames);
  const lengths = [...new Set(artifactNames.map(({ length }) => length))].sort((a, b) => b - a);
  let index = 0;
  // One search over the whole text and not one in each span: a search does not know where a span ends. For the sign alone,
  // which the engine finds eight times as fast as the pattern: 300 KB take 0.02 ms instead of 0.16.
  for (let start = text.indexOf('#'); start >= 0; start = text.indexOf('#', start + 1)) {
    while (index < spans.length && (spans[index] as Span).end <= start) index++;
    const place = spans[index];
    if (!place) break;
    if (start < place.start) continue;
    const kind = KINDS.find((word) => text.startsWith(word, start + 1) && text[start + 1 + word.length] === ':');
    if (!kind || (start > 0 && !BEFORE.test(text[start - 1] as string))) continue;
    const nameStart = start + kind.length + 2;
    const known = kind === 'artifact' ? knownLength(text, nameStart, lengths, names) : 0;
    let end = nameStart + (known || matchLength(kind === 'artifact' ? WORD : NAME, text, nameStart));
    // In `_#tool:x_` the second underscore ends the emphasis that the first began.
    if (known === 0 && text[start - 1] === '_') while (end > nameStart && text[end - 1] === '_') end--;
    end = Math.min(end, place.end);
    if (end <= nameStart) continue;
    const nameSpan = span(nameStart, end);
    references.push({ kind, name: text.slice(nameStart, end), span: span(start, end), nameSpan });
  }
  return references;
}

/** The names of the skills that a body may refer to: whether it stands in prose is not looked at. */
export const skillsMentioned = (text: string, bodyStart: number): readonly string[] =>
  // Most bodies name tools alone, and what they name needs not be read.
  namesSkills(text, bodyStart) ? skillsIn(text, bodyStart) : [];

function namesSkills(text: string, start: number): boolean {
  // The engine finds one sign eight times as fast as a word: 300 KB take 0.03 ms instead of 0.2.
  for (let at = text.indexOf('#', start); at >= 0; at = text.indexOf('#', at + 1)) {
    if (text.startsWith('skill:', at + 1)) return true;
  }
  return false;
}

const skillsIn = (text: string, bodyStart: number): readonly string[] =>
  parseReferences(text, [span(bodyStart, text.length)], []).flatMap(({ kind, name }) =>
    kind === 'skill' ? [name] : [],
  );

/** The length of the longest known name that stands at `at` and is not the beginning of a longer word; else 0. */
function knownLength(text: string, at: number, lengths: readonly number[], names: ReadonlySet<string>): number {
  const known = lengths.find((length) => {
    const inWord = WORD_CHARACTER.test(text[at + length - 1] ?? '') && WORD_CHARACTER.test(text[at + length] ?? '');
    return !inWord && names.has(text.slice(at, at + length));
  });
  return known ?? 0;
}

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}_]$/u;

/** How much of the text at `at` a sticky pattern takes; it moves to the end of what it took. */
function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/** The tags of a template: `{{ }}`, `{% %}` and `{# #}`. They hold no prose, and so no references. */
export function tagsOf(text: string, template: Span): Span[] {
  const source = text.slice(template.start, template.end);
  const tags: Span[] = [];
  /** The closing marks that do not occur any more; looking for each again would take quadratic time. */
  const absent = new Set<string>();
  const tag = /\{[{%#]/g;
  for (let open = tag.exec(source); open; open = tag.exec(source)) {
    const close = open[0] === '{{' ? '}}' : `${open[0][1]}}`;
    const found = absent.has(close) ? -1 : source.indexOf(close, open.index + 2);
    if (found < 0) absent.add(close);
    // A tag that is still being typed ends with its line, lest the references below it vanish meanwhile.
    tag.lastIndex = found < 0 ? lineEndFrom(source, open.index) : found + 2;
    tags.push(span(template.start + open.index, template.start + tag.lastIndex));
  }
  return tags;
}

function lineEndFrom(source: string, at: number): number {
  for (let i = at; i < source.length; i++) if (source[i] === '\n' || source[i] === '\r') return i;
  return source.length;
}
