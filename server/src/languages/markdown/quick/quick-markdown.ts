/**
 * The quick reader of common Markdown, line by line: it gives exactly the blocks that `parseByRemark` gives, or refuses
 * (undefined). `test/properties/markdown-quick.test.ts` holds that.
 */
import { span } from '../../../text.ts';
import { type Block, emptyBlocks, type Parsed } from '../blocks.ts';
import { readFence } from './quick-fences.ts';
import { readProse } from './quick-inline.ts';
import {
  HEADING,
  isFence,
  isHeading,
  isRule,
  isText,
  isUnderline,
  type Line,
  lineAt,
  markerAt,
  mayBeIndented,
  nextContent,
  readToParagraphEnd,
  startOf,
  trimmedEnd,
  type Walk,
} from './quick-lines.ts';
import { readList } from './quick-lists.ts';
import { readQuote } from './quick-quotes.ts';

/** Line breaks other than `\n`, and characters that the parser changes. */
const ODD = /[\r\0\ufeff]/;

/** Bounds the recursion. */
const MAX_COLUMN = 60;

/** The blocks of a text; undefined where the parser must decide. */
export function readMarkdownQuickly(text: string): Parsed | undefined {
  if (ODD.test(text)) return undefined;
  const walk: Walk = { text, source: text, blocks: emptyBlocks(), at: 0, open: false, depth: 0 };
  for (let line = nextContent(walk); line; line = nextContent(walk)) {
    if (line.indent > 3 || (line.indent > 0 && !mayBeIndented(text, line.first))) return undefined;
    const end = readBlock(walk, line, 0, true);
    if (end === undefined) return undefined;
    walk.blocks.blocks.push({ kind: kindOf(text, line), span: span(line.first, end) });
  }
  return { blocks: walk.blocks, open: walk.open };
}

function kindOf(text: string, { first }: Line): Block['kind'] {
  if (isFence(text, first)) return 'fence';
  if (isHeading(text, first)) return 'heading';
  return markerAt(text, first) ? 'list' : 'other';
}

/** Reads one block and moves behind it; the result is its end, undefined where the parser must decide. */
function readBlock(walk: Walk, line: Line, column: number, alone: boolean): number | undefined {
  const { text } = walk;
  const { first } = line;
  if (column > MAX_COLUMN) return undefined;
  if (isFence(text, first)) return readFence(walk, line, column, !alone);
  if (text[first] === '>') return readQuote(walk, line, column, readInner);
  if (isHeading(text, first)) return readHeading(walk, line, alone);
  if (isRule(text, line)) {
    walk.at = line.end + 1;
    return line.end;
  }
  if (markerAt(text, first)) return readList(walk, line, column, alone, readInner);
  return isText(text, first) ? readParagraph(walk, line, column) : undefined;
}

const readInner = (walk: Walk, line: Line, column: number): number | undefined => readBlock(walk, line, column, false);

function readHeading(walk: Walk, line: Line, alone: boolean): number | undefined {
  const { text, blocks } = walk;
  const { first, end } = line;
  const textEnd = trimmedEnd(text, line);
  if ('#\t'.includes(text[textEnd - 1] as string)) return undefined;
  const [marker = '', signs = ''] = HEADING.exec(startOf(text, first)) ?? [];
  const textSpan = span(first + marker.length, textEnd);
  const source = text.slice(textSpan.start, textEnd);
  if (source.includes('\t')) return undefined;
  if (alone) blocks.headings.push({ level: signs.length, span: span(first, end), textSpan, text: source });
  if (!readProse(text, textSpan, blocks)) return undefined;
  walk.at = end + 1;
  return end;
}

function readParagraph(walk: Walk, { first }: Line, column: number): number | undefined {
  const end = readToParagraphEnd(walk, first, column);
  if (end === undefined || (column === 0 && isUnderline(walk.text, lineAt(walk.text, end + 1)))) return undefined;
  return readProse(walk.text, span(first, end), walk.blocks) ? end : undefined;
}
