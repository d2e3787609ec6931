/**
 * How the lines of a prompt look: as Markdown reads, with every character there. Marks are dimmed and nothing is interpreted
 * beyond weight, size and indent: no HTML, no pictures, no links.
 */
import type { Paragraph, Piece } from './blocks.ts';

export type LineKind = 'prose' | 'h1' | 'h2' | 'h3' | 'quote' | 'list' | 'code' | 'fence' | 'rule';

export interface Line {
  readonly kind: LineKind;
  /** How many characters a wrapped line is indented by. */
  readonly hang: number;
  readonly runs: readonly Run[];
}

/** Characters of one look. `look` holds names of classes. */
export interface Run {
  readonly text: string;
  readonly look: string;
  readonly missing?: string | undefined;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly look: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]/;
const LIST = /^(\s*)([-+*]|\d{1,9}[.)])[ \t]+/;
const QUOTE = /^(\s{0,3}(?:>[ \t]?)+)/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

export function styledLines({ text, pieces, fence }: Paragraph): readonly Line[] {
  const lines: Line[] = [];
  let open = fence;
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed + 1;
    const line = text.slice(start, end).replace(/\n$/, '');
    const marks = FENCE.exec(line)?.[1];
    const closes = open !== undefined && marks?.startsWith(open) && line.trim() === marks;
    const { kind, hang, looks } =
      open !== undefined && !closes
        ? { kind: 'code' as const, hang: 0, looks: [] }
        : marks !== undefined
          ? { kind: 'fence' as const, hang: 0, looks: [{ start: 0, end: line.length, look: 'mark' }] }
          : lookOf(line);
    if (marks !== undefined) open = open === undefined ? marks : closes ? undefined : open;
    lines.push({ kind, hang, runs: runsOf(text, start, end, pieces, looks) });
    start = end;
  }
  return joined(lines);
}

/** A line of at least this many characters was broken by its author to fit a width. */
const BROKEN_FROM = 60;

/** Prose that its author broke by width flows; the line break stays in the text, and shows as a mark. */
function joined(lines: readonly Line[]): readonly Line[] {
  const result: Line[] = [];
  let above = '';
  for (const line of lines) {
    const text = line.runs.map((run) => run.text).join('');
    const before = result.at(-1);
    const flows =
      before !== undefined &&
      (before.kind === 'prose' || before.kind === 'list') &&
      line.kind === 'prose' &&
      // A tag of a prompt or of a template, or a row of a table, is a line of its own.
      !/^\s*(?:$|[<|]|\{[%#])/.test(text) &&
      above.length >= BROKEN_FROM &&
      !/(?: {2}|\\)\n$/.test(above);
    if (flows) result[result.length - 1] = { ...before, runs: flowing(before.runs, line.runs) };
    else result.push(line);
    above = text;
  }
  return result;
}

/** Two lines as one. The break and the indent behind it are a run of their own. */
function flowing(above: readonly Run[], below: readonly Run[]): readonly Run[] {
  const last = above.at(-1);
  const [first, ...rest] = below;
  if (!last || !first) return [...above, ...below];
  const indent = /^\s*/.exec(first.text)?.[0] ?? '';
  const parts = [
    { ...last, text: last.text.slice(0, -1) },
    { text: `\n${indent}`, look: `${last.look} soft-break` },
    { ...first, text: first.text.slice(indent.length) },
  ];
  return [...above.slice(0, -1), ...parts.filter(({ text }) => text !== ''), ...rest];
}

function lookOf(line: string): { kind: LineKind; hang: number; looks: readonly Stretch[] } {
  const heading = HEADING.exec(line);
  if (heading) {
    const level = Math.min(3, heading[1]?.length ?? 1);
    const looks = [{ start: 0, end: heading[0].length, look: 'mark' }, ...inlineLooks(line, heading[0].length)];
    return { kind: `h${level}` as LineKind, hang: 0, looks };
  }
  if (RULE.test(line)) return { kind: 'rule', hang: 0, looks: [{ start: 0, end: line.length, look: 'mark' }] };
  const quote = QUOTE.exec(line)?.[0];
  if (quote !== undefined) {
    const looks = [{ start: 0, end: quote.length, look: 'mark' }, ...inlineLooks(line, quote.length)];
    return { kind: 'quote', hang: quote.length, looks };
  }
  const list = LIST.exec(line);
  if (list) {
    const [whole, indent = ''] = list;
    const looks = [{ start: indent.length, end: whole.length, look: 'mark' }, ...inlineLooks(line, whole.length)];
    return { kind: 'list', hang: whole.length, looks };
  }
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  return { kind: 'prose', hang: indent, looks: inlineLooks(line, 0) };
}

/** Code spans, strong and plain emphasis; what is in code has no other look. */
const INLINE =
  /(`+)(?!`)(.+?)(?<!`)\1(?!`)|(\*\*|__)(?=\S)(.+?)(?<=\S)\3|(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])(.+?)(?<=\S)\5(?![\p{L}\p{N}*_])/gu;

/** Longer lines keep one look: they are data, and finding marks in them would take long. */
const LONGEST = 2_000;

function inlineLooks(line: string, from: number): readonly Stretch[] {
  if (line.length - from > LONGEST) return [];
  const looks: Stretch[] = [];
  for (const match of line.slice(from).matchAll(INLINE)) {
    const [whole, code, , strong, , plain] = match;
    const start = from + match.index;
    const end = start + whole.length;
    const width = (code ?? strong ?? plain ?? '').length;
    const look = code !== undefined ? 'code' : strong !== undefined ? 'strong' : 'em';
    looks.push({ start, end: start + width, look: 'mark' }, { start: start + width, end: end - width, look });
    looks.push({ start: end - width, end, look: 'mark' });
  }
  return looks;
}

/** The line `[start, end)` of a paragraph, cut where the look or the origin changes. */
function runsOf(
  text: string,
  start: number,
  end: number,
  pieces: readonly Piece[],
  looks: readonly Stretch[],
): readonly Run[] {
  const cuts = new Set<number>([start, end]);
  const indented = start + (/^[ \t]*/.exec(text.slice(start, end))?.[0].length ?? 0);
  if (indented < end) cuts.add(indented);
  const inLine = pieces.filter((piece) => piece.start < end && piece.start + piece.text.length > start);
  for (const piece of inLine) if (piece.start > start) cuts.add(piece.start);
  for (const look of looks) cuts.add(start + look.start).add(start + look.end);
  const sorted = [...cuts].filter((cut) => cut >= start && cut <= end).sort((a, b) => a - b);
  return sorted.slice(0, -1).flatMap((from, at) => {
    const to = sorted[at + 1] as number;
    const { kind = 'authored', missing } = inLine.findLast((piece) => piece.start <= from) ?? {};
    const look = looks.find((one) => start + one.start <= from && from < start + one.end)?.look;
    // An indent is not underlined.
    const origin = to <= indented && kind !== 'gap' ? 'authored' : kind;
    const shown = { text: text.slice(from, to), look: look === undefined ? origin : `${origin} ${look}`, missing };
    return to > from ? [shown] : [];
  });
}
