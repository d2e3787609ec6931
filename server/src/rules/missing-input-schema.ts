import { isComposite } from '../skill/contract.ts';
import { missingKeySpan } from '../skill/head.ts';
import { addKey, adviceIfNamedById } from './common/insert-key.ts';
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
      ...adviceIfNamedById(file),
      span: missingKeySpan(file),
      message: `Missing key \`input_schema\`. A skill that composes others must declare its inputs, for example \`input_schema: {}\`.`,
      fixes: addKey(file, 'input_schema', '{}'),
    };
  },
};
