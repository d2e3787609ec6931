/** The frontmatter of a Markdown file: its fences, and the YAML between them (docs/format.md, section 2). */
import { afterBreak, endOfLine, lineBreakOf, lineStart, type Span, span } from '../../text.ts';
import type { YamlProblem, YamlTree } from './node.ts';
import { parseYaml } from './parse.ts';
import { problemAt } from './problems.ts';

/** The fences of a frontmatter and the parts of the file that they separate. All offsets are UTF-16 code units. */
export interface Fences {
  /** The opening `---` line without its line break; undefined if the file has no frontmatter. */
  readonly open: Span | undefined;
  /** The closing `---` or `...` line without its line break. */
  readonly close: Span | undefined;
  /** The text between the fences, including the last line break. */
  readonly content: Span;
  /** The offset of the body. */
  readonly bodyStart: number;
}

export interface Frontmatter extends Fences {
  readonly tree: YamlTree;
}

/** The lines that close a frontmatter: only `---`, or also `...`. */
export type ClosingLines = 'hyphens' | 'hyphens-or-dots';

/**
 * Parses the frontmatter at the start of a string, after an optional byte order mark (docs/format.md, section 2). Never
 * throws: defects are in the problems of the tree.
 */
export function parseFrontmatter(text: string, closedBy: ClosingLines = 'hyphens-or-dots'): Frontmatter {
  const { problem, ...fences } = findFences(text, closedBy);
  const { open, content } = fences;
  if (!open) return { ...fences, tree: { span: content, root: undefined, problems: [], comments: [], broken: false } };
  const tree = parseYaml(text, content);
  const missed = !problem && tree.problems.some(({ kind }) => kind === 'syntax') ? missedEnd(text, content) : undefined;
  if (missed) {
    const { last, problem: missing } = missed;
    const keys = parseYaml(text, span(content.start, last));
    return { ...fences, tree: { ...keys, problems: [...keys.problems, missing], broken: true } };
  }
  if (!problem) return { tree, ...fences };
  // The keys are used although the frontmatter is not closed, because the author is usually still writing it.
  const broken = tree.broken || tree.root?.kind !== 'map';
  return { ...fences, tree: { ...tree, problems: [problem, ...tree.problems], broken } };
}

/** Returns whether the frontmatter is not closed. In this case, the text after its keys may be body or frontmatter. */
export const isUnclosed = ({ open, close }: Fences): boolean => open !== undefined && close === undefined;

/**
 * Returns whether a line is a fence of frontmatter, or a line that authors and other programs write for one, such as
 * `----`, `–––`, `***` or an indented `---`.
 */
