/** The code of the template language in a file: templates and conditions. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Fix } from '../../finding.ts';
import { FILTERS, FUNCTIONS, findUnsupportedBuiltin, TESTS } from '../../languages/minijinja/builtins.ts';
import type { TemplateProblem } from '../../languages/minijinja/parser.ts';
import type { Scopes } from '../../languages/minijinja/scopes.ts';
import type { CheckedTemplate } from '../../languages/minijinja/types/check-types.ts';
import type { TypeProblem } from '../../languages/minijinja/types/problems.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { inFile } from '../../skill/conditions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { checkConditions, templateProblems } from '../../skill/template-types.ts';
import { type Span, shift } from '../../text.ts';
import { TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { fixHere } from '../rule.ts';
import { replaceName } from './name-fixes.ts';

export interface TemplateCode {
  readonly scopes: Scopes;
  /** Converts a span in the code to a span in the file. */
  readonly placeOf: (span: Span) => Span;
  /** Returns whether the name at a span in the code may be incomplete. */
  readonly isUnfinished: (span: Span) => boolean;
}

/** Returns the templates and conditions of a file. */
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

/** A problem with the type of a value, and its place in the file. */
export interface PlacedProblem extends TypeProblem {
  readonly place: Span;
  readonly fileFixes: readonly Fix[];
  /** True for a value of a variable that the template defines. */
  readonly isLocal: boolean;
}

/** Returns the checked conditions of a file, in the order of its conditions. */
export const checkedConditions = (analysis: Analysis, file: SkillFile): readonly (CheckedTemplate | undefined)[] =>
  analysis.derive(file, conditionsOf);

function conditionsOf(file: SkillFile, analysis: Analysis): readonly (CheckedTemplate | undefined)[] {
  const isOfStep = file.conditions.some(({ place }) => place === 'execution');
  const outputs = (isOfStep ? file.contract.composes : []).flatMap(({ step, name }) => {
    const schema = analysis.resolveSide(file, name, 'output')?.contract.output?.schema;
    return schema ? [[step, schema] as const] : [];
  });
  return checkConditions(file, new Map(outputs));
}

/** Returns the problems with the types in each template and each condition of a file. */
export function typeProblems(analysis: Analysis, file: SkillFile): readonly (readonly PlacedProblem[])[] {
  const { templates } = templateProblems(file);
  const conditions = checkedConditions(analysis, file);
  const placed = (
    problems: readonly TypeProblem[],
    { uses }: Scopes,
    placeOf: (span: Span) => Span,
    isFixable: boolean,
  ) => {
    const locals = new Set(uses.flatMap(({ span, variable }) => (variable ? [span.start] : [])));
    return problems.map((problem) => ({
      ...problem,
      isLocal: locals.has(problem.span.start),
      place: placeOf(problem.span),
      fileFixes: isFixable
        ? problem.fixes.flatMap(({ title, edits }) =>
            fixHere(
              file,
              title,
              edits.map((edit) => ({ ...edit, span: placeOf(edit.span) })),
            ),
          )
        : [],
    }));
  };
  return [
    ...file.templates.map(({ span: { start }, source }, at) =>
      placed(templates[at]?.problems ?? [], source.scopes, (span) => shift(span, start), true),
    ),
    // A fix inserts quotes, which only a plain scalar can contain without escapes.
    ...file.conditions.map((condition, at) =>
      placed(
        conditions[at]?.problems ?? [],
        condition.scopes,
        (span) => inFile(file.text, condition, span),
        condition.scalar.style === 'plain',
      ),
    ),
  ];
}

/**
 * Reports filters or tests that MiniJinja does not have. MiniJinja itself reports an unknown filter or test only when a
 * template calls it.
 */
export function* unknownBuiltins(file: SkillFile, kind: 'filter' | 'test'): Iterable<Draft> {
  const known = kind === 'filter' ? FILTERS : TESTS;
  for (const { scopes, placeOf, isUnfinished } of templateCode(file)) {
    for (const { name, span: within } of kind === 'filter' ? scopes.filters : scopes.tests) {
      if (name === '' || known.has(name) || isUnfinished(within)) continue;
      const span = placeOf(within);
      const elsewhere = kind === 'filter' ? findUnsupportedBuiltin('filter', name) : undefined;
      const near = nearestNames(name, known.keys());
      const source = elsewhere && (/^\d/.test(elsewhere.since) ? `version ${elsewhere.since}` : elsewhere.since);
      const advice = source ? ` It requires ${source}.` : didYouMean(near);
      yield {
        span,
        message: `MiniJinja 2.11 has no ${kind} \`${name}\`.${advice}`,
        fixes: replaceName(file, [span], near),
      };
    }
  }
}

/**
 * Returns a function that checks whether a name ends an unclosed tag or is an unclosed string. `template-syntax`
 * reports such names, so other rules do not.
 */
export function unfinishedNames(problems: readonly TemplateProblem[]): (place: Span) => boolean {
  const of = (wanted: TemplateProblem['kind']) => problems.filter(({ kind }) => kind === wanted);
  const tagEnds = new Set(of('unclosed-tag').map(({ span }) => span.end));
  const strings = new Set(of('unclosed-string').map(({ span }) => span.start));
  return ({ start, end }) => tagEnds.has(end) || strings.has(start);
}

/** The variables that the composer passes to a template, and the functions of MiniJinja. */
export const AMBIENT_IN_TEMPLATES: ReadonlySet<string> = new Set([
  ...TEMPLATE_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);
