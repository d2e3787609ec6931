/** Comments that silence a rule at the next line (interfaces.md, "Severities"). */
import { lineAt, lineStartsOf, type Span } from '../text.ts';
import type { Body } from './body.ts';
import type { YamlTree } from './yaml-node.ts';

export interface Suppression {
  /** The rule's name as written, and its place. */
  readonly rule: string;
  readonly span: Span;
  /** The whole comment. */
  readonly comment: Span;
  /** The zero-based line whose findings are silenced. */
  readonly line: number;
}

const DIRECTIVE = /\bskill-disable-next-line((?:[ \t,]+[A-Za-z][\w-]*)*)/;

export function readSuppressions(
  text: string,
  trees: readonly YamlTree[],
  body: Body | undefined,
): readonly Suppression[] {
  if (!text.includes('skill-disable-next-line')) return [];
  const lines = lineStartsOf(text);
  const comments = [...trees.flatMap((tree) => tree.comments), ...(body?.htmlComments ?? [])];
  return comments.flatMap(({ span: comment }) => {
    const directive = DIRECTIVE.exec(text.slice(comment.start, comment.end));
    if (!directive) return [];
    const line = nextLine(text, lines, comment.end);
    const start = comment.start + directive.index + directive[0].length - (directive[1] ?? '').length;
    return [...(directive[1] ?? '').matchAll(/[A-Za-z][\w-]*/g)].map((word) => ({
      rule: word[0],
      span: { start: start + word.index, end: start + word.index + word[0].length },
      comment,
      line,
    }));
  });
}

/** The line after the one in which a comment ends; blank lines between do not count, nor do further directives. */
function nextLine(text: string, lines: readonly number[], end: number): number {
  let line = lineAt(lines, end) + 1;
  while (line < lines.length) {
    const content = text.slice(lines[line], lines[line + 1] ?? text.length);
    if (content.trim() !== '' && !DIRECTIVE.test(content)) break;
    line++;
  }
  return line;
}