export const isLikeFence = (line: string): boolean =>
  /^[ \t]*(?:-{3,}|[–—]{1,3}|(?:\\-){1,3}-{0,2}|\*(?: ?\*){2,}|_{3,}|={3,}|\+{3}|- - -|\.{3}(?:[ \t]+#.*)?)[ \t]*(?:ya?ml|toml)?[ \t]*$/i.test(
    line,
  );

const OPENING = /^---[ \t]*$/;
const CLOSING = /^---[ \t]*$/;
/** The end of a YAML document. */
const DOTS = /^\.\.\.[ \t]*$/;
const DOTS_WITH_COMMENT = /^\.\.\.(?:[ \t]+#.*)?[ \t]*$/;

/**
 * A line that can be part of a YAML map: an indented or empty line, a key, a list item, a comment or a closing bracket.
 */
const YAML_LINE = /^(?:[ \t]|["']?[\w$][^:]*:(?:[ \t]|$)|-(?:[ \t]|$)|#|[\]}]|$)/;

/** Finds the fences of a file's frontmatter. `problem` is set if there is no closing fence. Never throws. */
export function findFences(
  text: string,
  closedBy: ClosingLines = 'hyphens-or-dots',
): Fences & { readonly problem?: YamlProblem } {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const none: Fences = { open: undefined, close: undefined, content: span(start, start), bodyStart: start };
  if (!text.startsWith('---', start)) return none;
  const openEnd = endOfLine(text, start);
  if (!OPENING.test(text.slice(start, openEnd))) return none;
  const open = span(start, openEnd);
  const first = afterBreak(text, openEnd);
  for (let at = first; at < text.length; ) {
    const end = endOfLine(text, at);
    const line = end - at < 200 ? text.slice(at, end) : '';
    // Text after the end of the YAML document is body, even if it contains a line `---`.
    if (closedBy === 'hyphens' && DOTS_WITH_COMMENT.test(line)) break;
    if (CLOSING.test(line) || (closedBy === 'hyphens-or-dots' && DOTS.test(line))) {
      return { open, close: span(at, end), content: span(first, at), bodyStart: afterBreak(text, end) };
    }
    at = afterBreak(text, end);
  }
  return unclosed(text, open, first) ?? none;
}

/** Returns the fences of an unclosed frontmatter; undefined if the opening line may be a thematic break. */
function unclosed(text: string, open: Span, first: number): ReturnType<typeof findFences> | undefined {
  const { end, last, body, isCertain, hasKey, fence } = findYamlEnd(text, first);
  if (!hasKey && text.slice(first).trim() !== '') return undefined;
  if (fence) {
    const parts = { open, close: undefined, content: span(first, fence.start), bodyStart: afterBreak(text, fence.end) };
    const written = text.slice(fence.start, fence.end).trim().slice(0, 20);
    const fix = { title: 'Replace the line with `---`', edits: [{ span: fence, newText: '---' }], isGuess: false };
    const found = `The frontmatter is not closed: it ends with a line \`---\`, not \`${written}\`. Correct the line.`;
    const isIndented = written === '---';
    return { ...parts, problem: problemAt(fence, isIndented ? INDENTED : found, fix) };
  }
  const message = 'The frontmatter is not closed. Add a line `---` after its last key.';
  const rest = { open, close: undefined, content: span(first, end), bodyStart: body };
  const lineBreak = lineBreakOf(text);
  const newText = `${/[\r\n]$/.test(text.slice(0, last)) ? '' : lineBreak}---${lineBreak}`;
  const edits = [{ span: span(last, last), newText }];
  return { ...rest, problem: problemAt(open, message, { title: 'Close the frontmatter', edits, isGuess: !isCertain }) };
}

/** A line that begins a part of a body: a code fence, or a heading below an empty line. */
const BODY_LINE = /^(?:`{3}|~{3})|^[ \t]*\r?\n#{1,6} /m;

/** Finds the place at which `---` is missing, if the line that closes the frontmatter is a thematic break of the body. */
function missedEnd(text: string, content: Span): { last: number; problem: YamlProblem } | undefined {
  const { last, hasKey, fence } = findYamlEnd(text, content.start);
  if (!hasKey || fence || last >= content.end) return undefined;
  if (!BODY_LINE.test(text.slice(lineStart(text, last - 1), content.end))) return undefined;
  const start = last + text.slice(last).search(/\S/);
  const message = 'Clients read this text as YAML, because the frontmatter is not closed above it. Add a line `---`.';
  const end = afterBreak(text, endOfLine(text, text.slice(0, last).trimEnd().length));
  const edits = [{ span: span(end, end), newText: `---${lineBreakOf(text)}` }];
  const fix = { title: 'Close the frontmatter', edits, isGuess: true };
  return { last, problem: problemAt(span(start, endOfLine(text, start)), message, fix) };
}

const INDENTED =
  'The frontmatter is not closed: the line `---` at its end must not be indented. Remove the spaces before it.';

interface YamlEnd {
  /** The end of the YAML, including empty lines at the end of the file. */
  readonly end: number;
  /** The end of the last line with YAML. */
  readonly last: number;
  readonly body: number;
  /** True if the next line, except for comments and empty lines, cannot be YAML. */
  readonly isCertain: boolean;
  readonly hasKey: boolean;
  /** A line after a key that is probably meant as the closing fence. */
  readonly fence?: Span;
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
    if (hasKey && isLikeFence(line))
      return { end, last: end, body: end, isCertain: true, hasKey, fence: span(at, lineEnd) };
    if (!YAML_LINE.test(line)) {
      const isCertain = hasKey && (heading === undefined || heading >= end);
      const yamlEnd = Math.min(end, heading ?? end);
      return { end: yamlEnd, last: yamlEnd, body: yamlEnd, isCertain, hasKey };
    }
    const isEmpty = line.trim() === '';
    // After an empty line, `# Title` may be a heading or a comment.
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
