/** The bold text that an item of plain Markdown begins with: it names the item. */
import { type Span, span } from '../../text.ts';
import { matchAt } from './match.ts';

/** Whatever is in it is no mark of emphasis, and nothing that could take its end. */
const INSIDE = String.raw`[^*_[\]\x60<\\&\n]|&(?= )|\n|(?<=[A-Za-z\d])_(?=[A-Za-z\d])|\\[!-/:-@[-\x60{-~]|\x60[^\x60\n]+\x60|\[[^*_[\]\x60<>!\\&\n]+\](?:(?![([])|\([\w./#:?=%+-]+\))`;

/** It ends behind a letter or a digit whatever follows, behind another sign where none of a word follows. */
const BOLD = new RegExp(
  String.raw`\*\*((?=[^\s*])(?:${INSIDE})+?(?<=\S))\*\*(?![*_])(?:(?<=[\p{L}\p{Nd}]\*\*)|(?=[\s\p{P}]|$))`,
  'uy',
);

/** One mark begins no bold text. */
const ONE_MARK = /[*_](?![*_])/y;

/** The bold text that an item begins with; `unsure` where it begins with a mark of emphasis that may be none. */
export function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if ((first !== '*' && first !== '_') || matchAt(ONE_MARK, text, start)) return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}
