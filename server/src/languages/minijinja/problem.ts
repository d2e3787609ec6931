/** Makes the problems that parsing finds. */
import type { Span } from '../../text.ts';
import type { ProblemKind, TemplateProblem } from './ast.ts';

export type ProblemExtras = Partial<Pick<TemplateProblem, 'related' | 'fix'>>;

export function problemAt(
  kind: ProblemKind,
  span: Span,
  message: string,
  { related = [], fix }: ProblemExtras = {},
): TemplateProblem {
  return { kind, span, message, related, ...(fix && { fix }) };
}

/** A fix that writes `newText` at a place, titled by what it writes. */
export const replacement = (span: Span, newText: string): NonNullable<TemplateProblem['fix']> => ({
  title: `Replace with \`${newText}\``,
  edit: { span, newText },
});
