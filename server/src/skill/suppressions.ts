/** Reads comments that suppress a rule on the next line (docs/format.md, section 6, "Severities"). */
import type { YamlTree } from '../languages/yaml/node.ts';
import { lineAt, lineStartsOf, type Span } from '../text.ts';
import type { Body } from './body.ts';

export interface Suppression {
  /** The name of the rule as in the comment, and its span. */
  readonly rule: string;
  readonly span: Span;
  /** The whole comment. */
  readonly comment: Span;
  /** The zero-based line whose findings are suppressed. */
  readonly line: number;
}

const DIRECTIVE = /\bskill-disable-next-line((?:[ \t,]+[A-Za-z][\w-]*)*)/;

/** An empty line in YAML and Markdown, in which a no-break space is an ordinary character. */
const BLANK_LINE = /^[ \t\r\n]*$/;

/** A line that contains only a `skill-disable-next-line` comment. */
const DIRECTIVE_LINE = /^\s*(?:#|<!--)[^\r\n]*\bskill-disable-next-line/;

/**
 * Returns the suppressions in the comments of YAML `trees` and of the body, one for each rule name (docs/format.md,
 * section 6, "Severities"). Never throws.
 */
export function readSuppressions(
  text: string,
  trees: readonly YamlTree[],
  body: Body | undefined,
): readonly Suppression[] {
  const comments = [...trees.flatMap((tree) => tree.comments), ...(body?.htmlComments ?? [])];
  if (comments.length === 0 || !text.includes('skill-disable-next-line')) return [];
  const lines = lineStartsOf(text);
  const nextLine = nextLines(text, lines, comments);
  return comments.flatMap(({ span: comment }) => {
    const directive = DIRECTIVE.exec(text.slice(comment.start, comment.end));
    if (!directive) return [];
    const line = nextLine(comment.end);
    const start = comment.start + directive.index + directive[0].length - (directive[1] ?? '').length;
    return [...(directive[1] ?? '').matchAll(/[A-Za-z][\w-]*/g)].map((word) => ({
      rule: word[0],
      span: { start: start + word.index, end: start + word.index + word[0].length },
      comment,
      line,
    }));
  });
}

/**
 * Returns a function that finds the line after a comment, skipping empty lines and other directives. The function
 * starts at the last comment and caches its results, so that each line is visited only once.
 */
function nextLines(
  text: string,
  lines: readonly number[],
  comments: readonly { readonly span: Span }[],
): (end: number) => number {
  const known = new Map<number, number>();
  const find = (end: number): number => {
    const first = lineAt(lines, end) + 1;
    let line = first;
    while (line < lines.length && !known.has(line)) {
      const content = text.slice(lines[line], lines[line + 1] ?? text.length);
      if (!BLANK_LINE.test(content) && !DIRECTIVE_LINE.test(content)) break;
      line++;
    }
    const found = known.get(line) ?? line;
    known.set(first, found);
    return found;
  };
  const ends = comments.map(({ span }) => span.end).sort((a, b) => b - a);
  for (const end of ends) find(end);
  return find;
}
