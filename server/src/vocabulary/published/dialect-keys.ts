/**
 * The keys of a `SKILL.md`, which are those of the standard and of clients, and of a legacy package, `*.skill.json`
 * (docs/format.md, sections 8 and 9).
 */
import { listed } from '../../nearest.ts';
import { type ClientKeyType, findClientKeys, isStandardKey, knownAgentSkillKeys } from '../agent-skill-clients.ts';
import { agentSkillKeys } from '../agent-skill-keys.ts';
import { any, bool, filled, prose, text } from '../common-shapes.ts';
import {
  either,
  type KeySpec,
  type KeyTable,
  key,
  keysOf,
  listOf,
  mapOf,
  oneOf,
  recordOf,
  type Shape,
} from '../shape.ts';
import { NAME_PATTERN } from '../skill-keys.ts';

/** Clients that document a string accept any scalar. */
const scalar: Shape = either(text, { kind: 'number' }, bool);
const list = listOf(any);

const TAKEN: Readonly<Record<ClientKeyType, Shape>> = {
  string: scalar,
  boolean: bool,
  list,
  map: recordOf(any),
  'string-or-list': either(text, { kind: 'number' }, bool, list),
};

/** Shapes of keys for which clients accept more than the standard, or rules check more than the table. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['name', { kind: 'string', minLength: 1, maxLength: 64, pattern: NAME_PATTERN }],
  ['metadata', recordOf(any)],
  ['allowed-tools', either(text, list)],
]);

const asTaken = (spec: KeySpec): KeySpec => ({ ...spec, shape: SHAPES.get(spec.name) ?? spec.shape });

export const skillMdKeys: KeyTable = [
  ...agentSkillKeys.map(asTaken),
  ...keysOf(
    '9',
    ...[...knownAgentSkillKeys()]
      .filter((name) => !isStandardKey(name))
      .sort()
      .map((name) => {
        const keys = findClientKeys(name);
        const shapes = [...new Set(keys.map(({ type }) => TAKEN[type]))];
        const clients = listed([...new Set(keys.map(({ client }) => client))]);
        return key(
          name,
          either(...shapes),
          `${keys[0]?.description} Not part of the standard; supported by ${clients}.`,
        );
      }),
  ),
];

const number: Shape = { kind: 'number', integer: true };

const PACKAGE_KINDS = oneOf({
  description: 'The purpose of the skill, and when to use it.',
  prompt_template: 'A MiniJinja template.',
  code_template: 'Retired: a script that ran in a sandbox.',
  dspy_module: 'Retired: a compiled module; names a `fallback_artifact`.',
  approach: 'How-to narrative.',
  example: 'An input with its output.',
});

const artifact = mapOf(
  '8',
  key('id', text, 'The id of the artifact.', { nullable: true }),
  key('kind', PACKAGE_KINDS, 'The kind of the artifact.', { mandatory: true, rule: 'invalid-package' }),
  key('name', filled, 'The name; with the variant it is unique in the package.', { mandatory: true }),
  key('ordinal', number, 'The position in the order of the artifacts.'),
  key('content', prose, 'The text of the artifact.', { mandatory: true }),
  key('model_variant', text, 'The model family of a template.', { nullable: true }),
  key('metadata', recordOf(any), '`assertions`, `fallback_artifact` and further keys of the kind.', { nullable: true }),
  key('state_blob', text, 'Retired: the state of a `dspy_module`, in base64.', { nullable: true }),
  key('created_at', text, 'The time of its creation.', { nullable: true }),
  key('updated_at', text, 'The time of its last change.', { nullable: true }),
);

export const packageKeys: KeyTable = keysOf(
  '8',
  key('id', text, 'The id of the skill.', { nullable: true }),
  key('name', filled, 'The name for people; conversion makes it the `title`.', { mandatory: true }),
  key('description', filled, 'The purpose of the skill.', { mandatory: true }),
  key('version', { kind: 'string', format: 'semver' }, 'The semantic version; the default is `1.0.0`.', {
    nullable: true,
  }),
  key('tags', listOf(text), 'Search words.', { nullable: true }),
  key(
    'source',
    oneOf({
      system: 'Ships with the product.',
      community: 'Imported from another source; conversion makes it `imported`.',
      user: 'Written by the user.',
    }),
    'The origin of the skill; the default is `user`.',
    { nullable: true },
  ),
  key('author', text, 'The author of the skill.', { nullable: true }),
  key('intent_patterns', listOf(prose), 'Requests that select the skill.', { nullable: true }),
  key('trigger_phrases', listOf(prose), 'Phrases that select the skill.', { nullable: true }),
  key('marketplace_id', text, 'The id in a marketplace.', { nullable: true }),
  key('sync_etag', text, 'The state of the marketplace at the last synchronisation.', { nullable: true }),
  key('created_at', text, 'The time of its creation.', { nullable: true }),
  key('updated_at', text, 'The time of its last change.', { nullable: true }),
  key('artifacts', listOf(artifact), 'The artifacts of the skill.', { mandatory: true }),
);
