/**
 * The quick reader of common YAML, in one walk over its characters: it gives exactly the tree that `parseByLibrary` gives,
 * or refuses (undefined). `test/properties/yaml-quick.test.ts` holds that.
 */
import { endOfLine, type Span, span } from '../../../text.ts';
import { skipBlanks } from '../lines.ts';
import {
  nullAt,
  type YamlComment,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlTree,
} from '../node.ts';
import { blockScalar } from './quick-blocks.ts';
import { type Cursor, colonOf, readFlow, readPlain, readQuoted, scalarOf } from './quick-values.ts';

/** Control characters, tabs, `\r`, other line breaks, byte order marks, halves of surrogate pairs. */
const ODD =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const MAX_LENGTH = 200_000;
const MAX_DEPTH = 30;

const HASH = 35;
const DASH = 45;

/** `first`, `lineEnd` and `indent` are those of the line that is being read; `indent` is -1 at the end. */
interface Walk extends Cursor {
  readonly comments: YamlComment[];
  /** Where the line after this one begins. */
  next: number;
  lineStart: number;
  first: number;
  indent: number;
  depth: number;
}

/** The tree of a stretch of a file; undefined where the library must decide. */
export function readYamlQuickly(text: string, place: Span): YamlTree | undefined {
  if (place.end - place.start > MAX_LENGTH || ODD.test(text.slice(place.start, place.end))) return undefined;
  const { start, end } = place;
  const walk: Walk = {
    text,
    end,
    at: start,
    lineEnd: start,
    comments: [],
    next: start,
    lineStart: start,
    first: start,
    indent: -1,
    depth: 0,
  };
  toContent(walk);
  if (walk.indent !== 0) return undefined;
  const root = readBlock(walk);
  if (!root || walk.indent >= 0) return undefined;
  return { span: place, root, problems: [], comments: walk.comments, broken: false };
}

/** Goes to the next line that is neither empty nor a comment, and collects the comments on the way. */
function toContent(walk: Walk): void {
  const { text, end } = walk;
  while (walk.next < end) {
    const start = walk.next;
    const lineEnd = endOfLine(text, start, end);
    walk.next = Math.min(lineEnd + 1, end);
    const first = skipBlanks(text, start, lineEnd);
    if (first === lineEnd) continue;
    if (text.charCodeAt(first) === HASH) {
      addComment(walk, first, lineEnd);
      continue;
    }
    walk.lineStart = start;
    walk.lineEnd = lineEnd;
    walk.first = first;
    walk.indent = first - start;
    return;
  }
  walk.indent = -1;
}

function addComment({ text, comments }: Walk, start: number, end: number): void {
  comments.push({ span: span(start, end), text: text.slice(start, end) });
}

const isDash = ({ text }: Walk, at: number, lineEnd: number): boolean =>
  text.charCodeAt(at) === DASH && (at + 1 === lineEnd || text[at + 1] === ' ');

/** The value that begins at the line's content. */
function readBlock(walk: Walk): YamlNode | undefined {
  if (++walk.depth > MAX_DEPTH) return undefined;
  const node = isDash(walk, walk.first, walk.lineEnd) ? readList(walk) : readMap(walk);
  walk.depth--;
  return node;
}

function readMap(walk: Walk): YamlMap | undefined {
  const { indent } = walk;
  const entries: YamlEntry[] = [];
  const names = new Set<string>();
  while (walk.indent === indent) {
    const start = walk.first;
    const colon = colonOf(walk, start);
    if (colon < 0) return undefined;
    const key = scalarOf(walk.text, start, colon);
    // Two equal keys are a problem, which only `parseByLibrary` reports.
    if (!key || names.size === names.add(String(key.value)).size) return undefined;
    const value = readValue(walk, colon + 1, indent);
    if (!value) return undefined;
    entries.push({ key, value, span: span(start, Math.max(colon, value.span.end)) });
  }
  // A deeper line would go on with the last value.
  if (walk.indent > indent) return undefined;
  const [first] = entries;
  const last = entries.at(-1);
  return first && last && { kind: 'map', span: span(first.span.start, last.span.end), flow: false, entries };
}

function readList(walk: Walk): YamlList | undefined {
  const { indent, first: start } = walk;
  const items: YamlNode[] = [];
  while (walk.indent === indent && isDash(walk, walk.first, walk.lineEnd)) {
    const item = readItem(walk, indent);
    if (!item) return undefined;
    items.push(item);
  }
  if (walk.indent > indent) return undefined;
  const last = items.at(-1);
  return last && { kind: 'list', span: span(start, last.span.end), flow: false, items };
}

/** What stands behind a dash. */
function readItem(walk: Walk, indent: number): YamlNode | undefined {
  const dashEnd = walk.first + 1;
  const at = skipBlanks(walk.text, dashEnd, walk.lineEnd);
  if (at === walk.lineEnd) {
    const comments = walk.comments.length;
    toContent(walk);
    return walk.indent <= indent && walk.comments.length === comments ? nullAt(dashEnd) : undefined;
  }
  if (isDash(walk, at, walk.lineEnd)) return undefined;
  return colonOf(walk, at) < 0 ? readInline(walk, at, indent) : readMapAt(walk, at);
}

/** The map that begins behind a dash: its column is its indentation. */
function readMapAt(walk: Walk, at: number): YamlNode | undefined {
  walk.first = at;
  walk.indent = at - walk.lineStart;
  if (++walk.depth > MAX_DEPTH) return undefined;
  const map = readMap(walk);
  walk.depth--;
  return map;
}

/** What stands behind the colon of a key. */
function readValue(walk: Walk, colonEnd: number, indent: number): YamlNode | undefined {
  const at = skipBlanks(walk.text, colonEnd, walk.lineEnd);
  if (at < walk.lineEnd && walk.text.charCodeAt(at) !== HASH) return readInline(walk, at, indent);
  const comments = walk.comments.length;
  if (at < walk.lineEnd) addComment(walk, at, walk.lineEnd);
  toContent(walk);
  if (walk.indent > indent || (walk.indent === indent && isDash(walk, walk.first, walk.lineEnd))) {
    return readBlock(walk);
  }
  // Between comments, only the library knows the place of an empty value.
  return walk.comments.length === comments ? nullAt(colonEnd) : undefined;
}

/** Reads a value that begins at `at`, in a map or list with the indentation `indent`, and goes to the next line. */
function readInline(walk: Walk, at: number, indent: number): YamlNode | undefined {
  walk.at = at;
  const first = walk.text[at];
  if (first === '|' || first === '>') {
    const block = blockScalar(walk.text, span(at, walk.end), walk.lineEnd, walk.next, indent);
    if (!block) return undefined;
    walk.next = block.next;
    toContent(walk);
    return block.scalar;
  }
  let node: YamlNode | undefined;
  if (first === '"' || first === "'") node = readQuoted(walk);
  else if (first === '[' || first === '{') node = readFlow(walk, 0);
  else node = readPlain(walk);
  return node && endLine(walk) ? node : undefined;
}

/** Behind a value: nothing, or a comment. */
function endLine(walk: Walk): boolean {
  const at = skipBlanks(walk.text, walk.at, walk.lineEnd);
  if (at < walk.lineEnd) {
    if (walk.text.charCodeAt(at) !== HASH || at === walk.at) return false;
    addComment(walk, at, walk.lineEnd);
  }
  toContent(walk);
  return true;
}
