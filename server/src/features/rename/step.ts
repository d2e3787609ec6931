/** Steps with a name of their own, and values that mappings pass from step to step. */
import { pairsOf } from '../../rules/common/data-flow/values.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Refusal, refuse } from './plan.ts';

const NAME = /^[A-Za-z_][\w-]*$/;

export function refuseStep({ contract }: SkillFile, name: string): Refusal | undefined {
  const isStep = contract.composes.some(({ as }) => as?.name === name);
  return isStep ? undefined : refuse(`No entry of \`composes\` is called \`${name}\`. Fix the name.`);
}

export function refuseStepName({ contract }: SkillFile, newName: string): Refusal | undefined {
  if (!NAME.test(newName) || newName === 'input') {
    return refuse(`\`${newName}\` is no name for a step. Write letters, digits, \`_\` and \`-\`; \`input\` is taken.`);
  }
  return contract.composes.some(({ step }) => step === newName)
    ? refuse(`There is a step \`${newName}\` already. Choose another name.`)
    : undefined;
}

export function refuseFlowName({ contract }: SkillFile, newName: string): Refusal | undefined {
  if (!NAME.test(newName)) return refuse(`\`${newName}\` is no name. Write letters, digits, \`_\` and \`-\`.`);
  const fields = [contract.input, contract.output].flatMap((side) => side?.schema.fields ?? []);
  const mapped = contract.composes.flatMap((entry) => [
    ...pairsOf(entry.inputMapping).map(({ from }) => from),
    ...pairsOf(entry.outputMapping).map(({ to }) => to),
  ]);
  return fields.some(({ name }) => name === newName) || mapped.includes(newName)
    ? refuse(`There is a value \`${newName}\` in the flow already. Choose another name.`)
    : undefined;
}
