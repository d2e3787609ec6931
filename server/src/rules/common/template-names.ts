/** Which names a skill's templates and conditions may use, beside those that a template defines itself. */

import { FUNCTIONS } from '../../languages/minijinja/builtins/builtins.ts';
import { isUsable } from '../../languages/schema/schema.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';

/** The parameters by name; undefined where the schema does not say all of them, so that no name can be called unknown. */
export function parameterNames({ contract }: SkillFile): readonly string[] | undefined {
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
 * Tells of a template whether a name comes into it from others of the same skill: what a template that it includes leaves
 * behind, and what a template that includes it has defined. The skill's templates are read once for all of them.
 */
export function sharedNames({ templates }: SkillFile): (template: SkillTemplate) => (name: string) => boolean {
  const leftBy = new Map<string, Set<string>>();
  const definedAround = new Map<string, Set<string>>();
  for (const { artifact, source } of templates) {
    addNames(leftBy, artifact.name, source.scopes.exports);
    for (const included of includedBy(source)) addNames(definedAround, included, source.scopes.variables);
  }
  return ({ artifact, source }) => {
    const sets = [definedAround.get(artifact.name), ...[...includedBy(source)].map((name) => leftBy.get(name))];
    const known = sets.filter((names) => names !== undefined);
    return (name) => known.some((names) => names.has(name));
  };
}

const includedBy = ({ scopes }: SkillTemplate['source']): ReadonlySet<string> =>
  new Set(scopes.references.flatMap(({ names }) => names.map(({ name }) => name)));

function addNames(to: Map<string, Set<string>>, key: string, variables: readonly { readonly name: string }[]): void {
  if (variables.length === 0) return;
  const names = to.get(key) ?? new Set();
  to.set(key, names);
  for (const { name } of variables) names.add(name);
}
