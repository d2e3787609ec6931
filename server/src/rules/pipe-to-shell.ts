import { findDownloads, findInCode } from '../abilities/commands.ts';
import type { Rule } from './rule.ts';

export const pipeToShell: Rule = {
  name: 'pipe-to-shell',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'patterns of commands' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const span of findInCode(file, findDownloads)) {
      yield {
        span,
        message:
          'This command runs a downloaded script that was not checked. Download the script, check it and then run it, or use a package manager.',
      };
    }
  },
};
