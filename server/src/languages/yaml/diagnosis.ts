/**
 * Finds the defect that causes a YAML parser error. The parser reports the offset at which it stopped, which may be far
 * from the author's mistake. Therefore, this module reads the text around the error again.
 */

import { lineStart, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { escapesInPaths } from './drive-paths.ts';
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
import type { Placeholder } from './placeholders.ts';
import {
  COLON,
  type Diagnosis,
  diagnosisOf,
  type FlowSpan,
  findReason,
  folded,
  lineOf,
  lines,
  type ParserError,
  type Pass,
  problemAt,
  STRAY_LINE,
  TEMPLATE_IN_YAML,
  valueDiagnosis,
  valueProblem,
} from './problems.ts';
import { quotedAsWritten } from './quote.ts';

/** Returns the defect that causes a parser error in the pass. Never throws. */
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

/** Diagnoses the value of the line if its text shows why YAML cannot read it. */
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
  // A line without a key or a dash has no value; `diagnoseLine` handles such lines.
  if (!line.key && line.dashes.length === 0) return undefined;
  const place = valueExtent(pass.text, line, ownColumn(line));
  const reason = findReason(sliceOf(pass.text, place), first);
  if (!reason) return undefined;
  if (/^[|>]/.test(first) && place.end > value.end) {
    // The block below is valid; only the text after the indicator is wrong.
    const header = value.start + (/^[|>][-+\d]*(?=\s|$)|^./.exec(first)?.[0].length ?? 1);
    const text = span(skipBlanks(pass.text, header, value.end), value.end);
    const [lineBreak] = /(?:\r\n?|\n)[ \t]+(?=\S)/.exec(pass.text.slice(value.end, place.end)) ?? [];
    const edits = [{ span: span(header, text.start), newText: lineBreak ?? '' }];
    const fix = lineBreak === undefined ? undefined : { title: 'Move the text to the next line', edits };
    const problem = problemAt(text, reason.message, fix);
    return diagnosisOf(problem, lines(line, line.end), [{ span: span(header, value.end), kind: 'space' }]);
  }
  return valueDiagnosis(pass, line, place, reason);
}

/** Diagnoses a key that begins with a character that YAML reserves. */
function diagnoseKey(pass: Pass, line: BlockLine, error: ParserError): Diagnosis | undefined {
  const { key } = line;
  if (!key || error.start < key.start || error.start >= key.end || !/^(?:BAD_SCALAR_START|BAD_ALIAS)$/.test(error.code))
    return undefined;
  const source = sliceOf(pass.source, key);
  const message = `A YAML key cannot begin with \`${source[0]}\`. Put the key in quotes.`;
  const fix = { title: 'Put the key in quotes', edits: [{ span: key, newText: quotedAsWritten(source) }] };
  const placeholders: Placeholder[] = [{ span: key, kind: 'scalar', value: source }];
  return diagnosisOf(problemAt(key, message, fix), lines(line, line.end), placeholders);
}

