/** Names at which a tag or a string breaks off; the syntax error is reported there, and nothing else. */
import type { TemplateProblem } from '../../languages/minijinja/parser.ts';
import type { Span } from '../../text.ts';

/** Whether a name is the last thing in a tag that nothing closes, or a string that nothing closes. */
export function unfinishedNames(problems: readonly TemplateProblem[]): (place: Span) => boolean {
  const of = (wanted: TemplateProblem['kind']) => problems.filter(({ kind }) => kind === wanted);
  const tagEnds = new Set(of('unclosed-tag').map(({ span }) => span.end));
  const strings = new Set(of('unclosed-string').map(({ span }) => span.start));
  return ({ start, end }) => tagEnds.has(end) || strings.has(start);
}
