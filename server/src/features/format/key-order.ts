/** Sorts top-level keys in the order that the format defines, and moves as little text as possible. */

import type { YamlEntry, YamlMap, YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import {
  afterBreak,
  applyEdits,
  endOfLine,
  lineBreakOf,
  lineStart,
  type Span,
  shift,
  sliceOf,
  span,
  type TextEdit,
} from '../../text.ts';
import type { KeyTable } from '../../vocabulary/shape.ts';
import { tableOf } from '../../vocabulary/tables.ts';

/** The maximum number of keys that are sorted; sorting takes quadratic time. */
const MAX_KEYS = 500;

/**
 * Returns the edits that sort the keys, together with `blanks`, the edits that remove trailing spaces.
 */
export function keyOrderEdits(
  { text, dialect, frontmatter }: SkillFile,
  place: Span,
  blanks: readonly TextEdit[],
): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  const all =
    root?.kind === 'map' && root.entries.length <= MAX_KEYS ? chunksOf(text, root, frontmatter.content) : undefined;
  const chunks = (all ?? []).filter(({ span: { start, end } }) => start < place.end && place.start < end);
  const order = inOrder(text, chunks, tableOf(dialect));
  if (order.every((at, slot) => at === slot)) return blanks;
  return moves(text, chunks, order, chunks[0] === all?.[0], blanks);
}

/** Returns the indices of the chunks in the new order. An unknown key stays below its predecessor. */
function inOrder(text: string, chunks: readonly Chunk[], table: KeyTable): readonly number[] {
  const groups: { rank: number; members: number[] }[] = [];
  for (const [at, { entry }] of chunks.entries()) {
    const name = String(entry.key.value);
    const rank = table.findIndex((key) => key.name === name || key.aliases?.includes(name));
    if (rank >= 0 || groups.length === 0) groups.push({ rank, members: [at] });
    else groups.at(-1)?.members.push(at);
  }
  const anchors = sharedAnchors(text, chunks);
  const sharesAnchor = (late: readonly number[], early: readonly number[]): boolean =>
    anchors.some((ends) => late.some((at) => ends.has(at)) && early.some((at) => ends.has(at)));
  const left = [...groups];
  const order: number[] = [];
  while (left.length > 0) {
    let best = 0;
    for (const [at, group] of left.entries()) {
      if (group.rank >= (left[best]?.rank ?? 0)) continue;
      if (!left.slice(0, at).some((earlier) => sharesAnchor(group.members, earlier.members))) best = at;
    }
    const [taken] = left.splice(best, 1);
    order.push(...(taken?.members ?? []));
  }
  return order;
}

/** Returns the edits that move the chunks into the new order. */
function moves(
  text: string,
  chunks: readonly Chunk[],
  order: readonly number[],
  isTop: boolean,
  blanks: readonly TextEdit[],
): readonly TextEdit[] {
  const lineBreak = lineBreakOf(text);
  const stays = heaviestRun(order, (at) => lengthOf(chunks[at]));
  const edits: TextEdit[] = [];
  const gone: Span[] = [];
  const swapped = isTop ? order[0] : undefined;
  const [top] = chunks;
  // The first key must have no empty lines above it, so the empty lines above the new first key move to the old first
  // key.
  const blankOf = (at: number): string => {
    const { span: place, blankEnd } =
      chunks[swapped === undefined ? at : at === 0 ? swapped : at === swapped ? 0 : at] ?? NONE;
    return text.slice(place.start, blankEnd);
  };
  const textOf = (at: number): string => {
    const { span: place, blankEnd } = chunks[at] ?? NONE;
    const inside = blanks.filter((edit) => blankEnd <= edit.span.start && edit.span.end <= place.end);
    const body = applyEdits(
      text.slice(blankEnd, place.end),
      inside.map((edit) => ({ ...edit, span: shift(edit.span, -blankEnd) })),
    );
    return blankOf(at).replace(/[ \t]+/g, '') + body + (/[\r\n]$/.test(body) ? '' : lineBreak);
  };
  let pending = '';
  for (const at of order) {
    const { span: place, blankEnd } = chunks[at] ?? NONE;
    if (!stays.has(at)) {
      pending += textOf(at);
      edits.push({ span: place, newText: '' });
      gone.push(place);
      continue;
    }
    const blank = blankOf(at);
    if (blank !== text.slice(place.start, blankEnd)) {
      edits.push({ span: span(place.start, blankEnd), newText: pending + blank });
      gone.push(span(place.start, blankEnd));
    } else if (pending !== '') edits.push({ span: span(place.start, place.start), newText: pending });
    pending = '';
  }
  const end = Math.max(...chunks.map(({ span: place }) => place.end));
  if (pending !== '') {
    const isCut = end > (top?.span.start ?? 0) && !/[\r\n]/.test(text[end - 1] ?? '');
    edits.push({ span: span(end, end), newText: isCut ? lineBreak + pending : pending });
  }
  const left = blanks.filter(
    ({ span: edit }) => !gone.some((place) => place.start <= edit.start && edit.end <= place.end),
  );
  return [...edits.filter(({ span: place, newText }) => sliceOf(text, place) !== newText), ...left];
}