/** Diagnoses a value on several lines with a `: ` on a later line, which YAML reads as the end of a key. */
function diagnoseContinuation(pass: Pass, line: BlockLine, error: ParserError): Diagnosis | undefined {
  const { text } = pass;
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && line.value.end > line.value.start) {
    const place = valueExtent(text, line, ownColumn(line));
    const below = findKeyLine(text, line, place.end);
    if (!below?.key) return undefined;
    const looksLikeProse = /\s/.test(sliceOf(text, line.value)) || /\s/.test(sliceOf(text, below.key));
    if (looksLikeProse && !hasBlock(text, below)) {
      return valueDiagnosis(pass, line, place, COLON);
    }
    return tooDeep(pass, line, below);
  }
  const parent = findParent(text, line);
  if (!parent?.key || !/^(?:MULTILINE_IMPLICIT_KEY|MISSING_CHAR|UNEXPECTED_TOKEN)$/.test(error.code)) return undefined;
  const first = readLine(text, parent.next);
  const child = isEmptyLine(first) ? lineOf(text, first.start) : first;
  const looksLikeProse = child.key ? /\s/.test(sliceOf(text, child.key)) : /\S\s+\S/.test(sliceOf(text, child.value));
  if (child.dashes.length > 0 || !looksLikeProse || /^["'[{|>&*!]/.test(text.slice(child.first))) return undefined;
  // A space is missing in `key:"value"` above an entry whose key has one word.
  const sibling = findKeyLine(text, child, blockEnd(text, parent, ownColumn(parent)));
  if (gluedEnd(text, child) !== undefined && sibling?.key && !/\s/.test(sliceOf(text, sibling.key))) return undefined;
  const end = trimEnd(text, child.first, blockEnd(text, parent, ownColumn(parent)));
  return valueDiagnosis(pass, parent, span(child.first, end), {
    message: COLON.message,
    quotes: !hasComment(text, child, end),
  });
}

function hasComment(text: string, from: BlockLine, end: number): boolean {
  for (const line of [from, ...linesBelow(text, from, end)]) if (line.comment !== undefined) return true;
  return false;
}

/** Returns whether a key has no value on its line, but deeper lines below it. */
const hasBlock = (text: string, line: BlockLine): boolean =>
  line.value.start === line.value.end && blockEnd(text, line, columnOf(line, line.first)) > line.end;

/** Returns the first line below `line` and before `end` that has a key. */
function findKeyLine(text: string, line: BlockLine, end: number): BlockLine | undefined {
  for (const below of linesBelow(text, line)) {
    if (below.start >= end) return undefined;
    if (below.key) return below;
  }
  return undefined;
}

/**
 * Returns the line with the key under which `line` is indented; undefined if that key already has a value on its own
 * line.
 */
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
  const message = `This line is indented deeper than ${parent}, which already has a value. Indent it like ${parent}, or remove that value.`;
  const end = blockEnd(text, line, columnOf(line, line.first));
  const placeholders: Placeholder[] = [{ span: span(line.first, end), kind: 'comment' }];
  const isOneLine = end <= line.next && line.key !== undefined && above.key !== undefined && above.dashes.length === 0;
  const indent = sliceOf(source, span(above.start, above.first));
  const edits = [{ span: span(line.start, line.first), newText: indent }];
  const fix = isOneLine ? { title: `Indent it like ${parent}`, edits, isGuess: true } : undefined;
  return diagnosisOf(problemAt(key, message, fix), lines(above, end), placeholders);
}

