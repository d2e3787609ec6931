import { findSecrets } from '../abilities/secrets.ts';
import type { Rule } from './rule.ts';

export const embeddedSecret: Rule = {
  name: 'embedded-secret',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'the formats that issuers of keys document', checked: '2026-11-23' },
  dialects: ['agent-skill'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span } of findSecrets(file.text)) {
      yield {
        span,
        message: `This has the form of a secret (${kind}): whoever has the skill has it, and the model reads it. Revoke it, and have the skill read it from the environment.`,
      };
    }
  },
};
