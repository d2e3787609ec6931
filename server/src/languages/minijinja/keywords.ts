/** The statements of MiniJinja: which open a block, what may divide and close it, and what a misspelt one meant. */
import { closest, distance } from 'fastest-levenshtein';

/** The nodes that are blocks, each with the word of its statement. */
export const BLOCK_KINDS = {
  if: 'if',
  for: 'for',
  'set-block': 'set',
  with: 'with',
  'filter-block': 'filter',
  autoescape: 'autoescape',
  macro: 'macro',
  'call-block': 'call',
  block: 'block',
} as const;

export type BlockKind = (typeof BLOCK_KINDS)[keyof typeof BLOCK_KINDS];

const BLOCKS: readonly BlockKind[] = Object.values(BLOCK_KINDS);

/** Statements of a single tag; `set` without `=` is a block instead. */
const LOADING = ['include', 'extends', 'import', 'from'];
const SIMPLE = [...LOADING, 'do', 'break', 'continue'];

export const isBlock = (word: string): word is BlockKind => BLOCKS.some((kind) => kind === word);

/** Statements that name other templates. */
export const isLoading = (word: string): boolean => LOADING.includes(word);

/** Statements that an expression or a name follows. */
export const takesMore = (word: string): boolean =>
  isBlock(word) || word === 'elif' || word === 'do' || isLoading(word);

/** The block that `endif`, `endfor` and so on close. */
export function closedBy(word: string): BlockKind | undefined {
  const rest = word.startsWith('end') ? word.slice(3) : '';
  return isBlock(rest) ? rest : undefined;
}

const OPENERS = [...BLOCKS, ...SIMPLE, 'else', 'elif', 'raw'];
const CLOSERS = [...BLOCKS, 'raw'].map((word) => `end${word}`);

/** Statements of other template languages, with those of MiniJinja that do the same. */
const FOREIGN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    elseif: 'elif',
    elsif: 'elif',
    foreach: 'for',
    each: 'for',
    assign: 'set',
    let: 'set',
    capture: 'set',
    switch: 'if',
    unless: 'if',
    render: 'include',
    partial: 'include',
    endeach: 'endfor',
    endforeach: 'endfor',
    endunless: 'endif',
    verbatim: 'raw',
    endverbatim: 'endraw',
  }),
);

/** Tags of Jinja2 and its extensions that MiniJinja leaves out; no similar name replaces them. */
const UNSUPPORTED = ['trans', 'endtrans', 'pluralize', 'debug', 'generation', 'endgeneration'];

/** The statement that an unknown word most probably meant; `open` is the innermost block, whose end is likeliest. */
export function nearestStatement(word: string, open: BlockKind | undefined): string | undefined {
  const lower = word.toLowerCase();
  if (open !== undefined && lower.startsWith('e')) {
    const end = `end${open}`;
    if (lower === 'end' || (word.length < 20 && (distance(lower, end) === 1 || swapped(lower, end)))) return end;
  }
  if (FOREIGN.has(lower)) return FOREIGN.get(lower);
  if (UNSUPPORTED.includes(lower) || word.length < 2 || word.length > 20) return undefined;
  const candidates = lower.startsWith('end') && lower.length > 4 ? CLOSERS : [...OPENERS, ...CLOSERS];
  const anagram = candidates.find((one) => swapped(one, lower));
  if (anagram !== undefined) return anagram;
  const best = closest(lower, candidates);
  return distance(lower, best) <= (best.length > 4 ? 2 : 1) ? best : undefined;
}

/** Whether two words have the same letters: swapping two is the commonest slip, but two changes to `distance`. */
const swapped = (a: string, b: string): boolean =>
  a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
