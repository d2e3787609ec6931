/** What `<` begins in running text of the plain kind: a tag, a comment, an address, or nothing. */
import { span } from '../../text.ts';
import type { Blocks } from './blocks.ts';
import { matchAt } from './match.ts';
import { NO_TAG, TAG } from './plain-tags.ts';

/** `<` that begins neither a tag nor an address. */
const LESS = /<(?![^\s<>]*@)(?=[\s\d=<|($~,\u0080-\uffff-]|$)/y;

/** A comment of which no version of Markdown thinks otherwise. */
const COMMENT = /<!--((?: (?!-)|[^\s>-])(?:[^-\n]|-(?![->]))*)-->/y;

/** An address in angle brackets. */
const ADDRESS = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*)>/y;

/** Where the comment, the tag or the address ends that `<` begins; just behind it where it is text, undefined where that is unsure. */
export function endOfAngle(text: string, at: number, limit: number, blocks: Blocks): number | undefined {
  if (matchAt(LESS, text, at) || matchAt(NO_TAG, text, at)) return at + 1;
  const comment = matchAt(COMMENT, text, at);
  if (comment) {
    const whole = span(at, at + comment[0].length);
    if (whole.end > limit) return undefined;
    blocks.comments.push({ span: whole, text: comment[1]?.trim() ?? '' });
    return whole.end;
  }
  const tag = matchAt(TAG, text, at);
  if (tag) return at + tag[0].length <= limit ? at + tag[0].length : undefined;
  const address = matchAt(ADDRESS, text, at);
  if (!address || at + address[0].length > limit) return undefined;
  const [whole, url = ''] = address;
  const inner = span(at + 1, at + 1 + url.length);
  blocks.links.push({ kind: 'link', url, urlSpan: inner, textSpan: inner, span: span(at, at + whole.length) });
  return at + whole.length;
}