/** Diagnoses a line that is not valid at its position. */
function diagnoseLine(pass: Pass, line: BlockLine, error: ParserError): Diagnosis {
  const { text, source } = pass;
  if (isEmptyLine(line)) return atEnd(pass, error);
  const end = strayEnd(text, line);
  const region = lines(line, end);
  const above = lineBefore(text, line);
  const place =
    line.key && line.dashes.length === 0 ? line.key : span(line.first, Math.max(line.value.end, line.key?.end ?? 0));
  if (error.code === 'BAD_INDENT') {
    const afterQuote = above && !line.key ? diagnoseAfterQuote(pass, line, above) : undefined;
    if (afterQuote) return afterQuote;
    const cut = line.key ? undefined : diagnoseCutText(pass, line);
    if (cut) return cut;
    const message =
      'The indentation of this line does not match the lines above. Indent all entries of one map or list alike.';
    return diagnosisOf(problemAt(place, message), lines(line, deeperEnd(text, line)), [], false);
  }
  const glued = gluedEnd(source, line);
  if (glued !== undefined) return diagnoseMissingSpace(pass, line, glued);
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

/** Diagnoses text below a comment, which ends the text above it. The `#` is usually meant as text. */
function diagnoseCutText(pass: Pass, line: BlockLine): Diagnosis | undefined {
  const { text } = pass;
  let hasComment = false;
  let top = lineBefore(text, line);
  for (; top && !top.key && top.dashes.length === 0; top = lineBefore(text, top))
    hasComment ||= top.comment !== undefined;
  hasComment ||= top?.comment !== undefined;
  if (!top?.key || !hasComment || ownColumn(top) >= columnOf(line, line.first)) return undefined;
  if (top.value.start === top.value.end || /^["'|>[{&*!#]/.test(text.slice(top.value.start))) return undefined;
  const place = span(top.value.start, trimEnd(text, top.value.start, blockEnd(text, top, ownColumn(top))));
  return valueDiagnosis(pass, top, place, { message: CUT_TEXT, quotes: true });
}

const CUT_TEXT =
  'YAML reads a `#` after a space as the start of a comment, so the text ends there. Put the value in quotes.';

/** Diagnoses text below a quoted value that is already closed. */
function diagnoseAfterQuote(pass: Pass, line: BlockLine, above: BlockLine): Diagnosis | undefined {
  const { text } = pass;
  const first = sliceOf(text, above.value);
  if (!above.key || !/^["']/.test(first) || columnOf(line, line.first) <= ownColumn(above)) return undefined;
  const place = valueExtent(text, above, ownColumn(above));
  const reason = findReason(sliceOf(text, place), first);
  return reason && valueDiagnosis(pass, above, place, { ...reason, quotes: false });
}

/** Returns the end of the lines, beginning with `line`, that do not belong to an entry. */
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
    return 'A key can have at most 1,024 characters. If this is text, put it in quotes.';
  if (text[line.first] === '%')
    return 'A line that begins with `%` is a YAML directive, which has no effect here. Remove it.';
  if (line.dashes.length > 0) return 'Unexpected list item between keys. Indent the list below its key.';
  const reserved = line.key
    ? undefined
    : findReason(text.slice(line.first, line.value.end), text.slice(line.first, line.value.end));
  if (reserved) return reserved.message;
  if (line.key && above?.dashes.length)
    return 'Unexpected key between list items. Indent the key below its list item, or move it to its map.';
  // A block scalar is empty only if there is no content between its indicator and this line.
  if (above && /^[|>][-+\d]*$/.test(sliceOf(text, above.value)) && text.slice(above.next, line.start).trim() === '') {
    return `The text after \`${text[above.value.start]}\` must be indented deeper than its key. Indent this line.`;
  }
  if (!line.key) return STRAY_LINE;
  return `This line is not valid YAML (${error.message}). Check the indentation, quotes and brackets here and above.`;
}

/** Returns the end of `line` and the lines below it that are indented at least as deeply. */
const deeperEnd = (text: string, line: BlockLine): number => blockEnd(text, line, columnOf(line, line.first) - 1);

/** Returns the end of `name:` in a line with `name:value`, which YAML reads as one word; otherwise undefined. */
function gluedEnd(text: string, { key, value, end }: BlockLine): number | undefined {
  const glued = /^([\w.-]+|"[^"\\]*"|'[^']*'):(?=[^\s/:]|[^\S \t\r\n])/.exec(text.slice(value.start, end));
  return key || !glued ? undefined : value.start + glued[0].length;
}

/** Diagnoses `name:value`. */
function diagnoseMissingSpace({ source }: Pass, line: BlockLine, at: number): Diagnosis {
  const key = span(line.value.start, at - 1);
  const name = `\`${sliceOf(source, key)}\``;
  // White space that YAML does not know, such as a no-break space.
  const isOther = /\s/.test(source[at] ?? '');
  const message = isOther
    ? `The character after the colon of ${name} looks like a space, but is another one. Replace it with a space.`
    : `Missing space after the colon of ${name}. Add it.`;
  const title = isOther ? 'Replace it with a space' : 'Add the missing space';
  const fix = { title, edits: [{ span: span(at, isOther ? at + 1 : at), newText: ' ' }] };
  const value = sliceOf(source, span(isOther ? at + 1 : at, line.value.end));
  // The placeholder needs one character for the space, so the value must have at least two characters.
  const placeholders: Placeholder[] =
    value.length > (isOther ? 0 : 1)
      ? [
          { span: span(at, at + 1), kind: 'space' },
          { span: span(at + 1, line.value.end), kind: 'scalar', value, place: span(at, line.value.end) },
        ]
      : [{ span: span(line.first, line.end), kind: 'comment' }];
  return diagnosisOf(
    problemAt(span(key.start, isOther ? at + 1 : at), message, fix),
    lines(line, line.end),
    placeholders,
  );
}

function secondDocument({ text }: Pass, { start }: ParserError): Diagnosis {
  const message =
    'A second YAML document begins here, but only the first one is used. Remove it, or move it to another file.';
  const end = Math.max(
    start,
    text.startsWith('---', start) ? start + 3 : trimEnd(text, start, readLine(text, start).end),
  );
  return diagnosisOf(problemAt(span(start, end), message), span(start, text.length));
}

/** Diagnoses an error after the last line with content. */
function atEnd({ text }: Pass, error: ParserError): Diagnosis {
  const start = Math.min(error.start, text.length);
  const message = `The YAML ends too early (${error.message}). Complete the last line.`;
  return diagnosisOf(problemAt(span(start, start), message), span(start, text.length), [], false);
}

// Defects in quotes and brackets, which may span several lines.

function diagnoseEscape({ errors, text }: Pass, error: ParserError): Diagnosis {
  const line = lineOf(text, error.start);
  const all = errors.filter(({ code, start }) => code === error.code && start >= error.start && start <= line.end);
  const sequence = /Invalid escape sequence (\S+)/.exec(error.message)?.[1] ?? text.slice(error.start, error.start + 2);
  const message = `Unknown escape sequence \`${sequence}\` in double quotes. Write \`\\\\\` for a backslash.`;
  // In a path, a valid escape sequence such as `\t` is not meant, either.
  const starts = new Set([...all, ...escapesInPaths(text, line)].map(({ start }) => start));
  const edits = [...starts].sort((a, b) => a - b).map((start) => ({ span: span(start, start), newText: '\\' }));
  const place = span(error.start, Math.min(text.length, error.start + sequence.length));
  return diagnosisOf(problemAt(place, message, { title: 'Double the backslash', edits }), span(error.start, line.end));
}

const findOpenQuote = ({ openQuotes }: Pass, error: ParserError): Span | undefined =>
  openQuotes.find(({ start, end }) => start <= error.start && error.start <= end);

function diagnoseQuote(pass: Pass, quote: Span): Diagnosis {
  const { text, source, flows } = pass;
  const mark = source[quote.start] as string;
  const line = readLine(text, lineStart(text, quote.start));
  const message = `This ${mark === '"' ? 'double' : 'single'} quote is not closed. Close it at the end of the value.`;
  const ownLine = span(quote.start, Math.max(quote.start + 1, trimEnd(text, quote.start, line.end)));
  if (line.value.start !== quote.start) {
    // Inside brackets, closing brackets at the end of the line are not part of the scalar.
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

/** The maximum length of a quoted value in UTF-16 code units. A quote beyond this limit closes another value. */
const MAX_QUOTED = 20_000;

/**
 * Returns the offset of the quote that closes the value on `line`. The quote is at the end of a later line, and there
 * is no entry between the two lines.
 */
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

/** Diagnoses a value in quotes whose later lines are not indented. Some YAML parsers accept such a value. */
function diagnoseShallow({ text, source }: Pass, line: BlockLine, place: Span): Diagnosis {
  const message =
    'Some YAML parsers require all lines of a quoted value to be indented deeper than its key. Indent the lines below.';
  const edits = indentBelow(text, line, place.end);
  const problem = problemAt(span(place.start, trimEnd(text, place.start, line.end)), message);
  const placeholders: Placeholder[] = [
    { span: place, kind: 'scalar', value: folded(source.slice(place.start + 1, place.end - 1)) },
  ];
  const fix = { title: 'Indent the following lines', edits };
  return diagnosisOf({ ...problem, fix }, lines(line, place.end), placeholders);
}

/** Returns edits that indent the lines between `line` and `end` deeper than the key on `line`. */
function indentBelow(text: string, line: BlockLine, end: number): readonly TextEdit[] {
  const edits = [];
  const indent = ' '.repeat(ownColumn(line) + 2);
  for (let at = line.next; at < end; at = readLine(text, at).next) {
    if (text.slice(at, readLine(text, at).end).trim() !== '') edits.push({ span: span(at, at), newText: indent });
  }
  return edits;
}

/**
 * Diagnoses a complete `{…}` or `[…]` on the line below its key and in the same column, which YAML reads as another
 * key.
 */
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
  const message = `The value of \`${sliceOf(text, above.key)}\` must be indented deeper than its key. Indent the brackets.`;
  const problem = problemAt(span(flow.start, trimEnd(text, flow.start, Math.min(flow.end, line.end))), message);
  const placeholders: Placeholder[] = [{ span: span(flow.start, flow.end), kind: 'space' }];
  return diagnosisOf({ ...problem, fix: { title: 'Indent the brackets', edits } }, lines(line, flow.end), placeholders);
}

/** Diagnoses a bracket that is not closed, is closed too far to the left, or is nested too deeply. */
function diagnoseOpenFlow(pass: Pass, flow: FlowSpan, error: ParserError): Diagnosis {
  const { text, source } = pass;
  const quote = pass.openQuotes.find(({ start }) => flow.start < start && start < flow.end);
  if (quote) return diagnoseQuote(pass, quote);
  const line = readLine(text, lineStart(text, flow.start));
  const isValue = line.value.start === flow.start;
  if (isValue && text.startsWith('{{', flow.start)) {
    return valueDiagnosis(pass, line, valueExtent(text, line, ownColumn(line)), {
      message: TEMPLATE_IN_YAML,
      quotes: true,
    });
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
    const message = `The lines inside \`${open}…${close}\` must be indented deeper than their key. Indent them.`;
    const extent = span(flow.start, closer + 1);
    const placeholders: Placeholder[] = [{ span: extent, kind: 'scalar', value: sliceOf(source, extent) }];
    const fix = { title: 'Indent the following lines', edits: indentBelow(text, line, extent.end) };
    return diagnosisOf(problemAt(place, message, fix), lines(line, extent.end), placeholders);
  }
  const message = `This \`${open}\` is not closed. Add \`${close}\` at the end of the ${open === '[' ? 'list' : 'map'}.`;
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

/** Returns the offset of the closing bracket on a later line, if no key or list item of another value is before it. */
function findCloser(text: string, line: BlockLine, open: number, close: string): number | undefined {
  let above = text.slice(open, line.end);
  let depth = depthOf(above);
  for (const below of linesBelow(text, line)) {
    // After a comma or a bracket, a key belongs to the map in the brackets.
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

/** Returns the number of unclosed brackets in a string, without those in quotes. */
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
    return 'This entry inside brackets has a second `: `. Add a comma between entries, or put the text in quotes.';
  }
  if (message.startsWith('Unexpected ,')) return 'Unexpected comma without an entry before it. Remove it.';
  if (/Missing ,|at node end/.test(message))
    return 'Missing comma between two entries. Add a comma, or put the text in quotes.';
  if (code === 'MULTILINE_IMPLICIT_KEY') return 'A key inside brackets must be on the same line as its colon.';
  return `This is not valid YAML inside brackets (${message}). Put text in quotes, and add commas between entries.`;
}

/**
 * Diagnoses lines that are indented with tabs. Consecutive lines are one problem, so that only one more pass is needed.
 */
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
  // A key that already has a value cannot contain a map.
  if (above?.key && at.key && above.value.end > above.value.start && !/^[|>&!]/.test(sliceOf(source, above.value))) {
    const deeper = edits[0]?.newText ?? '';
    const own = ' '.repeat(columnOf(above, above.key.start));
    for (const edit of edits) edit.newText = own + edit.newText.slice(deeper.length);
  }
  const message = 'YAML does not allow tabs for indentation. Use spaces.';
  const problem = problemAt(span(at.start, Math.max(at.first, at.start)), message);
  const region = span(above?.start ?? at.start, end);
  const hasMoreTabs = /^[-?:][-?: ]*\t/.test(text.slice(at.first, at.end));
  if (edits.length === 0 || hasMoreTabs) return diagnosisOf(problem, region, [], false);
  const placeholders = edits.map((edit): Placeholder => ({ span: edit.span, kind: 'space' }));
  return diagnosisOf({ ...problem, fix: { title: 'Indent with spaces', edits } }, region, placeholders);
}

const inSpaces = (indent: string): string => indent.replaceAll('\t', '  ');
