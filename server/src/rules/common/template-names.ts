/** Which names a skill's templates and conditions may use, beside those that a template defines itself. */
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import type { SkillDocument } from '../../skill/document.ts';
import { isUsable } from '../../skill/schema.ts';
import { FUNCTIONS } from '../../skill/template/builtins.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../skill/vocabulary/known-names.ts';

/** The parameters by name; undefined where the schema does not say all of them, so that no name can be called unknown. */
export function parameterNames({ contract }: SkillDocument): readonly string[] | undefined {
  const schema = contract.input?.schema;
  if (!schema || !isUsable(schema)) return undefined;
  const { additionalProperties, patternProperties } = schema.json;
  const open =
    (additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined;
  return open ? undefined : schema.fields.map(({ name }) => name);
}

/** What the composer hands to a template, and what the engine has. */
export const AMBIENT_IN_TEMPLATES: ReadonlySet<string> = new Set([
  ...TEMPLATE_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);

export const AMBIENT_IN_CONDITIONS: ReadonlySet<string> = new Set([
  ...CONDITION_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);

/**
 * The names that come into a template from others of the same skill: what a template that it includes leaves behind,
 * and what a template that includes it has defined.
 */
export function sharedNames(
  { templates }: SkillDocument,
  { artifact, source: { scopes } }: SkillTemplate,
): ReadonlySet<string> {
  const included = new Set(scopes.references.flatMap(({ names }) => names.map(({ name }) => name)));
  const names = new Set<string>();
  for (const { artifact: other, source } of templates) {
    if (included.has(other.name)) for (const variable of source.scopes.exports) names.add(variable.name);
    const includes = source.scopes.references.some((reference) =>
      reference.names.some(({ name }) => name === artifact.name),
    );
    if (includes) for (const variable of source.scopes.variables) names.add(variable.name);
  }
  return names;
}
