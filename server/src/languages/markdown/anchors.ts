/** The anchors that GitHub and editors make from the words of headings and from HTML ids in Markdown text. */
import type { Span } from '../../text.ts';
import type { Heading } from './blocks.ts';

export interface HeadingAnchor {
  readonly anchor: string;
  readonly heading: Heading;
}

export interface Anchors {
  /** Each heading with its anchor, in document order. */
  readonly headings: readonly HeadingAnchor[];
  /** The spans of other anchors: ids in HTML, and headings in quotes, lists and code. */
  readonly others: ReadonlyMap<string, Span>;
}

/**
 * Returns the anchors in Markdown text, given its headings in document order. Spans are UTF-16 offsets. Never throws.
 */
export function anchorsOf(text: string, headings: readonly Heading[]): Anchors {
  const used = new Map<string, number>();
  return {
    headings: headings.map((heading) => ({ anchor: unique(slugOf(plainText(heading.text)), used), heading })),
    others: new Map([...idsIn(text), ...nestedIn(text), ...explicitAnchors(headings)]),
  };
}

/**
 * Makes an anchor: keeps letters, marks, digits, `_` and `-`, replaces spaces with hyphens, and removes everything
 * else.
 */
const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Returns a unique anchor: the second heading with the same words gets `-1`, and so on; used anchors are skipped. */
function unique(slug: string, used: Map<string, number>): string {
  let anchor = slug;
  let count = used.get(slug) ?? 0;
  while (used.has(anchor)) anchor = `${slug}-${++count}`;
  used.set(slug, count);
  used.set(anchor, 0);
  return anchor;
}

/** The maximum number of UTF-16 code units that are read from a heading. */
const MAX_HEADING = 1_000;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** Returns the visible text of a heading, given its source. */
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

/**
 * Yields the anchors of headings in quotes, lists and code. GitHub makes anchors for headings in quotes and lists; code
 * may be the content of another Markdown file.
 */
function* nestedIn(text: string): Iterable<[string, Span]> {
  for (const { 0: all, 1: heading = '', index } of text.matchAll(
    /^[ \t>*+.\d)-]{0,40}#{1,6}[ \t]+(\S[^\r\n]{0,300})/gm,
  )) {
    yield [slugOf(plainText(heading.replace(/[ \t]+#+[ \t]*$/, ''))), { start: index, end: index + all.length }];
  }
}

/**
 * Yields the anchors that only some renderers make from the source of a heading, including its HTML, and from
 * `## Heading {#custom-anchor}`.
 */
function* explicitAnchors(headings: readonly Heading[]): Iterable<[string, Span]> {
  for (const { text, span } of headings) {
    const source = text.slice(0, MAX_HEADING);
    yield [slugOf(source), span];
    const [, own] = /\{#([\w.:-]+)\}\s*$/.exec(source) ?? [];
    if (own === undefined) continue;
    yield [own.toLowerCase(), span];
    yield [slugOf(plainText(source.replace(/\{#[\w.:-]+\}\s*$/, ''))), span];
  }
}
