/** Problems and fixes that the shorthand and JSON Schema have in common. */
import type { Span } from '../../text.ts';
import { jsonOf, type YamlNode } from '../yaml/node.ts';
import { canonical, type SchemaProblem, show } from './model.ts';
import { findRegexFault } from './regex/regex.ts';

/** A fix that writes `shown` in place of what stands at a span; `newText` where it has to be quoted there. */
export const replaceWith = (shown: string, span: Span, newText = shown): NonNullable<SchemaProblem['fix']> => ({
  title: `Replace with \`${shown}\``,
  span,
  newText,
});

/** One problem for each item that stands in the list before already. */
export function duplicates(list: readonly YamlNode[]): readonly SchemaProblem[] {
  const seen = new Set<string>();
  const problems: SchemaProblem[] = [];
  for (const item of list) {
    const value = jsonOf(item);
    const key = canonical(value);
    if (seen.has(key)) {
      problems.push({ span: item.span, message: `${show(value)} stands in this list already. Remove one of the two.` });
    }
    seen.add(key);
  }
  return problems;
}

export const crossedBounds = (low: string, min: number, high: string, max: number, span: Span): SchemaProblem => ({
  span,
  message: `\`${low}\` ${show(min)} is above \`${high}\` ${show(max)}, so no value fits. Swap the two, or change one.`,
});

/** What is wrong with a regular expression that stands at a span; one problem at most. */
export function regexProblems(source: string, span: Span): readonly SchemaProblem[] {
  const fault = findRegexFault(source);
  if (!fault) return [];
  const { kind, message } = fault;
  if (kind === 'invalid') return [{ span, message }];
  return [
    kind === 'slow'
      ? { span, message, severity: 'warning', rule: 'slow-pattern' }
      : { span, message, severity: 'hint' },
  ];
}

/** What a YAML value is, in a message: "a map", "nothing", or the scalar in backticks. */
export function describe(node: YamlNode): string {
  if (node.kind === 'map') return 'a map';
  if (node.kind === 'list') return 'a list';
  return node.value === null ? 'nothing' : show(node.value);
}
