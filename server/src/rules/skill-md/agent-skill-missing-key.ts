import type { Draft } from '../../finding.ts';
import { draftOfMissingKey, hasFrontmatter, placeholderDraft } from '../../skill/insert-key.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type MisspeltEntry, readForeignEntries } from '../../vocabulary/agent-skill-clients.ts';
import { keyProblems, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { findSecondFrontmatter, nameOf, renameMisspelt, STANDARD } from './entries.ts';

export const agentSkillMissingKey: Rule = {
  name: 'agent-skill-missing-key',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  checkedBy: ['VS Code'],
  *check(file) {
    if (!hasFrontmatter(file)) return;
    const notKeys = valueProblems(file, undefined).find(({ key }) => key === '');
    if (notKeys) {
      yield { span: notKeys.span, message: NO_KEYS_MESSAGE };
      return;
    }
    const placeholder = placeholderDraft(file);
    if (placeholder) yield placeholder;
    const missing = keyProblems(file, 'missing-key');
    if (missing.length === 0) return;
    const { misspelt } = readForeignEntries(file.frontmatter.tree);
    // `agent-skill-split-frontmatter` reports these keys where they are.
    const afterFence = new Set(file.derive(findSecondFrontmatter)?.entries.map(nameOf));
    for (const { key, span } of missing) {
      if (afterFence.has(key)) continue;
      const written = misspelt.find(({ meant }) => meant === key);
      yield written ? draftOfMisspelt(file, written) : draftOfMissingKey(file, key, span, ADVICE.get(key) ?? '');
    }
  },
};

const NO_KEYS_MESSAGE = 'The frontmatter has no keys. Add `name: …` and `description: …`, each on its own line.';

const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'Add it, with the name of the folder.',
    description: 'Say what the skill does and when to use it.',
  }),
);

/** Reports a mandatory key with a misspelt name as one finding, at that name. */
const draftOfMisspelt = (file: SkillFile, misspelt: MisspeltEntry): Draft => ({
  span: misspelt.entry.key.span,
  message: `Unknown key \`${nameOf(misspelt.entry)}\`. Did you mean \`${misspelt.meant}\`, which is missing?`,
  fixes: renameMisspelt(file, misspelt),
});
