/**
 * The one way to the Markdown that is sent. Text of authors stays text: whatever `md` is given is escaped, unless it is
 * `Markdown` already, and only this file makes `Markdown`.
 */
import type { MarkupContent } from 'vscode-languageserver-types';
import { codeSpan, fenceFor } from '../languages/markdown/fence.ts';
import { visible } from '../text.ts';

class MarkdownText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Markdown that may be sent: it holds no image, no HTML and no link but those that we write ourselves. */
export type Markdown = MarkdownText;

type MarkdownPiece = Markdown | false | '' | undefined;

/** A template literal of ours. Strings in it are text on one line; `Markdown` is taken as it is. */
export const md = (ours: TemplateStringsArray, ...values: readonly (Markdown | string | number)[]): Markdown =>
  new MarkdownText(ours.slice(1).reduce((before, part, at) => before + textOf(values[at] ?? '') + part, ours[0] ?? ''));

/** Markdown of our own tables of words. Never for what a file says. */
export const ours = (text: string): Markdown => new MarkdownText(text);

/** A text of an author over several lines: its paragraphs stay, and so do lines that begin like the items of a list. */
export function prose(text: string): Markdown {
  const lines = cut(text)
    .split(LINE_BREAK)
    .map((line) => line.trim());
  const escaped = lines.map((line, at) => {
    const breaks = at > 0 && LIST_ITEM.test(line) && lines[at - 1] !== '' ? '  ' : '';
    return `${breaks}\n${inert(line)}`;
  });
  return new MarkdownText(
    escaped
      .join('')
      .trim()
      .replace(/\n{3,}/g, '\n\n'),
  );
}

/** The same of a description that may not be there. */
export const describedBy = (description: string | undefined): Markdown | undefined =>
  description === undefined ? undefined : prose(description);

/** Code on one line, whatever backticks it holds. */
export function code(text: string): Markdown {
  return new MarkdownText(codeSpan(visible(cut(text).replace(/\s+/g, ' ').trim())));
}

/** A block of code, whatever fences it holds. */
export function fence(language: 'jinja' | 'json' | 'text' | 'yaml', text: string): Markdown {
  const lines = cut(text).split(LINE_BREAK).map(visible).join('\n');
  const ticks = fenceFor(lines);
  return new MarkdownText(`${ticks}${language}\n${lines}\n${ticks}`);
}

/** The parts that are there, with an empty line between each two. */
export const paragraphs = (...parts: readonly MarkdownPiece[]): Markdown => joined(parts, '\n\n');

/** The parts that are there, each on a line. */
export const rows = (parts: readonly MarkdownPiece[]): Markdown => joined(parts, '\n');

/** Facts on one line. */
export const factLine = (...parts: readonly (MarkdownPiece | string)[]): Markdown =>
  joined(
    parts.map((part) => (typeof part === 'string' ? md`${part}` : part)),
    ' · ',
  );

/** Words with commas; beyond `most` only their number is given. */
export const listed = (words: readonly Markdown[], most: number): Markdown =>
  words.length > most ? md`${joined(words.slice(0, most), ', ')} and ${words.length - most} more` : joined(words, ', ');

/** As the protocol sends it. */
export const markup = ({ text }: Markdown): MarkupContent => ({ kind: 'markdown', value: text });

export const isThere = (part: MarkdownPiece): part is Markdown => part instanceof MarkdownText && part.text !== '';

export const joined = (parts: readonly MarkdownPiece[], separator: string): Markdown =>
  new MarkdownText(
    parts
      .filter(isThere)
      .map(({ text }) => text)
      .join(separator),
  );

const textOf = (value: Markdown | string | number): string => {
  if (value instanceof MarkdownText) return value.text;
  return inert(cut(String(value)).replace(/\s+/g, ' ').trim());
};

/** How much of one text is shown, in characters. */
const MAX_TEXT = 10_000;

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')}…` : text;

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

const LIST_ITEM = /^(?:[-*+•]|\d{1,9}[.)])\s/;

/** What begins a block at the start of a line. */
const LINE_START = /^(?=[#>+\-=:.)])|^\d{1,9}(?=[.)](?:\s|$))/;

/** What means something within a line, addresses that editors turn into links and icons included. */
const INLINE = /[\\`*[\]<|~&@]|\$(?=\()|:(?=\/\/)|(?<=www)\.|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/gi;

/** One line as text. A `_` within a word means nothing, and stays readable where an editor shows the source. */
const inert = (line: string): string => visible(line).replace(INLINE, '\\$&').replace(LINE_START, '$&\\');
