/**
 * From an error of the YAML parser to the defect behind it. The parser reports where it got stuck, which may be far from
 * what the author got wrong; so the line of the error is read on its own.
 */
import { lineBreakOf, lineStart, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import {
  type BlockLine,
  blockEnd,
  closingQuote,
  columnOf,
  isEmptyLine,
  isEntry,
  lineBefore,
  linesBelow,
  ownColumn,
  readLine,
  skipBlanks,
  trimEnd,
  valueExtent,
} from './lines.ts';
import { mapEntries, type YamlTree } from './node.ts';
import type { Placeholder } from './placeholders.ts';
import {
  type Diagnosis,
  diagnosisOf,
  type FlowSpan,
  findReason,
  folded,
  lineOf,
  lines,
  MOUSTACHE,
  type ParserError,
  type Pass,
  problemAt,
  type Reason,
  STRAY_LINE,
  valueDiagnosis,
  valueProblem,
} from './problems.ts';
import { quotedAsWritten } from './quote.ts';

export function diagnose(pass: Pass, error: ParserError): Diagnosis {
  const quote = error.message.startsWith('Missing closing') ? findOpenQuote(pass, error) : undefined;
  if (quote) return diagnoseQuote(pass, quote);
  if (error.code === 'BAD_DQ_ESCAPE') return diagnoseEscape(pass, error);
  if (error.code === 'MULTIPLE_DOCS') return secondDocument(pass, error);
  const line = lineOf(pass.text, error.start);
  if (error.code === 'TAB_AS_INDENT') return diagnoseTabs(pass, line);
  const first = pass.flows.find(({ start, end, closed }) => closed && start === line.value.start && end <= error.start);
  if (first) return diagnoseValue(pass, line, error, first) ?? diagnoseLine(pass, line, error);
  const flow = pass.flows.find(({ start, end }) => start <= error.start && error.start <= end);
  if (flow && (error.code === 'TOO_DEEP' || !flow.closed)) return diagnoseOpenFlow(pass, flow, error);
  const value = diagnoseValue(pass, flow ? lineOf(pass.text, flow.start) : line, error, flow);
  if (value) return value;
  if (flow) {
    const margin = diagnoseMarginFlow(pass, flow);
    if (margin) return margin;
  }
  if (flow && error.start < flow.end) return diagnoseInFlow(pass, flow, error);
  return diagnoseKey(pass, line, error) ?? diagnoseContinuation(pass, line, error) ?? diagnoseLine(pass, line, error);
}

/** The value of the line, where its text shows why YAML cannot read it. */
function diagnoseValue(
  pass: Pass,
  line: BlockLine,
  error: ParserError,
  flow: FlowSpan | undefined,
): Diagnosis | undefined {
  const { value } = line;
  if (value.start === value.end || error.start < value.start || error.start > line.end) return undefined;
  if (flow && flow.start !== value.start) return undefined;
  const first = sliceOf(pass.text, value);
  if (flow && !first.startsWith('{{') && flow.end >= value.end) return undefined;
  // A line without key and dash is not a value; `diagnoseLine` reads it.
  if (!line.key && line.dashes.length === 0) return undefined;
  const place = valueExtent(pass.text, line, ownColumn(line));
  const reason = findReason(sliceOf(pass.text, place), first);
  if (!reason) return undefined;
  if (/^[|>]/.test(first) && place.end > value.end) {
    // The block below is sound; only the text behind the indicator is wrong.
    const header = value.start + (/^[|>][-+\d]*(?=\s|$)|^./.exec(first)?.[0].length ?? 1);
    const problem = problemAt(span(skipBlanks(pass.text, header, value.end), value.end), reason.message);
    return diagnosisOf(problem, lines(line, line.end), [{ span: span(header, value.end), kind: 'space' }]);
  }
  return valueDiagnosis(pass, line, place, reason);
}

/** A key that begins with a character that YAML reserves. */
function diagnoseKey(pass: Pass, line: BlockLine, error: ParserError): Diagnosis | undefined {
  const { key } = line;
  if (!key || error.start < key.start || error.start >= key.end || !/^(?:BAD_SCALAR_START|BAD_ALIAS)$/.test(error.code))
    return undefined;
  const source = sliceOf(pass.source, key);
  const message = `A key cannot begin with \`${source[0]}\`, which means something else in YAML. Put the key in quotes.`;
  const fix = { title: 'Put the key in quotes', edits: [{ span: key, newText: quotedAsWritten(source) }] };
  const placeholders: Placeholder[] = [{ span: key, kind: 'scalar', value: source }];
  return diagnosisOf(problemAt(key, message, fix), lines(line, line.end), placeholders);
}

/** A value on several lines with a `: ` on a later one, which YAML reads as the end of a key. */
function diagnoseContinuation(pass: Pass, line: BlockLine, error: ParserError): Diagnosis | undefined {
  const { text } = pass;
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && line.value.end > line.value.start) {
    const place = valueExtent(text, line, ownColumn(line));
    const below = findKeyLine(text, line, place.end);
    if (!below?.key) return undefined;
    if (/\s/.test(sliceOf(text, line.value)) || /\s/.test(sliceOf(text, below.key))) {
      return valueDiagnosis(pass, line, place, findReason(sliceOf(text, below.value), 'x: x') as Reason);
    }
    return tooDeep(pass, line, below);
  }
  const parent = findParent(text, line);
  if (!parent?.key || !/^(?:MULTILINE_IMPLICIT_KEY|MISSING_CHAR|UNEXPECTED_TOKEN)$/.test(error.code)) return undefined;
  const first = readLine(text, parent.next);
  const child = isEmptyLine(first) ? lineOf(text, first.start) : first;
  const looksLikeProse = child.key ? /\s/.test(sliceOf(text, child.key)) : /\S\s+\S/.test(sliceOf(text, child.value));
  if (child.dashes.length > 0 || !looksLikeProse || /^["'[{|>&*!]/.test(text.slice(child.first))) return undefined;
  const end = trimEnd(text, child.first, blockEnd(text, parent, ownColumn(parent)));
  return valueDiagnosis(pass, parent, span(child.first, end), {
    message: findReason('x: x', 'x: x')?.message ?? '',
    quotes: !hasComment(text, child, end),
  });
}

function hasComment(text: string, from: BlockLine, end: number): boolean {
  for (const line of [from, ...linesBelow(text, from, end)]) if (line.comment !== undefined) return true;
  return false;
}

/** The first line below `line` and before `end` that reads as `key:`. */
function findKeyLine(text: string, line: BlockLine, end: number): BlockLine | undefined {
  for (const below of linesBelow(text, line)) {
    if (below.start >= end) return undefined;
    if (below.key) return below;
  }
  return undefined;
}

/** The key above, without a value of its own, under which the line stands. */
function findParent(text: string, line: BlockLine): BlockLine | undefined {
  const column = columnOf(line, line.first);
  if (column === 0) return undefined;
  for (let above = lineBefore(text, line); above; above = lineBefore(text, above)) {
    if (columnOf(above, above.first) >= column) continue;
    return above.key && ownColumn(above) < column && above.value.start === above.value.end ? above : undefined;
  }
  return undefined;
}

function tooDeep({ source, text }: Pass, above: BlockLine, line: BlockLine): Diagnosis {
  const key = line.key ?? line.value;
  const parent = above.key ? `\`${sliceOf(source, above.key)}\`` : 'the line above';
  const message = `This line is indented deeper than ${parent}, which already has a value and can hold nothing more. Indent it like ${parent}, or remove that value.`;
  const end = blockEnd(text, line, columnOf(line, line.first));
  const placeholders: Placeholder[] = [{ span: span(line.first, end), kind: 'comment' }];
  return diagnosisOf(problemAt(key, message), lines(above, end), placeholders);
}

/** A line that is wrong where it stands. */
function diagnoseLine(pass: Pass, line: BlockLine, error: ParserError): Diagnosis {
  const { text, source } = pass;
  if (isEmptyLine(line)) return atEnd(pass, error);
  const content = source.slice(line.first, line.end);
  const end = strayEnd(text, line);
  const region = lines(line, end);
  const above = lineBefore(text, line);
  const place =
    line.key && line.dashes.length === 0 ? line.key : span(line.first, Math.max(line.value.end, line.key?.end ?? 0));
  if (error.code === 'BAD_INDENT') {
    const behindQuote = above && !line.key ? diagnoseBehindQuote(pass, line, above) : undefined;
    if (behindQuote) return behindQuote;
    const message =
      'This line is not indented like the lines it belongs to. Give all entries of one map or list the same indentation.';
    return diagnosisOf(problemAt(place, message), lines(line, deeperEnd(text, line)), [], false);
  }
  const glued = /^([\w.-]+|"[^"\\]*"|'[^']*'):(?=[^\s/:])/.exec(content.slice(line.value.start - line.first));
  if (!line.key && glued) return missingBlank(pass, line, line.value.start + glued[0].length);
  if (
    line.key &&
    above &&
    (above.key || above.dashes.length > 0) &&
    ownColumn(above) < columnOf(line, line.first) &&
    above.value.end > above.value.start
  ) {
    return tooDeep(pass, above, line);
  }
  const placeholders: Placeholder[] = [{ span: span(line.first, end), kind: 'comment' }];
  return diagnosisOf(problemAt(place, lineMessage(text, line, above, error)), region, placeholders, false);
}

/** Text that goes on below a value in quotes, which has ended there. */
function diagnoseBehindQuote(pass: Pass, line: BlockLine, above: BlockLine): Diagnosis | undefined {
  const { text } = pass;
  const first = sliceOf(text, above.value);
  if (!above.key || !/^["']/.test(first) || columnOf(line, line.first) <= ownColumn(above)) return undefined;
  const place = valueExtent(text, above, ownColumn(above));
  const reason = findReason(sliceOf(text, place), first);
  return reason && valueDiagnosis(pass, above, place, { ...reason, quotes: false });
}

/** The end of the lines from `line` on that belong to no entry. */
function strayEnd(text: string, line: BlockLine): number {
  const column = columnOf(line, line.first);
  let end = blockEnd(text, line, column);
  if (line.key) return end;
  for (const below of linesBelow(text, line)) {
    if (isEmptyLine(below)) continue;
    if (isEntry(text, below) || columnOf(below, below.first) < column) break;
    end = Math.max(end, below.end);
  }
  return end;
}

function lineMessage(text: string, line: BlockLine, above: BlockLine | undefined, error: ParserError): string {
  if (error.code === 'TOO_DEEP') return error.message;
  if (error.code === 'KEY_OVER_1024_CHARS')
    return 'A key can be at most 1024 characters long. If this is text, put it in quotes.';
  if (text[line.first] === '%')
    return 'A line that begins with `%` is a YAML directive, which means nothing here. Remove it.';
  if (line.dashes.length > 0) return 'A list item stands among keys. Indent the list under the key that it belongs to.';
  const reserved = line.key
    ? undefined
    : findReason(text.slice(line.first, line.value.end), text.slice(line.first, line.value.end));
  if (reserved) return reserved.message;
  if (line.key && above?.dashes.length)
    return 'A key stands among list items. Indent it under its item, or move it to the map that it belongs to.';
  // A block of text is empty only where nothing stands between its indicator and this line.
  if (above && /^[|>][-+\d]*$/.test(sliceOf(text, above.value)) && text.slice(above.next, line.start).trim() === '') {
    return `The text of \`${text[above.value.start]}\` must be indented deeper than its key. Indent this line.`;
  }
  if (!line.key) return STRAY_LINE;
  return `YAML cannot read this line (${error.message}). Check the indentation, quotes and brackets here and above.`;
}

/** The end of the lines at and below `line` that stand at least as deep. */
const deeperEnd = (text: string, line: BlockLine): number => blockEnd(text, line, columnOf(line, line.first) - 1);

/** `name:value`: without the blank, YAML reads one word. */
function missingBlank({ source }: Pass, line: BlockLine, at: number): Diagnosis {
  const key = span(line.value.start, at - 1);
  const message = `A blank is missing behind the colon of \`${sliceOf(source, key)}\`; without it this is no key.`;
  const fix = { title: 'Insert the blank', edits: [{ span: span(at, at), newText: ' ' }] };
  const value = sliceOf(source, span(at, line.value.end));
  // The placeholder takes one character for the blank, so the value must have a second one.
  const placeholders: Placeholder[] =
    value.length > 1
      ? [
          { span: span(at, at + 1), kind: 'space' },
          { span: span(at + 1, line.value.end), kind: 'scalar', value, place: span(at, line.value.end) },
        ]
      : [{ span: span(line.first, line.end), kind: 'comment' }];
  return diagnosisOf(problemAt(span(key.start, at), message, fix), lines(line, line.end), placeholders);
}

function secondDocument({ text }: Pass, { start }: ParserError): Diagnosis {
  const message =
    'A second YAML document begins here; only the first one counts. Remove it, or make it a file of its own.';
  const end = Math.max(
    start,
    text.startsWith('---', start) ? start + 3 : trimEnd(text, start, readLine(text, start).end),
  );
  return diagnosisOf(problemAt(span(start, end), message), span(start, text.length));
}

/** An error behind the last line with content. */
function atEnd({ text }: Pass, error: ParserError): Diagnosis {
  const start = Math.min(error.start, text.length);
  const message = `YAML ends too early here (${error.message}).`;
  return diagnosisOf(problemAt(span(start, start), message), span(start, text.length), [], false);
}

/** Defects of brackets and quotes, which may span lines. */
function diagnoseEscape({ errors, text }: Pass, error: ParserError): Diagnosis {
  const line = lineOf(text, error.start);
  const all = errors.filter(({ code, start }) => code === error.code && start >= error.start && start <= line.end);
  const sequence = /Invalid escape sequence (\S+)/.exec(error.message)?.[1] ?? text.slice(error.start, error.start + 2);
  const message = `\`${sequence}\` is no escape sequence; in double quotes a backslash begins one. Write \`\\\\\` for a backslash.`;
  const edits = all.map(({ start }) => ({ span: span(start, start), newText: '\\' }));
  const place = span(error.start, Math.min(text.length, error.start + sequence.length));
  return diagnosisOf(problemAt(place, message, { title: 'Double the backslash', edits }), span(error.start, line.end));
}

const findOpenQuote = ({ openQuotes }: Pass, error: ParserError): Span | undefined =>
  openQuotes.find(({ start, end }) => start <= error.start && error.start <= end);

function diagnoseQuote(pass: Pass, quote: Span): Diagnosis {
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
function diagnoseMarginFlow({ text }: Pass, flow: FlowSpan): Diagnosis | undefined {
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
function diagnoseOpenFlow(pass: Pass, flow: FlowSpan, error: ParserError): Diagnosis {
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

function diagnoseInFlow({ source }: Pass, flow: FlowSpan, error: ParserError): Diagnosis {
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

// Lines that are indented with tabs, which YAML does not allow.

/** Consecutive lines with tabs are one problem, so that reading the text once more is enough. */
function diagnoseTabs({ text, source }: Pass, at: BlockLine): Diagnosis {
  const above = lineBefore(text, at);
  const edits: { span: Span; newText: string }[] = [];
  let end = at.end;
  for (
    let line = at;
    /\t/.test(text.slice(line.start, line.first)) && line.first < line.end;
    line = readLine(text, line.next)
  ) {
    const indent = span(line.start, line.first);
    edits.push({ span: indent, newText: inSpaces(sliceOf(source, indent)) });
    end = line.end;
    if (line.next === line.end) break;
  }
  // Below a key that has its value already nothing can be nested.
  if (above?.key && at.key && above.value.end > above.value.start && !/^[|>&!]/.test(sliceOf(source, above.value))) {
    const deeper = edits[0]?.newText ?? '';
    const own = ' '.repeat(columnOf(above, above.key.start));
    for (const edit of edits) edit.newText = own + edit.newText.slice(deeper.length);
  }
  const message = 'YAML does not allow tabs as indentation. Use spaces.';
  const problem = problemAt(span(at.start, Math.max(at.first, at.start)), message);
  const region = span(above?.start ?? at.start, end);
  const hasMoreTabs = /^[-?:][-?: ]*\t/.test(text.slice(at.first, at.end));
  if (edits.length === 0 || hasMoreTabs) return diagnosisOf(problem, region, [], false);
  const placeholders = edits.map((edit): Placeholder => ({ span: edit.span, kind: 'space' }));
  return diagnosisOf({ ...problem, fix: { title: 'Indent with spaces', edits } }, region, placeholders);
}

const inSpaces = (indent: string): string => indent.replaceAll('\t', '  ');

/** A value that swallowed the keys behind it because a line break was lost: `description: … . license: MIT`. */
export interface SwallowedKeys {
  readonly names: readonly string[];
  /** Gives each of them a line of its own. */
  readonly edits: readonly TextEdit[];
}

/** More of a value is not looked at. */
const MAX_VALUE = 10_000;

/** The keys within a value that YAML cannot read, of the `known` ones that stand nowhere else; undefined without any. */
export function findSwallowedKeys(
  text: string,
  { root }: YamlTree,
  value: Span,
  known: Iterable<string>,
): SwallowedKeys | undefined {
  const written = sliceOf(text, value).slice(0, MAX_VALUE);
  const key = /^[ \t]*[\w-]+:[ \t]+$/.exec(text.slice(lineStart(text, value.start), value.start))?.[0];
  // Only a value at the margin: what is indented belongs to a map of its own.
  if (key === undefined || /^[ \t]/.test(key)) return undefined;
  const missing = new Set(known);
  for (const entry of mapEntries(root)) missing.delete(String(entry.key.value));
  const found = [...written.matchAll(SWALLOWED)].filter(
    ({ groups: { before = '', name = '' } = {} }) => missing.has(name) && (isCompound(name) || endsSentence(before)),
  );
  if (found.length === 0) return undefined;
  const edits = found.map(({ index, groups: { before = '', gap = '' } = {} }) => {
    const start = value.start + index + before.length;
    return { span: span(start, start + gap.length), newText: lineBreakOf(text) };
  });
  return { names: found.map(({ groups }) => groups?.name ?? ''), edits };
}

/** A key behind a blank, or right behind the end of a sentence in a script that writes no blank there. */
const SWALLOWED = /(?<before>\S(?=[ \t])|[。！？])(?<gap>[ \t]*)(?<name>[A-Za-z][\w-]*):(?=[ \t]|$)/g;

/** `allowed-tools` is no word of a sentence, which `version` may be. */
const isCompound = (name: string): boolean => /[-_]/.test(name);

const endsSentence = (character: string): boolean => /[.!?;)\]"'。！？]/.test(character);
