/** Finds characters that are invisible to readers but not to models (docs/abilities.md, "Hidden text"). */
import { JOINING_SCRIPTS, type Span, span } from '../text.ts';

export interface InvisibleText {
  readonly kind: 'tag' | 'bidirectional' | 'zero-width' | 'selector';
  /** The span of consecutive characters of one kind. */
  readonly span: Span;
  /** The text that tag characters spell; empty if there is no such text. */
  readonly spells: string;
}

/** A run of tags, bidirectional controls or zero-width characters, or at least three selectors. */
const RUN =
  /[\u{E0000}-\u{E007F}]+|[\u202A-\u202E\u2066-\u2069]+|[\u200B-\u200D\u2060-\u2064\uFEFF]+|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu;

/** The scripts in which joiners change letters, or zero-width spaces separate words. */
const JOINING = new RegExp(`[${JOINING_SCRIPTS}]`, 'u');

const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u20E3/u;

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function findInvisible(text: string): readonly InvisibleText[] {
  const found: InvisibleText[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const kind = kindOf(run);
    const one = span(index, index + run.length);
    if (isNeeded(text, run, kind, one)) continue;
    found.push({ kind, span: one, spells: kind === 'tag' ? spelled(run) : '' });
  }
  return found;
}

function kindOf(run: string): InvisibleText['kind'] {
  const code = run.codePointAt(0) ?? 0;
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag';
  if (code >= 0xe0100 || (code >= 0xfe00 && code <= 0xfe0f)) return 'selector';
  return code >= 0x202a && code !== 0x2060 && !(code >= 0x2061 && code <= 0x2064) && code !== 0xfeff
    ? 'bidirectional'
    : 'zero-width';
}

function isNeeded(text: string, run: string, kind: InvisibleText['kind'], { start, end }: Span): boolean {
  const before = characterBefore(text, start);
  if (kind === 'tag') return before === '\u{1F3F4}' && run.endsWith('\u{E007F}');
  if (kind === 'bidirectional') return !/[\u202D\u202E]/.test(run) && RIGHT_TO_LEFT.test(around(text, start, end));
  if (kind === 'selector') return false;
  if (run === '\uFEFF') return start === 0;
  // Allow a string literal that contains only invisible characters, because code uses it to search for them.
  if (/["'`]/.test(before) && text.startsWith(before, end)) return true;
  if (run.length > 2) return false;
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0);
  return JOINING.test(before) || JOINING.test(after) || (run === '\u200D' && EMOJI.test(before) && EMOJI.test(after));
}

function characterBefore(text: string, at: number): string {
  const wide = /[\uDC00-\uDFFF]/.test(text[at - 1] ?? '');
  return text.slice(Math.max(0, at - (wide ? 2 : 1)), at);
}

/** Returns the text near a span that can determine the direction of the line. */
const around = (text: string, start: number, end: number): string =>
  text.slice(Math.max(0, start - 100), start) + text.slice(end, end + 100);

const spelled = (run: string): string =>
  [...run]
    .map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join('')
    .replace(/[^ -~]/g, '');
