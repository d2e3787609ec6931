import { standardAdvice } from '../vocabulary/agent-skill-clients.ts';
import { linkTargets } from '../workspace/links.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import type { Rule } from './rule.ts';

/** Off, because many good skills have folders of folders. */
export const agentSkillReferenceDepth: Rule = {
  name: 'agent-skill-reference-depth',
  severity: 'off',
  evidence: { kind: 'spec', source: `${STANDARD}, "File references" (advice)` },
  dialects: ['agent-skill'],
  *check(file) {
    for (const { path, span } of linkTargets(file)) {
      const folders = path
        .split(/[\\/]/)
        .slice(0, -1)
        .filter((part) => part !== '' && part !== '.');
      if (folders.includes('..') || folders.length <= standardAdvice.referenceDepth) continue;
      yield {
        span,
        message: `This file lies ${folders.length} folders below the skill, and the standard advises one. Move it up, so that an agent finds it without following a chain.`,
      };
    }
  },
};
