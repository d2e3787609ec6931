/**
 * What stands at a cursor in YAML that may be broken or half-typed. So this reads the lines up to the cursor and their
 * indentation, and takes from the tree only its span.
 */
import { type Span, span, touches } from '../../text.ts';
import type { Path, YamlPlace } from './cursor-place.ts';
import { findFlowPlace } from './flow-cursor.ts';
import { type BlockLine, columnOf, isEmptyLine, linesBelow, readLine, unquoted } from './lines.ts';
import type { YamlTree } from './node.ts';
import { MAX_YAML_LENGTH } from './parse.ts';

/** A map or a list that is open at the line that is being read. */
interface Frame {
  readonly column: number;
  readonly kind: 'map' | 'list';
  readonly keys: string[];
  /** The current key of a map. */
  key: string;
  /** The index of the current item of a list. */
  index: number;
  /** The line on which the value of the current entry begins; deeper lines continue that value. */
  holder: BlockLine | undefined;
}

/** Undefined in a comment and outside of the tree's stretch. */
export function yamlPlaceAt(tree: YamlTree, text: string, offset: number): YamlPlace | undefined {
  const { start, end: limit } = tree.span;
  if (!touches(tree.span, offset) || limit - start > MAX_YAML_LENGTH) return undefined;
  const frames: Frame[] = [];
  let line = readLine(text, start, limit);
  while (line.end < offset && line.next > line.end) {
    if (!isEmptyLine(line)) takeLine(frames, text, line);
    line = readLine(text, line.next, limit);
  }
  return placeOn(frames, text, line, offset, limit);
}

/** Enters what a line above the cursor opens, and leaves what it ends. */
function takeLine(frames: Frame[], text: string, line: BlockLine): void {
  const column = columnOf(line, line.first);
  if (findHolder(frames, column)) return;
  leave(frames, column, line.dashes.length > 0);
  takeDashes(frames, line, line.end);
  const hasValue = line.value.end > line.value.start && !/^[&!]\S*$/.test(text.slice(line.value.start, line.value.end));
  if (line.key) {
    const frame = mapAt(frames, columnOf(line, line.key.start));
    frame.key = keyName(text, line.key);
    frame.keys.push(frame.key);
    frame.holder = hasValue ? line : undefined;
  } else {
    const top = frames.at(-1);
    if (top && hasValue && line.dashes.length > 0) top.holder = line;
  }
}

/** The frame whose value the column continues. */
function findHolder(frames: Frame[], column: number): Frame | undefined {
  const top = frames.at(-1);
  return top?.holder && column > top.column ? top : undefined;
}

/** Leaves the frames that a line at `column` ends. Keys may stand at the same column as the dashes of a list above. */
function leave(frames: Frame[], column: number, hasDash: boolean): void {
  for (let top = frames.at(-1); top; top = frames.at(-1)) {
    const under = frames.at(-2);
    const endsList = top.column === column && top.kind === 'list' && !hasDash && under?.column === column;
    if (top.column <= column && !endsList) return;
    frames.pop();
  }
}

function takeDashes(frames: Frame[], line: BlockLine, before: number): void {
  for (const dash of line.dashes) {
    if (dash >= before) return;
    const column = columnOf(line, dash);
    const top = frames.at(-1);
    if (top?.kind === 'list' && top.column === column) {
      top.index++;
      top.holder = undefined;
    } else frames.push({ column, kind: 'list', keys: [], key: '', index: 0, holder: undefined });
  }
}

/** The map whose keys stand at the column; a new one where there is none. */
function mapAt(frames: Frame[], column: number): Frame {
  const top = frames.at(-1);
  if (top?.kind === 'map' && top.column === column) return top;
  const frame: Frame = { column, kind: 'map', keys: [], key: '', index: 0, holder: undefined };
  frames.push(frame);
  return frame;
}

