/** Counts tokens as a language model does. The only importer of the tokenizer: another one changes this file alone. */
import { BytePairEncodingCore } from 'gpt-tokenizer/BytePairEncodingCore';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

export const TOKENIZER: string = 'o200k_base';

/** Words are cut into tokens in a time that grows with the square of their length: longer ones are cut before. */
const LONGEST_WORD = 256;
/** A longer text is cut into blocks first, since finding the words takes memory with their length. */
const LONGEST_BLOCK = 1 << 20;

// Two hundred thousand entries take a tenth of a second: they are put in order when somebody counts.
let core: BytePairEncodingCore | undefined;

/** Words come again and again: what is known of them costs nothing. Forgotten as a whole when it is full. */
const known = new Map<string, readonly number[]>();
const MOST_KNOWN = 20_000;

/**
 * The number of tokens of a text. Special tokens such as `<|endoftext|>` are plain text. It is exact but for words (a
 * run of letters, of white space or of signs) longer than 256 UTF-16 units, which count as the sum of such parts,
 * and for texts longer than 2^20, which count as the sum of such blocks; so the time grows with the length alone.
 */
export function countTokens(text: string): number {
  let count = 0;
  for (const { tokens } of wordsOf(text)) count += tokens.length;
  return count;
}

/**
 * Tokens of each stretch of a text cut at `ends` (ascending, the last one is the text's length). A token counts where
 * it begins, and one that begins inside a character where the character does; so they add up to `countTokens(text)`.
 */
export function tokensBetween(text: string, ends: readonly number[]): readonly number[] {
  const counts = ends.map(() => 0);
  let stretch = 0;
  const add = (offset: number, count: number) => {
    while (stretch < ends.length - 1 && offset >= (ends[stretch] as number)) stretch++;
    if (stretch < counts.length) counts[stretch] = (counts[stretch] as number) + count;
  };
  for (const { start, word, tokens } of wordsOf(text)) {
    add(start, 0);
    if (start + word.length <= (ends[stretch] ?? 0)) add(start, tokens.length);
    else for (const offset of beginningsOf(word, tokens)) add(start + offset, 1);
  }
  return counts;
}

interface Word {
  readonly start: number;
  readonly word: string;
  readonly tokens: readonly number[];
}

/** The parts of a text that become tokens independently of each other; together they are the text. */
function* wordsOf(text: string): Iterable<Word> {
  let block = 0;
  for (const blockText of cut(text, LONGEST_BLOCK)) {
    for (const { 0: match, index } of blockText.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
      let start = block + index;
      for (const word of cut(match, LONGEST_WORD)) {
        yield { start, word, tokens: tokensOf(word) };
        start += word.length;
      }
    }
    block += blockText.length;
  }
}

function tokensOf(word: string): readonly number[] {
  const before = known.get(word);
  if (before !== undefined) return before;
  core ??= new BytePairEncodingCore({
    bytePairRankDecoder: ranks,
    tokenSplitRegex: O200K_TOKEN_SPLIT_REGEX,
    mergeCacheSize: 0,
  });
  const tokens = core.encodeNative(word);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(word, tokens);
  return tokens;
}

/** Parts of at most `length` units, none of which splits a character. */
function cut(text: string, length: number): readonly string[] {
  if (text.length <= length) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + length, text.length);
    if (end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff) end--;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Where each token begins, in UTF-16 units of the word; tokens are made of UTF-8. */
function beginningsOf(word: string, tokens: readonly number[]): readonly number[] {
  const offsets: number[] = [];
  let at = 0;
  let bytes = 0;
  let size = 0;
  for (const piece of core?.decodeNativeGenerator(tokens) ?? []) {
    while (at < word.length) {
      const next = bytes + bytesOf(word.codePointAt(at) ?? 0);
      if (next > size) break;
      bytes = next;
      at += (word.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    offsets.push(at);
    size += typeof piece === 'string' ? lengthOf(piece) : piece.length;
  }
  return offsets;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const character of text) length += bytesOf(character.codePointAt(0) ?? 0);
  return length;
}

/** What stands for half a character, alone, takes three bytes too. */
const bytesOf = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
