/**
 * Names that nothing gives a value, whatever is passed: proven before anything is rendered, by what the rule
 * `undefined-variable` decides by. The engine lets some of them pass, as in `{{ name | upper }}` or `name == "x"`.
 */
import { FUNCTIONS } from '../languages/minijinja/builtins.ts';
import { parseExpression, parseTemplate } from '../languages/minijinja/parser.ts';
import { sharedNames, undefinedInCondition, undefinedInTemplate } from '../languages/minijinja/scope-model.ts';
import { resolveScopes, type Use } from '../languages/minijinja/scopes.ts';
import type { PackageArtifact, SkillPackage } from '../skill/package.ts';
import { parameterNames } from '../skill/parameters.ts';
import { explainUndefinedName } from './render/explain.ts';
import type { Explanation, ParsedTemplates, RenderFailure } from './render/rendering.ts';

/** What of a skill says which names there are. */
type Skill = Pick<SkillPackage, 'inputSchema' | 'artifacts'>;

/** The names that may have a value; undefined where the schema allows any. */
function knownNames({ inputSchema }: Skill, given: object): ReadonlySet<string> | undefined {
  const declared = parameterNames(inputSchema);
  return declared && new Set([...declared, ...Object.keys(given), ...FUNCTIONS.keys()]);
}

/** In the main template, and in all that it takes in: the `templates`. */
export function undefinedNames(skill: Skill, context: object, templates: ParsedTemplates): readonly RenderFailure[] {
  const known = knownNames(skill, context);
  if (!known) return [];
  let shared: ReturnType<typeof sharedNames> | undefined;
  return [...templates.values()].flatMap(({ source, template }) => {
    if (template.problems.length > 0) return [];
    const scopes = resolveScopes(template);
    const isShared = (name: string): boolean => {
      // All templates are read only where a name is in question.
      shared ??= sharedNames(skill.artifacts.flatMap(namedTemplate));
      return shared({ name: source.name, scopes })(name);
    };
    const local = scopes.variables.filter(({ implicit }) => !implicit).map(({ name }) => name);
    return undefinedInTemplate(template, scopes, (name) => known.has(name) || isShared(name)).map((use) => ({
      ...explain(use, [...known, ...local]),
      uri: source.uri,
    }));
  });
}

function namedTemplate({ name, template }: PackageArtifact) {
  return template ? [{ name, scopes: resolveScopes(parseTemplate(template.text)) }] : [];
}

/** The first in a condition; its span counts in the condition's text. */
export function undefinedInExpression(skill: Skill, source: string, context: object): Explanation | undefined {
  const known = knownNames(skill, context);
  const parsed = parseExpression(source);
  const [use] = known ? undefinedInCondition(parsed, resolveScopes(parsed), (name) => known.has(name)) : [];
  return use && explain(use, [...(known ?? [])]);
}

const explain = ({ name, span }: Use, known: readonly string[]): Explanation => explainUndefinedName(name, span, known);
