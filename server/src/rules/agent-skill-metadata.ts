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
import type { SkillFile } from '../skill/skill-file.ts';
import { findClientKeys } from '../vocabulary/agent-skill-lookup.ts';
import { listed, nameOf, STANDARD } from './common/agent-skill/entries.ts';
import { draftOf, valueProblems } from './common/shape-drafts.ts';
import { fixHere, type Rule } from './rule.ts';

export const agentSkillMetadata: Rule = {
  name: 'agent-skill-metadata',
  code: 'agent-skill-metadata',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    const value = findValue(file.frontmatter.tree.root, 'metadata');
    if (!value || isNull(value)) return;
    if (value.kind !== 'map') {
      const problem = valueProblems(file, 'agent-skill-metadata').find(({ span }) => span === value.span);
      if (problem) {
        const fixes = unquotedMap(file, value);
        yield {
          ...draftOf(file, problem),
          message: `${problem.message} ${WHY}`,
          ...(fixes.length > 0 ? { fixes } : {}),
        };
      }
      return;
    }
    yield* lossyNumbers(file, value);
    yield* nestedValues(file, value);
  },
};

/** A map that was written down as JSON and put in quotes: without them YAML reads it. */
function unquotedMap(file: SkillFile, value: YamlNode): readonly Fix[] {
  const json = stringOf(value)?.trim() ?? '';
  if (!json.startsWith('{') || json.length > 10_000) return [];
  try {
    return [fixHere(file, 'Remove the quotes', [{ span: value.span, newText: JSON.stringify(JSON.parse(json)) }])];
  } catch {
    return [];
  }
}

const WHY = 'Write one `key: text` a line below it.';

/** `1.10` is a number to YAML, and the text that a client makes of it is `1.1`. Other scalars come out as written. */
function* lossyNumbers(file: SkillFile, { entries }: YamlMap): Iterable<Draft> {
  const lossy = entries.flatMap(({ value }) => (isLossy(value) ? [value] : []));
  const [first, ...others] = lossy;
  if (!first) return;
  const edits = lossy.map(({ span, source }) => ({ span, newText: `"${source}"` }));
  yield {
    severity: 'hint',
    span: first.span,
    message: `Without quotes this is a number, and most clients read ${String(first.value)} where \`${first.source}\` is written. Quote it.`,
    related: others.map(({ span }) => ({ uri: file.uri, span, message: 'A number as well.' })),
    fixes: [fixHere(file, others.length > 0 ? 'Quote the numbers' : 'Quote it', edits, true)],
  };
}

const isLossy = (value: YamlEntry['value']): value is YamlScalar =>
  value.kind === 'scalar' && typeof value.value === 'number' && String(value.value) !== value.source;

/** One for the file: whoever nests does it on purpose, and for a client of their own. */
function* nestedValues(file: SkillFile, { entries }: YamlMap): Iterable<Draft> {
  const [first, ...others] = entries.filter(({ value }) => value.kind !== 'scalar');
  if (!first) return;
  const clients = findClientKeys('metadata').map(({ client }) => client);
  const readers = clients.length > 0 ? ` (${listed(clients)} reads more)` : '';
  yield {
    severity: 'hint',
    span: first.key.span,
    message: `\`${nameOf(first)}\` holds ${first.value.kind === 'list' ? 'a list' : 'a map'}, but the standard's \`metadata\` holds texts only, and clients may drop the rest${readers}. Write it as text if others are to read it.`,
    related: others.map(({ key }) => ({ uri: file.uri, span: key.span, message: 'No text either.' })),
  };
}
