/** The names that a skill's templates and conditions may use, beside those that a template defines itself. */
import { FUNCTIONS } from '../../languages/minijinja/builtins/builtins.ts';
import { isUsable } from '../../languages/schema/schema.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';

/** The names of the parameters; undefined where the schema allows others, so that no name is unknown. */
export function parameterNames({ contract }: SkillFile): readonly string[] | undefined {
  const schema = contract.input?.schema;
  if (!schema || !isUsable(schema)) return undefined;
  const { additionalProperties, patternProperties } = schema.json;
  const open =
    (additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined;
  return open ? undefined : schema.fields.map(({ name }) => name);
}

/** The variables that the composer passes to a template, and the functions of MiniJinja. */
export const AMBIENT_IN_TEMPLATES: ReadonlySet<string> = new Set([
  ...TEMPLATE_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);

export const AMBIENT_IN_CONDITIONS: ReadonlySet<string> = new Set([
  ...CONDITION_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);

/**
 * Whether a name comes into a template from others of the same skill: templates that it includes export names, and
 * templates that include it define names.
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
