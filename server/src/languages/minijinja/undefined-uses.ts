/** Uses of names that nothing defines, which strict rendering refuses. Rules and composer decide by this alone. */
import { contains } from '../../text.ts';
import type { Template, TemplateExpression } from './ast.ts';
import type { Scopes, Use } from './scope-model.ts';

/**
 * Whether strict rendering fails at a use if the name is undefined. A test of its truth fails as well, except behind
 * `not`; `is defined` and `default` do not fail, nor do uses that they guard.
 */
export function failsIfUndefined(
  { text, base }: { readonly text: string; readonly base: number },
  use: Pick<Use, 'guarded' | 'guard' | 'span'>,
): boolean {
  if (!use.guarded) return true;
  const before = use.span.start - base;
  return use.guard === 'truth' && !/\bnot\s*$/.test(text.slice(Math.max(0, before - 20), before));
}

/**
 * The uses in a template of names that neither it nor anything else defines. Behind a statement that does not parse nothing
 * is judged, nor in a macro before it, since that statement may be the one that defines the name.
 */
export function undefinedInTemplate(
  template: Template,
  scopes: Scopes,
  isKnown: (name: string) => boolean,
): readonly Use[] {
  const broken = template.problems.filter(({ span }) => isInStatement(template, span.start));
  const end = Math.min(...broken.map(({ span }) => span.start));
  const late = broken.length === 0 ? [] : scopes.scopes.filter(({ kind }) => kind === 'macro' || kind === 'block');
  return scopes.free.filter(
    (use) =>
      use.span.end <= end &&
      !late.some(({ span }) => contains(span, use.span)) &&
      !isKnown(use.name) &&
      failsIfUndefined(template, use),
  );
}

/** In a condition the truth of a name that does not exist means nothing, also behind `not`. */
export const undefinedInCondition = (
  expression: TemplateExpression,
  scopes: Scopes,
  isKnown: (name: string) => boolean,
): readonly Use[] =>
  expression.problems.length > 0
    ? []
    : scopes.free.filter((use) => (!use.guarded || use.guard === 'truth') && !isKnown(use.name));

/** Whether the nearest tag that opens before a place in a template is a `{%` tag. */
function isInStatement({ text, base }: Template, place: number): boolean {
  const offset = place - base;
  let at = text.lastIndexOf('{', offset);
  while (at > 0 && text[at + 1] !== '%' && text[at + 1] !== '{') at = text.lastIndexOf('{', at - 1);
  return text[at + 1] === '%';
}

interface NamedTemplate {
  readonly name: string;
  readonly scopes: Scopes;
}

/**
 * Whether a name comes into a template from others of the same skill: templates that it includes export names, and
 * templates that include it define names.
 */
export function sharedNames(
  templates: readonly NamedTemplate[],
): (template: NamedTemplate) => (name: string) => boolean {
  const leftBy = new Map<string, Set<string>>();
  const definedAround = new Map<string, Set<string>>();
  for (const { name, scopes } of templates) {
    addNames(leftBy, name, scopes.exports);
    for (const included of includedBy(scopes)) addNames(definedAround, included, scopes.variables);
  }
  return ({ name: own, scopes }) => {
    const sets = [definedAround.get(own), ...[...includedBy(scopes)].map((name) => leftBy.get(name))];
    const known = sets.filter((names) => names !== undefined);
    return (name) => known.some((names) => names.has(name));
  };
}

const includedBy = ({ references }: Scopes): ReadonlySet<string> =>
  new Set(references.flatMap(({ names }) => names.map(({ name }) => name)));

function addNames(to: Map<string, Set<string>>, key: string, variables: readonly { readonly name: string }[]): void {
  if (variables.length === 0) return;
  const names = to.get(key) ?? new Set();
  to.set(key, names);
  for (const { name } of variables) names.add(name);
}
