/**
 * YAML of the plain kind, read in one walk over its characters: maps and lists in block style, scalars of one line, plain
 * ones that are wrapped, literal and folded blocks, brackets within a line. Nearly all skills are written so, and this takes a fifteenth of what
 * the library takes (0.03 ms against 0.5 ms for 50 lines). Whatever is not certainly read alike is refused, and the
 * library reads it: `test/properties/yaml-plain.test.ts` holds that both give the same tree.
 */
import { type Span, span } from '../../text.ts';
import type { YamlComment, YamlEntry, YamlList, YamlMap, YamlNode, YamlProblem, YamlScalar, YamlTree } from './node.ts';
import { blockScalar } from './plain-blocks.ts';
import { type Cursor, colonOf, readFlow, readPlain, readQuoted, scalarOf, skipSpaces } from './plain-values.ts';
import { problemAt, STRAY_LINE } from './problems.ts';

/** What is not read here: control characters, tabs, `\r`, odd line breaks, byte order marks, halves of surrogate pairs. */
const ODD =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Beyond these the library reads: it has bounds of its own. */
const MAX_LENGTH = 200_000;
const MAX_DEPTH = 30;

const HASH = 35;
const DASH = 45;

/** One walk. `first`, `lineEnd` and `indent` are those of the line that is being read; `indent` is -1 at the end. */
interface Walk extends Cursor {
  readonly comments: YamlComment[];
  /** Where the line after this one begins. */
  next: number;
  lineStart: number;
  first: number;
  indent: number;
  depth: number;
  /** The one line that is nothing. */
  stray: YamlProblem | undefined;
  /** Whether a key is of several words. */
  hasLongKey: boolean;
}

/** The tree of a stretch of a file, the same as `parseYaml` gives; undefined where the library must decide. */
export function readPlainYaml(text: string, place: Span): YamlTree | undefined {
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
    stray: undefined,
    hasLongKey: false,
  };
  toContent(walk);
  if (walk.indent !== 0) return undefined;
  const root = readBlock(walk);
  // What is left over stands at no place where a value may go on.
  if (!root || walk.indent >= 0) return undefined;
  // Where something is wrong, several words and a colon may be prose as well.
  if (walk.stray && walk.hasLongKey) return undefined;
  const problems = walk.stray ? [walk.stray] : [];
  return { span: place, root, problems, comments: walk.comments, broken: walk.stray !== undefined };
}

/** Goes to the next line that is neither empty nor a comment, and keeps the comments on the way. */
function toContent(walk: Walk): void {
  const { text, end } = walk;
  while (walk.next < end) {
    const start = walk.next;
    const lineEnd = lineEndFrom(walk, start);
    walk.next = Math.min(lineEnd + 1, end);
    const first = skipSpaces(text, start, lineEnd);
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
    if (colon < 0) {
      if (entries.length === 0 || !passStray(walk)) return undefined;
      continue;
    }
    const key = scalarOf(walk.text, start, colon);
    // Of keys that stand twice the library's side tells the problem.
    if (!key || names.size === names.add(String(key.value)).size) return undefined;
    walk.hasLongKey ||= key.source.includes(' ');
    const value = readValue(walk, colon + 1, indent);
    if (!value) return undefined;
    entries.push({ key, value, span: span(start, Math.max(colon, value.span.end)) });
  }
  // What stands deeper would go on with a value that was read as whole.
  if (walk.indent > indent) return undefined;
  const [first] = entries;
  const last = entries.at(-1);
  return first && last && { kind: 'map', span: span(first.span.start, last.span.end), flow: false, entries };
}

/**
 * Goes past a word that stands where a key may stand, and nothing below it: a key that is being typed, of which the library
 * would read all there is twice.
 */
function passStray(walk: Walk): boolean {
  const { indent, first: start, lineEnd } = walk;
  STRAY.lastIndex = start;
  if (walk.stray || !STRAY.test(walk.text) || STRAY.lastIndex !== lineEnd) return false;
  walk.stray = problemAt(start, lineEnd, STRAY_LINE);
  toContent(walk);
  return walk.indent <= indent;
}

const STRAY = /[A-Za-z][\w-]*/y;

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
  const at = skipSpaces(walk.text, dashEnd, walk.lineEnd);
  if (at === walk.lineEnd) {
    const comments = walk.comments.length;
    toContent(walk);
    return walk.indent <= indent && walk.comments.length === comments ? emptyAt(dashEnd) : undefined;
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
  const at = skipSpaces(walk.text, colonEnd, walk.lineEnd);
  if (at < walk.lineEnd && walk.text.charCodeAt(at) !== HASH) return readInline(walk, at, indent);
  const comments = walk.comments.length;
  if (at < walk.lineEnd) addComment(walk, at, walk.lineEnd);
  toContent(walk);
  if (walk.indent > indent || (walk.indent === indent && isDash(walk, walk.first, walk.lineEnd))) {
    return readBlock(walk);
  }
  // Where nothing stands between comments, the library knows the place.
  return walk.comments.length === comments ? emptyAt(colonEnd) : undefined;
}

const emptyAt = (at: number): YamlScalar => ({
  kind: 'scalar',
  span: span(at, at),
  value: null,
  style: 'plain',
  source: '',
});

/** A value that begins in the line at `at`, in a block of the indentation `indent`; then goes to the next line. */
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
  else node = readWrapped(walk, indent);
  return node && endLine(walk) ? node : undefined;
}

/**
 * A plain scalar that may go on in lines that stand deeper than `indent`, as long descriptions are wrapped: their breaks are
 * blanks, and empty lines are breaks. Every tenth real `SKILL.md` has one, and each edit of it cost the library's 0.3 ms.
 */
function readWrapped(walk: Walk, indent: number): YamlScalar | undefined {
  const first = readPlain(walk);
  if (!first) return undefined;
  let value = first.source;
  let breaks = '';
  for (let next = walk.next; next < walk.end && skipSpaces(walk.text, walk.at, walk.lineEnd) === walk.lineEnd; ) {
    const start = next;
    const lineEnd = lineEndFrom(walk, start);
    next = Math.min(lineEnd + 1, walk.end);
    const at = skipSpaces(walk.text, start, lineEnd);
    if (at === lineEnd) {
      breaks += '\n';
      continue;
    }
    if (at - start <= indent || walk.text.charCodeAt(at) === HASH) break;
    walk.at = at;
    walk.lineEnd = lineEnd;
    walk.next = next;
    const more = readPlain(walk);
    if (!more) return undefined;
    value += (breaks || ' ') + more.source;
    breaks = '';
  }
  if (value === first.source) return first;
  return { kind: 'scalar', span: span(first.span.start, walk.at), value, style: 'plain', source: value };
}

const lineEndFrom = ({ text, end }: Walk, start: number): number => {
  const found = text.indexOf('\n', start);
  return found < 0 || found >= end ? end : found;
};

/** Behind a value: nothing, or a comment. */
function endLine(walk: Walk): boolean {
  const at = skipSpaces(walk.text, walk.at, walk.lineEnd);
  if (at < walk.lineEnd) {
    if (walk.text.charCodeAt(at) !== HASH || at === walk.at) return false;
    addComment(walk, at, walk.lineEnd);
  }
  toContent(walk);
  return true;
}
