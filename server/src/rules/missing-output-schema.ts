import type { Fix } from '../finding.ts';
import { printYaml, toShorthand } from '../languages/schema/schema.ts';
import type { SkillDocument } from '../skill/document.ts';
import { skillsNamed, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { placeOfMissingKey } from './common/drafts.ts';
import { addKey } from './common/insert-key.ts';
import { type Rule, SKILLS } from './rule.ts';

export const missingOutputSchema: Rule = {
  name: 'missing-output-schema',
  code: 'E008',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, sections 3 and 4' },
  dialects: SKILLS,
  readsHeadOnly: true,
  *check(index, document) {
    const { output, level } = document.contract;
    if (output || (level !== 2 && level !== 3)) return;
    yield {
      span: placeOfMissingKey(document),
      message: `A skill of level ${level} needs an \`output_schema\`: without it nothing can be composed after it. Declare what comes back, \`{}\` if nothing does.`,
      fixes: [...takeOver(index, document), ...addKey(document, 'output_schema', '{}')],
    };
  },
};

/** What the last part gives back is what the whole most likely does. */
function takeOver(index: WorkspaceIndex, document: SkillDocument): readonly Fix[] {
  const last = document.contract.composes.at(-1);
  if (!last || last.outputMapping) return [];
  const [part] = skillsNamed(index, last.name);
  const output = part && index.documents.get(part.uri)?.contract.output;
  if (!output || output.schema.fields.length === 0 || output.schema.problems.length > 0) return [];
  const yaml = printYaml(toShorthand(output.schema.json) ?? output.schema.json, '  ');
  return addKey(document, 'output_schema', `\n${yaml}`, `Take over the \`output_schema\` of \`${last.name}\``);
}
