/** Names that end where their tag or string breaks off: what is wrong there is told once, as syntax. */
import type { TemplateProblem } from '../../languages/minijinja/parser.ts';
import type { Span } from '../../text.ts';

/** Tells of a name whether it is the last thing in a tag that nothing closes, or a string that nothing closes. */
export function halfTyped(problems: readonly TemplateProblem[]): (place: Span) => boolean {
  if (problems.length === 0) return () => false;
  const of = (wanted: TemplateProblem['kind']) => problems.filter(({ kind }) => kind === wanted);
  const tagEnds = new Set(of('unclosed-tag').map(({ span }) => span.end));
  const strings = new Set(of('unclosed-string').map(({ span }) => span.start));
  return ({ start, end }) => tagEnds.has(end) || strings.has(start);
}
