import { findEncoded, findInCode } from '../abilities/commands.ts';
import type { Rule } from './rule.ts';

export const encodedPayload: Rule = {
  name: 'encoded-payload',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'patterns of commands' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const span of findInCode(file, findEncoded)) {
      yield {
        span,
        message:
          'This command decodes a string and runs it, so readers do not see what runs. Write the command itself, or move it to a script.',
      };
    }
  },
};
