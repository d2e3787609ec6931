import { findSelfRunning } from '../abilities/self-running.ts';
import type { Rule } from './rule.ts';

export const selfRunningCommand: Rule = {
  name: 'self-running-command',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/skills', checked: '2026-11-23' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const { kind, span } of findSelfRunning(file)) {
      if (kind === 'hook') continue;
      yield {
        span,
        message:
          'Some clients run this command when the skill is invoked, before the model reads it. Keep it only if it changes nothing and needs no secrets.',
      };
    }
  },
};
