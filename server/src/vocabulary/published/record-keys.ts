/** The keys of a skill's record (docs/exchange.md, "Records"). */
import { ARTIFACT_KINDS } from '../artifact-keys.ts';
import { any, count, filled, positiveCount, prose, text } from '../common-shapes.ts';
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
