import type { Client } from '../../clients/facts/client.ts';
import { clients } from '../../clients/facts/clients.ts';
import { readersOf } from '../../clients/matrix/client-folders.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import type { YamlEntry } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { isStandardKey, type MisspeltEntry } from '../../vocabulary/agent-skill-clients.ts';
import type { Rule } from '../engine/rule.ts';
import { foreignEntriesOf, moveUnderMetadata, nameOf, renameMisspelt, STANDARD } from './entries.ts';

/**
 * An unknown key. The finding is a warning if the key is probably misspelt, otherwise a hint, because clients ignore
 * unknown keys.
 */
export const agentSkillUnknownKey: Rule = {
  name: 'agent-skill-unknown-key',
  severity: 'hint',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file) {
    const readers = file.summary.agentSkill && readersOf(subjectOf(file.uri, file.summary.agentSkill));
    const isReadBy = (some: readonly Client[], entry: YamlEntry) =>
      some.some(({ keys }) => keys.some(({ name }) => name === nameOf(entry)));
    const ignoresOthers = !readers || readers.some(ignoresUnknownKeys);
    const foreign = foreignEntriesOf(file);
    // Another word for a key is a mistake only where a client reads that key.
    const isElsewhere = ({ isOtherWord, meant }: MisspeltEntry): boolean =>
      isOtherWord === true && !readers?.some(({ keys }) => keys.some(({ name }) => name === meant));
    for (const one of foreign.misspelt) {
      if (isElsewhere(one)) continue;
      const isMeant =
        !isReadBy(readers ?? [], one.entry) &&
        (ignoresOthers || (isStandardKey(one.meant) && nameOf(one.entry) !== 'tools'));
      if (!isMeant) continue;
      const isReported = isReportedMissing(file, one);
      yield { ...misspeltDraft(file, one), ...(isReported && { unlessReportedBy: 'agent-skill-missing-key' }) };
    }
    const others = foreign.misspelt.filter(isElsewhere).map(({ entry }) => entry);
    const unknown = [...foreign.unknown, ...others].filter((entry) => !isReadBy(readers ?? clients, entry));
    if (unknown.length > 0 && ignoresOthers) yield unknownDraft(file, unknown);
  },
};

/** Returns true if the client is known to do nothing with keys that it does not define. */
const ignoresUnknownKeys = ({ unknownKeys }: Client): boolean => unknownKeys.value !== 'unknown';

/** Returns true if `agent-skill-missing-key` reports the misspelt mandatory key at the same span. */
const isReportedMissing = ({ problems }: SkillFile, { meant }: MisspeltEntry): boolean =>
  problems.some(({ kind, key, depth }) => kind === 'missing-key' && depth === 0 && key === meant);

const misspeltDraft = (file: SkillFile, misspelt: MisspeltEntry): Draft => ({
  span: misspelt.entry.key.span,
  about: [nameOf(misspelt.entry)],
  severity: 'warning',
  message: `Unknown key \`${nameOf(misspelt.entry)}\`. Did you mean \`${misspelt.meant}\`?`,
  fixes: renameMisspelt(file, misspelt),
});

/** Reports all unknown keys of a file in one finding, because one fix moves all these keys under `metadata`. */
function unknownDraft(file: SkillFile, entries: readonly YamlEntry[]): Draft {
  const [first, ...others] = entries as [YamlEntry, ...YamlEntry[]];
  const { moved, edits } = moveUnderMetadata(file, entries);
  const [keys, it] = others.length > 0 ? ['keys', 'them'] : ['key', 'it'];
  const rest = entries.length > MAX_NAMED ? ' and more' : '';
  const names = entries.slice(0, MAX_NAMED).map(nameOf);
  return {
    span: first.key.span,
    about: entries.map(nameOf),
    message: `Unknown ${keys} ${rest ? `${names.map((name) => `\`${name}\``).join(', ')}${rest}` : inWords(names, 'and')}: clients ignore ${it}. Move data for people or other tools under \`metadata\`, as text.`,
    related: placesHere(
      file,
      others.map(({ key }) => key),
      'Also unknown.',
    ),
    fixes: fixHere(file, `Move ${describeMoved(moved)} under \`metadata\``, edits),
    shared: {
      cause: 'unknown keys',
      many: 'have unknown keys',
      names: entries.map(nameOf),
      title: 'Move unknown keys under `metadata`',
    },
  };
}

const MAX_NAMED = 6;

const describeMoved = (moved: readonly string[]): string =>
  moved.length > 3 ? `${moved.length} keys` : inWords(moved, 'and');
