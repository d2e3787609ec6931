/** The anchors of a Markdown text, as GitHub and editors make them: of headings by their words, and of ids in HTML. */
import type { Span } from '../../text.ts';
import type { Heading } from './blocks.ts';

export interface HeadingAnchor {
  readonly anchor: string;
  readonly heading: Heading;
}

export interface Anchors {
  /** Each heading with its own anchor, in the order of the text. */
  readonly headings: readonly HeadingAnchor[];
  /** Further names that lead to a place: ids of HTML, and headings in quotes, lists and code. */
  readonly others: ReadonlyMap<string, Span>;
}

export function anchorsOf(text: string, headings: readonly Heading[]): Anchors {
  const taken = new Map<string, number>();
  return {
    headings: headings.map((heading) => ({ anchor: unique(slugOf(plainText(heading.text)), taken), heading })),
    others: new Map([...idsIn(text), ...nestedIn(text), ...writtenOut(headings)]),
  };
}

/** Letters, marks, digits and `_` stay, blanks become hyphens, and all else goes. */
const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** The second heading of the same words gets `-1`, and so on; one that is taken already is passed over. */
function unique(slug: string, taken: Map<string, number>): string {
  let anchor = slug;
  let count = taken.get(slug) ?? 0;
  while (taken.has(anchor)) anchor = `${slug}-${++count}`;
  taken.set(slug, count);
  taken.set(anchor, 0);
  return anchor;
}

/** More of a heading is not looked at. */
const MAX_HEADING = 1_000;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** What a reader sees of the source of a heading. */
const plainText = (source: string): string =>
  source
    .slice(0, MAX_HEADING)
    .replace(/!\[[^\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^\][]*)\](?:\([^()]*\)|\[[^\][]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/(?<![\p{L}\p{N}_])(__?)(?=\S)([^_]+)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/&([a-z]+);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);

function* idsIn(text: string): Iterable<[string, Span]> {
  for (const { 0: all, 1: id = '', index } of text.matchAll(
    /<[a-z][^<>\n]{0,300}?\s(?:id|name)\s{0,3}=\s{0,3}["']?([^"'\s<>]{1,200})/gi,
  )) {
    yield [id.toLowerCase(), { start: index, end: index + all.length }];
  }
}

/** GitHub gives those in quotes and lists an anchor, too; in code they may be meant for a file of their own. */
function* nestedIn(text: string): Iterable<[string, Span]> {
  for (const { 0: all, 1: heading = '', index } of text.matchAll(
    /^[ \t>*+.\d)-]{0,40}#{1,6}[ \t]+(\S[^\r\n]{0,300})/gm,
  )) {
    yield [slugOf(plainText(heading.replace(/[ \t]+#+[ \t]*$/, ''))), { start: index, end: index + all.length }];
  }
}

/** `## Heading {#its-anchor}`, as some renderers read it, and the words of the source where code of HTML stands in them. */
function* writtenOut(headings: readonly Heading[]): Iterable<[string, Span]> {
  for (const { text, span } of headings) {
    const source = text.slice(0, MAX_HEADING);
    yield [slugOf(source), span];
    const [, own] = /\{#([\w.:-]+)\}\s*$/.exec(source) ?? [];
    if (own === undefined) continue;
    yield [own.toLowerCase(), span];
    yield [slugOf(plainText(source.replace(/\{#[\w.:-]+\}\s*$/, ''))), span];
  }
}
