/** The template language in a file: its templates and conditions. */
import type { Draft } from '../../finding.ts';
import { FILTERS, FUNCTIONS, findElsewhere, TESTS } from '../../languages/minijinja/builtins.ts';
import type { TemplateProblem } from '../../languages/minijinja/parser.ts';
import type { Scopes } from '../../languages/minijinja/scopes.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { inFile } from '../../skill/conditions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, shift } from '../../text.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { replaceName } from './name-fixes.ts';

export interface TemplateCode {
  readonly scopes: Scopes;
  /** The place in the file of a place in the code. */
  readonly placeOf: (span: Span) => Span;
  /** Whether the name at a place in the code is still being typed. */
  readonly isUnfinished: (span: Span) => boolean;
}

export function templateCode(file: SkillFile): readonly TemplateCode[] {
  return [
    ...file.templates.map(({ span: { start }, source }) => ({
      scopes: source.scopes,
      placeOf: (span: Span) => shift(span, start),
      isUnfinished: unfinishedNames(source.template.problems),
    })),
    ...file.conditions.map((condition) => ({
      scopes: condition.scopes,
      placeOf: (span: Span) => inFile(file.text, condition, span),
      isUnfinished: unfinishedNames(condition.expression.problems),
    })),
  ];
}

/** Uses of filters or tests that MiniJinja does not have. It reports them only when they are called, in the midst of a run. */
export function* unknownBuiltins(file: SkillFile, kind: 'filter' | 'test'): Iterable<Draft> {
  const known = kind === 'filter' ? FILTERS : TESTS;
  for (const { scopes, placeOf, isUnfinished } of templateCode(file)) {
    for (const { name, span: within } of kind === 'filter' ? scopes.filters : scopes.tests) {
      if (name === '' || known.has(name) || isUnfinished(within)) continue;
      const span = placeOf(within);
      const elsewhere = kind === 'filter' ? findElsewhere('filter', name) : undefined;
      const near = nearestNames(name, known.keys());
      const why = elsewhere ? ` It comes only with ${elsewhere.since}.` : didYouMean(near);
      yield {
        span,
        message: `\`${name}\` is no ${kind} of MiniJinja 2.11, so rendering fails here.${why}`,
        fixes: replaceName(file, [span], near),
      };
    }
  }
}

// Names at which a tag or a string breaks off; the syntax error is reported there, and nothing else.

/** Whether a name is the last thing in a tag that nothing closes, or a string that nothing closes. */
export function unfinishedNames(problems: readonly TemplateProblem[]): (place: Span) => boolean {
  const of = (wanted: TemplateProblem['kind']) => problems.filter(({ kind }) => kind === wanted);
  const tagEnds = new Set(of('unclosed-tag').map(({ span }) => span.end));
  const strings = new Set(of('unclosed-string').map(({ span }) => span.start));
  return ({ start, end }) => tagEnds.has(end) || strings.has(start);
}

// The names that a skill's templates and conditions may use, beside those that a template defines itself.

/** The variables that the composer passes to a template, and the functions of MiniJinja. */
export const AMBIENT_IN_TEMPLATES: ReadonlySet<string> = new Set([
  ...TEMPLATE_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);

export const AMBIENT_IN_CONDITIONS: ReadonlySet<string> = new Set([
  ...CONDITION_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);
