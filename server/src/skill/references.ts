/** References in prose, with a sign, `#kind:name` (docs/format.md, section 5), and without. */

import type { MarkdownBlocks } from '../languages/markdown/blocks.ts';
import type { ProseReader } from '../languages/markdown/chunks.ts';
import { findTouching, type Span, shift, sliceOf, span, spanOf } from '../text.ts';
import { isName } from './kebab-name.ts';

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

/** The references in the prose of a chunk, before it is known which artifacts the file has. */
export interface FoundReferences {
  /** All but those to artifacts. */
  readonly references: Reference[];
  /** Where an artifact may be named: from the `#` of `#artifact:` to the end of the stretch of prose. */
  readonly artifactSigns: Span[];
}

/** The references in the stretches of prose `spans` (sorted, without overlaps). */
function findReferences(text: string, spans: readonly Span[]): FoundReferences {
  const found: FoundReferences = { references: [], artifactSigns: [] };
  let index = 0;
  // One search over the whole text for the sign alone, which is much faster than a search for the pattern.
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

/** Finds the references in the prose of a chunk, while the body is parsed in chunks. */
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
 * The references in the text that they were found in. Names of artifacts may hold spaces: the longest of `artifactNames`
 * that follows is taken, else one word. `tags` (sorted, without overlaps) are those of templates that
 * stand in prose, and hold none.
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

/** The reference that begins where `sign` does and ends with it at the latest; undefined where no name follows. */
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

/** The names of the skills that a body may refer to, also within code and comments. */
export const skillsMentioned = (text: string, bodyStart: number): readonly string[] =>
  // Most bodies name no skill, and searching for a short word is fast.
  text.includes('#skill', bodyStart) ? skillsIn(text, bodyStart) : [];

const skillsIn = (text: string, bodyStart: number): readonly string[] =>
  findReferences(text, [span(bodyStart, text.length)]).references.flatMap(({ kind, name }) =>
    kind === 'skill' ? [name] : [],
  );

/** The length of the longest known name at `at` that is not the beginning of a longer word; else 0. */
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
    // A tag that is still being typed ends with its line, so that references below it are found meanwhile.
    tag.lastIndex = found < 0 ? lineEndFrom(source, open.index) : found + 2;
    tags.push(span(template.start + open.index, template.start + tag.lastIndex));
  }
  return tags;
}

function lineEndFrom(source: string, at: number): number {
  for (let i = at; i < source.length; i++) if (source[i] === '\n' || source[i] === '\r') return i;
  return source.length;
}

/**
 * How one `SKILL.md` speaks of another without a sign (docs/format.md, section 9): `/name`, `$name`, "the `name` skill", a
 * link into its folder. Whether a skill has the name only a workspace can say.
 */
export interface PlainReference extends Reference {
  readonly kind: 'skill';
  readonly form: 'command' | 'words' | 'link';
  /** Of a link the path from its beginning to the name; else empty. */
  readonly path: string;
}

