/**
 * YAML with a place for everything: frontmatter, contracts, the catalog, metadata and data fences. The only importer of
 * `yaml`. Reading goes in passes: where the parser sees faults, the defect behind the first is explained, its place is
 * made harmless by characters that keep every offset, and the rest is read again. So each defect is told once, and what
 * is sound around it stays in the tree.
 */
import { Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml';
import { type Span, sliceOf, span } from '../../text.ts';
import {
  type Anchor,
  type Builder,
  buildAlias,
  buildScalar,
  covering,
  isWholeValue,
  lostAnchors,
  notBefore,
  note,
} from './build.ts';
import type { Fault, Pass } from './faults.ts';
import { findFences } from './frontmatter-fences.ts';
import { Marks } from './marks.ts';
import { maskInvisible, type Substitutes } from './masks.ts';
import { addDuplicates, shiftProblem, tagProblem } from './meaning.ts';
import {
  nullAt,
  type YamlComment,
  type YamlEntry,
  type YamlNode,
  type YamlProblem,
  type YamlScalar,
  type YamlTree,
} from './node.ts';
import { MOUSTACHE, problemAt, valueProblem } from './problems.ts';
import { readYamlQuickly } from './quick/quick-yaml.ts';
import { MAX_PROBLEMS, repair } from './repair.ts';

export { yamlPathAt } from './path.ts';
export { sourceSpan, sourceSpans, valueOffset } from './places.ts';

export interface Frontmatter {
  /** The `---` line that opens it, without its line break; undefined where the file has no frontmatter. */
  readonly open: Span | undefined;
  /** The `---` or `...` line that closes it. */
  readonly close: Span | undefined;
  /** What stands between the fences, the last line break included. */
  readonly content: Span;
  /** Where the body starts. */
  readonly bodyStart: number;
  readonly tree: YamlTree;
}

/** Beyond this nobody wrote the YAML by hand, and reading it would hold up the editor. */
const MAX_LENGTH = 1_000_000;

/** No schema or sample nests anywhere near this deep; the parser's own recursion needs a bound. */
const MAX_DEPTH = 200;

/** Of more faults than these nearly all are cascades. */
const MAX_FAULTS = 2_000;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  resolveKnownTags: false,
  logLevel: 'error',
} as const;

/** Reads the frontmatter at the very start of a file, after an optional byte order mark (skill-format.md, section 2). */
export function parseFrontmatter(text: string): Frontmatter {
  const { problem, ...fences } = findFences(text);
  const { open, content } = fences;
  if (!open) return { ...fences, tree: { span: content, root: undefined, problems: [], comments: [], broken: false } };
  const tree = parseYaml(text, content);
  if (!problem) return { tree, ...fences };
  return { ...fences, tree: { ...tree, problems: [problem, ...tree.problems], broken: true } };
}

/** Reads a stretch of a file as one YAML document (YAML 1.2, core schema). All spans are places in the file. */
export const parseYaml = (text: string, place: Span): YamlTree =>
  readYamlQuickly(text, place) ?? parseByLibrary(text, place);

/** The same for any YAML, plain or not. */
export function parseByLibrary(text: string, place: Span): YamlTree {
  if (place.end - place.start > MAX_LENGTH) {
    return unread(text, place, 'This YAML is too long to be read (over 1,000,000 characters). Split it.');
  }
  try {
    return readTree(text, place);
  } catch {
    return unread(text, place, 'This YAML cannot be read.');
  }
}

function unread(text: string, place: Span, message: string): YamlTree {
  const length = text.slice(place.start, Math.min(place.end, place.start + 200)).search(/[\r\n]|$/);
  const problems = [problemAt(place.start, place.start + length, message)];
  return { span: place, root: undefined, problems, comments: [], broken: true };
}

function readTree(text: string, place: Span): YamlTree {
  const source = sliceOf(text, place);
  const { text: visible, problems: invisible } = maskInvisible(source);
  const found: YamlProblem[] = [...invisible];
  const substitutes: Substitutes = new Map();
  let pass = readPass(visible, source);
  if (pass.faults.length > 0) pass = repair(pass, readPass, found, substitutes);
  const builder: Builder = {
    source,
    base: place.start,
    substitutes,
    found,
    duplicates: [],
    anchors: new Map(),
    repeated: 0,
  };
  const root = pass.contents ? build(builder, pass.contents) : undefined;
  for (const tag of pass.tags.slice(0, MAX_PROBLEMS)) found.push(tagProblem(source, tag));
  const problems = [
    ...[...found, ...lostAnchors(builder)].map((problem) => shiftProblem(problem, place.start)),
    ...builder.duplicates,
  ]
    .sort((a, b) => a.span.start - b.span.start)
    .slice(0, MAX_PROBLEMS);
  const comments = pass.comments
    .filter(({ start }) => source[start] === '#')
    .map((comment) => commentOf(text, comment, place.start));
  return { span: place, root, problems, comments, broken: problems.some(({ kind }) => kind === 'syntax') };
}

