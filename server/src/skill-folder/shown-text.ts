/**
 * Text that shows how something is or is not written: code that CommonMark misreads, quotations, and counter-examples.
 * A path in such text need not exist.
 */
import type { MarkdownFile } from '../skill/markdown-file.ts';
import { findTouching, type Span, spanOf } from '../text.ts';
import { isProbablyCode } from './misread-fences.ts';

/** The end of a paragraph, a list item or a table row. */
const BLOCK = /(?:\r\n|\n|\r)(?=[ \t]*(?:[\r\n]|[-*+][ \t]|\d+[.)][ \t]|[#>|]|```))/;

/** The number of characters that are read on each side of a path. */
const MAX_AROUND = 500;

/** The number of characters in which the introduction of a list, a quote or a table, or a tag is searched. */
const MAX_ABOVE = 3000;

/** Returns the text before and after `place` in its paragraph, list item or table row. Never throws. */
export function textAround(text: string, { start, end }: Span, apart = BLOCK): readonly [string, string] {
  const before = text.slice(Math.max(0, start - MAX_AROUND), start);
  return [before.split(apart).at(-1) ?? '', text.slice(end, end + MAX_AROUND).split(apart)[0] ?? ''];
}

/**
 * Returns whether the text at `place`, a path or the address of a link, is only shown: it is probably code, is part of a
 * quotation or of an example, or the text says that it is wrong (docs/rules/broken-link.md). Never throws.
 */
export function isOnlyShown(file: MarkdownFile, place: Span): boolean {
  if (isProbablyCode(file, place)) return true;
  const { text, body } = file;
  const fence = findTouching(body?.fences ?? [], place.start, spanOf);
  if (fence) return isQuoted(...textAround(text, place, /[\r\n]/)) || isShownBlock(text, fence.span);
  const { span: link } = findTouching(body?.links ?? [], place.start, spanOf) ?? { span: place };
  const around = textAround(text, link);
  return isQuoted(...around) || isCounterExample(...around) || isShownBlock(text, link);
}

const QUOTATION_MARKS = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
  ['~~', '~~'],
] as const;

/** Returns whether the text between `before` and `after` is in quotation marks or struck out, with other words. */
function isQuoted(before: string, after: string): boolean {
  const lead = before.replace(/`[^`]*`/g, ' ');
  // An apostrophe is not a quotation mark.
  if (/(?:^|[\s(])['‘]\p{L}{2}[^'‘’]*$/u.test(lead) && /^[^'’]*['’](?=[\s.,;:!?)]|$)/.test(after)) return true;
  return QUOTATION_MARKS.some(([open, close]) => {
    const from = lead.lastIndexOf(open);
    const isOpen = open === close ? lead.split(open).length % 2 === 0 : from > lead.lastIndexOf(close);
    const to = after.indexOf(close);
    if (!isOpen || from < 0 || to < 0) return false;
    return open === '~~' || /\p{L}{2}/u.test(lead.slice(from) + after.slice(0, to));
  });
}

/** Marks, and other paths in code, directly before a path. */
const UP_TO_PATH = /[\s:`*_"“'([]*(?:[^`\n]*[`)](?:,|,?\s+(?:or|and))[\s`]+)*$/.source;

/** Words that make a path the object of a verb, for example "do not link to files such as". */
const OBJECT =
  /(?:\s+(?:to|the|a|an|any|this|that|these|those|old|bare|full|long|deep|nested|relative|absolute|links?|paths?|files?|names?|like|as|such|directly|form|page|script))*/
    .source;

/** The words directly before a path that must not be written. */
const NEGATED = new RegExp(
  `(?:\\b(?:do not|does not|don['’]t|never|must not|mustn['’]t|should not|shouldn['’]t|cannot|can['’]t|avoid|no longer)\\s+(?:\\w+ly\\s+)?(?:us(?:e|es|ing)|link(?:s|ing)?|writ(?:e|ing)|refer(?:s|ring|ence|encing)?|nam(?:e|ing)|mention(?:ing)?|cit(?:e|ing)|invent(?:ing)?|hard-?cod(?:e|ing)|add(?:ing)?|creat(?:e|ing)|put(?:ting)?|expect|assume|nest(?:ing)?|point(?:ing)?)|\\b(?:not|no|instead of|rather than|formerly|previously))\\b${OBJECT}${UP_TO_PATH}`,
  'i',
);

/** Words directly after a path that does not exist, or is wrong. */
const REFUSED =
  /^[`*_"”')\]]*\s+(?:(?:does not|doesn['’]t|do not|don['’]t|no longer) exists?\b|(?:is|are|was|were|has been|would be) (?:wrong|bad|incorrect|broken|invalid|obsolete|gone|removed|renamed|deleted|not |no longer )|(?:will not|won['’]t) (?:work|resolve|load))/i;

/** The words with which a label of bad or good examples begins. */
const LABEL =
  /(?:bad|wrong|incorrect|invalid|broken|weak|poor|good|correct|better|not (?:ok|good|like this)|don['’]?ts?|do not|never|avoid|what not to do|anti-?patterns?|counter-?examples?)/
    .source;

/** A label at the start of a paragraph, a list item or a cell, for example "Bad:". */
const LABELLED = new RegExp(`(?:^|\\|)[\\s>*_+\\d.)(-]*${LABEL}\\b[\\s*_)\\]]{0,4}[:：→–—]`, 'i');

/** Such words of other languages: directly before a path, and directly after it. */
const NEGATED_ELSEWHERE =
  /(?:不要|请勿|請勿|切勿|禁止|避免|无需|不再)(?:使用|引用|链接|写|创建|添加|加载|读取)?[\s`“「『]*$|(?<!\p{L})(?:(?:nicht|nie|niemals|kein(?:e|en)?|statt|anstelle von)|no (?:uses?|usar|utilices|utilizar|enlaces|crees)|nunca|en lugar de|en vez de|(?:pas|jamais|plus|au lieu) (?:de |d['’])?|n['’]utilisez pas|ne (?:pas|jamais) \p{L}+)[\s`*_"“'([]*$/iu;
const REFUSED_ELSEWHERE =
  /^[`*_"”')\]」』]*\s*(?:は|を|も|が)?(?:使わ(?:ない|ず)|使用しない|存在しない|存在しません|ありません|ない(?:ため|ので|場合)|不要|不存在|已删除|已移除|없습니다|없음|사용하지)|^[`*_"”')\]]*\s+(?:existiert nicht|nicht (?:verwenden|benutzen|nutzen|vorhanden)|gibt es nicht|no existe|n['’]existe (?:pas|plus)|não existe|non esiste)/iu;

