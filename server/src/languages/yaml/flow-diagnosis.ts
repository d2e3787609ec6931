/** Defects of brackets and quotes, which may span lines. */
import { lineStart, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import {
  type BlockLine,
  closingQuote,
  isEntry,
  lineBefore,
  linesBelow,
  ownColumn,
  readLine,
  trimEnd,
  valueExtent,
} from './lines.ts';
import {
  type Diagnosis,
  diagnosisOf,
  type FlowSpan,
  folded,
  lineOf,
  lines,
  type ParserError,
  type Pass,
  valueDiagnosis,
} from './parser-errors.ts';
import type { Placeholder } from './placeholders.ts';
import { findReason, MOUSTACHE, problemAt, valueProblem } from './problems.ts';

export function diagnoseEscape({ errors, text }: Pass, error: ParserError): Diagnosis {
  const line = lineOf(text, error.start);
  const all = errors.filter(({ code, start }) => code === error.code && start >= error.start && start <= line.end);
  const sequence = /Invalid escape sequence (\S+)/.exec(error.message)?.[1] ?? text.slice(error.start, error.start + 2);
  const message = `\`${sequence}\` is no escape sequence; in double quotes a backslash begins one. Write \`\\\\\` for a backslash.`;
  const edits = all.map(({ start }) => ({ span: span(start, start), newText: '\\' }));
  const place = span(error.start, Math.min(text.length, error.start + sequence.length));
  return diagnosisOf(problemAt(place, message, { title: 'Double the backslash', edits }), span(error.start, line.end));
}

export const findOpenQuote = ({ openQuotes }: Pass, error: ParserError): Span | undefined =>
  openQuotes.find(({ start, end }) => start <= error.start && error.start <= end);

export function diagnoseQuote(pass: Pass, quote: Span): Diagnosis {
  const { text, source, flows } = pass;
  const mark = source[quote.start] as string;
  const line = readLine(text, lineStart(text, quote.start));
  const message = `The ${mark === '"' ? 'double' : 'single'} quote that opens here is never closed. Close it at the end of the value.`;
  const ownLine = span(quote.start, Math.max(quote.start + 1, trimEnd(text, quote.start, line.end)));
  if (line.value.start !== quote.start) {
    // Within brackets, closing brackets at the end of the line are not part of the scalar.
    const inFlow = flows.some(({ start, end }) => start < quote.start && quote.start <= end);
    const end = inFlow ? ownLine.end - (/[\]}\s,]*$/.exec(sliceOf(text, ownLine))?.[0].length ?? 0) : ownLine.end;
    const place = span(quote.start, Math.max(end, quote.start + 1));
    const placeholders: Placeholder[] = [
      { span: place, kind: 'scalar', value: source.slice(quote.start + 1, place.end) },
    ];
    return diagnosisOf(problemAt(place, message), lines(line, line.end), placeholders);
  }
  if (!line.key && line.dashes.length === 0) {
    const placeholders: Placeholder[] = [{ span: span(line.first, line.end), kind: 'comment' }];
    return diagnosisOf(problemAt(ownLine, message), lines(line, line.end), placeholders);
  }
  const close = findCloseAtMargin(text, line);
  if (close !== undefined) return diagnoseShallow(pass, line, span(quote.start, close + 1));
  const place = valueExtent(text, line, ownColumn(line));
  const placeholders: Placeholder[] = [
    { span: place, kind: 'scalar', value: folded(source.slice(quote.start + 1, place.end)) },
  ];
  const problem = problemAt(ownLine, message);
  const region = lines(line, Math.max(place.end, line.end));
  if (place.end > line.end || /\s#|\\$/.test(sliceOf(text, ownLine))) return diagnosisOf(problem, region, placeholders);
  const fix = { title: 'Close the quote', edits: [{ span: span(place.end, place.end), newText: mark }] };
  return diagnosisOf({ ...problem, fix }, region, placeholders);
}

/** A quote further away than this closes something else. */
const MAX_QUOTED = 20_000;

