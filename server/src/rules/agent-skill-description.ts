import { STANDARD } from './common/agent-skill/entries.ts';
import { textDraft } from './common/agent-skill/text.ts';
import { valueProblems } from './common/shape-problems.ts';
import type { Rule } from './rule.ts';

export const agentSkillDescription: Rule = {
  name: 'agent-skill-description',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    for (const problem of valueProblems(file, 'agent-skill-description')) {
      yield textDraft(file, problem, 'Agents choose a skill by its description: say what it does and when to use it.');
    }
  },
};
