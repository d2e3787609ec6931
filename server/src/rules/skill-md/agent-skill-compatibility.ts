import { textDraft, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';

/** An invalid `compatibility`. The finding is only a warning, because clients show the value and do not act on it. */
export const agentSkillCompatibility: Rule = {
  name: 'agent-skill-compatibility',
  severity: 'warning',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file) {
    for (const problem of valueProblems(file, 'agent-skill-compatibility')) {
      yield textDraft(file, problem, 'Clients show the value to users as one string.');
    }
  },
};
