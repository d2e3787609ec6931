import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOfContent } from '../../analysis/targets.ts';
import { readersOf } from '../../clients/matrix/client-folders.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { insertEntry, removeEntry } from '../../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  isNull,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sliceOf, type TextEdit } from '../../text.ts';
import { findClientKeys } from '../../vocabulary/agent-skill-clients.ts';
import { draftOf, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { nameOf, STANDARD, textOf } from './entries.ts';

export const agentSkillMetadata: Rule = {
  name: 'agent-skill-metadata',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file, analysis) {
    const value = findValue(file.frontmatter.tree.root, 'metadata');
    if (!value || isNull(value)) return;
    if (value.kind !== 'map') {
      const problem = valueProblems(file, 'agent-skill-metadata').find(({ span }) => span === value.span);
      if (problem) {
        const draft = draftOf(file, { ...problem, message: `${problem.message} ${HOW_TO_WRITE}` });
        const fixes = unquotedMap(file, value);
        yield fixes.length > 0 ? { ...draft, fixes } : draft;
      }
      return;
    }
    yield* lossyNumbers(file, value);
    yield* lists(file, value, analysis);
    yield* misplacedKeys(file, value);
  },
};

/** Offers to remove the quotes around a map that is written as JSON. Without the quotes, YAML reads it as a map. */
function unquotedMap(file: SkillFile, value: YamlNode): readonly Fix[] {
  const json = stringOf(value)?.trim() ?? '';
  if (!json.startsWith('{') || json.length > 10_000) return [];
  let newText: string;
  try {
    newText = JSON.stringify(JSON.parse(json));
  } catch {
    return [];
  }
  return fixHere(file, 'Remove the quotes', [{ span: value.span, newText }]);
}

const HOW_TO_WRITE = 'Write each entry as `key: text` on its own line below `metadata`.';

/** Reports numbers that lose digits. For example, clients read `1.10` as the number `1.1`. */
function* lossyNumbers(file: SkillFile, { entries }: YamlMap): Iterable<Draft> {
  const lossy = entries.flatMap(({ value }) => (isLossy(value) ? [value] : []));
  const [first, ...others] = lossy;
  if (!first) return;
  const edits = lossy.map(({ span, source }) => ({ span, newText: `"${source}"` }));
  yield {
    severity: 'hint',
    span: first.span,
    message: `Most clients read the number \`${first.source}\` as \`${String(first.value)}\`. Quote it.`,
    related: placesHere(file, others, 'Also a number.'),
    fixes: fixHere(file, others.length > 0 ? 'Quote the numbers' : 'Quote it', edits, true),
  };
}

/** Returns true for a number that changes when it is read. Excludes `1.0`, which is the same version as `1`. */
const isLossy = (value: YamlEntry['value']): value is YamlScalar =>
  value.kind === 'scalar' &&
  typeof value.value === 'number' &&
  ![String(value.value), `${value.value}.0`].includes(value.source);

/** Reports lists of words, unless all target clients are known to allow any value in `metadata`. */
function* lists(file: SkillFile, { entries }: YamlMap, analysis: Analysis): Iterable<Draft> {
  const found = entries.flatMap(({ key, value }) => (value.kind === 'list' ? [{ key: String(key.value), value }] : []));
  const [first, ...others] = found;
  if (!first || readsAnyMetadata(file, analysis)) return;
  const edits = found.map(({ value }) => ({ value, text: textOf(file.text, value) }));
  const isSafe = edits.every(({ text, value }) => text !== undefined && (value.kind !== 'list' || value.flow));
  yield {
    severity: 'hint',
    span: first.value.span,
    message: `\`${first.key}\` is a list, but the standard allows only strings in \`metadata\`. Write it as one string.`,
    related: placesHere(
      file,
      others.map(({ value }) => value),
      'Also a list.',
    ),
    fixes: isSafe
      ? fixHere(
          file,
          others.length > 0 ? 'Write the lists as strings' : 'Write it as a string',
          edits.map(({ value, text }) => ({ span: value.span, newText: text ?? '' })),
        )
      : [],
  };
}

/** Returns whether Claude Code, which documents `metadata` as a map of any values, is the only target client. */
function readsAnyMetadata({ uri, summary }: SkillFile, analysis: Analysis): boolean {
  const targets = summary.agentSkill ? targetsOfContent(analysis, subjectOf(uri, summary.agentSkill)).clients : [];
  return targets.length > 0 && targets.every(({ id }) => id === 'claude-code');
}

/** Reports keys that clients read only at the top level, if the name is unlikely to be the author's own data. */
function* misplacedKeys(file: SkillFile, metadata: YamlMap): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  const readers = file.summary.agentSkill && readersOf(subjectOf(file.uri, file.summary.agentSkill));
  for (const entry of metadata.entries) {
    const name = nameOf(entry);
    if (!/[-_]/.test(name) || findEntry(root, name)) continue;
    const clients = findClientKeys(name).flatMap(({ client }) =>
      !readers || readers.some((reader) => reader.name === client) ? [client] : [],
    );
    if (clients.length === 0) continue;
    yield {
      severity: 'hint',
      span: entry.key.span,
      message: `\`${name}\` has no effect here: ${listed(clients)} ${clients.length === 1 ? 'reads' : 'read'} it at the top level, not under \`metadata\`. Move it up.`,
      fixes: fixHere(file, `Move \`${name}\` to the top level`, moveToTopLevel(file, metadata, entry)),
    };
  }
}

/** Returns the edits that move an entry to the top level; no edits for a value that spans several lines. */
function moveToTopLevel({ text, frontmatter }: SkillFile, metadata: YamlMap, entry: YamlEntry): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  const value = sliceOf(text, entry.value.span);
  if (root?.kind !== 'map' || root.flow || metadata.entries.length < 2 || /[\r\n]/.test(value)) return [];
  const isQuoted = entry.value.kind === 'scalar' && /^["'](?:true|false)["']$/.test(value);
  const insertion = insertEntry(text, root, nameOf(entry), isQuoted ? value.slice(1, -1) : value, {
    before: 'metadata',
  });
  const removal = removeEntry(text, metadata, nameOf(entry));
  return insertion.length > 0 && removal.length > 0 ? [...insertion, ...removal] : [];
}
