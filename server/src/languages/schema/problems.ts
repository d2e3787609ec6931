/** Problems and fixes for both shorthand and JSON Schema. */
import type { Span } from '../../text.ts';
import { jsonOf, type YamlNode } from '../yaml/node.ts';
import { canonical, type SchemaProblem, show } from './model.ts';
import { findRegexFaults } from './regex/regex.ts';

/**
 * Returns a fix that replaces the text at a span with `shown`. If `shown` needs quotes, `newText` is the quoted form.
 */
export const replaceWith = (shown: string, span: Span, newText = shown): NonNullable<SchemaProblem['fix']> => ({
  title: `Replace with \`${shown}\``,
  span,
  newText,
});

/** Returns one problem for each item that repeats an earlier item in the list. */
export function duplicates(list: readonly YamlNode[]): readonly SchemaProblem[] {
  const seen = new Set<string>();
  const problems: SchemaProblem[] = [];
  for (const item of list) {
    const value = jsonOf(item);
    const key = canonical(value);
    if (seen.has(key)) {
      problems.push({ span: item.span, message: `Duplicate item ${show(value)}. Remove one of the two.` });
    }
    seen.add(key);
  }
  return problems;
}

/** Returns the problems in the regular expression at a span. */
export const regexProblems = (source: string, span: Span): readonly SchemaProblem[] =>
  findRegexFaults(source).map(({ kind, message }) => {
    if (kind === 'slow') return { span, message, severity: 'warning', rule: 'slow-pattern' };
    return kind === 'invalid' ? { span, message } : { span, message, severity: 'hint' };
  });

/** Returns a YAML value for a message: `a map`, `a list`, `empty`, or the scalar in backticks. */
export function describeValue(node: YamlNode): string {
  if (node.kind === 'map') return 'a map';
  if (node.kind === 'list') return 'a list';
  return node.value === null ? 'empty' : show(node.value);
}
