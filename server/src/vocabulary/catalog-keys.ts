/** The keys of the catalog, `skills.config.yaml` (docs/format.md, section 6). */

import { clients } from './clients.ts';
import {
  any,
  bool,
  contexts,
  count,
  filled,
  newScope,
  operation,
  positiveCount,
  prose,
  schema,
  text,
} from './common-shapes.ts';
import { either, type KeyTable, key, keysOf, listOf, mapOf, named, oneOf, recordOf, type Shape } from './shape.ts';

/** The graph nodes that fire interrupts (docs/format.md, section 5). */
const INTERRUPT_NODES = {
  validate_input: 'Before anything runs: the input is checked.',
  stage: 'At the start of a stage.',
  plan: 'The model decides what to do next.',
  call_tools: 'Tools are called.',
  check_exit: 'The exit condition is checked.',
};

const tool: Shape = mapOf(
  '6',
  key('name', text, 'What skills call the tool; needed unless `from` names a file of MCP servers.', {
    mandatory: true,
    unless: 'from',
    example: 'read_page',
  }),
  key('title', prose, "The tool's display name."),
  key('description', prose, 'What the tool does; completion shows it.'),
  key('input_schema', schema, "The tool's parameters, in shorthand or JSON Schema.", {
    aliases: ['inputSchema', 'input'],
    rule: 'invalid-schema',
    example: '{slug: string}',
  }),
  key('output_schema', schema, 'What the tool gives back.', {
    aliases: ['outputSchema', 'output'],
    rule: 'invalid-schema',
  }),
  key('operation', operation, 'What the tool does to the world; `before_write` fires for `WRITE`.'),
  key('scope', either(named('scope'), listOf(named('scope'))), 'The scope that a caller must hold to use the tool.', {
    aliases: ['scopes'],
    example: 'read:pages',
  }),
  key('effects', listOf(named('effect')), 'What a call may do.'),
  key('annotations', any, "The server's own hints about the tool."),
  key('server', text, 'The server that the tool comes from.'),
  key('from', text, 'A file that names MCP servers; `tools pull` takes their tools into the snapshot.', {
    example: '.vscode/mcp.json',
  }),
  key(
    'servers',
    listOf({ kind: 'string', offers: 'servers' }),
    'The servers of that file whose tools are taken; all where absent.',
    {
      example: '[github, files]',
    },
  ),
);

const profile: Shape = mapOf(
  '6',
  key('name', text, 'What the preview calls this caller.', { mandatory: true }),
  key('role', named('role'), 'The role whose scopes the caller holds.'),
  key('scopes', listOf(named('scope')), 'The scopes that the caller holds.'),
  key('tools', listOf(named('tool')), 'The tools that the caller holds; all where absent.'),
  key('tier', filled, 'The tier of the caller, which meets the same one in `capabilities_required`; `any` meets all.', {
    example: 'adult',
  }),
  key('feature_flags', listOf(filled), 'The feature flags that are on for the caller.', {
    example: '[maps_enabled]',
  }),
);

const interrupt: Shape = mapOf(
  '6',
  key('name', text, 'What skills call the interrupt.', { mandatory: true, example: 'on_canon_conflict' }),
  key('node', oneOf(INTERRUPT_NODES), 'The graph node that fires it.', { mandatory: true }),
  key('description', prose, 'When it fires.'),
);

const permission: Shape = {
  kind: 'map',
  keys: keysOf(
    '6',
    key('enabled', bool, 'Whether the skill may be used in this workspace. Default: `true`.', { example: 'false' }),
    key('channels', listOf(named('channel')), 'The channels where it may be used; an empty list means none.', {
      example: '[book-one]',
    }),
    key('contexts', listOf(contexts), 'The contexts where it may be used; an empty list means none.', {
      example: '[channel, scheduled]',
    }),
  ),
  unknownKeys: 'invalid-permission',
};

const client: Shape = oneOf(Object.fromEntries(clients.map(({ id, name }) => [id, `${name}.`])));

const agentSkills: Shape = mapOf(
  '6',
  key('clients', listOf(client), 'The clients that are to load the skills; what they make of a file is then checked.', {
    example: '[claude-code, vscode]',
  }),
  key(
    'context_tokens',
    positiveCount,
    'The size of their context in tokens, of which the list of skills may take a part.',
  ),
  key(
    'tools',
    mapOf('6', ...clients.map(({ id, name }) => key(id, recordOf(text), `What ${name} calls the catalog's tools.`))),
    'What each client calls a tool.',
    { offers: 'names of a client', example: '{claude-code: {read_page: Read}}' },
  ),
);

export const catalogKeys: KeyTable = keysOf(
  '6',
  key('tools', listOf(tool), 'What callers can hold: tool descriptors, or `from` a file that names MCP servers.'),
  key('scopes', listOf(newScope), 'Every scope there is.'),
  key('roles', recordOf(listOf(named('scope'))), 'Roles, each with the scopes that it holds.'),
  key('profiles', listOf(profile), 'Callers for the preview.'),
  key('interrupts', listOf(interrupt), 'Interrupts beside those that the composer knows.'),
  key('effects', listOf(text), 'Effects beside `Query`, `Mutate`, `Network` and `Fail`.'),
  key('models', listOf(text), 'Model families, for template variants.'),
  key(
    'account_skills',
    text,
    "A folder with the account's skills, which the workspace's hide by name. A browser reads none.",
    {
      example: '~/.skills',
    },
  ),
  key('channels', listOf(text), 'Every channel there is; then the names of channels are checked.'),
  key('surfaces', listOf(text), 'Every surface there is; then the names of surfaces are checked.'),
  key(
    'composer',
    mapOf(
      '6',
      key('examples', count, 'How many examples a prompt takes at most. Default: 3.'),
      key('context_tokens', positiveCount, 'The context budget in tokens; without it there is none.'),
      key('max_tool_calls', positiveCount, 'The bound on tool calls.'),
    ),
    'Limits of the composer.',
  ),
  key('permissions', recordOf(permission, 'skill'), 'Which skills may be used in this workspace, and where.', {
    rule: 'invalid-permission',
    example: '{draft-scene-outline: {enabled: false}}',
  }),
  key('permissions_default', permission, 'What holds for a skill without an entry of its own.', {
    rule: 'invalid-permission',
    example: '{enabled: true}',
  }),
  key(
    'matching',
    mapOf('6', key('margin', { kind: 'number', min: 0, max: 1 }, 'Skills whose scores differ by less are ambiguous.')),
    'How skills are ranked for a request.',
  ),
  key('agent_skills', agentSkills, 'What `SKILL.md` files are checked for.'),
  key(
    'rules',
    recordOf(
      oneOf({
        off: 'Never reported.',
        hint: 'A faint mark.',
        info: 'A note.',
        warning: 'A warning.',
        error: 'An error.',
      }),
    ),
    'Severities by rule, for everyone who works on these skills.',
    { offers: 'rules' },
  ),
);
