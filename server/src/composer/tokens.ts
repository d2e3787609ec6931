/** Counts the tokens in strings for a language model. Only this file imports the tokenizer's table. */
import { BytePairEncodingCore } from 'gpt-tokenizer/BytePairEncodingCore';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { byteLength, bytesOf } from '../text.ts';

/** The maximum length of a word in UTF-16 code units. Encoding a word takes quadratic time, so longer words are cut. */
const MAX_WORD = 256;
/**
 * The maximum length of a block in UTF-16 code units. Splitting into words takes linear memory, so longer strings are
 * cut.
 */
const MAX_BLOCK = 1 << 20;
/** The number of words at which the cache is emptied. */
const MAX_CACHED = 20_000;
/**
 * The end of a line that can be counted by itself: after a line feed, a match of the tokenizer's expression continues
 * only with white space or `/`, and white space up to a line feed is one match, with any text after it.
 */
const END_OF_LINE = /\n(?![\s/])/g;

interface Word {
  readonly start: number;
  readonly text: string;
  readonly tokens: readonly number[];
}

/**
 * Counts tokens. Counts are exact, except for words (runs of letters, white space or symbols) longer than `MAX_WORD`
 * and lines longer than `MAX_BLOCK`, which are counted in parts. Special tokens such as `<|endoftext|>` count as plain
 * text. Lines of the previous string are not encoded again.
 */
export class Tokenizer {
  readonly name: string = 'o200k_base';
  readonly #encoder = new BytePairEncodingCore({
    bytePairRankDecoder: ranks,
    tokenSplitRegex: O200K_TOKEN_SPLIT_REGEX,
    mergeCacheSize: 0,
  });
  readonly #encoded = new Map<string, readonly number[]>();
  /** The number of tokens in each line of the last string. Older lines would keep their whole strings in memory. */
  #lines: ReadonlyMap<string, number> = new Map();

  /** Returns the number of tokens in a string. */
  count(text: string): number {
    return this.countBetween(text, [text.length])[0] ?? 0;
  }

  /**
   * Returns the number of tokens in each part of a string that is cut at `ends` (ascending offsets up to the length of
   * the text). A token belongs to the part that contains its first character, so the sum is `count(text)`.
   */
  countBetween(text: string, ends: readonly number[]): readonly number[] {
    const counts = ends.map(() => 0);
    const lines = new Map<string, number>();
    let part = 0;
    const moveTo = (offset: number): void => {
      while (part < ends.length - 1 && offset >= (ends[part] as number)) part++;
    };
    const fits = (end: number): boolean => end <= (ends[part] ?? 0);
    const add = (count: number): void => {
      if (part < counts.length) counts[part] = (counts[part] as number) + count;
    };
    let start = 0;
    for (const line of linesOf(text)) {
      moveTo(start);
      if (fits(start + line.length)) {
        const count = lines.get(line) ?? this.#lines.get(line) ?? this.#countLine(line);
        lines.set(line, count);
        add(count);
      } else {
        for (const word of this.#wordsOf(line)) {
          moveTo(start + word.start);
          if (fits(start + word.start + word.text.length)) add(word.tokens.length);
          else
            for (const offset of this.#tokenStarts(word)) {
              moveTo(start + word.start + offset);
              add(1);
            }
        }
      }
      start += line.length;
    }
    this.#lines = lines;
    return counts;
  }

  #countLine(line: string): number {
    let count = 0;
    for (const { tokens } of this.#wordsOf(line)) count += tokens.length;
    return count;
  }

  /** Yields the consecutive parts of a string that are encoded independently of each other. */
  *#wordsOf(text: string): Iterable<Word> {
    let block = 0;
    for (const blockText of cut(text, MAX_BLOCK)) {
      for (const { 0: match, index } of blockText.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
        let start = block + index;
        for (const word of cut(match, MAX_WORD)) {
          yield { start, text: word, tokens: this.#encode(word) };
          start += word.length;
        }
      }
      block += blockText.length;
    }
  }

  #encode(word: string): readonly number[] {
    const cached = this.#encoded.get(word);
    if (cached !== undefined) return cached;
    const tokens = this.#encoder.encodeNative(word);
    if (this.#encoded.size >= MAX_CACHED) this.#encoded.clear();
    this.#encoded.set(word, tokens);
    return tokens;
  }

  /**
   * Returns the offset in UTF-16 code units at which each token of a word starts; the tokens themselves consist of
   * UTF-8 bytes.
   */
  #tokenStarts({ text, tokens }: Word): readonly number[] {
    const starts: number[] = [];
    let at = 0;
    let bytes = 0;
    let size = 0;
    for (const piece of this.#encoder.decodeNativeGenerator(tokens)) {
      while (at < text.length) {
        const codePoint = text.codePointAt(at) ?? 0;
        if (bytes + bytesOf(codePoint) > size) break;
        bytes += bytesOf(codePoint);
        at += codePoint > 0xffff ? 2 : 1;
      }
      starts.push(at);
      size += typeof piece === 'string' ? byteLength(piece) : piece.length;
    }
    return starts;
  }
}

/** Yields the lines of a string that are counted by themselves, each with its line feed. */
function* linesOf(text: string): Iterable<string> {
  let start = 0;
  for (const { index } of text.matchAll(END_OF_LINE)) {
    yield text.slice(start, index + 1);
    start = index + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** Splits a string into parts of at most `length` UTF-16 code units, without splitting a character. */
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
