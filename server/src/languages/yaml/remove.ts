/** The edits that remove an item or an entry, with its line and its comment. */
import { afterBreak, endOfLine, lineBreakOf, lineStart, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { columnAt, edit, endOfLines, isAliased, lastOf } from './edit-positions.ts';
import { readLine, skipBlanks } from './lines.ts';
import { findEntry, type YamlList, type YamlMap, type YamlNode } from './node.ts';

/** Removes an item with its line; the last one leaves `[]`. */
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

/** Moves an item with its line before an earlier one; none where items share lines. */
export function moveItemUp(text: string, list: YamlList, from: number, to: number): readonly TextEdit[] {
  const [item, before] = [list.items[from], list.items[to]];
  const [cut] = to < from ? removeItem(text, list, from) : [];
  if (!item || !before || !cut) return [];
  if (list.flow) return [edit(before.span.start, before.span.start, `${sliceOf(text, item.span)}, `), cut];
  const at = dashOf(text, list, before, to);
  const lines = sliceOf(text, cut.span);
  const isWhole = [at, dashOf(text, list, item, from)].every(
    (dash) => text.slice(lineStart(text, dash), dash).trim() === '',
  );
  if (!isWhole) return [];
  // At the very end of the text the break before the item is cut instead of the one behind it.
  const moved = /^\r?\n/.test(lines) ? lines.replace(/^\r?\n/, '') + lineBreakOf(text) : lines;
  return [edit(lineStart(text, at), lineStart(text, at), moved), cut];
}

/** Removes an entry with its line. The last one leaves `{}`, or nothing at column 0. */
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

/** Removes the part from `start` to `end`, the end of its last line; `next` is where the part behind it starts. */
function removeFromBlock(text: string, start: number, next: number | undefined, end: number): TextEdit {
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() === '') {
    // At the very end of the text the line break before it goes instead.
    if (end < text.length || line === 0) return edit(line, afterBreak(text, end), '');
    return edit(text[line - 1] === '\n' && text[line - 2] === '\r' ? line - 2 : line - 1, end, '');
  }
  return edit(start, next ?? end, '');
}

/** Replaces a block by `[]` or `{}`, on the line of its key if only blanks stand between. */
function emptied(text: string, node: YamlMap | YamlList, empty: string): TextEdit {
  const { start, end } = node.span;
  let at = start;
  while (/\s/.test(text[at - 1] ?? '')) at--;
  const lines = endOfLines(text, lastOf(node), end);
  const last = text.slice(end, lines).trim() === '' ? lines : end;
  const keyLine = readLine(text, lineStart(text, at));
  if (keyLine.colon === at - 1 || keyLine.dashes.includes(at - 1)) return edit(at, last, ` ${empty}`);
  // A comment stands between, so `[]` takes the first line, indented deeper than the key.
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

/** The offset of an item's dash, which may stand on a line above the item. */
function dashOf(text: string, list: YamlList, item: YamlNode, index: number): number {
  if (index === 0) return list.span.start;
  const column = columnAt(text, list.span.start);
  for (let line = lineStart(text, item.span.start); line > 0; line = lineStart(text, line - 1)) {
    if (text[line + column] === '-' && text.slice(line, line + column).trim() === '') return line + column;
  }
  return item.span.start;
}
