/** The code of the template language in a file: templates and conditions. */

import type { Draft, Fix } from '../finding.ts';
import { fixHere } from '../finding.ts';
import { FILTERS, FUNCTIONS, findUnsupportedBuiltin, TESTS } from '../languages/minijinja/builtins.ts';
import { type Code, type Instead, insteadOfFilter, insteadOfTest } from '../languages/minijinja/instead.ts';
import type { TemplateProblem } from '../languages/minijinja/parser.ts';
import type { Scopes } from '../languages/minijinja/scopes.ts';
import type { CheckedTemplate } from '../languages/minijinja/types/check-types.ts';
import type { TypeProblem } from '../languages/minijinja/types/problems.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { inFile } from '../skill/conditions.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { checkConditions, templateProblems } from '../skill/template-types.ts';
import { type Span, shift, type TextEdit } from '../text.ts';
import { TEMPLATE_VARIABLES } from '../vocabulary/known-names.ts';
import type { Analysis } from './analysis.ts';
import { readDataFlow } from './data-flow/data-flow.ts';
import { replaceName } from './name-fixes.ts';

export interface TemplateCode extends Code {
  readonly scopes: Scopes;
  /** Converts a span in the code to a span in the file. */
  readonly placeOf: (span: Span) => Span;
  /** Returns whether the name at a span in the code may be incomplete. */
  readonly isUnfinished: (span: Span) => boolean;
  /** True if edits of the code are edits of the file. A quoted scalar may have escapes. */
  readonly isEditable: boolean;
}

