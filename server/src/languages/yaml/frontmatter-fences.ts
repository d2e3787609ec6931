/** Where the frontmatter of a Markdown file starts and ends. */
import { lineBreakOf, type Span, span } from '../../text.ts';
import { afterBreak, endOfLine } from './lines.ts';
import type { YamlProblem } from './node.ts';

export interface Fences {
  readonly open: Span | undefined;
  readonly close: Span | undefined;
  readonly content: Span;
  readonly bodyStart: number;
  /** For an opening fence without a closing one. */
  readonly problem?: YamlProblem;
}

const OPENING = /^---[ \t]*$/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/;

/** A line at the margin that YAML can have in a map: a key, a list item, a comment, a closing bracket, nothing. */
const YAML_LINE = /^(?:[ \t]|["']?[\w$][^:]*:(?:[ \t]|$)|-(?:[ \t]|$)|#|[\]}]|$)/;

export function findFences(text: string): Fences {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const nothing: Fences = { open: undefined, close: undefined, content: span(start, start), bodyStart: start };
  if (!text.startsWith('---', start)) return nothing;
  const openEnd = endOfLine(text, start);
  if (!OPENING.test(text.slice(start, openEnd))) return nothing;
  const open = span(start, openEnd);
  const first = afterBreak(text, openEnd);
  for (let at = first; at < text.length; ) {
    const end = endOfLine(text, at);
    // Long lines are no fences, and testing only short ones keeps this linear; of those hardly any begins like one.
    const begins = text.startsWith('---', at) || text.startsWith('...', at);
    if (begins && end - at < 200 && CLOSING.test(text.slice(at, end))) {
      return { open, close: span(at, end), content: span(first, at), bodyStart: afterBreak(text, end) };
    }
    at = afterBreak(text, end);
  }
  return unclosed(text, open, first) ?? nothing;
}

/** An opening fence that is never closed. Undefined where it looks like a mere rule at the top of the text. */
function unclosed(text: string, open: Span, first: number): Fences | undefined {
  const { end, body, isCertain, hasKey } = findYamlEnd(text, first);
  if (!hasKey && text.slice(first).trim() !== '') return undefined;
  const message = 'The frontmatter that opens here is never closed. Add a line `---` behind its last key.';
  const problem: YamlProblem = { span: open, message, kind: 'syntax' };
  const rest = { open, close: undefined, content: span(first, end), bodyStart: body };
  if (!isCertain) return { ...rest, problem };
  const edits = [{ span: span(end, end), newText: `---${lineBreakOf(text)}` }];
  return { ...rest, problem: { ...problem, mend: { title: 'Close the frontmatter', edits } } };
}

interface YamlEnd {
  /** Behind the last line that is YAML. */
  readonly end: number;
  readonly body: number;
  /** True where the first line that cannot be YAML follows directly, comments and empty lines aside. */
  readonly isCertain: boolean;
  readonly hasKey: boolean;
}

function findYamlEnd(text: string, first: number): YamlEnd {
  let end = first;
  let heading: number | undefined;
  let hasKey = false;
  let isEmptyBefore = false;
  for (let at = first; at < text.length; ) {
    const lineEnd = endOfLine(text, at);
    const next = afterBreak(text, lineEnd);
    const line = text.slice(at, Math.min(lineEnd, at + 1000));
    if (!YAML_LINE.test(line)) {
      const isCertain = hasKey && (heading === undefined || heading >= end);
      const yamlEnd = Math.min(end, heading ?? end);
      return { end: yamlEnd, body: yamlEnd, isCertain, hasKey };
    }
    const isEmpty = line.trim() === '';
    // `# Title` behind an empty line is a heading as likely as a comment.
    if (isEmptyBefore && heading === undefined && /^#{1,6} /.test(line)) heading = at;
    if (!isEmpty && !line.startsWith('#')) {
      end = next;
      if (/^["']?[\w$][^:]*:/.test(line)) hasKey = true;
    }
    isEmptyBefore = isEmpty;
    at = next;
  }
  return heading === undefined || !hasKey
    ? { end: text.length, body: text.length, isCertain: false, hasKey }
    : { end: Math.min(end, heading), body: heading, isCertain: false, hasKey };
}
