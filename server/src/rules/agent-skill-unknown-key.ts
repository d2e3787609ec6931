import type { Draft } from '../finding.ts';
import { renameKey } from '../languages/yaml/edit.ts';
import type { YamlEntry } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type MisspeltEntry, nameOf, readForeignEntries, STANDARD } from './common/agent-skill/entries.ts';
import { moveUnderMetadata } from './common/metadata-moves.ts';
import { fixHere, type Rule } from './rule.ts';

/** A hint, because clients only ignore what they do not know. */
export const agentSkillUnknownKey: Rule = {
  name: 'agent-skill-unknown-key',
  code: 'agent-skill-unknown-key',
  severity: 'hint',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    const { misspelt, unknown } = readForeignEntries(file);
    for (const one of misspelt) if (!isReportedMissing(file, one)) yield misspeltDraft(file, one);
    if (unknown.length > 0) yield unknownDraft(file, unknown);
  },
};

/** A mandatory key under a wrong name is missing, and `agent-skill-missing-key` says so at the same place. */
const isReportedMissing = ({ problems }: SkillFile, { meant }: MisspeltEntry): boolean =>
  problems.some(({ kind, key, depth }) => kind === 'missing-key' && depth === 0 && key === meant);

function misspeltDraft(file: SkillFile, { entry, meant }: MisspeltEntry): Draft {
  const { root } = file.frontmatter.tree;
  const edits = root?.kind === 'map' ? renameKey(file.text, root, nameOf(entry), meant) : [];
  return {
    span: entry.key.span,
    message: `No client knows \`${nameOf(entry)}\`, so it has no effect. Did you mean \`${meant}\`?`,
    fixes: edits.length > 0 ? [fixHere(file, `Rename to \`${meant}\``, edits)] : [],
  };
}

/** One for the file, however many keys: they are rarely mistakes, and `metadata` has room for all of them. */
function unknownDraft(file: SkillFile, entries: readonly YamlEntry[]): Draft {
  const [first, ...others] = entries as [YamlEntry, ...YamlEntry[]];
  const { moved, edits } = moveUnderMetadata(file, entries);
  const [verb, it] = others.length > 0 ? ['are', 'them'] : ['is', 'it'];
  const rest = entries.length > MAX_NAMED ? ' and more' : '';
  const names = entries.slice(0, MAX_NAMED).map(nameOf);
  return {
    span: first.key.span,
    message: `${rest ? `${names.map((name) => `\`${name}\``).join(', ')}${rest}` : inWords(names, 'and')} ${verb} no key of the standard or of a client that is known here, so clients ignore ${it}. What is meant for people or other tools belongs under \`metadata\`, as text.`,
    related: others.map(({ key }) => ({ uri: file.uri, span: key.span, message: 'Not known either.' })),
    fixes: edits.length > 0 ? [fixHere(file, `Move ${titleOf(moved)} under \`metadata\``, edits)] : [],
  };
}

const MAX_NAMED = 6;

const titleOf = (moved: readonly string[]): string =>
  moved.length > 3 ? `${moved.length} keys` : inWords(moved, 'and');
