/**
 * Finds, before rendering, names that are undefined for all possible parameters, in the same way as the rule
 * `undefined-variable`. The engine accepts some of these names, as in `{{ name | upper }}` or `name == "x"`.
 */
import { FUNCTIONS } from '../languages/minijinja/builtins.ts';
import { parseExpression, parseTemplate } from '../languages/minijinja/parser.ts';
import { sharedNames, undefinedInCondition, undefinedInTemplate } from '../languages/minijinja/scope-model.ts';
import { type NameUse, resolveScopes } from '../languages/minijinja/scopes.ts';
import type { PackageArtifact, SkillPackage } from '../skill/package.ts';
import { parameterNames } from '../skill/parameters.ts';
import { explainUndefinedName } from './render/explain.ts';
import type { Explanation, ParsedTemplates, RenderFailure } from './render/rendering.ts';

/** The parts of a skill that define names. */
type Skill = Pick<SkillPackage, 'inputSchema' | 'artifacts'>;

/** Returns the names that may have a value; undefined if the schema allows any name. */
function knownNames({ inputSchema }: Skill, given: object): ReadonlySet<string> | undefined {
  const declared = parameterNames(inputSchema);
  return declared && new Set([...declared, ...Object.keys(given), ...FUNCTIONS.keys()]);
}

/**
 * Returns a failure for each use of an undefined name in `templates`, which are the main template and all templates
 * that it includes. `context` contains the variables that templates can read.
 */
export function undefinedNames(skill: Skill, context: object, templates: ParsedTemplates): readonly RenderFailure[] {
  const known = knownNames(skill, context);
  if (!known) return [];
  let shared: ReturnType<typeof sharedNames> | undefined;
  return [...templates.values()].flatMap(({ source, template }) => {
    if (template.problems.length > 0) return [];
    const scopes = resolveScopes(template);
    const isShared = (name: string): boolean => {
      // Reads all templates only if no other source defines the name.
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

/** Returns a failure for the first undefined name in a condition; its span is in UTF-16 code units of `source`. */
export function undefinedInExpression(skill: Skill, source: string, context: object): Explanation | undefined {
  const known = knownNames(skill, context);
  const parsed = parseExpression(source);
  const [use] = known ? undefinedInCondition(parsed, resolveScopes(parsed), (name) => known.has(name)) : [];
  return use && explain(use, [...(known ?? [])]);
}

const explain = ({ name, span }: NameUse, known: readonly string[]): Explanation =>
  explainUndefinedName(name, span, known);
