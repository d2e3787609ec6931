/** Rules about missing schemas of composites (docs/format.md, sections 3 and 4). */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Fix } from '../../finding.ts';
import { printYaml, toShorthand } from '../../languages/schema/schema.ts';
import { isComposite } from '../../skill/contract.ts';
import { addKey, adviceIfNamedById } from '../../skill/insert-key.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

export const missingInputSchema: Rule = {
  name: 'missing-input-schema',
  number: 'E007',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 3 and 4' },
  dialects: SKILLS,
  *check(file) {
    if (file.contract.input || !isComposite(file.contract)) return;
    yield {
      ...adviceIfNamedById(file),
      span: missingKeySpan(file),
      message: `Missing key \`input_schema\`. A skill that composes others must declare its inputs, for example \`input_schema: {}\`.`,
      fixes: addKey(file, 'input_schema', '{}'),
    };
  },
};

export const missingOutputSchema: Rule = {
  name: 'missing-output-schema',
  number: 'E008',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 3 and 4' },
  dialects: SKILLS,
  *check(file, analysis) {
    if (file.contract.output || !isComposite(file.contract)) return;
    yield {
      ...adviceIfNamedById(file),
      span: missingKeySpan(file),
      message: `Missing key \`output_schema\`. A skill that composes others must declare its outputs, for example \`output_schema: {}\`.`,
      fixes: [...copyFromLastPart(analysis, file), ...addKey(file, 'output_schema', '{}')],
    };
  },
};

/**
 * Returns the fix that copies the output of the last composed skill, which is most likely the output of the composite.
 */
function copyFromLastPart(analysis: Analysis, file: SkillFile): readonly Fix[] {
  const last = file.contract.composes.at(-1);
  if (!last || last.outputMapping) return [];
  const output = analysis.resolveSkill(file, last.name)?.contract.output;
  if (!output || output.schema.fields.length === 0 || output.schema.problems.length > 0) return [];
  const yaml = printYaml(toShorthand(output.schema.json) ?? output.schema.json, '  ');
  return addKey(file, 'output_schema', `\n${yaml}`, `Copy the \`output_schema\` of \`${last.name}\``);
}