/** Returns the templates and conditions of a file. */
export function templateCode(file: SkillFile): readonly TemplateCode[] {
  return [
    ...file.templates.map(({ span: { start }, source }) => ({
      scopes: source.scopes,
      placeOf: (span: Span) => shift(span, start),
      isUnfinished: unfinishedNames(source.template.problems),
      sourceOf: ({ start: from, end }: Span) => source.template.text.slice(from, end),
      isCondition: false,
      isEditable: true,
    })),
    ...file.conditions.map((condition) => ({
      scopes: condition.scopes,
      placeOf: (span: Span) => inFile(file.text, condition, span),
      isUnfinished: unfinishedNames(condition.expression.problems),
      sourceOf: ({ start, end }: Span) => String(condition.scalar.value).slice(start, end),
      isCondition: true,
      isEditable: condition.scalar.style === 'plain',
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
  const isStrict = analysis.parsedCatalogOf(file.uri).strictTemplates;
  const data = isOfStep ? readDataFlow(analysis, file) : undefined;
  return checkConditions(file, new Map(outputs), {
    isStrict,
    isSkippable: ({ span }, step) => data?.mayLack(span.start, step) === true,
  });
}

/** Returns the problems with the types in each template and each condition of a file. */
export function typeProblems(analysis: Analysis, file: SkillFile): readonly (readonly PlacedProblem[])[] {
  const { templates } = templateProblems(file, analysis.parsedCatalogOf(file.uri).strictTemplates);
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
  for (const code of templateCode(file)) {
    const found =
      kind === 'filter'
        ? code.scopes.filters.map((use) => [use, () => insteadOfFilter(use)] as const)
        : code.scopes.tests.map((use) => [use, () => insteadOfTest(use, code)] as const);
    for (const [use, insteadOf] of found) {
      const { name } = use;
      if (name === '' || known.has(name) || code.isUnfinished(use.span)) continue;
      const span = code.placeOf(use.span);
      const instead = insteadOf();
      const near = instead
        ? []
        : nearestNames(name, known.keys()).filter((one) => kind === 'filter' || isLikely(name, one));
      const advice = instead ? ` ${instead.advice}` : requirementOf(kind, name) || didYouMean(near);
      yield {
        span,
        message: `MiniJinja 2.11 has no ${kind} \`${name}\`.${advice}`,
        fixes: instead ? fixInCode(file, code, instead) : replaceName(file, [span], near),
      };
    }
  }
}

/**
 * Returns whether a test may be meant by a word. The names of tests are short and similar to ordinary words, so a likely
 * one begins with the same letter, and a word of three letters is not too long.
 */
const isLikely = (word: string, test: string): boolean =>
  word[0]?.toLowerCase() === test[0] && (word.length > 3 || test.length >= word.length);

/** Returns the sentence about the version or the build of MiniJinja that a filter requires, after a space. */
function requirementOf(kind: 'filter' | 'test', name: string): string {
  const since = kind === 'filter' ? findUnsupportedBuiltin('filter', name)?.since : undefined;
  return since === undefined ? '' : ` It requires ${/^\d/.test(since) ? `version ${since}` : since}.`;
}

/** Returns the correction of a word of another language; none in a quoted scalar. */
export const fixInCode = (file: SkillFile, { placeOf, isEditable }: TemplateCode, { fix }: Instead): readonly Fix[] =>
  fix && isEditable
    ? fixHere(
        file,
        fix.title,
        fix.edits.map(({ span: place, newText }) => ({ span: placeOf(place), newText })),
      )
    : [];

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

// Tags of other languages, which a template should contain as text (docs/templates.md, "Text that looks like a tag").

/** A part of a template that belongs to another language; the span is an offset in the file. */
export interface ForeignTag {
  readonly span: Span;
  /** Finds `${{ name }}` and `{{{ name }}}`, which may also be meant as a tag. */
  readonly isAmbiguous: boolean;
}

/** The tags of GitHub Actions, Handlebars and Mustache, attributes of headings, and LaTeX. */
const FOREIGN: readonly { readonly pattern: RegExp; readonly isAmbiguous?: true }[] = [
  { pattern: /\$\{\{(?:(?!\}\})[^\n]){0,500}\}\}/g, isAmbiguous: true },
  { pattern: /\{\{\{\s*[\w.@/-]{1,100}\s*\}\}\}/g, isAmbiguous: true },
  // A block of Handlebars with its content.
  { pattern: /\{\{~?#\s*(\w{1,40})\b[\s\S]{0,2000}?\{\{~?\/\s*\1\s*~?\}\}/g },
  { pattern: /\{\{~?\s*(?:[#/^!&@*>]|else\b|(?:this|\.\.)(?=[\s./}]))(?:(?!\}\})[^\n]){0,300}\}\}/g },
  { pattern: /\{#(?!\})(?:(?!#\})[^\n{}]){1,200}\}/g },
  { pattern: /(?<=\\[a-zA-Z]{1,30}(?:\{[^\n{}]{0,80}\}){0,3}|[\^_])\{\{[^\n{}]{0,200}\}\}/g },
  { pattern: /(?<=\\[a-zA-Z]{1,30}[^\n]{0,200})\{%(?=[ \t]*$)/gm },
];

/** Returns the tags of other languages in a template, outside of `{% raw %}`, in the order of the text. */
const foreignTags = (file: SkillFile, { start, end }: Span): readonly ForeignTag[] => {
  const text = file.text.slice(start, end);
  const raw = [...text.matchAll(/\{%[-+]?\s*raw\s*[-+]?%\}[\s\S]*?\{%[-+]?\s*endraw\s*[-+]?%\}/g)];
  const found = FOREIGN.flatMap(({ pattern, isAmbiguous = false }) =>
    [...text.matchAll(pattern)].map(({ index, 0: tag }) => ({
      span: { start: start + index, end: start + index + tag.length },
      isAmbiguous,
    })),
  )
    .filter(
      ({ span: one }) =>
        !raw.some(({ index, 0: all }) => one.start < start + index + all.length && start + index < one.end),
    )
    .sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const inputs = new Set(file.contract.input?.schema.fields.map(({ name }) => name));
  let last = -1;
  return found.filter(({ span: one }) => {
    if (one.start < last || isNegation(file.text.slice(one.start, one.end), inputs)) return false;
    last = one.end;
    return true;
  });
};

/**
 * Returns whether a tag is `{{ !name }}`, in which `!` is meant as `not`, and not a comment of Handlebars: the name is an
 * input, or a space is only before the sign.
 */
function isNegation(tag: string, inputs: ReadonlySet<string>): boolean {
  const [, before = '', after = '', name = ''] = /^\{\{-?(\s*)!(\s*)([A-Za-z_]\w*)[^}]*\}\}$/.exec(tag) ?? [];
  return inputs.has(name) || (before !== '' && after === '' && name !== '');
}

/**
 * Returns a function that finds the tag of another language at a place in the templates of a file, with the fix that
 * keeps all such tags of the template as text.
 */
export function foreignTagFinder(
  file: SkillFile,
): (place: Span) => (ForeignTag & { readonly fixes: readonly Fix[] }) | undefined {
  const found = new Map<SkillFile['templates'][number], readonly ForeignTag[]>();
  return ({ start }) => {
    const template = file.templates.find((one) => one.span.start <= start && start < one.span.end);
    if (!template) return undefined;
    const tags = found.get(template) ?? foreignTags(file, template.span);
    found.set(template, tags);
    const tag = tags.find((one) => one.span.start <= start && start < one.span.end);
    return tag && { ...tag, fixes: fixHere(file, 'Keep it as text with `{% raw %}`', rawEdits(file.text, tags)) };
  };
}

/** Returns the edits that put tags between `{% raw %}` and `{% endraw %}`; tags on a line share them if possible. */
function rawEdits(text: string, tags: readonly ForeignTag[]): readonly TextEdit[] {
  const parts: { start: number; end: number }[] = [];
  for (const { span: tag } of tags) {
    const before = parts.at(-1);
    if (before && !/[\n]|\{[{%#]/.test(text.slice(before.end, tag.start))) before.end = tag.end;
    else parts.push({ ...tag });
  }
  return parts.flatMap(({ start, end }) => [
    { span: { start, end: start }, newText: '{% raw %}' },
    { span: { start: end, end }, newText: '{% endraw %}' },
  ]);
}

/** Returns the message for a tag of another language. */
export function foreignMessage(text: string, { span: { start, end } }: ForeignTag): string {
  const tag = text.slice(start, end).replace(/\s+/g, ' ');
  const shown = tag.length > 40 ? `${tag.slice(0, 37)}…` : tag;
  return `MiniJinja reads \`${shown}\` as a tag. If it is text, put it between \`{% raw %}\` and \`{% endraw %}\`.`;
}
