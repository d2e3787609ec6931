/** Builds the tree from the nodes that the YAML parser returns. */
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { type Span, shift, sliceOf, span } from '../../text.ts';
import { isBlank } from './lines.ts';
import { nullAt, type ScalarStyle, type YamlEntry, type YamlNode, type YamlProblem, type YamlScalar } from './node.ts';
import type { IntendedValues } from './placeholders.ts';
import {
  addDuplicates,
  aliasProblem,
  expansionProblem,
  problemAt,
  TEMPLATE_IN_YAML,
  unusedAnchorProblem,
  valueProblem,
} from './problems.ts';
import { MAX_PROBLEMS } from './repair.ts';

/** The maximum total number of nodes that the aliases in a document may repeat. */
const MAX_REPEATED = 10_000;

/** The state while one tree is built. The parser's offset 0 is the offset `base` in the file. */
export interface Builder {
  readonly source: string;
  readonly base: number;
  readonly intended: IntendedValues;
  readonly found: YamlProblem[];
  /** Problems whose spans are offsets in the file. The spans of `found` are offsets in `source`. */
  readonly duplicates: YamlProblem[];
  readonly anchors: Map<string, Anchor>;
  /** The number of nodes that aliases have repeated so far; `Infinity` after the limit was exceeded. */
  repeated: number;
}

/** An anchor. `node` is undefined while the value of the anchor is being built. */
interface Anchor {
  readonly name: string;
  node: YamlNode | undefined;
  isUsed: boolean;
}

const STYLES: ReadonlyMap<string, ScalarStyle> = new Map(
  Object.entries({
    PLAIN: 'plain',
    QUOTE_SINGLE: 'single',
    QUOTE_DOUBLE: 'double',
    BLOCK_LITERAL: 'literal',
    BLOCK_FOLDED: 'folded',
  }),
);

/**
 * Builds the tree for a parser node: a scalar, map, list or alias. For any other node, builds a null scalar. Adds
 * problems to the builder. Never throws for nodes within the depth limit of the parser.
 */
export function buildTree(builder: Builder, node: unknown): YamlNode {
  const name = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  if (!name) return buildNode(builder, node);
  const anchor: Anchor = { name, node: undefined, isUsed: false };
  builder.anchors.set(name, anchor);
  anchor.node = buildNode(builder, node);
  return anchor.node;
}

