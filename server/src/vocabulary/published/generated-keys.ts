/**
 * The keys of files that the product writes: records of skills (docs/exchange.md, "Records"), and findings,
 * `skills.baseline.json` and `skills.lock.json` (docs/exchange.md, "Schemas").
 */
import { ARTIFACT_KINDS } from '../artifact-keys.ts';
import { any, bool, count, filled, operation, positiveCount, prose, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, oneOf, recordOf, type Shape } from '../shape.ts';

/** The keys of a frontmatter that identify and describe a skill; all others belong to its contract. */
export const IDENTITY_KEYS: ReadonlySet<string> = new Set([
  'name',
  'id',
  'description',
  'version',
  'title',
  'author',
  'owner',
  'license',
  'tags',
  'source',
]);

const values = recordOf(any);
const kinds: Shape = oneOf(Object.fromEntries(ARTIFACT_KINDS.map((kind) => [kind, `An artifact of kind ${kind}.`])));
const required = { mandatory: true };
const orNull = { mandatory: true, nullable: true } as const;

const artifact: Shape = mapOf(
  'Records',
  key(
    'id',
    filled,
    'Kind, name and variant. It identifies the artifact when a changed record is compared with its source.',
    required,
  ),
  key('kind', kinds, 'The kind of the artifact.', required),
  key('name', text, 'The name; the kind if the heading has none.', required),
  key('ordinal', count, 'The position in the order of the artifacts.', required),
  key('model_variant', text, 'The model family of a PromptTemplate; null for all.', orNull),
  key('metadata', values, 'The other metadata; null if the artifact has none.', orNull),
  key(
    'content',
    prose,
    'The text of the artifact, with `\\n` as line break; for a PromptTemplate its source.',
    required,
  ),
);

const notUnderstood: Shape = mapOf(
  'Records',
  key(
    'what',
    oneOf({
      frontmatter: 'Invalid YAML, or YAML that is not a map.',
      key: 'An unknown key.',
      metadata: 'Metadata of an artifact that is invalid, or at a wrong position.',
      section: 'A heading that is similar to a kind, or of a retired kind.',
      text: 'Text outside the fence of a template.',
    }),
    'The kind of text.',
    required,
  ),
  key('line', positiveCount, 'Its line in the file, counted from 1.', required),
  key('text', text, 'The beginning of its first line.', required),
  key('why', prose, 'The reason why the record has no field for it.', required),
);

export const recordKeys: KeyTable = keysOf(
  'Records',
  key('skill_record', { kind: 'number', integer: true, min: 1, max: 1 }, 'The version of this format: 1.', required),
  key('id', text, "The skill's `id`, or its source and name. Derived from `identity`.", required),
  key('file', text, 'The file name; for a `SKILL.md` with its folder.', required),
  key(
    'dialect',
    oneOf({
      composer: 'A `.skill.md`.',
      contract: 'A `.skill.yaml`.',
      'agent-skill': 'A `SKILL.md`.',
    }),
    'The format of the file.',
    required,
  ),
  key('identity', values, 'The frontmatter keys that identify and describe the skill.', required),
  key('contract', values, 'The other frontmatter keys of the format.', required),
  key('other', values, 'Unknown frontmatter keys.', required),
  key('heading', text, 'The level-1 heading, which composing ignores; null for none.', orNull),
  key('framing', listOf(prose), 'The parts of the prose outside of artifacts.', required),
  key('artifacts', listOf(artifact), 'The artifacts in their order.', required),
  key(
    'not_understood',
    listOf(notUnderstood),
    'The text without a field in the record. `source` contains it.',
    required,
  ),
  key(
    'source',
    mapOf('Records', key('text', prose, 'The text of the file.', required)),
    'The data that is needed to write the same bytes again.',
    required,
  ),
);

const SECTION = 'Schemas';

const version = key(
  'version',
  { kind: 'number', integer: true, min: 1, max: 1 },
  'The version of this format: 1.',
  required,
);
const rule = key('rule', filled, "The rule's name.", required);

const position = mapOf(
  SECTION,
  key('line', count, 'The line, counted from 0.', required),
  key('character', count, 'The position in the line, counted from 0 in UTF-16 code units.', required),
);

/** A range in a file. */
export const range = mapOf(
  SECTION,
  key('start', position, 'The start.', required),
  key('end', position, 'The end; the character at this position is not included.', required),
);

const related = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('range', range, 'The location.', required),
  key('message', prose, 'The relation of the location to the finding.', required),
);

const fix = mapOf(
  SECTION,
  key('title', prose, 'The title of the fix.', required),
  key('safe', bool, 'Whether `check --fix` applies it.', required),
);

const finding = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('code', filled, "The rule's number, such as `E010`, or its name if it has no number.", required),
  rule,
  key(
    'severity',
    oneOf({
      error: 'The skill does not work.',
      warning: 'The skill is probably wrong.',
      info: 'Worth knowing.',
      hint: 'The skill can be improved.',
    }),
    'The severity.',
    required,
  ),
  key('message', prose, 'The fault, and how to fix it.', required),
  key('range', range, 'The location.', required),
  key('related', listOf(related), 'Related locations.', required),
  key('fixes', listOf(fix), 'The fixes, the best first.', required),
  key('docs', text, "The rule's page in this repository.", required),
);

const summary = mapOf(
  SECTION,
  key('files', count, 'The number of checked files.', required),
  key('errors', count, 'The number of errors.', required),
  key('warnings', count, 'The number of warnings.', required),
  key('infos', count, 'The number of infos.', required),
  key('hints', count, 'The number of hints.', required),
);

