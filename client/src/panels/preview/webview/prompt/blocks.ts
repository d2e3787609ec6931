/**
 * Divides the prompt for display: blocks (a part, or one of its artifacts) consist of paragraphs, which the browser lays out
 * separately, and only those that are visible.
 */
import { t } from '../../../kit/l10n.ts';
import type { PromptPart, ShownComposition, ShownSegment } from '../../messages.ts';

type Prompt = Pick<ShownComposition, 'prompt' | 'segments'>;

export interface Block {
  /** Unique in the prompt, and stable while other blocks are added or removed. */
  readonly key: string;
  readonly part: PromptPart;
  /** The artifact's name; undefined for instructions, the request, and text before the first artifact. */
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly segments: readonly ShownSegment[];
}

/** Names in people's words; the composer's own are `framing`, `context`, `examples`, `request`. */
const partNames: Readonly<Record<PromptPart, string>> = {
  framing: t('Instructions'),
  context: t('Context'),
  examples: t('Examples'),
  request: t('Request'),
};

export const blockName = ({ part, name }: Block): string =>
  name === undefined ? partNames[part] : `${partNames[part]} · ${name}`;

const idOf = (key: string): string => `block ${key}`;

export const goToBlock = (key: string): void => document.getElementById(idOf(key))?.scrollIntoView({ block: 'start' });
export { idOf as blockId };

/** Context and examples have a block for each artifact, which begins with its heading. Other parts are one block. */
export function blocksOf({ segments }: Prompt): readonly Block[] {
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

/** A stretch of a paragraph of one segment. */
export interface Piece {
  readonly start: number;
  readonly text: string;
  readonly kind: ShownSegment['kind'];
  /** What is missing here, for a gap. */
  readonly missing: string | undefined;
}

export interface Paragraph {
  /** The text, with a number where it repeats: what is written elsewhere leaves it as it is. */
  readonly key: string;
  readonly start: number;
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** The marks that opened the fence in which it begins. */
  readonly fence: string | undefined;
}

/** A longer paragraph is divided, so that a long value is not laid out as a whole at each keystroke. */
const [MOST_LINES, LONGEST] = [50, 10_000];
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/gm;

/** The paragraphs of a block within the first `limit` characters of the prompt, blank lines included. */
export function paragraphsOf(
  prompt: string,
  block: Block,
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

/** Behind the next blank lines. */
function endOfBlank(prompt: string, start: number): number {
  const blank = /\n[^\S\n]*\n(?:[^\S\n]*\n)*/g;
  blank.lastIndex = start;
  return blank.exec(prompt) ? blank.lastIndex : prompt.length;
}

/** Behind the most lines of one paragraph. Typing in one of them moves no paragraph behind it. */
function endOfLines(prompt: string, start: number): number {
  let end = start;
  for (let line = 0; line < MOST_LINES; line++) {
    const next = prompt.indexOf('\n', end);
    if (next === -1) return Math.min(prompt.length, start + LONGEST);
    end = next + 1;
  }
  return Math.min(end, start + LONGEST);
}

/** The fence that is open behind a text. */
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
