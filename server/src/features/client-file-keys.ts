/** The keys of agents and commands as a vocabulary, for completion and hover (docs/clients.md, "Agents"). */
import { type AgentClient, type AgentKey, agentClients } from '../clients/agents/agent-rules.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { clientKeyTables } from '../vocabulary/agent-skill-clients.ts';
import { agentSkillKeys } from '../vocabulary/agent-skill-keys.ts';
import { agentFileOf, clientFileOf } from '../vocabulary/dialect.ts';
import type { KeySpec, KeyTable, Shape } from '../vocabulary/shape.ts';
import { tableOf } from '../vocabulary/tables.ts';

/**
 * Returns the keys that a file may have: for an agent those of the clients to which its folder belongs, and for a command
 * those of a skill in Claude Code; for other files the vocabulary of their dialect.
 */
export function keyTableOf({ uri, dialect }: Pick<SkillFile, 'uri' | 'dialect'>): KeyTable {
  if (dialect !== 'client-file') return tableOf(dialect, uri);
  const agent = agentFileOf(uri);
  if (agent) {
    const { folder } = agent;
    const own = agentClients.filter((one) => (folder === undefined ? one.inPlugins : one.folders.includes(folder)));
    const keys = own.flatMap((client) =>
      client.keys.filter(({ notInPlugins }) => folder !== undefined || !notInPlugins).map((key) => specOf(client, key)),
    );
    return keys.filter(({ name }, at) => keys.findIndex((one) => one.name === name) === at);
  }
  const command = clientFileOf(uri);
  if (!command) return [];
  return command.root.endsWith('/.claude') ? COMMAND_KEYS : [NAME_IN_PLUGIN, ...COMMAND_KEYS];
}

/** A key of commands in plugins (observed: Claude Code 2.1.332). */
const NAME_IN_PLUGIN: KeySpec = {
  name: 'name',
  shape: { kind: 'string' },
  docs: 'A second name of the command, after the name of the plugin. The list shows both, and people can call both.',
  section: '@anthropic-ai/claude-code@2.1.332, observed, 2026-11-30',
};

const specOf = ({ source }: AgentClient, key: AgentKey): KeySpec => ({
  name: key.name,
  shape: shapeOf(key),
  docs: key.effect,
  section: `${source.where}, ${source.checked}`,
  ...(key.required && { mandatory: true }),
});

function shapeOf({ name, types, values, pattern }: AgentKey): Shape {
  if (types.join() === 'boolean') return { kind: 'boolean' };
  if (values && pattern === undefined && !types.includes('map'))
    return { kind: 'choice', choices: values.map((value) => ({ value, docs: '' })) };
  const text: Shape = { kind: 'string', ...(name === 'skills' && { domain: 'skill' }) };
  const shapes = types.flatMap((type): readonly Shape[] => {
    if (type === 'string') return [text];
    if (type === 'list') return [{ kind: 'list', items: text }];
    if (type === 'number') return [{ kind: 'number' }];
    return type === 'map' ? [{ kind: 'record', values: { kind: 'any' } }] : [];
  });
  const [first] = shapes;
  return shapes.length > 1 || !first ? { kind: 'either', shapes } : first;
}

/** Keys of a `SKILL.md` without an effect in a command of a project (observed: Claude Code 2.1.332). */
const WITHOUT_EFFECT: readonly string[] = ['name', 'paths', 'license', 'compatibility', 'metadata'];

const COMMAND_KEYS: KeyTable = [
  ...agentSkillKeys.map((key): KeySpec => ({ ...key, mandatory: false })),
  ...clientKeyTables
    .filter(({ client }) => client === 'Claude Code')
    .flatMap(({ keys, source }) =>
      keys.map(
        ({ name, type, description, values }): KeySpec => ({
          name,
          shape: values
            ? { kind: 'choice', choices: values.map((value) => ({ value, docs: '' })) }
            : type === 'boolean'
              ? { kind: 'boolean' }
              : { kind: 'string' },
          docs: description,
          section: source,
        }),
      ),
    ),
].filter(({ name }, at, all) => !WITHOUT_EFFECT.includes(name) && all.findIndex((one) => one.name === name) === at);