/** A plugin may stand before the name: `/plugin:name`. Paths, globs, assignments and the like are no commands. */
const COMMAND =
  /(?<![^\s([{"'“‘«>*_|,;—–`])([/$])(?:[a-z0-9-]{1,64}:)?([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w/\\={%@~$<[-]|[.:?&#]\w)/g;

/** "`name` skill", also `**`name`** skill`. */
const IN_WORDS = /`(?:[a-z0-9-]{1,64}:)?([a-z0-9]+(?:-[a-z0-9]+)*)`\*{0,2}\s{1,3}skills?\b/g;

/** What says that `/name` is an address or a folder. */
const ADDRESS_BEFORE =
  /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|endpoints?|routes?|paths?|pages?|urls?|directory|folder|cd|ls)\W{1,4}$/i;
const ADDRESS_BEHIND =
  /^[`*"')\]]{0,3}\s{1,2}(?:endpoints?|routes?|paths?|pages?|urls?|directory|directories|folders?|dir|api)\b/i;

/** The names that a text may speak of, wherever they stand: more than those of `plainReferences`, never fewer. */
export function plainNames(text: string, start: number): readonly string[] {
  const body = text.slice(start);
  return [
    ...[...body.matchAll(COMMAND)].map(([, , name = '']) => name),
    ...[...body.matchAll(IN_WORDS)].map(([, name = '']) => name),
    ...[...body.matchAll(URL)].flatMap(([, inline, defined]) => {
      const url = inline ?? defined ?? '';
      return foldersIn(url).map((place) => sliceOf(url, place));
    }),
  ].filter(isName);
}

const URL = /\]\([ \t]*<?([^()<>\n]*)|\]:\s*<?(\S*)/g;

/** In the order of the text, none within another. */
export function plainReferences(text: string, start: number, places: MarkdownBlocks): readonly PlainReference[] {
  const found = [
    ...commands(text, start, places),
    ...[...text.slice(start).matchAll(IN_WORDS)].flatMap(({ index, 0: all, 1: name = '' }) => {
      const at = start + index + all.lastIndexOf('`') - name.length;
      return holderOf(places.codeSpans, span(at, at)) && isName(name)
        ? [reference('words', text, span(at, at + name.length))]
        : [];
    }),
    ...places.links.flatMap(({ urlSpan }) =>
      foldersIn(sliceOf(text, urlSpan)).map((folder) => {
        const name = span(urlSpan.start + folder.start, urlSpan.start + folder.end);
        return { ...reference('link', text, name), path: text.slice(urlSpan.start, name.end) };
      }),
    ),
  ].sort((a, b) => a.span.start - b.span.start);
  return found.filter((one, at) => (found[at - 1]?.span.end ?? 0) <= one.span.start);
}

function commands(text: string, start: number, places: MarkdownBlocks): readonly PlainReference[] {
  const addresses = places.links.map(({ urlSpan }) => urlSpan).sort((a, b) => a.start - b.start);
  const { codeSpans } = places;
  const closed = [places.fences.map(spanOf), places.comments.map(spanOf), places.scanned, addresses] as const;
  const [fences, ...others] = closed;
  return [...text.slice(start).matchAll(COMMAND)].flatMap(({ index, 0: all, 1: sign, 2: name = '' }) => {
    const place = span(start + index, start + index + all.length);
    if (!isName(name) || others.some((parts) => holderOf(parts, place))) return [];
    const isCommand = holderOf(fences, place)
      ? sign === '/' && isWholeWordOfLine(text, place)
      : beginsCode(text, place, holderOf(codeSpans, place)) && !isAddress(text, place);
    return isCommand ? [reference('command', text, span(place.end - name.length, place.end), place)] : [];
  });
}

const holderOf = (parts: readonly Span[], { start }: Span): Span | undefined =>
  findTouching(parts, start, (part) => part);

/** Whether a command begins its line, and what follows it is parted by a blank. */
const isWholeWordOfLine = (text: string, { start, end }: Span): boolean =>
  /(?:^|\n)[ \t>]*$/.test(text.slice(Math.max(0, start - 100), start)) && /^(?:\s|$)/.test(text.slice(end, end + 1));

/** Prose is no code; within code a command stands first. */
const beginsCode = (text: string, { start }: Span, code: Span | undefined): boolean =>
  code === undefined || /^[` ]*$/.test(text.slice(code.start, Math.min(start, code.start + 10)));

const isAddress = (text: string, { start, end }: Span): boolean =>
  ADDRESS_BEFORE.test(text.slice(Math.max(0, start - 40), start)) || ADDRESS_BEHIND.test(text.slice(end, end + 40));

function reference(form: PlainReference['form'], text: string, nameSpan: Span, whole = nameSpan): PlainReference {
  return { kind: 'skill', form, name: sliceOf(text, nameSpan), span: whole, nameSpan, path: '' };
}

/** Paths of more parts lead to no skill. */
const MAX_DEPTH = 30;

/** The folders of a path that may be those of skills: what leads to a `SKILL.md`, and what stands beside the own folder. */
function foldersIn(url: string): readonly Span[] {
  const path = url.replace(/[?#].*$/s, '');
  const isBeside = path.startsWith('../');
  if (!isBeside && !path.endsWith('/SKILL.md')) return [];
  const folders: Span[] = [];
  let at = 0;
  for (const part of path.split('/', MAX_DEPTH)) {
    if (isName(part)) folders.push(span(at, at + part.length));
    at += part.length + 1;
  }
  return isBeside ? folders : folders.filter(({ end }) => path.slice(end) === '/SKILL.md');
}
