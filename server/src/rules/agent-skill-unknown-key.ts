import type { Draft } from '../finding.ts';
import type { YamlEntry } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type MisspeltEntry, readForeignEntries } from '../vocabulary/agent-skill-clients.ts';
import { skillsFolderOf } from '../vocabulary/dialect.ts';
import { firstWithUnknownKeys } from '../workspace/workspace-index.ts';
import { moveUnderMetadata, nameOf, renameMisspelt, STANDARD } from './common/agent-skill/entries.ts';
import { fixHere, placesHere, type Rule } from './rule.ts';

/** Only a hint, because clients ignore what they do not know; a warning where that switches off what is meant. */
export const agentSkillUnknownKey: Rule = {
  name: 'agent-skill-unknown-key',
  severity: 'hint',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file, analysis) {
    const { misspelt, unknown } = readForeignEntries(file.frontmatter.tree);
    for (const one of misspelt) if (!isReportedMissing(file, one)) yield misspeltDraft(file, one);
    if (unknown.length === 0) return;
    // One finding speaks for all skills of a folder, which mostly share their keys.
    if ((firstWithUnknownKeys(analysis.graph, file.uri) ?? file.uri) !== file.uri) return;
    const others = [...(analysis.graph.unknownKeys.get(skillsFolderOf(file.uri)) ?? [])].filter(
      (uri) => uri !== file.uri,
    );
    yield unknownDraft(file, unknown, others.length);
  },
};

/** A mandatory key under a wrong name is reported by `agent-skill-missing-key` at the same place. */
const isReportedMissing = ({ problems }: SkillFile, { meant }: MisspeltEntry): boolean =>
  problems.some(({ kind, key, depth }) => kind === 'missing-key' && depth === 0 && key === meant);

const misspeltDraft = (file: SkillFile, misspelt: MisspeltEntry): Draft => ({
  span: misspelt.entry.key.span,
  severity: 'warning',
  message: `No client knows \`${nameOf(misspelt.entry)}\`, so it has no effect. Did you mean \`${misspelt.meant}\`?`,
  fixes: renameMisspelt(file, misspelt),
});

/** One finding: such keys are rarely mistakes, and one fix moves those of a file under `metadata`. */
function unknownDraft(file: SkillFile, entries: readonly YamlEntry[], elsewhere: number): Draft {
  const [first, ...others] = entries as [YamlEntry, ...YamlEntry[]];
  const { moved, edits } = moveUnderMetadata(file, entries);
  const [verb, it] = others.length > 0 ? ['are', 'them'] : ['is', 'it'];
  const rest = entries.length > MAX_NAMED ? ' and more' : '';
  const names = entries.slice(0, MAX_NAMED).map(nameOf);
  return {
    span: first.key.span,
    message: `${rest ? `${names.map((name) => `\`${name}\``).join(', ')}${rest}` : inWords(names, 'and')} ${verb} no key of the standard or of a client that is known here, so clients ignore ${it}. What is meant for people or other tools belongs under \`metadata\`, as text.${elsewhere > 0 ? ` In this folder, ${elsewhere === 1 ? 'another skill has' : `${elsewhere} more skills have`} such keys.` : ''}`,
    related: placesHere(
      file,
      others.map(({ key }) => key),
      'Not known either.',
    ),
    fixes: fixHere(file, `Move ${titleOf(moved)} under \`metadata\``, edits),
  };
}

const MAX_NAMED = 6;

const titleOf = (moved: readonly string[]): string =>
  moved.length > 3 ? `${moved.length} keys` : inWords(moved, 'and');
