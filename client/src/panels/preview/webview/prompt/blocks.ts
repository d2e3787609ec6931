/**
 * Divides the prompt into blocks for display. A block is a prompt part or one of its artifacts. A block consists of
 * paragraphs, and the browser lays out only the visible paragraphs.
 */
import { t } from '../../../kit/l10n.ts';
import type { PromptPart, ShownComposition, ShownSegment } from '../../messages.ts';

type Prompt = Pick<ShownComposition, 'prompt' | 'segments'>;

export interface ShownBlock {
  /** The ID of the block: unique in the prompt, and unchanged when other blocks are added or removed. */
  readonly key: string;
  readonly part: PromptPart;
  /** The artifact's name; undefined for instructions, the request, and text before the first artifact. */
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly segments: readonly ShownSegment[];
}

/** The displayed names of the prompt parts. */
const partNames: Readonly<Record<PromptPart, string>> = {
  framing: t('Instructions'),
  context: t('Context'),
  examples: t('Examples'),
  request: t('Request'),
};

export const blockName = ({ part, name }: ShownBlock): string =>
  name === undefined ? partNames[part] : `${partNames[part]} · ${name}`;

const idOf = (key: string): string => `block ${key}`;

export const goToBlock = (key: string): void => document.getElementById(idOf(key))?.scrollIntoView({ block: 'start' });
export { idOf as blockId };

/** Returns the blocks: one per artifact (with its heading) in context and examples, and one for each other part. */
export function blocksOf({ segments }: Prompt): readonly ShownBlock[] {
  const blocks: { part: PromptPart; artifact: string | undefined; members: ShownSegment[] }[] = [];
  for (const segment of segments) {
    const { part, artifact, kind } = segment;
    const last = blocks.at(-1);
    const isListed = part === 'context' || part === 'examples';
    const begins = isListed && kind === 'fixed' && artifact !== undefined && last?.artifact !== undefined;
    if (last?.part !== part || (begins && last.artifact !== artifact)) {
      blocks.push({ part, artifact: isListed ? artifact : undefined, members: [segment] });
    } else {
      if (isListed) last.artifact ??= artifact;
      last.members.push(segment);
    }
  }
  const seen = new Map<string, number>();
  return blocks.map(({ part, artifact, members }) => {
    const base = `${part}:${artifact ?? ''}`;
    const nth = seen.get(base) ?? 0;
    seen.set(base, nth + 1);
    return {
      key: `${base}:${nth}`,
      part,
      name: artifact?.replace(/^[^:]*:\s*/, ''),
      start: members[0]?.start ?? 0,
      end: members.at(-1)?.end ?? 0,
      tokens: members.reduce((sum, segment) => sum + segment.tokens, 0),
      segments: members,
    };
  });
}

/** The part of a paragraph that belongs to one segment. */
interface Piece {
  readonly start: number;
  readonly text: string;
  readonly kind: ShownSegment['kind'];
  /** The description of the missing text; only for a gap. */
  readonly missing: string | undefined;
}

export interface Paragraph {
  /**
   * The ID of the paragraph: its text and the number of earlier paragraphs with the same text, so that changes
   * elsewhere do not change the ID.
   */
  readonly key: string;
  readonly start: number;
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** The opening marks of the fence in which the paragraph begins. */
  readonly fence: string | undefined;
}

/**
 * The maximum size of a paragraph in lines and in characters. A longer paragraph is split, so that the browser lays out
 * only one of the parts after a keystroke.
 */
const [MOST_LINES, LONGEST] = [50, 10_000];
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/gm;

/** Returns the paragraphs of a block, including empty lines, up to the offset `limit` in the prompt. */
export function paragraphsOf(
  prompt: string,
  block: ShownBlock,
  limit: number,
  missing: (gap: ShownSegment) => string,
): readonly Paragraph[] {
  const seen = new Map<string, number>();
  const paragraphs: Paragraph[] = [];
  const end = Math.min(block.end, limit);
  let fence: string | undefined;
  let segment = 0;
  let behindBlank = block.start;
  for (let start = block.start; start < end; ) {
    if (behindBlank <= start) behindBlank = endOfBlank(prompt, start);
    const stop = Math.min(behindBlank, end, endOfLines(prompt, start));
    const text = prompt.slice(start, stop);
    const pieces: Piece[] = [];
    while (segment > 0 && (block.segments[segment]?.start ?? 0) > start) segment--;
    for (; segment < block.segments.length; segment++) {
      const one = block.segments[segment] as ShownSegment;
      const [from, to] = [Math.max(start, one.start), Math.min(stop, one.end)];
      if (to > from) {
        const { kind } = one;
        const gap = kind === 'gap' ? missing(one) : undefined;
        pieces.push({ start: from - start, text: prompt.slice(from, to), kind, missing: gap });
      }
      if (one.end >= stop) break;
    }
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    paragraphs.push({ key: `${nth} ${text}`, start, text, pieces, fence });
    fence = fenceAfter(text, fence);
    start = stop;
  }
  return paragraphs;
}

/** Returns the offset after the next empty lines. */
function endOfBlank(prompt: string, start: number): number {
  const blank = /\n[^\S\n]*\n(?:[^\S\n]*\n)*/g;
  blank.lastIndex = start;
  return blank.exec(prompt) ? blank.lastIndex : prompt.length;
}

/**
 * Returns the offset at which a paragraph of maximum size ends. Splits depend on the number of lines, so typing in a
 * line does not move later splits.
 */