function buildNode(builder: Builder, node: unknown): YamlNode {
  const { base } = builder;
  if (isScalar(node))
    return buildScalar(builder, node.range?.[0] ?? 0, node.range?.[1] ?? 0, node.value, node.type, node.source);
  if (isAlias(node)) return buildAlias(builder, node.source, node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  if (isMap(node)) return buildMap(builder, node.items, node.range ?? [0, 0], node.flow === true);
  if (isSeq(node)) {
    const items = node.items.map((item) => buildTree(builder, item));
    const [start, end] = node.range ?? [0, 0];
    const flow = node.flow === true;
    const ends = flow || items.length === 0 ? end + base : 0;
    return { kind: 'list', span: covering(span(start + base, ends), items), flow, items };
  }
  return nullAt(base);
}

function buildMap(
  builder: Builder,
  pairs: readonly { key: unknown; value: unknown }[],
  range: readonly number[],
  flow: boolean,
): YamlNode {
  const { source, base } = builder;
  const [start = 0, end = 0] = range;
  if (flow && source.startsWith('{{', start) && isFlowCollection(pairs[0]?.key)) {
    const place = span(start, end);
    addProblem(builder, () =>
      valueProblem(source, place, { message: TEMPLATE_IN_YAML, quotes: isWholeValue(source, place) }),
    );
    const text = sliceOf(source, place);
    return { kind: 'scalar', span: span(start + base, end + base), value: text, style: 'plain', source: text };
  }
  let last = 0;
  const entries = pairs.map((pair): YamlEntry => {
    const key = notBefore(last, buildKey(builder, pair.key));
    const value =
      pair.value === null || pair.value === undefined ? nullAt(key.span.end) : buildTree(builder, pair.value);
    last = Math.max(key.span.end, value.span.end);
    return { key, value, span: span(key.span.start, last) };
  });
  addDuplicates(builder.duplicates, entries);
  // `[a: b]` contains a map without braces.
  const hasBraces = source[start] === '{' || entries.length === 0;
  const place = hasBraces ? span(start + base, end + base) : span(entries[0]?.span.start ?? start + base, 0);
  return { kind: 'map', span: covering(place, entries), flow, entries };
}

const isFlowCollection = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow === true;

/** Returns a key as a scalar. If the key is a map or list, adds a problem and uses the source text as the value. */
function buildKey(builder: Builder, key: unknown): YamlScalar {
  const node = buildTree(builder, key);
  if (node.kind === 'scalar') return node;
  const place = shift(node.span, -builder.base);
  addProblem(builder, () => problemAt(place, `A key must be a string, but is a ${node.kind}. Put it in quotes.`));
  const text = sliceOf(builder.source, place);
  return { kind: 'scalar', span: node.span, value: text, style: 'plain', source: text };
}

function buildScalar(
  builder: Builder,
  start: number,
  end: number,
  value: unknown,
  type: string | undefined,
  text = '',
): YamlScalar {
  const { source, base, intended } = builder;
  const real = intended.size > 0 ? intended.get(start) : undefined;
  if (real) {
    return { kind: 'scalar', span: shift(real.span, base), value: real.value, style: 'plain', source: real.value };
  }
  if (start === end) {
    let at = start;
    while (isBlank(source[at - 1])) at--;
    return { ...nullAt(at + base), value: value === '' ? '' : null };
  }
  const style = STYLES.get(type ?? 'PLAIN') ?? 'plain';
  let last = end;
  if (style === 'literal' || style === 'folded') while (last > start && /\s/.test(source[last - 1] as string)) last--;
  return { kind: 'scalar', span: span(start + base, last + base), value: jsonScalar(value, text), style, source: text };
}

/** Returns the JSON value of a scalar. `.inf` and `.nan`, which JSON does not have, become text. */
function jsonScalar(value: unknown, text: string): YamlScalar['value'] {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : text;
}

/** Adds a problem, unless the number of problems is far above the limit for reported problems. */
function addProblem({ found }: Builder, problem: () => YamlProblem): void {
  if (found.length < 2 * MAX_PROBLEMS) found.push(problem());
}

function buildAlias(builder: Builder, name: string, start: number, end: number): YamlNode {
  const { source, base, found } = builder;
  const place = span(start + base, end + base);
  const anchor = builder.anchors.get(name);
  if (!anchor?.node) {
    // If the anchor has no node yet, the anchored value contains this alias. An empty name is already a syntax error.
    if (name !== '') addProblem(builder, () => aliasProblem(source, span(start, end), name, anchor !== undefined));
    if (anchor) anchor.isUsed = true;
    return { ...nullAt(0), span: place, ...(anchor ? {} : { value: source.slice(start, end) }) };
  }
  anchor.isUsed = true;
  const isOver = builder.repeated > MAX_REPEATED;
  const size = isOver ? 0 : sizeOf(anchor.node, MAX_REPEATED);
  if (isOver || builder.repeated + size > MAX_REPEATED) {
    if (!isOver) found.push(expansionProblem(span(start, end)));
    builder.repeated = Number.POSITIVE_INFINITY;
    return { ...nullAt(0), span: place };
  }
  builder.repeated += size;
  return relocated(anchor.node, place);
}

/**
 * Moves a missing key to `offset`. The library reports a missing key on the line of the value above, even inside that
 * value.
 */
const notBefore = (offset: number, key: YamlScalar): YamlScalar =>
  key.span.start === key.span.end && key.span.start < offset ? { ...key, span: span(offset, offset) } : key;

/** Returns the span of a collection with all its parts. The parser ends an unclosed collection before its last part. */
const covering = ({ start, end }: Span, parts: readonly { readonly span: Span }[]): Span =>
  span(Math.min(start, parts[0]?.span.start ?? start), Math.max(end, parts.at(-1)?.span.end ?? end));

/** Returns whether only separators are before and after a span, so that the span in quotes is one value. */
const isWholeValue = (source: string, { start, end }: Span): boolean =>
  /(?:^|[[{,:\-?\r\n])[ \t]*$/.test(source.slice(Math.max(0, start - 100), start)) &&
  /^[ \t]*(?:[,\]}\r\n]|\s#|$)/.test(source.slice(end, end + 100));

/** Returns a copy of a node at the span of an alias, so that findings in the copy are shown at the alias. */
function relocated(node: YamlNode, place: Span): YamlNode {
  if (node.kind === 'scalar') return { ...node, span: place };
  if (node.kind === 'list') return { ...node, span: place, items: node.items.map((item) => relocated(item, place)) };
  const entries = node.entries.map(({ key, value }) => ({
    key: { ...key, span: place },
    value: relocated(value, place),
    span: place,
  }));
  return { ...node, span: place, entries };
}

/** Returns the number of nodes in a copy of the node. Stops counting after `limit`. */
function sizeOf(node: YamlNode, limit: number): number {
  if (node.kind === 'scalar') return 1;
  const children = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
  let size = 1;
  for (const child of children) {
    size += sizeOf(child, limit - size);
    if (size > limit) break;
  }
  return size;
}

/**
 * Returns the problems with anchors that no alias uses, with spans in `source`. Call this function after the tree is
 * built.
 */
export function unusedAnchorProblems({ anchors, source, base }: Builder): YamlProblem[] {
  return [...anchors.values()].flatMap(({ name, node, isUsed }) => {
    if (isUsed || node?.kind !== 'scalar' || node.style !== 'plain' || typeof node.value !== 'string') return [];
    return unusedAnchorProblem(source, name, shift(node.span, -base)) ?? [];
  });
}
