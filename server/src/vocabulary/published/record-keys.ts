/** The keys of a skill's record (docs/exchange.md, "Records"). */
import { ARTIFACT_KINDS } from '../artifact-keys.ts';
import { any, count, filled, positiveCount, prose, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, oneOf, recordOf, type Shape } from '../shape.ts';

/** The keys of a frontmatter that say what a skill is; all others belong to its contract. */
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
  key('id', filled, 'By kind, name and variant. A changed record is held against its source by it.', required),
  key('kind', kinds, 'The kind of the artifact.', required),
  key('name', text, 'The name; the kind where the heading has none.', required),
  key('ordinal', count, 'The place in the order of the artifacts.', required),
  key('model_variant', text, 'The model family that a PromptTemplate is for; null for all.', orNull),
  key('metadata', values, 'The other metadata; null where the artifact has none.', orNull),
  key('content', prose, 'What the artifact says, with `\\n` as line break; of a PromptTemplate its source.', required),
);

const notUnderstood: Shape = mapOf(
  'Records',
  key(
    'what',
    oneOf({
      frontmatter: 'YAML that cannot be read, or is no map.',
      key: 'A key that the format does not know.',
      metadata: 'Metadata of an artifact that cannot be read, or stands where none is read.',
      section: 'A heading that is nearly a kind, or of a retired one.',
      text: 'Text beside the fence of a template.',
    }),
    'What it is.',
    required,
  ),
  key('line', positiveCount, 'Its line in the file, counted from 1.', required),
  key('text', text, 'How its first line begins.', required),
  key('why', prose, 'Why the record has no field for it.', required),
);

export const recordKeys: KeyTable = keysOf(
  'Records',
  key('skill_record', { kind: 'number', integer: true, min: 1, max: 1 }, 'The version of this form: 1.', required),
  key('id', text, "The skill's own `id`, else its source and name. Follows from `identity`.", required),
  key('file', text, "The file's name, of a `SKILL.md` with its folder.", required),
  key(
    'dialect',
    oneOf({
      composer: 'A `.skill.md`.',
      contract: 'A `.skill.yaml`.',
      'agent-skill': 'A `SKILL.md`.',
    }),
    'Which of the formats the file has.',
    required,
  ),
  key('identity', values, 'The frontmatter keys that say what the skill is.', required),
  key('contract', values, 'The other frontmatter keys of the format.', required),
  key('other', values, 'Frontmatter keys that the format does not know.', required),
  key('heading', text, 'The level-1 heading, which composing ignores; null for none.', orNull),
  key('framing', listOf(prose), 'The stretches of prose that no artifact holds.', required),
  key('artifacts', listOf(artifact), 'The artifacts in their order.', required),
  key(
    'not_understood',
    listOf(notUnderstood),
    'What of the file has no field here. It stands in `source` all the same.',
    required,
  ),
  key(
    'source',
    mapOf('Records', key('text', prose, 'The text of the file.', required)),
    'What is needed to write the same bytes again.',
    required,
  ),
);