/** The quote that closes the value of `line` at the end of a later line, if no line between them reads as an entry. */
function findCloseAtMargin(text: string, line: BlockLine): number | undefined {
  const limit = Math.min(text.length, line.value.start + MAX_QUOTED);
  const close = closingQuote(text, line.value.start, limit);
  if (close === undefined || close <= line.end) return undefined;
  for (const below of linesBelow(text, line)) {
    if (isEntry(text, below)) return undefined;
    if (close < below.end) return /^\s*(?:\s#.*)?$/.test(text.slice(close + 1, below.end)) ? close : undefined;
  }
  return undefined;
}

/** Text in quotes whose further lines are not indented, which some readers of YAML accept. */
function diagnoseShallow({ text, source }: Pass, line: BlockLine, place: Span): Diagnosis {
  const message =
    'The further lines of this text in quotes must be indented deeper than its key; some readers refuse them. Indent them.';
  const edits = indentBelow(text, line, place.end);
  const problem = problemAt(span(place.start, trimEnd(text, place.start, line.end)), message);
  const placeholders: Placeholder[] = [
    { span: place, kind: 'scalar', value: folded(source.slice(place.start + 1, place.end - 1)) },
  ];
  const fix = { title: 'Indent the further lines', edits };
  return diagnosisOf({ ...problem, fix }, lines(line, place.end), placeholders);
}

/** Puts the lines below `line` deeper than its key. */
function indentBelow(text: string, line: BlockLine, end: number): readonly TextEdit[] {
  const edits = [];
  const indent = ' '.repeat(ownColumn(line) + 2);
  for (let at = line.next; at < end; at = readLine(text, at).next) {
    if (text.slice(at, readLine(text, at).end).trim() !== '') edits.push({ span: span(at, at), newText: indent });
  }
  return edits;
}

/** A whole `{…}` or `[…]` that stands at its key's own column, where it is a key to YAML. */
export function diagnoseMarginFlow({ text }: Pass, flow: FlowSpan): Diagnosis | undefined {
  const line = readLine(text, lineStart(text, flow.start));
  const above = lineBefore(text, line);
  if (!flow.closed || line.first !== flow.start || !above?.key || above.value.start !== above.value.end)
    return undefined;
  if (
    ownColumn(above) < flow.start - line.start ||
    !/^\s*(?:#.*)?$/.test(text.slice(flow.end, readLine(text, lineStart(text, flow.end)).end))
  )
    return undefined;
  const edits = [];
  const indent = ' '.repeat(ownColumn(above) + 2 - (flow.start - line.start));
  for (let at = line.start; at < flow.end; at = readLine(text, at).next)
    edits.push({ span: span(at, at), newText: indent });
  const message = `What stands in these brackets belongs to \`${sliceOf(text, above.key)}\`, so it must be indented deeper than that key. Indent it.`;
  const problem = problemAt(span(flow.start, trimEnd(text, flow.start, Math.min(flow.end, line.end))), message);
  const placeholders: Placeholder[] = [{ span: span(flow.start, flow.end), kind: 'space' }];
  return diagnosisOf({ ...problem, fix: { title: 'Indent the brackets', edits } }, lines(line, flow.end), placeholders);
}

/** A bracket that is never closed, is closed too far to the left, or nests too deeply. */
export function diagnoseOpenFlow(pass: Pass, flow: FlowSpan, error: ParserError): Diagnosis {
  const { text, source } = pass;
  const quote = pass.openQuotes.find(({ start }) => flow.start < start && start < flow.end);
  if (quote) return diagnoseQuote(pass, quote);
  const line = readLine(text, lineStart(text, flow.start));
  const isValue = line.value.start === flow.start;
  if (isValue && text.startsWith('{{', flow.start)) {
    return valueDiagnosis(pass, line, valueExtent(text, line, ownColumn(line)), { message: MOUSTACHE, quotes: true });
  }
  const place = span(
    flow.start,
    Math.max(flow.start + 1, trimEnd(text, flow.start, isValue ? line.value.end : line.end)),
  );
  if (error.code === 'TOO_DEEP') {
    const extent = isValue ? valueExtent(text, line, ownColumn(line)) : span(flow.start, line.end);
    const placeholders: Placeholder[] = [{ span: extent, kind: 'scalar', value: sliceOf(source, extent) }];
    const problem = problemAt(span(error.start, error.start + 1), error.message);
    return diagnosisOf(problem, lines(line, extent.end), placeholders);
  }
  const open = text[flow.start] as string;
  const close = open === '[' ? ']' : '}';
  const closer = findCloser(text, line, flow.start, close);
  if (closer !== undefined) {
    const message = `The lines within \`${open}…${close}\` must be indented deeper than the key before it. Indent them.`;
    const extent = span(flow.start, closer + 1);
    const placeholders: Placeholder[] = [{ span: extent, kind: 'scalar', value: sliceOf(source, extent) }];
    const fix = { title: 'Indent the further lines', edits: indentBelow(text, line, extent.end) };
    return diagnosisOf(problemAt(place, message, fix), lines(line, extent.end), placeholders);
  }
  const message = `\`${open}\` opens a ${open === '[' ? 'list' : 'map'} that is never closed. Add \`${close}\` at its end.`;
  const problem = problemAt(place, message);
  const region = lines(line, Math.max(flow.end, line.end));
  const onOneLine =
    isValue &&
    trimEnd(text, flow.start, flow.end) <= line.end &&
    depthOf(sliceOf(text, place)) === 1 &&
    !sliceOf(text, place).includes('#');
  if (!onOneLine) return diagnosisOf(problem, region);
  const fix = { title: `Add the missing \`${close}\``, edits: [{ span: span(place.end, place.end), newText: close }] };
  return diagnosisOf({ ...problem, fix }, region);
}

/** The bracket that closes further down, before any line that reads as a key or a list item of its own. */
function findCloser(text: string, line: BlockLine, open: number, close: string): number | undefined {
  let above = text.slice(open, line.end);
  let depth = depthOf(above);
  for (const below of linesBelow(text, line)) {
    // Behind a comma or a bracket, a key is one of the map in the brackets.
    const goesOn = /[,[{]\s*$/.test(above);
    if ((below.key && !goesOn) || below.dashes.length > 0) return undefined;
    above = text.slice(below.first, below.end);
    const left = depth + depthOf(above);
    if (left <= 0) {
      const at = above.lastIndexOf(close);
      return at < 0 ? undefined : below.first + at;
    }
    depth = left;
  }
  return undefined;
}

/** How many brackets of a text stay open; quotes in it are skipped. */
function depthOf(text: string): number {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
  }
  return depth;
}

export function diagnoseInFlow({ source }: Pass, flow: FlowSpan, error: ParserError): Diagnosis {
  const word = /^[^,[\]{}\r\n]*/.exec(source.slice(error.start, flow.end))?.[0].trimEnd() ?? '';
  const place = span(error.start, error.start + Math.max(1, word.length));
  const region = span(flow.start, flow.end);
  if (error.code === 'BAD_SCALAR_START' || error.code === 'BAD_ALIAS') {
    const reason = findReason(word, word) ?? { message: error.message, quotes: true };
    return diagnosisOf(valueProblem(source, place, reason), place);
  }
  return diagnosisOf(problemAt(place, flowMessage(error)), region, [], false);
}

function flowMessage({ code, message }: ParserError): string {
  if (code === 'BLOCK_IN_FLOW' || code === 'BLOCK_AS_IMPLICIT_KEY') {
    return 'A second `: ` stands in one entry within brackets. Put a comma between entries, or the text in quotes.';
  }
  if (message.startsWith('Unexpected ,')) return 'A comma stands here with nothing in front of it. Remove it.';
  if (/Missing ,|at node end/.test(message)) return 'A comma is missing between two entries, or the text needs quotes.';
  if (code === 'MULTILINE_IMPLICIT_KEY') return 'A key within brackets must stand on one line, with its colon.';
  return `YAML cannot read this within brackets (${message}). Put text in quotes and commas between entries.`;
}
