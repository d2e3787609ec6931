/** The stages of an Approach: the items of its top-level ordered list (docs/format.md, section 5). */

import { itemsOf, type ListItem, type OrderedList } from '../languages/markdown/blocks.ts';
import { trimSpan, within } from '../languages/markdown/spans.ts';
import { type Span, span } from '../text.ts';

export interface Stage {
  readonly span: Span;
  readonly markerSpan: Span;
  /** The leading bold text, else the first words; `Stage 3` where the third has neither. */
  readonly name: string;
  /** The name as written; the marker where there is none. */
  readonly nameSpan: Span;
  /** All that follows the marker. */
  readonly textSpan: Span;
}

/** The stages of the artifact whose content stands at `place`: none where it is no Approach, or a single loop. */
export const stagesOf = (
  text: string,
  { lists }: { readonly lists: readonly OrderedList[] },
  { kind, contentSpan }: { readonly kind: string; readonly contentSpan: Span },
): readonly Stage[] => (kind === 'Approach' ? findStages(text, within(lists, contentSpan)) : []);

/** A paragraph or a fence may interrupt the list; one that goes on counting belongs to it. */
function findStages(text: string, lists: readonly OrderedList[]): readonly Stage[] {
  const [main] = lists;
  if (!main) return [];
  const items: ListItem[] = [];
  for (const list of lists) {
    if (list === main || (list.delimiter === main.delimiter && list.first === main.first + items.length)) {
      items.push(...itemsOf(list));
    }
  }
  return items.map((item, index) => stageOf(text, item, index));
}

/** A name without markup, which is nearly every name. */
const PLAIN_NAME = /^[A-Za-z\d]+(?: [A-Za-z\d]+)*$/;

function stageOf(text: string, { span: place, markerSpan, textSpan, boldSpan }: ListItem, index: number): Stage {
  const nameSpan = boldSpan ? withoutColon(text, boldSpan) : firstWords(text, textSpan);
  const written = text.slice(nameSpan.start, nameSpan.end);
  if (PLAIN_NAME.test(written)) return { span: place, markerSpan, name: written, nameSpan, textSpan };
  const name = written
    .replace(boldSpan ? /[`\\]/g : /[*`\\]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const found = /[\p{L}\p{N}]/u.test(name);
  return {
    span: place,
    markerSpan,
    name: found ? name : `Stage ${index + 1}`,
    nameSpan: found ? nameSpan : markerSpan,
    textSpan,
  };
}

function withoutColon(text: string, place: Span): Span {
  const { start, end } = trimSpan(text, place);
  return '.:,;'.includes(text[end - 1] ?? ' ') ? trimSpan(text, span(start, end - 1)) : span(start, end);
}

/** Up to five words, and no further than the sentence, the clause or the line. */
function firstWords(text: string, place: Span): Span {
  const source = text.slice(place.start, Math.min(place.end, place.start + 200));
  const clause = /^.*?(?=[.:;,!?](?:\s|$)|[ \t]+[—–-]+[ \t]|[\r\n]|$)/u.exec(source)?.[0] ?? '';
  const words = /^(?:\S+[ \t]+){0,4}\S+/.exec(clause)?.[0] ?? '';
  return span(place.start, place.start + words.length);
}
