/**
 * How one `SKILL.md` speaks of another without a sign (docs/format.md, section 9): `/name`, `$name`, "the `name` skill", a
 * link into its folder. Whether a skill has the name only a workspace can say.
 */
import type { Blocks } from '../../languages/markdown/blocks.ts';
import { findTouching, type Span, sliceOf, span, spanOf } from '../../text.ts';
import { isName } from '../kebab-name.ts';
import type { Reference } from './references.ts';

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
export function plainReferences(text: string, start: number, places: Blocks): readonly PlainReference[] {
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

function commands(text: string, start: number, places: Blocks): readonly PlainReference[] {
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
