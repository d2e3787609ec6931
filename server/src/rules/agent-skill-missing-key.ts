import type { Draft, Fix } from '../finding.ts';
import { renameKey } from '../languages/yaml/edit.ts';
import { findEntry } from '../languages/yaml/node.ts';
import type { SkillDocument } from '../skill/document.ts';
import { kebabName, promisedName } from '../skill/kebab-name.ts';
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
  readsHeadOnly: true,
  *check(_, document) {
    if (!hasFrontmatter(document)) return;
    const notKeys = valueProblems(document, undefined).find(({ key }) => key === '');
    if (notKeys) {
      yield { span: notKeys.span, message: NO_KEYS };
      return;
    }
    const missing = keyProblems(document, 'missing-key');
    if (missing.length === 0) return;
    const { misspelt } = readForeignEntries(document);
    for (const { key, span } of missing) {
      const written = misspelt.find(({ meant }) => meant === key);
      yield written ? draftOfMisspelt(document, written) : draftOf(document, key, span);
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

function draftOf(document: SkillDocument, key: string, place: Draft['span']): Draft {
  const isEmpty = findEntry(document.frontmatter.tree.root, key) !== undefined;
  return {
    span: isEmpty ? place : placeOfMissingKey(document),
    message: `${isEmpty ? `\`${key}\` is empty` : `This skill has no \`${key}\``}, so ${WHY[key]}`,
    fixes: fixesOf(document, key),
  };
}

function fixesOf(document: SkillDocument, key: string): readonly Fix[] {
  if (key === 'description') return addKey(document, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
  const name = kebabName(promisedName(document.uri));
  return name ? addKey(document, key, name) : [];
}

/** The key is there, but nobody finds it under this name: one defect, told where it is. */
function draftOfMisspelt(document: SkillDocument, { entry, meant }: MisspeltEntry): Draft {
  const { root } = document.frontmatter.tree;
  const edits = root?.kind === 'map' ? renameKey(document.text, root, nameOf(entry), meant) : [];
  return {
    span: entry.key.span,
    message: `This skill has no \`${meant}\`; \`${nameOf(entry)}\` is another key to every client. Write \`${meant}\`.`,
    fixes: edits.length > 0 ? [fixHere(document, `Rename to \`${meant}\``, edits)] : [],
  };
}
