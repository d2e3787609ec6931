/** The step `deliver`: the cuts of some clients in a text that is too long (docs/clients.md, "Delivered"). */

import { byteLength } from '../../text.ts';

/** A text with more than one of these sizes is cut. */
export interface TextLimit {
  /** UTF-16 code units. */
  readonly characters?: number;
  /** UTF-8. */
  readonly bytes?: number;
  readonly lines?: number;
  /**
   * `start`: the first `to` characters, up to their last line break. `ends`: a fifth of `to` characters and of the lines
   * from the start, and the rest from the end. `halves`: equal parts of both ends, `to` characters with `mark`. `lines`:
   * the first lines within the sizes.
   */
  readonly keeps: 'start' | 'ends' | 'halves' | 'lines';
  readonly to?: number;
  /** The text between both ends, with `{count}`, the number of characters that are left out. */
  readonly mark?: string;
  /**
   * The new text, with `{content}`, the kept part, `{size}`, the KB of the whole, `{left}`, the part left out, such as
   * `9 lines`, `{kept}` and `{lines}`, the numbers of lines that are kept and of all, and `{next}`, the first one that is not.
   */
  readonly text: string;
  /** The new text if the first `lines` lines have no more than `bytes`. */
  readonly textForLines?: string;
}

/** The three parts of a text (`Delivered`). */
interface Parts {
  readonly before: string;
  readonly content: string;
  readonly after: string;
}

/** A text that is not delivered as a whole. Lengths are in UTF-16 code units. */
export interface DeliveredCut {
  /** The lengths of the kept parts at the start and at the end of the text, and the whole length. */
  readonly start: number;
  readonly end: number;
  readonly of: number;
}

/**
 * Returns a text as the first limit that it exceeds changes it; the same text if it exceeds none. Pure; never throws.
 */
export function limited<Text extends Parts>(
  parts: Text,
  limits: readonly TextLimit[],
): Text & { readonly cut?: DeliveredCut } {
  const whole = parts.before + parts.content + parts.after;
  const lines = whole.split('\n');
  for (const limit of limits) {
    const { characters = Infinity, bytes = Infinity, lines: most = Infinity } = limit;
    if (whole.length <= characters && lines.length <= most && byteLength(whole) <= bytes) continue;
    const [start, end] = KEPT[limit.keeps](whole, lines, limit);
    const cut = { start: start.length, end: end.length, of: whole.length };
    const kept = start.split('\n').length;
    const isByLines = kept === most;
    const values: Readonly<Record<string, string | number>> = {
      size: Math.round(byteLength(whole) / 1024),
      left: isByLines ? `${lines.length - kept} lines` : `${byteLength(whole) - byteLength(start)} bytes`,
      kept,
      lines: lines.length,
      next: kept + 1,
    };
    const [intro = '', outro = ''] = ((isByLines && limit.textForLines) || limit.text)
      .split('{content}')
      .map((part) => part.replace(/\{(\w+)\}/g, (word, key: string) => String(values[key] ?? word)));
    const ofStart = parts.before.length;
    const ofEnd = Math.max(0, end.length - parts.after.length);
    const made = {
      ...parts,
      before: intro + start.slice(0, ofStart),
      content: start.slice(ofStart) + markOf(limit, cut.of - cut.start - cut.end) + end.slice(0, ofEnd),
      after: end.slice(ofEnd) + outro,
      cut,
    };
    // Such a client keeps a text that would become longer.
    const isLonger = limit.keeps === 'ends' && made.before.length + made.content.length + made.after.length >= cut.of;
    if (!isLonger) return made;
  }
  return parts;
}

const markOf = ({ mark = '' }: TextLimit, count: number): string => mark.replace('{count}', String(count));

type Kept = (whole: string, lines: readonly string[], limit: TextLimit) => readonly [start: string, end: string];

const KEPT: Readonly<Record<TextLimit['keeps'], Kept>> = {
  start: (whole, _, { to = 0 }) => {
    const start = whole.slice(0, to);
    const last = start.lastIndexOf('\n');
    return [last > 0 ? start.slice(0, last) : start, ''];
  },
  ends: (_, lines, { to = 0, lines: most = Infinity, mark = '' }) => {
    const count = Math.min(most, lines.length);
    const first = Math.max(1, Math.floor(count / 5));
    const room = to - mark.length;
    const start = linesWithin(
      lines.slice(0, first),
      Math.floor(room / 5),
      (line, left) => line.slice(0, left) + ELLIPSIS,
    );
    const rest = lines.slice(Math.max(lines.length - (count - first), start.length)).reverse();
    const used = start.reduce((sum, line) => sum + line.length + 1, 0);
    const end = linesWithin(rest, room - used, (line, left) => ELLIPSIS + line.slice(line.length - left));
    return [start.join('\n'), end.reverse().join('\n')];
  },
  halves: (whole, _, limit) => {
    const { to = 0 } = limit;
    const half = Math.floor((to - markOf(limit, whole.length - to).length) / 2);
    return [whole.slice(0, half), whole.slice(whole.length - half)];
  },
  lines: (_, lines, { bytes = Infinity, lines: most = Infinity }) => {
    const start: string[] = [];
    let used = 0;
    for (const line of lines.slice(0, most)) {
      used += byteLength(line) + (start.length > 0 ? 1 : 0);
      if (used > bytes) break;
      start.push(line);
    }
    return [start.join('\n'), ''];
  },
};

/** Returns the first lines within a length, the last one as `cutTo` cuts it. */
function linesWithin(
  lines: readonly string[],
  length: number,
  cutTo: (line: string, left: number) => string,
): string[] {
  const kept: string[] = [];
  let left = length;
  for (const line of lines) {
    if (left <= 0) break;
    if (line.length + 1 > left) {
      if (left >= ELLIPSIS.length) kept.push(cutTo(line, left - ELLIPSIS.length));
      break;
    }
    kept.push(line);
    left -= line.length + 1;
  }
  return kept;
}

const ELLIPSIS = '...';
