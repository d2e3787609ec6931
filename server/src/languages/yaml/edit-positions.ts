/** Where an edit of YAML begins and ends. */
import { afterBreak, endOfLine, lineStart, span, type TextEdit } from '../../text.ts';
import type { YamlList, YamlMap, YamlNode } from './node.ts';

export const edit = (start: number, end: number, newText: string): TextEdit => ({ span: span(start, end), newText });

export const lastOf = (node: YamlMap | YamlList): YamlNode =>
  (node.kind === 'list' ? node.items.at(-1) : node.entries.at(-1)?.value) ?? node;

/** The end of the last line of a node, with its comment and the empty lines that a `|+` block keeps. */
export function endOfLines(text: string, node: YamlNode, end: number): number {
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

/** True for what an alias repeats: it is written elsewhere, so it cannot be edited here. */
export const isAliased = (text: string, node: YamlNode): boolean =>
  text[node.span.start] === '*' && node.kind !== 'scalar';

export const beforeOnLine = (text: string, offset: number): string => text.slice(lineStart(text, offset), offset);

/** The column of an offset; a byte order mark does not count. */
export const columnAt = (text: string, offset: number): number =>
  beforeOnLine(text, offset).replaceAll('\uFEFF', '').length;
