/** Names that a template defines itself. */
import { findFunction } from '../../languages/minijinja/builtins/builtins.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { isParameter } from '../symbol/fields.ts';
import type { LocalTarget } from '../symbol/local-target.ts';
import { type Refusal, refuse } from './plan.ts';

/** Words of the template language, and constants in either case. */
const RESERVED =
  /^(?:and|or|not|in|is|if|else|elif|for|recursive|true|false|none|True|False|None|loop|self|super|caller|with|as|import)$/;

export function refuseIdentifier(newName: string): Refusal | undefined {
  if (!/^[A-Za-z_]\w*$/.test(newName)) {
    return refuse(`\`${newName}\` is no name in a template. Write letters, digits and \`_\`, and begin with no digit.`);
  }
  if (RESERVED.test(newName)) return refuse(`\`${newName}\` is a word of the template language. Choose another name.`);
  if (TEMPLATE_VARIABLES.some(({ name }) => name === newName)) {
    return refuse(
      `The composer gives every template a variable \`${newName}\`, which would be hidden. Choose another name.`,
    );
  }
  return findFunction(newName) && refuse(`\`${newName}\` is a function of the template language. Choose another name.`);
}

export function refuseLocal(file: SkillFile, { name, variables }: LocalTarget): Refusal | undefined {
  if (variables.some(({ definitions }) => definitions.some(({ kind }) => kind === 'import'))) {
    return refuse(
      `\`${name}\` is taken from another template. Rename it there, or give it another name here with \`as\`.`,
    );
  }
  if (isParameter(file, name) && variables.some(({ uses }) => uses.some(({ certain }) => !certain))) {
    return refuse(
      `\`${name}\` is a parameter that the template sets anew under a condition: one name for both. Part them by hand first.`,
    );
  }
  const homes = file.templates.filter((template) =>
    variables.some((one) => template.placed.scopes.variables.includes(one)),
  );
  const isTaken = file.templates.some(({ source }) =>
    source.scopes.references.some(
      ({ statement, names }) =>
        statement !== 'include' && names.some((one) => homes.some(({ artifact }) => artifact.name === one.name)),
    ),
  );
  const isExported = variables.some(({ scope }) => scope.kind === 'root');
  return isTaken && isExported
    ? refuse(`Another template imports or extends the one that defines \`${name}\`. Rename it in both by hand.`)
    : undefined;
}

export function refuseLocalName(file: SkillFile, newName: string): Refusal | undefined {
  const isUsed = file.templates.some(
    ({ source: { scopes } }) =>
      scopes.variables.some((one) => one.name === newName) || scopes.uses.some((one) => one.name === newName),
  );
  return (
    refuseIdentifier(newName) ??
    (isParameter(file, newName)
      ? refuse(`\`${newName}\` is a parameter of the skill, which would be hidden. Choose another name.`)
      : isUsed
        ? refuse(`A template of this file has a variable \`${newName}\` already. Choose another name.`)
        : undefined)
  );
}
