/**
 * What becomes of the parser's nodes, as far as it takes no parser to know them: scalars, aliases, and where a part of the
 * tree begins and ends. `frontmatter.ts` walks the nodes.
 */
import { type Span, span } from '../../text.ts';
import { isBlank } from './lines.ts';
import type { Substitutes } from './masks.ts';
import { aliasProblem, bombProblem, findLostAnchor, relocated, sizeOf } from './meaning.ts';
import { nullAt, type ScalarStyle, type YamlNode, type YamlProblem, type YamlScalar } from './node.ts';
import { MAX_PROBLEMS } from './repair.ts';

/** How many nodes all aliases of a document may repeat together. */
const MAX_REPEATED = 10_000;

/** What turning the parser's nodes into the tree has to know. Offsets are those of the parser until `base` is added. */
export interface Builder {
  readonly source: string;
  readonly base: number;
  readonly substitutes: Substitutes;
  readonly found: YamlProblem[];
  /** The only problems that are made with places in the file. */
  readonly duplicates: YamlProblem[];
  readonly anchors: Map<string, Anchor>;
  /** How many nodes aliases have repeated so far; `Infinity` once it was too many. */
  repeated: number;
}

/** `node` is undefined while the anchor's own value is being read. */
export interface Anchor {
  readonly name: string;
  node: YamlNode | undefined;
  isUsed: boolean;
}

const STYLES: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

export function buildScalar(
  builder: Builder,
  start: number,
  end: number,
  value: unknown,
  type: string | undefined,
  text = '',
): YamlScalar {
  const { source, base, substitutes } = builder;
  const substitute = substitutes.size > 0 ? substitutes.get(start) : undefined;
  if (substitute) {
    const place = span(substitute.span.start + base, substitute.span.end + base);
    return { kind: 'scalar', span: place, value: substitute.value, style: 'plain', source: substitute.value };
  }
  if (start === end) {
    let at = start;
    while (isBlank(source[at - 1])) at--;
    return { ...nullAt(at + base), value: value === '' ? '' : null };
  }
  const style = STYLES[type ?? 'PLAIN'] ?? 'plain';
  let last = end;
  if (style === 'literal' || style === 'folded') while (last > start && /\s/.test(source[last - 1] as string)) last--;
  return { kind: 'scalar', span: span(start + base, last + base), value: jsonScalar(value, text), style, source: text };
}

/** `.inf` and `.nan` are no JSON; as text they are at least equal to themselves. */
function jsonScalar(value: unknown, text: string): YamlScalar['value'] {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : text;
}

/** Makes a problem, unless there are more than anybody will be shown already. */
export function note({ found }: Builder, problem: () => YamlProblem): void {
  if (found.length < 2 * MAX_PROBLEMS) found.push(problem());
}

export function buildAlias(builder: Builder, name: string, start: number, end: number): YamlNode {
  const { source, base, found } = builder;
  const place = span(start + base, end + base);
  const anchor = builder.anchors.get(name);
  if (!anchor?.node) {
    // An anchor that is not finished stands around its own alias. An empty name was told as a syntax fault.
    if (name !== '') note(builder, () => aliasProblem(source, span(start, end), name, anchor !== undefined));
    if (anchor) anchor.isUsed = true;
    return { ...nullAt(0), span: place, ...(anchor ? {} : { value: source.slice(start, end) }) };
  }
  anchor.isUsed = true;
  const isOver = builder.repeated > MAX_REPEATED;
  const size = isOver ? 0 : sizeOf(anchor.node, MAX_REPEATED);
  if (isOver || builder.repeated + size > MAX_REPEATED) {
    if (!isOver) found.push(bombProblem(span(start, end)));
    builder.repeated = Number.POSITIVE_INFINITY;
    return { ...nullAt(0), span: place };
  }
  builder.repeated += size;
  return relocated(anchor.node, place);
}

/** The library puts a key that is not there behind the line on which the value above it began, even into that value. */
export const notBefore = (offset: number, key: YamlScalar): YamlScalar =>
  key.span.start === key.span.end && key.span.start < offset ? { ...key, span: span(offset, offset) } : key;

/** What brackets do not close, the parser lets end before its last part. */
export const covering = ({ start, end }: Span, parts: readonly { readonly span: Span }[]): Span =>
  span(Math.min(start, parts[0]?.span.start ?? start), Math.max(end, parts.at(-1)?.span.end ?? end));

/** Whether nothing but what parts values in brackets stands before and behind a place: then quotes around it make it one value. */
export const isWholeValue = (source: string, { start, end }: Span): boolean =>
  /(?:^|[[{,:\-?\r\n])[ \t]*$/.test(source.slice(Math.max(0, start - 100), start)) &&
  /^[ \t]*(?:[,\]}\r\n]|\s#|$)/.test(source.slice(end, end + 100));

export function lostAnchors({ anchors, source, base }: Builder): YamlProblem[] {
  return [...anchors.values()].flatMap(({ name, node, isUsed }) => {
    if (isUsed || node?.kind !== 'scalar' || node.style !== 'plain' || typeof node.value !== 'string') return [];
    return findLostAnchor(source, name, span(node.span.start - base, node.span.end - base)) ?? [];
  });
}
