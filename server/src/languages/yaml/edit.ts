/**
 * Makes the smallest edits that change a value and keep everything else: comments, order, quotes, indentation, line
 * breaks. A function returns `[]` if the change would need a larger edit. Offsets are UTF-16 code units; no function
 * throws.
 */
import { afterBreak, endOfLine, lineBreakOf, lineStart, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { closingQuote, isBlank, readLine, skipBlanks } from './lines.ts';
import {
  findEntry,
  type Json,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from './node.ts';
import { canSingleQuote, doubleQuoted, formatScalar, isPlainSafe, quoted, singleQuoted } from './quote.ts';

export { formatScalar } from './quote.ts';

/** Puts the text of a span in quotes, unless it is already quoted. */
export function quoteScalar(text: string, place: Span): readonly TextEdit[] {
  const source = sliceOf(text, place);
  const isQuoted = /^["']/.test(source) && closingQuote(text, place.start, place.end) === place.end - 1;
  return isQuoted ? [] : [{ span: place, newText: quoted(source) }];
}

/** Replaces the value of a scalar and keeps its style if the style supports the value. */
export function setScalar(
  text: string,
  node: YamlScalar,
  value: string | number | boolean | null,
): readonly TextEdit[] {
  const { start, end } = node.span;
  const written = scalarText(text, node, value);
  if (start === end) return [edit(start, end, `${separatorBefore(text, start)}${written}`)];
  return written === text.slice(start, end) ? [] : [edit(start, end, written)];
}

/** Returns the text to insert before a missing value: a space, or a colon and a space if the key has no colon (`{a}`). */
const separatorBefore = (text: string, at: number): string =>
  /(?:[:\-?]|[&!]\S*)$/.test(text.slice(lineStart(text, at), at)) ? ' ' : ': ';

function scalarText(text: string, node: YamlScalar, value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  const { style } = node;
  if (style === 'single' && canSingleQuote(value)) return singleQuoted(value);
  if (style === 'double' || style === 'single') return doubleQuoted(value);
  // A plain scalar that contains commas or brackets cannot be inside brackets; any other scalar may be.
  if (style === 'plain') return formatScalar(value, !/[,[\]{}]/.test(sliceOf(text, node.span)));
  return blockText(text, node, value) ?? quoted(value);
}

/**
 * Formats a value as a block scalar with the indentation of the old scalar; undefined if a block scalar cannot contain
 * the value.
 */
function blockText(text: string, { span: place, style }: YamlScalar, value: string): string | undefined {
  const lines = value.replace(/\n$/, '').split('\n');
  if (value.trim() === '' || /^\s|\n\n$/.test(value) || lines.some((line) => line !== '' && !canSingleQuote(line)))
    return undefined;
  const source = sliceOf(text, place);
  const [header = ''] = /^[^\r\n]*/.exec(source) ?? [];
  const comment = /\s#.*$/.exec(header)?.[0] ?? '';
  const below = /(?:\r\n|\n|\r)( +)\S/.exec(source)?.[1];
  if (below === undefined || /\d/.test(header.slice(0, header.length - comment.length))) return undefined;
  const indicator = style === 'folded' && lines.length === 1 ? '>' : '|';
  const chomping = value.endsWith('\n') ? '' : '-';
  const lineBreak = lineBreakOf(source);
  return indicator + chomping + comment + lines.map((line) => lineBreak + (line && below + line)).join('');
}

/** The position of a new entry: after or before another key, or at the end of the map if no key is given. */
export interface EntryPosition {
  readonly after?: string;
  readonly before?: string;
}

/**
 * Adds an entry. `target` is the map, a null scalar that becomes a map, or a span that contains no entries yet.
 * `valueYaml` is the value as YAML; a block value begins with a line break and is indented as for a key at column 0.
 */
export function insertEntry(
  text: string,
  target: YamlMap | YamlScalar | Span,
  key: string,
  valueYaml: string,
  where: EntryPosition = {},
): readonly TextEdit[] {
  if (!('kind' in target)) return insertFirst(text, target, key, valueYaml);
  if (target.kind === 'scalar') return target.value === null ? insertIntoNull(text, target, key, valueYaml) : [];
  if (isAliased(text, target)) return [];
  if (target.flow) return insertInFlow(text, target, key, valueYaml, where);
  const lineBreak = lineBreakOf(text);
  const [first] = target.entries;
  // The end of an entry with a key after `? ` is not known.
  if (!first || text[first.key.span.start - 1] === '?' || /\?[ \t]+$/.test(beforeOnLine(text, first.key.span.start)))
    return [];
  const indent = ' '.repeat(columnAt(text, first.key.span.start));
  const entry = indented(entryText(key, valueYaml), indent, lineBreak);
  const next = where.before === undefined ? undefined : findEntry(target, where.before);
  if (next) return [edit(next.span.start, next.span.start, entry + lineBreak + indent)];
  const previous =
    (where.after === undefined ? undefined : findEntry(target, where.after)) ?? (target.entries.at(-1) as YamlEntry);
  const at = endOfComments(text, endOfLines(text, previous.value, previous.span.end), indent.length);
  return [edit(at, at, lineBreak + indent + entry)];
}

/** Returns the end of the comments in the lines after an entry that are indented more than it, and so belong to it. */
function endOfComments(text: string, end: number, column: number): number {
  let last = end;
  for (let next = afterBreak(text, last); next > last && next < text.length; next = afterBreak(text, last)) {
    const indent = /^ *(?=#)/.exec(text.slice(next, endOfLine(text, next)))?.[0].length ?? 0;
    if (indent <= column) break;
    last = endOfLine(text, next);
  }
  return last;
}

function insertIntoNull(text: string, target: YamlScalar, key: string, valueYaml: string): readonly TextEdit[] {
  const { start, end } = target.span;
  if (!/^(?:\s|#[^\r\n]*(?:[\r\n]|$))*[,\]}]/.test(text.slice(end)))
    return insertUnder(text, target, entryText(key, valueYaml));
  const gap = start === end ? separatorBefore(text, start) : '';
  return /[\r\n]/.test(valueYaml) ? [] : [edit(start, end, `${gap}{${entryText(key, flowSafe(valueYaml))}}`)];
}

const entryText = (key: string, valueYaml: string): string =>
  `${formatScalar(key, true)}:${valueYaml === '' || /^[\r\n]/.test(valueYaml) ? '' : ' '}${valueYaml}`;

const indented = (yaml: string, indent: string, lineBreak: string): string =>
  yaml.replace(
    /(?:\r\n|\n|\r)(?=([^\r\n])?)/g,
    (_, next: string | undefined) => lineBreak + (next === undefined ? '' : indent),
  );

function insertFirst(text: string, content: Span, key: string, valueYaml: string): readonly TextEdit[] {
  const lineBreak = lineBreakOf(text);
  const entry = indented(entryText(key, valueYaml), '', lineBreak);
  const isAtLineStart = lineStart(text, content.end) === content.end;
  return [edit(content.end, content.end, isAtLineStart ? entry + lineBreak : lineBreak + entry)];
}

/** Replaces the null value of `key:` with a block below the key. */
function insertUnder(text: string, scalar: YamlScalar, block: string, deeper = 2): readonly TextEdit[] {
  const { start, end } = scalar.span;
  const line = readLine(text, lineStart(text, start));
  if (line.colon === undefined && line.dashes.length === 0) return [];
  const lineBreak = lineBreakOf(text);
  const owner = line.key?.start ?? line.dashes.at(-1) ?? line.first;
  const indent = ' '.repeat(columnAt(text, owner) + deeper);
  const at = endOfLine(text, end);
  const added = edit(at, at, lineBreak + indent + indented(block, indent, lineBreak));
  let from = start;
  while (start < end && isBlank(text[from - 1])) from--;
  return start === end ? [added] : [edit(from, end, ''), added];
}

function insertInFlow(
  text: string,
  map: YamlMap,
  key: string,
  valueYaml: string,
  where: EntryPosition,
): readonly TextEdit[] {
  if (/[\r\n]/.test(valueYaml)) return [];
  const entry = entryText(key, flowSafe(valueYaml));
  const { start, end } = map.span;
  const last = map.entries.at(-1);
  // The entry in `[a: b]` has no braces yet, so the edits add them.
  if (text[start] !== '{') return [edit(start, start, '{'), edit(end, end, `, ${entry}}`)];
  if (!last) return [edit(start, end, `{${entry}}`)];
  const next = where.before === undefined ? undefined : findEntry(map, where.before);
  if (next) return [edit(next.span.start, next.span.start, `${entry}, `)];
  const previous = (where.after === undefined ? undefined : findEntry(map, where.after)) ?? last;
  return [edit(previous.span.end, previous.span.end, `, ${entry}`)];
}

/** Quotes a plain scalar that contains commas or brackets, for a position inside brackets. */
const flowSafe = (yaml: string): string =>
  /^["'[{&*!|>]/.test(yaml) || isPlainSafe(yaml, true) || !isPlainSafe(yaml) ? yaml : quoted(yaml);

/** Appends an item to the list under `key`, or adds the list if it is missing. `itemYaml` is YAML on one line. */
export function appendItem(text: string, map: YamlMap, key: string, itemYaml: string): readonly TextEdit[] {
  const entry = findEntry(map, key);
  if (!entry) return insertEntry(text, map, key, map.flow ? `[${flowSafe(itemYaml)}]` : `\n  - ${itemYaml}`);
  const list = entry.value;
  if (isAliased(text, list)) return [];
  if (list.kind === 'scalar' && list.value === null) {
    if (!map.flow) return insertUnder(text, list, `- ${itemYaml}`);
    const { start, end } = list.span;
    return [edit(start, end, `${start === end ? separatorBefore(text, start) : ''}[${flowSafe(itemYaml)}]`)];
  }
  if (list.kind !== 'list') return [];
  if (list.flow && list.items.length === 0) return [edit(list.span.start, list.span.end, `[${flowSafe(itemYaml)}]`)];
  return insertItem(text, list, list.items.length, itemYaml);
}

/** Renames a key and keeps the kind of its quotes. */
export function renameKey(text: string, map: YamlMap, key: string, newKey: string): readonly TextEdit[] {
  const entry = findEntry(map, key);
  if (!entry || isAliased(text, map)) return [];
  const plain = entry.key.style === 'plain';
  return plain ? [{ span: entry.key.span, newText: formatScalar(newKey, true) }] : setScalar(text, entry.key, newKey);
}

/** Formats a value as YAML on one line. */
export function formatJson(value: Json): string {
  if (typeof value === 'string') return formatScalar(value, true);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(formatJson).join(', ')}]`;
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return `{${entries.map(([key, item]) => `${formatScalar(key, true)}: ${formatJson(item)}`).join(', ')}}`;
}

const edit = (start: number, end: number, newText: string): TextEdit => ({ span: span(start, end), newText });

const lastOf = (node: YamlMap | YamlList): YamlNode =>
  (node.kind === 'list' ? node.items.at(-1) : node.entries.at(-1)?.value) ?? node;

/** Returns the end of the last line of a node, with its comment and the empty lines that a `|+` block keeps. */
function endOfLines(text: string, node: YamlNode, end: number): number {
  let at = endOfLine(text, end);
  if (!endsInKeptBlock(text, node)) return at;
  for (let next = afterBreak(text, at); next < text.length && next > at; next = afterBreak(text, at)) {
    const lineEnd = endOfLine(text, next);
    if (text.slice(next, lineEnd).trim() !== '') break;
    at = lineEnd;
  }
  return at;
}

function endsInKeptBlock(text: string, node: YamlNode): boolean {
  if (node.kind !== 'scalar') return lastOf(node) !== node && !node.flow && endsInKeptBlock(text, lastOf(node));
  return /^[|>]-?\d?\+/.test(text.slice(node.span.start, node.span.start + 4));
}

/**
 * Returns whether a map or list is the copy that an alias creates. A copy cannot be edited, because its source is at
 * the anchor.
 */
export const isAliased = (text: string, node: YamlNode): boolean =>
  text[node.span.start] === '*' && node.kind !== 'scalar';

const beforeOnLine = (text: string, offset: number): string => text.slice(lineStart(text, offset), offset);

/** Returns the column of an offset. A byte order mark does not count. */
const columnAt = (text: string, offset: number): number => beforeOnLine(text, offset).replaceAll('\uFEFF', '').length;

// Edits that remove an item or an entry, with its line and its comment.

/** Removes an item with its line. If the list is then empty, writes `[]`. */
export function removeItem(text: string, list: YamlList, index: number): readonly TextEdit[] {
  const item = list.items[index];
  if (!item || isAliased(text, list)) return [];
  if (list.flow) return removeFromFlow(text, list.span, list.items, index);
  if (list.items.length === 1) return [emptied(text, list, '[]')];
  const start = dashOf(text, list, item, index);
  const next = list.items[index + 1];
  const end = endOfLines(text, item, Math.max(item.span.end, start + 1));
  return [removeFromBlock(text, start, next && dashOf(text, list, next, index + 1), end)];
}

/**
 * Moves the item at index `from` with its lines, and with the comments above it, before the item at index `to` and its
 * comments; returns `[]` if items share lines, a flow list has comments, or an alias would precede its anchor.
 */
export function moveItemUp(text: string, list: YamlList, from: number, to: number): readonly TextEdit[] {
  const [item, before] = [list.items[from], list.items[to]];
  const [cut] = to < from ? removeItem(text, list, from) : [];
  if (!item || !before || !cut || !mayMove(text, list, from, before)) return [];
  if (list.flow) return [edit(before.span.start, before.span.start, `${sliceOf(text, item.span)}, `), cut];
  const at = dashOf(text, list, before, to);
  const lines = sliceOf(text, cut.span);
  const isWhole = [at, dashOf(text, list, item, from)].every(
    (dash) => text.slice(lineStart(text, dash), dash).trim() === '',
  );
  if (!isWhole) return [];
  // For an item at the end of the text, the edit `cut` removes the line break before the item, because there is no line
  // break after the item.
  const isLast = /^\r?\n/.test(lines);
  const moved = isLast ? lines.replace(/^\r?\n/, '') + lineBreakOf(text) : lines;
  const target = commentsAbove(text, at);
  const dash = dashOf(text, list, item, from);
  const comments = text.slice(commentsAbove(text, dash), lineStart(text, dash));
  return [edit(target, target, comments + moved), ...removeWithComments(text, list, from)];
}

/**
 * Inserts an item before the item at `index`, or after the last item if `index` is the length of the list. `itemYaml` is
 * YAML on one line. Returns `[]` if items share lines, and for an empty list.
 */
export function insertItem(text: string, list: YamlList, index: number, itemYaml: string): readonly TextEdit[] {
  const next = list.items[index];
  const last = list.items.at(-1);
  if (isAliased(text, list) || !last) return [];
  if (list.flow) {
    const at = next ? next.span.start : last.span.end;
    return [edit(at, at, next ? `${flowSafe(itemYaml)}, ` : `, ${flowSafe(itemYaml)}`)];
  }
  const indent = ' '.repeat(columnAt(text, list.span.start));
  if (!next) {
    const end = endOfLines(text, last, Math.max(last.span.end, list.span.start + 1));
    return [edit(end, end, `${lineBreakOf(text)}${indent}- ${itemYaml}`)];
  }
  const dash = dashOf(text, list, next, index);
  if (beforeOnLine(text, dash).trim() !== '') return [];
  const at = commentsAbove(text, dash);
  return [edit(at, at, `${indent}- ${itemYaml}${lineBreakOf(text)}`)];
}

/**
 * Moves an item of the list `inner` before the item at `index` of the list `outer`, which may contain `inner`. If `inner`
 * keeps only one item and is the value of the only key of an item of `outer`, this item replaces it, unless a comment
 * would be lost. Returns `[]` if items share lines, a flow list has comments, or an alias would precede its anchor.
 */
export function moveItemOut(
  text: string,
  inner: YamlList,
  from: number,
  outer: YamlList,
  index: number,
): readonly TextEdit[] {
  const column = columnAt(text, outer.span.start);
  const written = (at: number) => itemAt(text, inner, at, outer.flow, column);
  const moved = written(from);
  const owner = outer.items.findIndex((one) => one.kind === 'map' && one.entries.some(({ value }) => value === inner));
  const holder = outer.items[owner];
  const before = outer.items[index];
  if (moved === undefined || !before || inner.items.length < 2 || (outer.flow && !inner.flow)) return [];
  if (!mayMove(text, inner, from, before) || (outer.flow && hasComment(text, outer))) return [];
  const isUnwrapped = inner.items.length === 2 && holder?.kind === 'map' && holder.entries.length === 1;
  const kept = isUnwrapped && !isCommented(text, holder, inner) ? written(1 - from) : undefined;
  const start = outer.flow ? before.span.start : commentsAbove(text, dashOf(text, outer, before, index));
  const added = edit(start, start, outer.flow ? `${moved}, ` : moved + lineBreakOf(text));
  if (kept === undefined || !holder) return [added, ...removeWithComments(text, inner, from)];
  if (outer.flow) return [added, edit(holder.span.start, holder.span.end, kept)];
  const dash = dashOf(text, outer, holder, owner);
  const end = endOfLines(text, inner, holder.span.end);
  return beforeOnLine(text, dash).trim() === '' ? [added, edit(lineStart(text, dash), end, kept)] : [];
}

/** Returns whether an item may be moved before the node `before`, so that each comment and each anchor stays right. */
function mayMove(text: string, list: YamlList, from: number, before: YamlNode): boolean {
  const item = list.items[from];
  if (!item || (list.flow && hasComment(text, list))) return false;
  const between = text.slice(before.span.start, item.span.start);
  const names = [...sliceOf(text, item.span).matchAll(/[&*]([^\s,[\]{}]+)/g)].map(([, name = '']) => name);
  return !names.some((name) => between.includes(`&${name}`) || between.includes(`*${name}`));
}

/** Returns whether a comment is between the items of a flow list. */
const hasComment = (text: string, { items, span: { start, end } }: YamlList): boolean =>
  [...items.map((item) => item.span.start), end].some((next, at) =>
    text.slice(items[at - 1]?.span.end ?? start, next).includes('#'),
  );

/** Returns whether the lines of the only entry of `holder` have a comment before its list, or after it on its last line. */
function isCommented(text: string, holder: YamlMap, list: YamlList): boolean {
  const first = list.flow ? list.span.start : commentsAbove(text, list.span.start);
  const after = list.flow ? text.slice(list.span.end, endOfLine(text, holder.span.end)) : '';
  return text.slice(holder.span.start, first).includes('#') || after.includes('#');
}

/** Removes an item, one of several, with its lines and with the comments above it. */
function removeWithComments(text: string, list: YamlList, index: number): readonly TextEdit[] {
  const [cut] = removeItem(text, list, index);
  const item = list.items[index];
  if (!cut || !item || list.flow) return cut ? [cut] : [];
  const dash = dashOf(text, list, item, index);
  const before = Math.max(0, lineStart(text, dash) - cut.span.start);
  return [edit(commentsAbove(text, dash) - before, cut.span.end, cut.newText)];
}

/**
 * Returns an item as it is written in another list: in a flow list, or with its dash at a column, without the last line
 * break. Undefined if it shares lines with another item.
 */
function itemAt(text: string, list: YamlList, index: number, inFlow: boolean, column: number): string | undefined {
  const item = list.items[index];
  if (!item || isAliased(text, list) || isAliased(text, item)) return undefined;
  const source = sliceOf(text, item.span);
  if (list.flow) return /[\r\n]/.test(source) ? undefined : `${inFlow ? '' : `${' '.repeat(column)}- `}${source}`;
  const dash = dashOf(text, list, item, index);
  if (beforeOnLine(text, dash).trim() !== '') return undefined;
  const lines = text.slice(commentsAbove(text, dash), endOfLines(text, item, Math.max(item.span.end, dash + 1)));
  const shift = column - columnAt(text, dash);
  if (shift >= 0) return lines.replace(/^(?=[^\r\n])/gm, ' '.repeat(shift));
  return lines.replace(/^ +/gm, (blanks) => blanks.slice(Math.min(blanks.length, -shift)));
}

/** Returns the start of the line of an item, or of the first of the lines above it that have comments at its column. */
function commentsAbove(text: string, at: number): number {
  let start = lineStart(text, at);
  const column = columnAt(text, at);
  while (start > 0) {
    const line = lineStart(text, start - 1);
    const indent = /^[ \t]*(?=#)/.exec(text.slice(line, start))?.[0].length;
    if (indent === undefined || indent !== column) break;
    start = line;
  }
  return start;
}

/** Removes an entry with its line. If the map is then empty, writes `{}`, or nothing for a map at column 0. */
export function removeEntry(text: string, map: YamlMap, key: string): readonly TextEdit[] {
  const entry = findEntry(map, key);
  if (!entry || isAliased(text, map)) return [];
  const index = map.entries.indexOf(entry);
  if (map.flow) {
    const outer = text[map.span.start] === '{' ? map.span : undefined;
    if (!outer) return [edit(map.span.start, map.span.end, '{}')];
    return removeFromFlow(text, outer, map.entries, index);
  }
  if (map.entries.length === 1 && columnAt(text, entry.span.start) > 0) return [emptied(text, map, '{}')];
  const next = map.entries[index + 1]?.span.start;
  return [removeFromBlock(text, entry.span.start, next, endOfLines(text, entry.value, entry.span.end))];
}

/**
 * Removes the item or entry from `start` to `end`, the end of its last line. `next` is the start of the next item or
 * entry.
 */
function removeFromBlock(text: string, start: number, next: number | undefined, end: number): TextEdit {
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() === '') {
    // At the end of the text, the line break before the removed lines is removed too.
    if (end < text.length || line === 0) return edit(line, afterBreak(text, end), '');
    return edit(text[line - 1] === '\n' && text[line - 2] === '\r' ? line - 2 : line - 1, end, '');
  }
  return edit(start, next ?? end, '');
}

/** Replaces a block with `[]` or `{}`, on the line of its key if only white space is between the key and the block. */
function emptied(text: string, node: YamlMap | YamlList, empty: string): TextEdit {
  const { start, end } = node.span;
  let at = start;
  while (/\s/.test(text[at - 1] ?? '')) at--;
  const lines = endOfLines(text, lastOf(node), end);
  const last = text.slice(end, lines).trim() === '' ? lines : end;
  const keyLine = readLine(text, lineStart(text, at));
  if (keyLine.colon === at - 1 || keyLine.dashes.includes(at - 1)) return edit(at, last, ` ${empty}`);
  // If a comment is between the key and the block, `[]` replaces the first line of the block and is indented deeper
  // than the key.
  return edit(start, last, `  ${empty}`);
}

function removeFromFlow(
  text: string,
  outer: Span,
  parts: readonly { readonly span: Span }[],
  index: number,
): readonly TextEdit[] {
  const part = parts[index]?.span ?? outer;
  const previous = parts[index - 1]?.span;
  if (previous) return [edit(previous.end, part.end, '')];
  if (parts.length === 1) return [edit(outer.start + 1, outer.end - 1, '')];
  let comma = part.end;
  while (comma < outer.end && text[comma] !== ',') comma = text[comma] === '#' ? endOfLine(text, comma) : comma + 1;
  return [edit(outer.start + 1, skipBlanks(text, comma + 1, outer.end), '')];
}

/** Returns the offset of an item's dash, which may be on a line above the item. */
function dashOf(text: string, list: YamlList, item: YamlNode, index: number): number {
  if (index === 0) return list.span.start;
  const column = columnAt(text, list.span.start);
  for (let line = lineStart(text, item.span.start); line > 0; line = lineStart(text, line - 1)) {
    if (text[line + column] === '-' && text.slice(line, line + column).trim() === '') return line + column;
  }
  return item.span.start;
}