const commentOf = (text: string, { start, end }: Span, by: number): YamlComment => ({
  span: span(start + by, end + by),
  text: text.slice(start + by, end + by),
});

interface Reading extends Pass {
  readonly contents: Document.Parsed['contents'] | undefined;
  /** Tags that mean nothing. */
  readonly tags: readonly Fault[];
  readonly comments: readonly Span[];
}

/** Reads the text once. The parser is fed by hand: so comments, brackets and depth are known at no cost of their own. */
function readPass(text: string, source: string): Reading {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const faults: Fault[] = [];
  const tags: Fault[] = [];
  const report = (place: ErrorPlace, code: string, message: string, isWarning = false): void => {
    const start = typeof place === 'number' ? place : 'offset' in place ? place.offset : (place[0] ?? 0);
    const isTag = TAG_CODES.has(code);
    const list = isTag ? tags : faults;
    // One tag may be refused for itself and for what it stands at.
    if (isTag && tags.at(-1)?.start === start) return;
    if (list.length < MAX_FAULTS && (!isWarning || isTag || code === 'BAD_DIRECTIVE'))
      list.push({ code, message, start });
  };
  // The composer's own errors each take a stack trace, which for thousands of them is most of the time.
  Object.assign(composer, { onError: report });
  const documents: Document.Parsed[] = [];
  const compose = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      if (token.type === 'error') report(token, 'UNEXPECTED_TOKEN', token.message);
      else documents.push(...(composer.next(token) as Iterable<Document.Parsed>));
    }
  };
  const marks = new Marks();
  for (const lexeme of new Lexer().lex(text)) {
    const start = parser.offset;
    marks.add(lexeme, start);
    compose(parser.next(lexeme));
    if (documents.length > 0) break;
    if (parser.stack.length > MAX_DEPTH) {
      report(start, 'TOO_DEEP', TOO_DEEP);
      break;
    }
  }
  marks.end(parser.offset);
  compose(parser.end());
  documents.push(...(composer.end(true, text.length) as Iterable<Document.Parsed>));
  const [document, second] = documents;
  for (const { pos, code, message } of document?.errors ?? []) report(pos, code, message);
  const limit = second?.range[0] ?? text.length;
  const own = faults.filter(({ start }) => start <= limit).sort((a, b) => a.start - b.start);
  if (second) own.push({ code: 'MULTIPLE_DOCS', message: '', start: limit });
  const ownTags = tags.filter(({ start }) => start < limit);
  return { text, source, contents: document?.contents, faults: own, tags: ownTags, ...marks.found };
}

type ErrorPlace = number | readonly number[] | { readonly offset: number };

const TAG_CODES: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']);
const TOO_DEEP = 'This is nested too deeply to be read (over 200 levels). Make it flatter.';

function build(builder: Builder, node: unknown): YamlNode {
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
    const items = node.items.map((item) => build(builder, item));
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
    note(builder, () => valueProblem(source, place, { message: MOUSTACHE, quotes: isWholeValue(source, place) }));
    const text = sliceOf(source, place);
    return { kind: 'scalar', span: span(start + base, end + base), value: text, style: 'plain', source: text };
  }
  let last = 0;
  const entries = pairs.map((pair): YamlEntry => {
    const key = notBefore(last, buildKey(builder, pair.key));
    const value = pair.value === null || pair.value === undefined ? nullAt(key.span.end) : build(builder, pair.value);
    last = Math.max(key.span.end, value.span.end);
    return { key, value, span: span(key.span.start, last) };
  });
  addDuplicates(builder.duplicates, entries);
  // `[a: b]` holds a map without braces.
  const hasBraces = source[start] === '{' || entries.length === 0;
  const place = hasBraces ? span(start + base, end + base) : span(entries[0]?.span.start ?? start + base, 0);
  return { kind: 'map', span: covering(place, entries), flow, entries };
}

const isFlowCollection = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow === true;

/** A key as a scalar; a map or a list for a key is a problem, and its text is the key. */
function buildKey(builder: Builder, key: unknown): YamlScalar {
  const node = build(builder, key);
  if (node.kind === 'scalar') return node;
  const { start, end } = span(node.span.start - builder.base, node.span.end - builder.base);
  note(builder, () =>
    problemAt(start, end, 'A key must be text, not a list or a map: JSON has no other keys. Put it in quotes.'),
  );
  const text = builder.source.slice(start, end);
  return { kind: 'scalar', span: node.span, value: text, style: 'plain', source: text };
}
