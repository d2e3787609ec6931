import type { Draft, Fix } from '../finding.ts';
import {
  findValue,
  isNull,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findClientKeys } from '../vocabulary/agent-skill-lookup.ts';
import { nameOf, STANDARD } from './common/agent-skill/entries.ts';
import { draftOf, valueProblems } from './common/shape-problems.ts';
import { fixHere, placesHere, type Rule } from './rule.ts';

export const agentSkillMetadata: Rule = {
  name: 'agent-skill-metadata',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    const value = findValue(file.frontmatter.tree.root, 'metadata');
    if (!value || isNull(value)) return;
    if (value.kind !== 'map') {
      const problem = valueProblems(file, 'agent-skill-metadata').find(({ span }) => span === value.span);
      if (problem) {
        const draft = draftOf(file, { ...problem, message: `${problem.message} ${WHY}` });
        const fixes = unquotedMap(file, value);
        yield fixes.length > 0 ? { ...draft, fixes } : draft;
      }
      return;
    }
    yield* lossyNumbers(file, value);
    yield* nestedValues(file, value);
  },
};

/** A map written as JSON within quotes: without the quotes YAML reads it. */
function unquotedMap(file: SkillFile, value: YamlNode): readonly Fix[] {
  const json = stringOf(value)?.trim() ?? '';
  if (!json.startsWith('{') || json.length > 10_000) return [];
  try {
    return fixHere(file, 'Remove the quotes', [{ span: value.span, newText: JSON.stringify(JSON.parse(json)) }]);
  } catch {
    return [];
  }
}

const WHY = 'Write one `key: text` a line below it.';

/** `1.10` is a number to YAML, and clients read it as the text `1.1`. */
function* lossyNumbers(file: SkillFile, { entries }: YamlMap): Iterable<Draft> {
  const lossy = entries.flatMap(({ value }) => (isLossy(value) ? [value] : []));
  const [first, ...others] = lossy;
  if (!first) return;
  const edits = lossy.map(({ span, source }) => ({ span, newText: `"${source}"` }));
  yield {
    severity: 'hint',
    span: first.span,
    message: `Without quotes this is a number, and most clients read ${String(first.value)} where \`${first.source}\` is written. Quote it.`,
    related: placesHere(file, others, 'A number as well.'),
    fixes: fixHere(file, others.length > 0 ? 'Quote the numbers' : 'Quote it', edits, true),
  };
}

const isLossy = (value: YamlEntry['value']): value is YamlScalar =>
  value.kind === 'scalar' && typeof value.value === 'number' && String(value.value) !== value.source;

/** One finding for the file, because nested values are mostly meant for a certain client. */
function* nestedValues(file: SkillFile, { entries }: YamlMap): Iterable<Draft> {
  const [first, ...others] = entries.filter(({ value }) => value.kind !== 'scalar');
  if (!first) return;
  const clients = findClientKeys('metadata').map(({ client }) => client);
  const readers = clients.length > 0 ? ` (${listed(clients)} ${clients.length > 1 ? 'read' : 'reads'} more)` : '';
  yield {
    severity: 'hint',
    span: first.key.span,
    message: `\`${nameOf(first)}\` holds ${first.value.kind === 'list' ? 'a list' : 'a map'}, but the standard's \`metadata\` holds texts only, and clients may drop the rest${readers}. Write it as text if others are to read it.`,
    related: placesHere(
      file,
      others.map(({ key }) => key),
      'No text either.',
    ),
  };
}
