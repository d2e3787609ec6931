/**
 * Creates all Markdown that the server sends. `md` escapes all values except `Markdown`, so that text of
 * authors is not read as Markdown. Only this file creates `Markdown`.
 */
import type { MarkupContent } from 'vscode-languageserver-types';
import { codeSpan, fenceFor } from '../languages/markdown/code-fences.ts';
import { showInvisible } from '../text.ts';

class MarkdownText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Markdown that is safe to send: all its images, HTML and links come from the source of this program. */
export type Markdown = MarkdownText;

type MarkdownPiece = Markdown | false | '' | undefined;

/** Tags a Markdown template literal. Escapes strings and puts them on one line; inserts `Markdown` unchanged. */
export const md = (ours: TemplateStringsArray, ...values: readonly (Markdown | string | number)[]): Markdown =>
  new MarkdownText(ours.slice(1).reduce((before, part, at) => before + textOf(values[at] ?? '') + part, ours[0] ?? ''));

/** Marks text as Markdown. Only for text in the source of this program, never for text from a file. */
export const trusted = (text: string): Markdown => new MarkdownText(text);

/**
 * Escapes multi-line text from an author. Keeps its paragraphs, and line breaks before lines that look like list items.
 */
export function prose(text: string): Markdown {
  const lines = cut(text)
    .split(LINE_BREAK)
    .map((line) => line.trim());
  const escaped = lines.map((line, at) => {
    const breaks = at > 0 && LIST_ITEM.test(line) && lines[at - 1] !== '' ? '  ' : '';
    return `${breaks}\n${escapeLine(line)}`;
  });
  return new MarkdownText(
    escaped
      .join('')
      .trim()
      .replace(/\n{3,}/g, '\n\n'),
  );
}

/** Escapes a description; undefined if it is missing. */
export const describedBy = (description: string | undefined): Markdown | undefined =>
  description === undefined ? undefined : prose(description);

/** Returns inline code. The text may contain backticks. */
export function code(text: string): Markdown {
  return new MarkdownText(codeSpan(showInvisible(cut(text).replace(/\s+/g, ' ').trim())));
}

/** Returns a code block. The text may contain fences. */
export function fence(language: 'jinja' | 'json' | 'text' | 'yaml', text: string): Markdown {
  const lines = cut(text).split(LINE_BREAK).map(showInvisible).join('\n');
  const ticks = fenceFor(lines);
  return new MarkdownText(`${ticks}${language}\n${lines}\n${ticks}`);
}

/** Joins the non-empty parts with an empty line between them. */
export const paragraphs = (...parts: readonly MarkdownPiece[]): Markdown => joined(parts, '\n\n');

/** Joins the non-empty parts with line breaks. */
export const rows = (parts: readonly MarkdownPiece[]): Markdown => joined(parts, '\n');

/** Joins facts on one line. */
export const factLine = (...parts: readonly (MarkdownPiece | string)[]): Markdown =>
  joined(
    parts.map((part) => (typeof part === 'string' ? md`${part}` : part)),
    ' · ',
  );

/** Joins words with commas. After `most` words, adds only the number of the remaining words. */
export const listed = (words: readonly Markdown[], most: number): Markdown =>
  words.length > most ? md`${joined(words.slice(0, most), ', ')} and ${words.length - most} more` : joined(words, ', ');

/** Converts Markdown to the protocol type. */
export const markup = ({ text }: Markdown): MarkupContent => ({ kind: 'markdown', value: text });

export const isNonEmpty = (part: MarkdownPiece): part is Markdown => part instanceof MarkdownText && part.text !== '';

export const joined = (parts: readonly MarkdownPiece[], separator: string): Markdown =>
  new MarkdownText(
    parts
      .filter(isNonEmpty)
      .map(({ text }) => text)
      .join(separator),
  );

const textOf = (value: Markdown | string | number): string => {
  if (value instanceof MarkdownText) return value.text;
  return escapeLine(cut(String(value)).replace(/\s+/g, ' ').trim());
};

/** The maximum length of a string that is shown, in UTF-16 code units. */
const MAX_TEXT = 10_000;

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')}…` : text;

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

const LIST_ITEM = /^(?:[-*+•]|\d{1,9}[.)])\s/;

/** Matches a marker at the start of a line that would start a Markdown block. */
const LINE_START = /^(?=[#>+\-=:.)])|^\d{1,9}(?=[.)](?:\s|$))/;

/**
 * Matches characters that have a meaning in Markdown within a line, including those in URLs and icons that editors
 * detect.
 */
const INLINE = /[\\`*[\]<|~&@]|\$(?=\()|:(?=\/\/)|(?<=www)\.|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/gi;

/**
 * Escapes one line. A `_` inside a word has no meaning in Markdown, and stays unescaped for editors that show the
 * source.
 */
const escapeLine = (line: string): string => showInvisible(line).replace(INLINE, '\\$&').replace(LINE_START, '$&\\');
