/** The bold text that a list item begins with; see the contract in `quick-markdown.ts`. */
import { type Span, span } from '../../../text.ts';
import { matchAt } from './match.ts';

/** What cannot be or hide an end of the bold text. */
const INSIDE = String.raw`[^*_[\]\x60<\\&\n]|&(?= )|\n|(?<=[A-Za-z\d])_(?=[A-Za-z\d])|\\[!-/:-@[-\x60{-~]|\x60[^\x60\n]+\x60|\[[^*_[\]\x60<>!\\&\n]+\](?:(?![([])|\([\w./#:?=%+-]+\))`;

/** Behind a letter or digit the closing `**` always closes; behind another sign only where no letter follows. */
const BOLD = new RegExp(
  String.raw`\*\*((?=[^\s*])(?:${INSIDE})+?(?<=\S))\*\*(?![*_])(?:(?<=[\p{L}\p{Nd}]\*\*)|(?=[\s\p{P}]|$))`,
  'uy',
);

const ONE_MARK = /[*_](?![*_])/y;

/** The bold text at `start`, without its asterisks; `unsure` where only the parser can tell. */
export function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if ((first !== '*' && first !== '_') || matchAt(ONE_MARK, text, start)) return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}
