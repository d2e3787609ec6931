/** The frontmatter of a Markdown file: where its fences stand, and the YAML between them. */
import { afterBreak, endOfLine, lineBreakOf, type Span, span } from '../../text.ts';
import type { YamlProblem, YamlTree } from './node.ts';
import { parseYaml } from './parse.ts';
import { problemAt } from './problems.ts';

/** The fences and what they part. */
export interface Fences {
  /** The `---` line that opens it, without its line break; undefined where the file has no frontmatter. */
  readonly open: Span | undefined;
  /** The `---` or `...` line that closes it. */
  readonly close: Span | undefined;
  /** What stands between the fences, the last line break included. */
  readonly content: Span;
  /** Where the body starts. */
  readonly bodyStart: number;
}

export interface Frontmatter extends Fences {
  readonly tree: YamlTree;
}

/** Reads the frontmatter at the very start of a text, after an optional byte order mark. */
export function parseFrontmatter(text: string): Frontmatter {
  const { problem, ...fences } = findFences(text);
  const { open, content } = fences;
  if (!open) return { ...fences, tree: { span: content, root: undefined, problems: [], comments: [], broken: false } };
  const tree = parseYaml(text, content);
  if (!problem) return { tree, ...fences };
  // Keys that are there are read all the same: mostly the frontmatter is being written.
  const broken = tree.broken || tree.root?.kind !== 'map';
  return { ...fences, tree: { ...tree, problems: [problem, ...tree.problems], broken } };
}

/** Whether frontmatter begins and does not end, so that what follows may be meant as its body or as more of it. */
export const isUnclosed = ({ open, close }: Fences): boolean => open !== undefined && close === undefined;

const OPENING = /^---[ \t]*$/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/;

/** A line that YAML can have in a map: indented, empty, a key, a list item, a comment, a closing bracket. */
const YAML_LINE = /^(?:[ \t]|["']?[\w$][^:]*:(?:[ \t]|$)|-(?:[ \t]|$)|#|[\]}]|$)/;

/** Finds the fences; `problem` is that of an opening fence without a closing one. */
export function findFences(text: string): Fences & { readonly problem?: YamlProblem } {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const none: Fences = { open: undefined, close: undefined, content: span(start, start), bodyStart: start };
  if (!text.startsWith('---', start)) return none;
  const openEnd = endOfLine(text, start);
  if (!OPENING.test(text.slice(start, openEnd))) return none;
  const open = span(start, openEnd);
  const first = afterBreak(text, openEnd);
  for (let at = first; at < text.length; ) {
    const end = endOfLine(text, at);
    if (end - at < 200 && CLOSING.test(text.slice(at, end))) {
      return { open, close: span(at, end), content: span(first, at), bodyStart: afterBreak(text, end) };
    }
    at = afterBreak(text, end);
  }
  return unclosed(text, open, first) ?? none;
}

/** An opening fence that is never closed; undefined where it may be a thematic break at the top of the text. */
function unclosed(text: string, open: Span, first: number): ReturnType<typeof findFences> | undefined {
  const { end, last, body, isCertain, hasKey } = findYamlEnd(text, first);
  if (!hasKey && text.slice(first).trim() !== '') return undefined;
  const message = 'The frontmatter that opens here is never closed. Add a line `---` behind its last key.';
  const rest = { open, close: undefined, content: span(first, end), bodyStart: body };
  const lineBreak = lineBreakOf(text);
  const newText = `${/[\r\n]$/.test(text.slice(0, last)) ? '' : lineBreak}---${lineBreak}`;
  const edits = [{ span: span(last, last), newText }];
  return { ...rest, problem: problemAt(open, message, { title: 'Close the frontmatter', edits, isGuess: !isCertain }) };
}

interface YamlEnd {
  /** Behind the last line of YAML, blank ones included where nothing else follows. */
  readonly end: number;
  /** Behind the last line that holds YAML. */
  readonly last: number;
  readonly body: number;
  /** True where a line that cannot be YAML follows, with only comments and empty lines before it. */
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
      return { end: yamlEnd, last: yamlEnd, body: yamlEnd, isCertain, hasKey };
    }
    const isEmpty = line.trim() === '';
    // Behind an empty line, `# Title` may be a heading as well as a comment.
    if (isEmptyBefore && heading === undefined && /^#{1,6} /.test(line)) heading = at;
    if (!isEmpty && !line.startsWith('#')) {
      end = next;
      if (/^["']?[\w$][^:]*:/.test(line)) hasKey = true;
    }
    isEmptyBefore = isEmpty;
    at = next;
  }
  if (heading === undefined || !hasKey) {
    return { end: text.length, last: end, body: text.length, isCertain: false, hasKey };
  }
  const last = Math.min(end, heading);
  return { end: last, last, body: heading, isCertain: false, hasKey };
}