export const findingsKeys: KeyTable = keysOf(
  SECTION,
  version,
  key('findings', listOf(finding), 'The findings, sorted by file, then by position.', required),
  key('summary', summary, 'The numbers of files and findings.', required),
);

const baselineFile = key('file', text, 'The file, relative to the folder of the baseline, with `/`.', required);

const knownFinding = mapOf(
  SECTION,
  rule,
  baselineFile,
  key('digest', filled, 'The digest of the rule, the path and the text of the line.', required),
  key('count', positiveCount, 'The number of findings of the file with this digest.', required),
);

const knownMeasure = mapOf(
  SECTION,
  rule,
  baselineFile,
  key('of', filled, 'The measured unit, such as `tokens`.', required),
  key('value', { kind: 'number' }, 'The accepted value; it may fall, but not rise.', required),
);

export const baselineKeys: KeyTable = keysOf(
  SECTION,
  version,
  key('findings', listOf(knownFinding), 'The accepted findings.', required),
  key('measures', listOf(knownMeasure), 'The accepted measures of rules.'),
);

const texts = listOf(text);

/** The capabilities of an installed skill, including all skills that it composes. */
export const capabilityKeys: KeyTable = keysOf(
  SECTION,
  key('operation', operation, 'The most severe declared operation.'),
  key('effects', texts, 'The effects that a run may have.'),
  key('tools', texts, 'The names of the tools; for a `SKILL.md` those of `allowed-tools`.'),
  key('scopes', texts, 'The scopes that it requires.'),
  key('interrupts', texts, 'The points where it may pause and ask the author.'),
  key('parts', texts, 'The installed skills that it composes, and the contracts of its tools.'),
  key('others', texts, 'Skills that it composes or requires, but that were not installed.'),
  key('executables', texts, 'Scripts and other executable files, from the root, with `/`.'),
  key('runs', texts, 'Commands that a client runs by itself.'),
  key('reaches', texts, 'The targets of its scripts: `network`, `files`, `processes`, `secrets`.'),
  key('programs', texts, 'Programs that it runs, with effects that are not analysed.'),
  key('modules', texts, 'Modules that its scripts import, with effects that are not analysed.'),
  key('unanalysed', texts, 'Other code that is not analysed, and the paths of scripts that are not scanned.'),
  key('addresses', texts, 'The hosts in scripts, commands and backing services.'),
  key('findings', texts, 'The rules about capabilities that have a finding.'),
);

const installed = mapOf(
  SECTION,
  key('path', filled, 'The path of the skill from the root, with `/`.', required),
  key('origin', filled, 'The source, as the user gave it.', required),
  key('version', filled, 'Its version, if it has one.'),
  key(
    'files',
    recordOf({ kind: 'string', pattern: /^[0-9a-f]{64}$/, expected: 'a SHA-256 in hexadecimal' }),
    'The files by their paths, each with its SHA-256.',
    required,
  ),
  key(
    'capabilities',
    { kind: 'map', keys: capabilityKeys },
    'The capabilities of the skill when it was installed; missing ones did not exist.',
    required,
  ),
);

export const lockKeys: KeyTable = keysOf(
  SECTION,
  key('version', { kind: 'number', integer: true, min: 1, max: 1 }, 'The version of this format: 1.', required),
  key('skills', recordOf(installed), 'The installed skills by their names.', required),
);

const checkedDate: Shape = { kind: 'string', format: 'date' };

const factSource = mapOf(
  SECTION,
  key('title', filled, 'The page, file or program that was read.', required),
  key('addresses', texts, 'Its addresses, derived from the title.', required),
  key('checked', checkedDate, 'The day on which it was read.', required),
);

const clientFact = mapOf(
  SECTION,
  key(
    'id',
    { kind: 'string', pattern: /^[a-z0-9-]+\/[\w.-]+$/, expected: 'a client and a fact, such as `codex/dirs`' },
    'The identifier of the fact, which does not change.',
    required,
  ),
  key('value', any, 'The fact. The string `unknown` means that it is not known.', required),
  key('details', values, 'Parts of the fact beside its value.'),
  key('note', prose, 'Conditions, versions and exceptions.'),
  key('source', filled, 'A key of `sources` of the client.', required),
  key(
    'certainty',
    oneOf({
      read: 'The source states the fact.',
      derived: 'The fact follows from source code or from a test run.',
      partial: 'The source states only a part of the fact; the note says what is not known.',
      unverified: 'No source confirms the fact.',
    }),
    'The certainty of the fact.',
    required,
  ),
);

const clientFacts = mapOf(
  SECTION,
  key('id', filled, 'The identifier of the client.', required),
  key('name', filled, 'The name of the client.', required),
  key('as_of', filled, 'The version or date that the facts describe.', required),
  key('basis', prose, 'The kinds of sources.', required),
  key('archived', checkedDate, 'The day on which the development of the client ended.'),
  key('sources', recordOf(factSource), 'The sources of the facts, by their names.', required),
  key('facts', listOf(clientFact), 'The facts.', required),
  key('uncertain', texts, 'Open questions about the client.', required),
);

export const clientsKeys: KeyTable = keysOf(
  SECTION,
  key('$schema', text, 'The location of this schema.'),
  version,
  key('clients', listOf(clientFacts), 'The clients.', required),
  key('retired', texts, 'The identifiers of facts that were removed.', required),
);
