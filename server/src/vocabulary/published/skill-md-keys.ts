/** The keys of a `SKILL.md`: those of the standard and those of clients (docs/format.md, section 9). */
import { listed } from '../../nearest.ts';
import { type ClientKeyType, findClientKeys, isStandardKey, knownAgentSkillKeys } from '../agent-skill-clients.ts';
import { agentSkillKeys } from '../agent-skill-keys.ts';
import { any, bool, text } from '../common-shapes.ts';
import { either, type KeySpec, type KeyTable, key, keysOf, listOf, recordOf, type Shape } from '../shape.ts';
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