function endOfLines(prompt: string, start: number): number {
  let end = start;
  for (let line = 0; line < MOST_LINES; line++) {
    const next = prompt.indexOf('\n', end);
    if (next === -1) return Math.min(prompt.length, start + LONGEST);
    end = next + 1;
  }
  return Math.min(end, start + LONGEST);
}

/** Returns the opening marks of the fence that is open after a string. */
function fenceAfter(text: string, before: string | undefined): string | undefined {
  let open = before;
  for (const [, marks = '', rest = ''] of text.matchAll(FENCE)) {
    if (open === undefined) open = marks;
    else if (marks.startsWith(open) && rest.trim() === '') open = undefined;
  }
  return open;
}

export const samePieces = (a: Paragraph, b: Paragraph): boolean =>
  a.text === b.text &&
  a.fence === b.fence &&
  a.pieces.length === b.pieces.length &&
  a.pieces.every(
    ({ start, kind, missing }, at) =>
      start === b.pieces[at]?.start && kind === b.pieces[at]?.kind && missing === b.pieces[at]?.missing,
  );

/**
 * The style of a line. The prompt is styled like Markdown, but every character stays visible: marks are dimmed. Only
 * weight, size and indent are styled; HTML, images and links are not interpreted.
 */
type LineKind = 'prose' | 'h1' | 'h2' | 'h3' | 'quote' | 'list' | 'code' | 'fence' | 'rule';

interface Line {
  readonly kind: LineKind;
  /** The indent of wrapped lines, in characters. */
  readonly hang: number;
  readonly runs: readonly StyledRun[];
}

/** Characters with the same style. `look` contains CSS class names. */
interface StyledRun {
  readonly text: string;
  readonly look: string;
  readonly missing?: string | undefined;
}

interface StyledRange {
  readonly start: number;
  readonly end: number;
  readonly look: string;
}

const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/;
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
    const marks = FENCE_LINE.exec(line)?.[1];
    const closes = open !== undefined && marks?.startsWith(open) && line.trim() === marks;
    const { kind, hang, looks } =
      open !== undefined && !closes
        ? { kind: 'code' as const, hang: 0, looks: [] }
        : marks !== undefined
          ? { kind: 'fence' as const, hang: 0, looks: [{ start: 0, end: line.length, look: 'mark' }] }
          : styleOf(line);
    if (marks !== undefined) open = open === undefined ? marks : closes ? undefined : open;
    lines.push({ kind, hang, runs: runsOf(text, start, end, pieces, looks) });
    start = end;
  }
  return joined(lines);
}

/** The minimum length of a line that its author probably wrapped to fit a width. */
const MIN_WRAPPED_LENGTH = 60;

/**
 * Joins lines of prose that the author wrapped to fit a width. The line break stays in the text, and is shown as a
 * mark.
 */
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
      // A line that begins with a tag (`<`, `{%` or `{#`) or is a table row stays separate.
      !/^\s*(?:$|[<|]|\{[%#])/.test(text) &&
      above.length >= MIN_WRAPPED_LENGTH &&
      !/(?: {2}|\\)\n$/.test(above);
    if (flows) result[result.length - 1] = { ...before, runs: joinedRuns(before.runs, line.runs) };
    else result.push(line);
    above = text;
  }
  return result;
}

/** Joins two lines. The line break and the indent after it are a separate run. */
function joinedRuns(above: readonly StyledRun[], below: readonly StyledRun[]): readonly StyledRun[] {
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

function styleOf(line: string): { kind: LineKind; hang: number; looks: readonly StyledRange[] } {
  const heading = HEADING.exec(line);
  if (heading) {
    const level = Math.min(3, heading[1]?.length ?? 1);
    const looks = [{ start: 0, end: heading[0].length, look: 'mark' }, ...inlineStyles(line, heading[0].length)];
    return { kind: `h${level}` as LineKind, hang: 0, looks };
  }
  if (RULE.test(line)) return { kind: 'rule', hang: 0, looks: [{ start: 0, end: line.length, look: 'mark' }] };
  const quote = QUOTE.exec(line)?.[0];
  if (quote !== undefined) {
    const looks = [{ start: 0, end: quote.length, look: 'mark' }, ...inlineStyles(line, quote.length)];
    return { kind: 'quote', hang: quote.length, looks };
  }
  const list = LIST.exec(line);
  if (list) {
    const [whole, indent = ''] = list;
    const looks = [{ start: indent.length, end: whole.length, look: 'mark' }, ...inlineStyles(line, whole.length)];
    return { kind: 'list', hang: whole.length, looks };
  }
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  return { kind: 'prose', hang: indent, looks: inlineStyles(line, 0) };
}

/** Matches code spans, strong emphasis and emphasis. Text in a code span has no other style. */
const INLINE =
  /(`+)(?!`)(.+?)(?<!`)\1(?!`)|(\*\*|__)(?=\S)(.+?)(?<=\S)\3|(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])(.+?)(?<=\S)\5(?![\p{L}\p{N}*_])/gu;

/** The maximum length of a line with inline styles. Longer lines are data, and searching them is slow. */
const MAX_STYLED_LENGTH = 2_000;

function inlineStyles(line: string, from: number): readonly StyledRange[] {
  if (line.length - from > MAX_STYLED_LENGTH) return [];
  const looks: StyledRange[] = [];
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

/**
 * Returns the runs of one line, which is `[start, end)` in the paragraph. A run ends where the style or the origin
 * changes.
 */
function runsOf(
  text: string,
  start: number,
  end: number,
  pieces: readonly Piece[],
  looks: readonly StyledRange[],
): readonly StyledRun[] {
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
