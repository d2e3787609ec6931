/**
 * The frontmatter in chunks that move together: each top-level key with the comments above it and all lines of its value.
 * A comment that is indented deeper than the keys belongs to the value above it.
 */
import type { YamlEntry, YamlMap, YamlNode } from '../../languages/yaml/node.ts';
import { afterBreak, endOfLine, lineStart, type Span, span } from '../../text.ts';

export interface Chunk {
  readonly entry: YamlEntry;
  /** Whole lines, the line break of the last one included where there is one. */
  readonly span: Span;
  /** The end of the empty lines that the chunk begins with. */
  readonly blankEnd: number;
}

/** Undefined where keys do not begin their lines: in braces, behind `? `, behind an anchor. */
export function chunksOf(text: string, map: YamlMap, content: Span): readonly Chunk[] | undefined {
  if (map.flow || map.entries.length === 0) return undefined;
  const starts = map.entries.map(({ key }) => lineStart(text, key.span.start, content.start));
  if (map.entries.some(({ key }, at) => text.slice(starts[at], key.span.start).trim() !== '')) return undefined;
  const ends = map.entries.map((entry, at) => endOfChunk(text, entry, starts[at + 1] ?? content.end));
  return map.entries.map((entry, at) => {
    const start = at === 0 ? endOfHeader(text, content.start, starts[0] ?? 0) : (ends[at - 1] ?? 0);
    return { entry, span: span(start, ends[at] ?? start), blankEnd: endOfEmptyLines(text, start, starts[at] ?? start) };
  });
}

/** The end of the entry's last line, or of the comments below it that are indented deeper than its key. */
function endOfChunk(text: string, entry: YamlEntry, limit: number): number {
  const column = entry.key.span.start - lineStart(text, entry.key.span.start);
  let end = afterBreak(text, endOfLine(text, entry.span.end, limit), limit);
  let keeps = keepsEmptyLines(text, entry.value);
  for (let at = end; at < limit; ) {
    const lineEnd = endOfLine(text, at, limit);
    const next = afterBreak(text, lineEnd, limit);
    const first = text.slice(at, lineEnd).search(/\S/);
    if (first > column || (first < 0 && keeps)) end = next;
    else if (first >= 0) break;
    if (first >= 0) keeps = false;
    at = next;
  }
  return end;
}

/** Whether the value ends in a block `|+`, to which the empty lines below belong. */
function keepsEmptyLines(text: string, value: YamlNode): boolean {
  let node: YamlNode | undefined = value;
  while (node && node.kind !== 'scalar') node = node.kind === 'list' ? node.items.at(-1) : node.entries.at(-1)?.value;
  return node !== undefined && /^[|>][-\d]*\+/.test(text.slice(node.span.start, node.span.start + 4));
}

/** Comments above the first key that an empty line separates from it, and modelines: they stay on top. */
function endOfHeader(text: string, start: number, limit: number): number {
  const above = text.slice(start, limit);
  // A suppression comment belongs to the key below, however far.
  if (above.includes('skill-disable')) return start;
  const isParted = /^[\s\S]*#[^\r\n]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))+/.exec(above);
  const modeline = /^[\s\S]*#[ \t]*(?:yaml-language-server:|vim?:|-\*-)[^\r\n]*(?:\r\n|\n|\r)/.exec(above);
  return start + Math.max(isParted?.[0].length ?? 0, modeline?.[0].length ?? 0);
}

function endOfEmptyLines(text: string, start: number, limit: number): number {
  let end = start;
  for (let at = start; at < limit; ) {
    const lineEnd = endOfLine(text, at, limit);
    if (text.slice(at, lineEnd).trim() !== '') break;
    at = afterBreak(text, lineEnd, limit);
    end = at;
  }
  return end;
}
