import { isComposite } from '../skill/contract.ts';
import { headOf } from '../skill/head.ts';
import { addKey } from './common/insert-key.ts';
import { type Rule, SKILLS } from './rule.ts';

export const missingInputSchema: Rule = {
  name: 'missing-input-schema',
  number: 'E007',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 3 and 4' },
  dialects: SKILLS,
  *check(file) {
    if (file.contract.input || !isComposite(file.contract)) return;
    yield {
      span: headOf(file),
      message: `A skill that composes others needs an \`input_schema\`: without it nobody can tell whether its parts get what they need. Declare the inputs, \`{}\` if there are none.`,
      fixes: addKey(file, 'input_schema', '{}'),
    };
  },
};