const keyName = (text: string, { start, end }: Span): string => {
  const source = text.slice(start, end);
  return /^(["']).*\1$/s.test(source) ? source.slice(1, -1) : source;
};

/** The path of the current entry or item of the innermost frame. */
const pathOf = (frames: readonly Frame[]): Path => frames.map(({ kind, key, index }) => (kind === 'map' ? key : index));

function placeOn(frames: Frame[], text: string, line: BlockLine, offset: number, limit: number): YamlPlace | undefined {
  const isEmpty = line.first === line.end;
  const column = isEmpty ? columnOf(line, Math.max(offset, line.start)) : columnOf(line, line.first);
  const holder = findHolder(frames, column);
  if (holder?.holder) return inHolder(frames, text, holder, holder.holder, offset, limit);
  if (line.comment !== undefined && offset > line.comment) return undefined;
  const { key, dashes, value, colon } = line;
  leave(frames, column, dashes.length > 0);
  takeDashes(frames, line, line.end);
  if (key && colon !== undefined) {
    const frame = mapAt(frames, columnOf(line, key.start));
    if (offset <= colon) return keyPlace(frames, text, line, key, offset, limit);
    frame.key = keyName(text, key);
    const before = offset === colon + 1 ? ' ' : '';
    return valuePlace(pathOf(frames), 'value', text, value, offset, frame.column, before);
  }
  if (dashes.length > 0) {
    const list = frames.at(-1) as Frame;
    const before = offset === (dashes.at(-1) as number) + 1 ? ' ' : '';
    return valuePlace(pathOf(frames), 'item', text, value, offset, list.column, before);
  }
  return barePlace(frames, text, line, column, offset, limit);
}

/** The place on an empty line, or in a word that is not yet a key or an item. */
function barePlace(
  frames: Frame[],
  text: string,
  line: BlockLine,
  column: number,
  offset: number,
  limit: number,
): YamlPlace {
  const top = frames.at(-1);
  const { value } = line;
  const word = value.end > value.start && touches(value, offset) ? value : span(offset, offset);
  if (/[[{]/.test(text[word.start] ?? '') && word.end > word.start) {
    return valuePlace(pathOf(frames), 'value', text, word, offset, column, '');
  }
  if (top?.kind === 'list' && top.column === column) {
    top.index++;
    return { path: pathOf(frames), role: 'item', span: word, siblings: [], indent: column, before: '- ', flow: false };
  }
  mapAt(frames, column);
  return keyPlace(frames, text, line, word, offset, limit);
}

function keyPlace(
  frames: readonly Frame[],
  text: string,
  line: BlockLine,
  word: Span,
  offset: number,
  limit: number,
): YamlPlace {
  const map = frames.at(-1) as Frame;
  const siblings = [...new Set([...map.keys, ...keysBelow(text, line, map.column, limit)])];
  const place = touches(word, offset) ? unquoted(text, word, offset) : span(offset, offset);
  return {
    path: pathOf(frames.slice(0, -1)),
    role: 'key',
    span: place,
    siblings,
    indent: map.column,
    before: '',
    flow: false,
  };
}

/** The keys at the column on the lines below, up to where their map ends. */
function keysBelow(text: string, from: BlockLine, column: number, limit: number): string[] {
  const keys: string[] = [];
  for (const line of linesBelow(text, from, limit)) {
    if (isEmptyLine(line)) continue;
    const first = columnOf(line, line.first);
    if (first < column) break;
    if (first === column && line.key && line.dashes.length === 0) keys.push(keyName(text, line.key));
  }
  return keys;
}

/** The place behind a colon or a dash, on the same line. */
function valuePlace(
  path: Path,
  role: 'value' | 'item',
  text: string,
  value: Span,
  offset: number,
  indent: number,
  before: '' | ' ',
): YamlPlace {
  const flow = value.end > value.start && findFlowPlace(text, value, offset, path);
  if (flow) return { ...flow, indent, before: '', flow: true };
  const isIn = value.end > value.start && value.start <= offset && offset <= value.end;
  const place = isIn ? unquoted(text, value, offset) : span(offset, offset);
  return { path, role, span: place, siblings: [], indent, before, flow: false };
}

/** The place in a value that began on a line above: in its brackets, or in its text. */
function inHolder(
  frames: readonly Frame[],
  text: string,
  frame: Frame,
  line: BlockLine,
  offset: number,
  limit: number,
): YamlPlace {
  const path = pathOf(frames);
  const flow = findFlowPlace(text, span(line.value.start, limit), offset, path);
  if (flow) return { ...flow, indent: frame.column, before: '', flow: true };
  let start = offset;
  let end = offset;
  while (isWord(text[start - 1])) start--;
  while (end < limit && isWord(text[end])) end++;
  const role = frame.kind === 'list' ? 'item' : 'value';
  return { path, role, span: span(start, end), siblings: [], indent: frame.column, before: '', flow: false };
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\w.-]/.test(character);