function isCounterExample(before: string, after: string): boolean {
  if (NEGATED_ELSEWHERE.test(before) || REFUSED_ELSEWHERE.test(after)) return true;
  const sentence = before.split(/[.!?。！？;；]\s+/).at(-1) ?? '';
  return NEGATED.test(sentence) || REFUSED.test(after) || LABELLED.test(before) || /[❌✗✘🚫⛔👎]/u.test(before);
}

/** A line that only labels what follows, for example "## Anti-patterns" or "**Bad examples:**". */
const LABEL_LINE = new RegExp(
  `^\\s*(?:(?:#{1,6}\\s|\\*\\*|__|[❌✗✘🚫⛔👎])[^\\p{L}]*${LABEL}\\b[^.]{0,30}|${LABEL}\\b[^.]{0,30}[:：])[*_\\s]*$`,
  'iu',
);

/** Text that asks to read a file. */
const READS = /\b(?:see|read|load|follow|open|consult|refer)\b/i;

/** Returns whether the block at `place` is in a tag for examples, or is introduced as a quotation or as bad examples. */
const isShownBlock = (text: string, place: Span): boolean => isIntroduced(text, place) || isInTag(text, place);

function isIntroduced(text: string, { start }: Span): boolean {
  const lines = text.slice(Math.max(0, start - MAX_ABOVE), start).split(/\r\n|\n|\r/);
  const own = lines.pop() ?? '';
  const isPart = (line: string) => /^\s*(?:[-*+][ \t]|[>|]|\d+[.)])/.test(line) || /^\s{2,}\S/.test(line);
  const above = lines.findLast((line) => line.trim() !== '' && !(isPart(own) && isPart(line)));
  if (above === undefined) return false;
  if (/^\s*>/.test(own) && /[:：][*_\s]*$/.test(above) && !READS.test(above)) return true;
  if (LABEL_LINE.test(above) && !READS.test(own)) return true;
  return /^\s*\|/.test(own) && isBadColumn(own, lines);
}

/** The header of a column with counter-examples. */
const LABEL_CELL = new RegExp(`^\\W*${LABEL}\\b`, 'i');

/** Returns whether the header of the table column at the end of `row` labels counter-examples. */
function isBadColumn(row: string, above: readonly string[]): boolean {
  const separator = above.findLastIndex((line) => /^\s*\|[\s:|-]+\|?\s*$/.test(line));
  const headers = above[separator - 1]?.split('|') ?? [];
  const isSame = above.slice(separator + 1).every((line) => /^\s*\|/.test(line));
  return separator > 0 && isSame && LABEL_CELL.test(headers[row.split('|').length - 1] ?? '');
}

/** Returns whether the last tag such as `<example>` or `<bad_example>` before `place` is open. */
function isInTag(text: string, { start }: Span): boolean {
  const tags = text.slice(Math.max(0, start - MAX_ABOVE), start).matchAll(/<(\/?)[\w-]*(?:example|quote)[\w-]*>/gi);
  return [...tags].at(-1)?.[1] === '';
}
