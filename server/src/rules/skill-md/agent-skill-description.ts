import { findValue } from '../../languages/yaml/node.ts';
import { spanAfter } from '../../languages/yaml/source-spans.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { MAX_DESCRIPTION } from '../../vocabulary/agent-skill-keys.ts';
import { textDraft, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';

export const agentSkillDescription: Rule = {
  name: 'agent-skill-description',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    for (const problem of valueProblems(file, 'agent-skill-description')) {
      const draft = textDraft(
        file,
        problem,
        'Say what the skill does and when to use it: agents choose a skill by its description.',
      );
      const excess = excessSpan(file);
      yield excess ? { ...draft, span: excess, shortens: 'description' } : draft;
    }
  },
};

/** Returns the part of a description that is over the limit. */
function excessSpan({ text, frontmatter }: SkillFile): Span | undefined {
  const value = findValue(frontmatter.tree.root, 'description');
  return value?.kind === 'scalar' ? spanAfter(text, value, MAX_DESCRIPTION) : undefined;
}
