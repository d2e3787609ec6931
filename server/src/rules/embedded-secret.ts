import { findSecrets } from '../abilities/secrets.ts';
import type { Rule } from './rule.ts';

export const embeddedSecret: Rule = {
  name: 'embedded-secret',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'the key formats that issuers document', checked: '2026-11-23' },
  dialects: ['agent-skill'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span } of findSecrets(file.text)) {
      yield {
        span,
        message: `This looks like a secret (${kind}), which every user and the model can read. Revoke it, and read it from the environment instead.`,
      };
    }
  },
};
