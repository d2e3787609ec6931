/**
 * The smallest edits that change a value and keep everything else: comments, order, quotes, indentation, line breaks.
 * Where an edit would have to rewrite more, the result is `[]`.
 */
import { endOfLine, lineBreakOf, lineStart, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { beforeOnLine, columnAt, edit, endOfLines, isAliased } from './edit-positions.ts';
import { closingQuote, isBlank, readLine } from './lines.ts';
import { findEntry, type Json, type YamlEntry, type YamlMap, type YamlScalar } from './node.ts';
import { canSingleQuote, doubleQuoted, formatScalar, isPlainSafe, quoted, singleQuoted } from './quote.ts';

export { formatScalar } from './quote.ts';

/** Puts the text of a span in quotes, unless it is in quotes. */
export function quoteScalar(text: string, place: Span): readonly TextEdit[] {
  const source = sliceOf(text, place);
  const isQuoted = /^["']/.test(source) && closingQuote(text, place.start, place.end) === place.end - 1;
  return isQuoted ? [] : [{ span: place, newText: quoted(source) }];
}

/** Gives a scalar another value in the same style, where that can hold the value. */
export function setScalar(
  text: string,
  node: YamlScalar,
  value: string | number | boolean | null,
): readonly TextEdit[] {
  const { start, end } = node.span;
  const written = scalarText(text, node, value);
  if (start === end) return [edit(start, end, `${gapBefore(text, start)}${written}`)];
  return written === text.slice(start, end) ? [] : [edit(start, end, written)];
}

/** What must stand before a value at an empty place: a blank, and for a key without a colon (`{a}`) the colon. */
const gapBefore = (text: string, at: number): string =>
  /(?:[:\-?]|[&!]\S*)$/.test(text.slice(lineStart(text, at), at)) ? ' ' : ': ';

function scalarText(text: string, node: YamlScalar, value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  const { style } = node;
  if (style === 'single' && canSingleQuote(value)) return singleQuoted(value);
  if (style === 'double' || style === 'single') return doubleQuoted(value);
  // An unquoted text that has commas or brackets itself cannot stand within brackets; any other may.
  if (style === 'plain') return formatScalar(value, !/[,[\]{}]/.test(sliceOf(text, node.span)));
  return blockText(text, node, value) ?? quoted(value);
}

/** A block scalar with the indentation of the old one; undefined where a block cannot hold the value. */
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

/** Where to insert an entry: behind or in front of another key; without either at the end. */
export interface Where {
  readonly after?: string;
  readonly before?: string;
}

/**
 * Adds `key: value`. `target` is the map; a null scalar, which becomes a map; or the span of a content without entries.
 * `valueYaml` is YAML; if it begins with a line break, it is a block indented as for a key at column 0.
 */
export function insertEntry(
  text: string,
  target: YamlMap | YamlScalar | Span,
  key: string,
  valueYaml: string,
  where: Where = {},
): readonly TextEdit[] {
  if (!('kind' in target)) return insertFirst(text, target, key, valueYaml);
  if (target.kind === 'scalar') return target.value === null ? insertIntoNull(text, target, key, valueYaml) : [];
  if (isAliased(text, target)) return [];
  if (target.flow) return insertInFlow(text, target, key, valueYaml, where);
  const lineBreak = lineBreakOf(text);
  const [first] = target.entries;
  // The end of an entry whose key stands behind `? ` is not known.
  if (!first || text[first.key.span.start - 1] === '?' || /\?[ \t]+$/.test(beforeOnLine(text, first.key.span.start)))
    return [];
  const indent = ' '.repeat(columnAt(text, first.key.span.start));
  const entry = indented(entryText(key, valueYaml), indent, lineBreak);
  const next = where.before === undefined ? undefined : findEntry(target, where.before);
  if (next) return [edit(next.span.start, next.span.start, entry + lineBreak + indent)];
  const previous =
    (where.after === undefined ? undefined : findEntry(target, where.after)) ?? (target.entries.at(-1) as YamlEntry);
  const at = endOfLines(text, previous.value, previous.span.end);
  return [edit(at, at, lineBreak + indent + entry)];
}

function insertIntoNull(text: string, target: YamlScalar, key: string, valueYaml: string): readonly TextEdit[] {
  const { start, end } = target.span;
  if (!/^(?:\s|#[^\r\n]*(?:[\r\n]|$))*[,\]}]/.test(text.slice(end)))
    return insertUnder(text, target, entryText(key, valueYaml));
  const gap = start === end ? gapBefore(text, start) : '';
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

/** Writes a block below `key:` in the place of its null. */
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

function insertInFlow(text: string, map: YamlMap, key: string, valueYaml: string, where: Where): readonly TextEdit[] {
  if (/[\r\n]/.test(valueYaml)) return [];
  const entry = entryText(key, flowSafe(valueYaml));
  const { start, end } = map.span;
  const last = map.entries.at(-1);
  // The one entry of `[a: b]` needs braces first.
  if (text[start] !== '{') return [edit(start, start, '{'), edit(end, end, `, ${entry}}`)];
  if (!last) return [edit(start, end, `{${entry}}`)];
  const next = where.before === undefined ? undefined : findEntry(map, where.before);
  if (next) return [edit(next.span.start, next.span.start, `${entry}, `)];
  const previous = (where.after === undefined ? undefined : findEntry(map, where.after)) ?? last;
  return [edit(previous.span.end, previous.span.end, `, ${entry}`)];
}

/** A plain scalar with commas or brackets in it needs quotes within brackets. */
const flowSafe = (yaml: string): string =>
  /^["'[{&*!|>]/.test(yaml) || isPlainSafe(yaml, true) || !isPlainSafe(yaml) ? yaml : quoted(yaml);

/** Adds an item, given as YAML on one line, to the list under `key`; the list is made where there is none yet. */
export function appendItem(text: string, map: YamlMap, key: string, itemYaml: string): readonly TextEdit[] {
  const entry = findEntry(map, key);
  if (!entry) return insertEntry(text, map, key, map.flow ? `[${flowSafe(itemYaml)}]` : `\n  - ${itemYaml}`);
  const list = entry.value;
  if (isAliased(text, list)) return [];
  if (list.kind === 'scalar' && list.value === null) {
    if (!map.flow) return insertUnder(text, list, `- ${itemYaml}`);
    const { start, end } = list.span;
    return [edit(start, end, `${start === end ? gapBefore(text, start) : ''}[${flowSafe(itemYaml)}]`)];
  }
  if (list.kind !== 'list') return [];
  const last = list.items.at(-1);
  if (list.flow) {
    const item = flowSafe(itemYaml);
    return last
      ? [edit(last.span.end, last.span.end, `, ${item}`)]
      : [edit(list.span.start, list.span.end, `[${item}]`)];
  }
  if (!last) return [];
  const indent = ' '.repeat(columnAt(text, list.span.start));
  const at = endOfLines(text, last, Math.max(last.span.end, list.span.start + 1));
  return [edit(at, at, `${lineBreakOf(text)}${indent}- ${itemYaml}`)];
}

/** Gives the entry another key in the quotes of the old one. */
export function renameKey(text: string, map: YamlMap, key: string, newKey: string): readonly TextEdit[] {
  const entry = findEntry(map, key);
  if (!entry || isAliased(text, map)) return [];
  const plain = entry.key.style === 'plain';
  return plain ? [{ span: entry.key.span, newText: formatScalar(newKey, true) }] : setScalar(text, entry.key, newKey);
}

/** The value as YAML on one line. */
export function formatJson(value: Json): string {
  if (typeof value === 'string') return formatScalar(value, true);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(formatJson).join(', ')}]`;
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return `{${entries.map(([key, item]) => `${formatScalar(key, true)}: ${formatJson(item)}`).join(', ')}}`;
}
