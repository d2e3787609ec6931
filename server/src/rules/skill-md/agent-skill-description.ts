import { type Fix, fixHere } from '../../finding.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, stringOf } from '../../languages/yaml/node.ts';
import { spanAfter } from '../../languages/yaml/source-spans.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span } from '../../text.ts';
import { MAX_DESCRIPTION } from '../../vocabulary/agent-skill-keys.ts';
import { textDraft, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';

export const agentSkillDescription: Rule = {
  name: 'agent-skill-description',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file) {
    for (const problem of valueProblems(file, 'agent-skill-description')) {
      const draft = textDraft(
        file,
        problem,
        'Say what the skill does and when to use it: agents choose a skill by its description.',
      );
      const excess = excessSpan(file);
      if (excess) yield { ...draft, span: excess, shortens: 'description' };
      else yield draft.fixes?.length ? draft : { ...draft, fixes: asOneText(file) };
    }
  },
};

/** Offers to write a list of texts as one text. */
function asOneText(file: SkillFile): readonly Fix[] {
  const { key, value } = findEntry(file.frontmatter.tree.root, 'description') ?? {};
  if (!key || value?.kind !== 'list') return [];
  const texts = value.items.map((item) => stringOf(item)?.trim() ?? '');
  if (texts.length === 0 || texts.some((text) => text === '' || /[\r\n]/.test(text))) return [];
  const isProse = texts.every((text) => /[.!?。！？]$/.test(text));
  const newText = `: ${formatScalar(texts.join(isProse ? ' ' : ', '))}`;
  return fixHere(file, 'Write it as one text', [{ span: span(key.span.end, value.span.end), newText }]);
}

/** Returns the part of a description that is over the limit. */
function excessSpan({ text, frontmatter }: SkillFile): Span | undefined {
  const value = findValue(frontmatter.tree.root, 'description');
  return value?.kind === 'scalar' ? spanAfter(text, value, MAX_DESCRIPTION) : undefined;
}
