/** The statement keywords of MiniJinja, and the correction of misspelt keywords. */
import { closest, distance } from 'fastest-levenshtein';

/** The statement keyword for each kind of block node. */
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

/** Statements that load other templates. */
const LOADING = ['include', 'extends', 'import', 'from'];
/** Statements that consist of a single tag. `set` is in `BLOCKS`, because it is a block without `=`. */
const SIMPLE = [...LOADING, 'do', 'break', 'continue'];

/** Returns true for the keyword of a statement that opens a block. */
export const isBlock = (word: string): word is BlockKind => BLOCKS.some((kind) => kind === word);

/** Returns true for a statement that loads another template. */
export const isLoadingStatement = (word: string): boolean => LOADING.includes(word);

/** Returns true for a statement that requires an expression or a name. */
export const requiresOperand = (word: string): boolean =>
  isBlock(word) || word === 'elif' || word === 'do' || isLoadingStatement(word);

/** Returns the block that an end word such as `endif` closes, or undefined for any other word. */
export function closedBy(word: string): BlockKind | undefined {
  const rest = word.startsWith('end') ? word.slice(3) : '';
  return isBlock(rest) ? rest : undefined;
}

const OPENERS = [...BLOCKS, ...SIMPLE, 'else', 'elif', 'raw'];
const CLOSERS = [...BLOCKS, 'raw'].map((word) => `end${word}`);

/** Statements of other template languages, and the equivalent statements of MiniJinja. */
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

/**
 * Tags of Jinja2 and its extensions that MiniJinja does not have. Statements with similar names do not replace these
 * tags.
 */
const UNSUPPORTED = ['trans', 'endtrans', 'pluralize', 'debug', 'generation', 'endgeneration'];

/**
 * Returns the most probable correction of an unknown statement, or undefined. `open` is the innermost open block, whose
 * end word is preferred.
 */
export function nearestStatement(word: string, open: BlockKind | undefined): string | undefined {
  const lower = word.toLowerCase();
  if (open !== undefined && lower.startsWith('e')) {
    const end = `end${open}`;
    if (lower === 'end' || (word.length < 20 && (distance(lower, end) === 1 || isAnagram(lower, end)))) return end;
  }
  if (FOREIGN.has(lower)) return FOREIGN.get(lower);
  if (UNSUPPORTED.includes(lower) || word.length < 2 || word.length > 20) return undefined;
  const candidates = lower.startsWith('end') && lower.length > 4 ? CLOSERS : [...OPENERS, ...CLOSERS];
  const anagram = candidates.find((one) => isAnagram(one, lower));
  if (anagram !== undefined) return anagram;
  const best = closest(lower, candidates);
  return distance(lower, best) <= (best.length > 4 ? 2 : 1) ? best : undefined;
}

/**
 * Returns true for two words with the same letters. Swapped letters are a common mistake, but `distance` counts them as
 * two edits.
 */
const isAnagram = (a: string, b: string): boolean =>
  a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