const NONE = { span: span(0, 0), blankEnd: 0 };

const lengthOf = (chunk: Chunk | undefined): number => (chunk ? chunk.span.end - chunk.span.start : 0);

/** Returns the keys that do not move: the increasing subsequence with the most text. */
function heaviestRun(order: readonly number[], weight: (at: number) => number): ReadonlySet<number> {
  const best = order.map(weight);
  const before = order.map(() => -1);
  for (const [slot, at] of order.entries()) {
    for (let earlier = 0; earlier < slot; earlier++) {
      const sum = (best[earlier] ?? 0) + weight(at);
      if ((order[earlier] ?? 0) < at && sum > (best[slot] ?? 0)) {
        best[slot] = sum;
        before[slot] = earlier;
      }
    }
  }
  const run = new Set<number>();
  let slot = best.indexOf(Math.max(...best));
  while (slot >= 0) {
    run.add(order[slot] ?? 0);
    slot = before[slot] ?? -1;
  }
  return run;
}

/**
 * A part of the frontmatter that moves as a unit: a top-level key with the comments above it and all lines of its
 * value. A comment with more indentation than the keys belongs to the value above it.
 */
interface Chunk {
  readonly entry: YamlEntry;
  /** The span of complete lines, including the last line break if there is one. */
  readonly span: Span;
  /** The end of the empty lines at the start of the chunk. */
  readonly blankEnd: number;
}

/** Returns the chunks; undefined if a key is not the first text on its line, such as a key in braces or after `? `. */
function chunksOf(text: string, map: YamlMap, content: Span): readonly Chunk[] | undefined {
  if (map.flow || map.entries.length === 0) return undefined;
  const starts = map.entries.map(({ key }) => lineStart(text, key.span.start, content.start));
  if (map.entries.some(({ key }, at) => text.slice(starts[at], key.span.start).trim() !== '')) return undefined;
  const ends = map.entries.map((entry, at) => endOfChunk(text, entry, starts[at + 1] ?? content.end));
  return map.entries.map((entry, at) => {
    const start = at === 0 ? endOfHeader(text, content.start, starts[0] ?? 0) : (ends[at - 1] ?? 0);
    return { entry, span: span(start, ends[at] ?? start), blankEnd: endOfEmptyLines(text, start, starts[at] ?? start) };
  });
}

/** Returns the end of an entry with the comments below the entry that have more indentation than the key. */
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

/** Returns whether the value ends with a block scalar such as `|+`, which includes the empty lines below it. */
function keepsEmptyLines(text: string, value: YamlNode): boolean {
  let node: YamlNode | undefined = value;
  while (node && node.kind !== 'scalar') node = node.kind === 'list' ? node.items.at(-1) : node.entries.at(-1)?.value;
  return node !== undefined && /^[|>][-\d]*\+/.test(text.slice(node.span.start, node.span.start + 4));
}

/** Returns the end of the header, which stays at the top: modelines, and comments separated from the first key. */
function endOfHeader(text: string, start: number, limit: number): number {
  const above = text.slice(start, limit);
  // A suppression comment belongs to the next key at any distance.
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

/**
 * Returns, for each alias, the indices of the chunks that contain the alias or its anchor. An alias must stay below its
 * anchor.
 */
function sharedAnchors(text: string, chunks: readonly Chunk[]): readonly ReadonlySet<number>[] {
  const ends = new Map<string, Set<number>>();
  for (const [at, { entry }] of chunks.entries()) {
    for (const name of [...aliasesIn(text, entry.key), ...aliasesIn(text, entry.value)]) {
      ends.set(name, (ends.get(name) ?? new Set()).add(at));
    }
  }
  for (const [name, users] of ends) {
    for (const [at, { span }] of chunks.entries()) {
      const source = text.slice(span.start, span.end);
      for (let from = source.indexOf(`&${name}`); from >= 0; from = source.indexOf(`&${name}`, from + 1)) {
        if (/^$|[\s,[\]{}]/.test(source[from + name.length + 1] ?? '')) users.add(at);
      }
    }
  }
  return [...ends.values()];
}

/** Returns the names of the aliases in a value. */
export function aliasesIn(text: string, root: YamlNode): readonly string[] {
  const found: string[] = [];
  const open: YamlNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (text[node.span.start] === '*') {
      const name = /^\*([^\s,[\]{}]+)/.exec(text.slice(node.span.start, node.span.end))?.[1];
      if (name !== undefined) found.push(name);
      continue;
    }
    if (node.kind === 'list') for (const item of node.items) open.push(item);
    if (node.kind === 'map') for (const { key, value } of node.entries) open.push(key, value);
  }
  return found;
}
