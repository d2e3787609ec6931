import { linkTargets } from '../../skill-folder/links.ts';
import { standardAdvice } from '../../vocabulary/agent-skill-clients.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';

/** A link to a file in a deep folder. The rule is off by default, because many good skills have nested folders. */
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
        message: `This file is ${folders.length} folders below the skill; the standard advises at most one. Move it up, so that agents find it directly.`,
      };
    }
  },
};
