import { findDownloads, findInCode } from '../abilities/commands.ts';
import type { Rule } from './rule.ts';

export const pipeToShell: Rule = {
  name: 'pipe-to-shell',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'commands, by their form' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const span of findInCode(file, findDownloads)) {
      yield {
        span,
        message:
          'This runs what an address answers, unread: whoever controls the address controls the machine. Download it, check it, then run it; or install a version that a package manager verifies.',
      };
    }
  },
};
