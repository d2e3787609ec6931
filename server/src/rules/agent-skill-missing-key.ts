import type { Draft, Fix } from '../finding.ts';
import { renameKey } from '../languages/yaml/edit.ts';
import { findEntry } from '../languages/yaml/node.ts';
import { kebabName, promisedName } from '../skill/kebab-name.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type MisspeltEntry, nameOf, readForeignEntries, STANDARD } from './common/agent-skill/entries.ts';
import { placeOfMissingKey } from './common/drafts.ts';
import { addKey } from './common/insert-key.ts';
import { keyProblems, valueProblems } from './common/shape-drafts.ts';
import { hasFrontmatter, NEW_DESCRIPTION } from './missing-frontmatter.ts';
import { fixHere, type Rule } from './rule.ts';

export const agentSkillMissingKey: Rule = {
  name: 'agent-skill-missing-key',
  code: 'agent-skill-missing-key',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    if (!hasFrontmatter(file)) return;
    const notKeys = valueProblems(file, undefined).find(({ key }) => key === '');
    if (notKeys) {
      yield { span: notKeys.span, message: NO_KEYS };
      return;
    }
    const missing = keyProblems(file, 'missing-key');
    if (missing.length === 0) return;
    const { misspelt } = readForeignEntries(file);
    for (const { key, span } of missing) {
      const written = misspelt.find(({ meant }) => meant === key);
      yield written ? draftOfMisspelt(file, written) : draftOf(file, key, span);
    }
  },
};

const NO_KEYS =
  'The frontmatter has no keys, so the skill has neither a name nor a description. Write `name: …` and `description: …`, one a line.';

const WHY: Readonly<Record<string, string>> = {
  name: "nothing can call it. Give it the folder's name.",
  description:
    'an agent cannot tell when to use it, and clients leave it out. Say what the skill does and when to use it.',
};

function draftOf(file: SkillFile, key: string, place: Draft['span']): Draft {
  const isEmpty = findEntry(file.frontmatter.tree.root, key) !== undefined;
  return {
    span: isEmpty ? place : placeOfMissingKey(file),
    message: `${isEmpty ? `\`${key}\` is empty` : `This skill has no \`${key}\``}, so ${WHY[key]}`,
    fixes: fixesOf(file, key),
  };
}

function fixesOf(file: SkillFile, key: string): readonly Fix[] {
  if (key === 'description') return addKey(file, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
  const name = kebabName(promisedName(file.uri));
  return name ? addKey(file, key, name) : [];
}

/** The key is there, but nobody finds it under this name: one defect, told where it is. */
function draftOfMisspelt(file: SkillFile, { entry, meant }: MisspeltEntry): Draft {
  const { root } = file.frontmatter.tree;
  const edits = root?.kind === 'map' ? renameKey(file.text, root, nameOf(entry), meant) : [];
  return {
    span: entry.key.span,
    message: `This skill has no \`${meant}\`; \`${nameOf(entry)}\` is another key to every client. Write \`${meant}\`.`,
    fixes: edits.length > 0 ? [fixHere(file, `Rename to \`${meant}\``, edits)] : [],
  };
}
