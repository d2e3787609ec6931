import type { Draft } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type MisspeltEntry, readForeignEntries } from '../vocabulary/agent-skill-clients.ts';
import { findSecondFrontmatter, nameOf, renameMisspelt, STANDARD } from './common/agent-skill/entries.ts';
import { draftOfMissingKey, hasFrontmatter } from './common/insert-key.ts';
import { keyProblems, valueProblems } from './common/shape-problems.ts';
import type { Rule } from './rule.ts';

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
      yield { span: notKeys.span, message: NO_KEYS };
      return;
    }
    const missing = keyProblems(file, 'missing-key');
    if (missing.length === 0) return;
    const { misspelt } = readForeignEntries(file.frontmatter.tree);
    // Reported by `agent-skill-split-frontmatter`, at the key.
    const behind = new Set(file.derive(findSecondFrontmatter)?.entries.map(nameOf));
    for (const { key, span } of missing) {
      if (behind.has(key)) continue;
      const written = misspelt.find(({ meant }) => meant === key);
      yield written ? draftOfMisspelt(file, written) : draftOfMissingKey(file, key, span, WHY.get(key) ?? '');
    }
  },
};

const NO_KEYS =
  'The frontmatter has no keys, so the skill has neither a name nor a description. Write `name: …` and `description: …`, one a line.';

const WHY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: "clients that do not take the folder's name instead leave it out. Give it the folder's name.",
    description:
      'an agent cannot tell when to use it, and most clients leave it out. Say what the skill does and when to use it.',
  }),
);

/** A mandatory key under a wrong name is one defect, reported at that name. */
const draftOfMisspelt = (file: SkillFile, misspelt: MisspeltEntry): Draft => ({
  span: misspelt.entry.key.span,
  message: `This skill has no \`${misspelt.meant}\`; \`${nameOf(misspelt.entry)}\` is another key to every client. Write \`${misspelt.meant}\`.`,
  fixes: renameMisspelt(file, misspelt),
});
