/**
 * From an error of the YAML parser to the defect behind it. The parser reports where it got stuck, which may be far from
 * what the author got wrong; so the line of the error is read on its own.
 */
import { sliceOf, span } from '../../text.ts';
import {
  diagnoseEscape,
  diagnoseInFlow,
  diagnoseMarginFlow,
  diagnoseOpenFlow,
  diagnoseQuote,
  findOpenQuote,
} from './flow-diagnosis.ts';
import {
  type BlockLine,
  blockEnd,
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
import {
  type Diagnosis,
  diagnosisOf,
  type FlowSpan,
  lineOf,
  lines,
  type ParserError,
  type Pass,
  valueDiagnosis,
} from './parser-errors.ts';
import type { Placeholder } from './placeholders.ts';
import { findReason, problemAt, type Reason, STRAY_LINE } from './problems.ts';
import { quotedAsWritten } from './quote.ts';
import { diagnoseTabs } from './tab-diagnosis.ts';

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
