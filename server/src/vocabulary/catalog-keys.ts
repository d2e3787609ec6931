/** The keys of the catalog, `skills.config.yaml` (docs/format.md, section 6). */

import { clients, FRAMEWORK_WITH_FOLDER, frameworks } from '../clients/facts/clients.ts';
import devin from '../clients/facts/data/devin.json';
import { contextsOf, MODEL_NAMES } from '../clients/facts/models.ts';
import {
  any,
  bool,
  contexts,
  count,
  flagName,
  newScope,
  operation,
  positiveCount,
  prose,
  schema,
  text,
  tierName,
} from './common-shapes.ts';
import { either, type KeyTable, key, keysOf, listOf, mapOf, named, oneOf, recordOf, type Shape } from './shape.ts';

/** The graph nodes that fire interrupts (docs/format.md, section 5). */
const INTERRUPT_NODES = {
  validate_input: 'The input is checked, before anything runs.',
  stage: 'At the start of a stage.',
  plan: 'The model decides what to do next.',
  call_tools: 'Tools are called.',
  check_exit: 'The exit condition is checked.',
};

const tool: Shape = mapOf(
  '6',
  key('name', text, 'The name of the tool; required unless `from` names a file with MCP servers.', {
    mandatory: true,
    unless: 'from',
    example: 'read_page',
  }),
  key('title', prose, "The tool's display name."),
  key('description', prose, 'The purpose of the tool, which completion shows.'),
  key('input_schema', schema, "The tool's parameters, in shorthand or JSON Schema.", {
    aliases: ['inputSchema', 'input'],
    rule: 'invalid-schema',
    example: '{slug: string}',
  }),
  key('output_schema', schema, 'The output of the tool.', {
    aliases: ['outputSchema', 'output'],
    rule: 'invalid-schema',
  }),
  key('operation', operation, 'The kind of access that the tool has; `before_write` fires for `WRITE`.'),
  key('scope', either(named('scope'), listOf(named('scope'))), 'The scope that a caller needs to use the tool.', {
    aliases: ['scopes'],
    example: 'read:pages',
  }),
  key('effects', listOf(named('effect')), 'The effects that a call may have.'),
  key('annotations', any, "The server's own hints about the tool."),
  key('server', text, 'The server that provides the tool.'),
  key('from', text, 'A file with MCP servers; `tools pull` saves their tools in the snapshot.', {
    example: '.vscode/mcp.json',
  }),
  key(
    'servers',
    listOf({ kind: 'string', offers: 'servers' }),
    'The servers to use from the file in `from`; the default is all.',
    {
      example: '[github, files]',
    },
  ),
);

const profile: Shape = mapOf(
  '6',
  key('name', text, 'The name of this caller in the preview.', { mandatory: true }),
  key('role', named('role'), 'The role of the caller, which gives it scopes.'),
  key('scopes', listOf(named('scope')), 'The scopes of the caller.'),
  key('tools', listOf(named('tool')), 'The tools of the caller; the default is all.'),
  key(
    'tier',
    tierName,
    'The tier of the caller. It satisfies an equal tier in `capabilities_required`; `any` satisfies every tier.',
    {
      example: 'adult',
    },
  ),
  key('feature_flags', listOf(flagName), 'The feature flags that are on for the caller.', {
    example: '[maps_enabled]',
  }),
);

const modelEntry: Shape = mapOf(
  '6',
  key('name', text, 'The name of the model.', { mandatory: true, example: 'claude-sonnet-4-5' }),
  key('family', named('model'), 'The family of the model; variants for the family are also for this model.', {
    example: 'anthropic',
  }),
);

const interrupt: Shape = mapOf(
  '6',
  key('name', text, 'The name of the interrupt.', { mandatory: true, example: 'on_canon_conflict' }),
  key('node', oneOf(INTERRUPT_NODES), 'The graph node that fires it.', { mandatory: true }),
  key('description', prose, 'The situation in which it fires.'),
);

const permission: Shape = {
  kind: 'map',
  keys: keysOf(
    '6',
    key('enabled', bool, 'Whether the skill may be used in this workspace. Default: `true`.', { example: 'false' }),
    key('channels', listOf(named('channel')), 'The channels where the skill may be used; an empty list means none.', {
      example: '[book-one]',
    }),
    key('contexts', listOf(contexts), 'The contexts where the skill may be used; an empty list means none.', {
      example: '[channel, scheduled]',
    }),
  ),
  unknownKeys: 'invalid-permission',
};

const client: Shape = {
  kind: 'choice',
  choices: [
    ...clients.map(({ id, name }) => ({
      ...{ value: id, docs: `${name}.` },
      ...(id === devin.id && { formerly: devin.facts['product.formerName'].value }),
    })),
    ...frameworks.map(({ id, name }) => ({ value: id, docs: `${name}. \`${id}:FOLDER\` names its folder of skills.` })),
  ],
  pattern: FRAMEWORK_WITH_FOLDER,
};

const model: Shape = {
  kind: 'choice',
  choices: MODEL_NAMES.map((name) => ({ value: name, docs: contextsOf(name) })),
  expected: 'the name of a model that a client knows, or a number of tokens',
};

const agentSkills: Shape = mapOf(
  '6',
  key('clients', listOf(client), 'The target clients; findings report files that they do not load or support.', {
    example: '[claude-code, vscode]',
  }),
  key(
    'only',
    recordOf(either(client, listOf(client))),
    'The target clients that the skills in a folder are for, by the path of the folder.',
    { example: '{.claude/skills: [claude-code]}' },
  ),
  key(
    'model',
    either(model, positiveCount, listOf(model)),
    'The model that you use, or the size of its context in tokens; some clients give their list of skills a share of it. Of several models, each client uses the first that it knows.',
    { aliases: ['context_tokens'], example: 'claude-sonnet-4-5' },
  ),
  key(
    'tools',
    mapOf(
      '6',
      ...clients.map(({ id, name }) => key(id, recordOf(text), `The names of the catalog's tools in ${name}.`)),
    ),
    "The names of the catalog's tools in each client.",
    { offers: 'names of a client', example: '{claude-code: {read_page: Read}}' },
  ),
);

export const catalogKeys: KeyTable = keysOf(
  '6',
  key('tools', listOf(tool), 'The tools that callers may have, described here or read `from` a file with MCP servers.'),
  key('scopes', listOf(newScope), 'All scopes.'),
  key('roles', recordOf(listOf(named('scope'))), 'Roles, each with its scopes.'),
  key('profiles', listOf(profile), 'Callers for the preview.'),
  key('interrupts', listOf(interrupt), 'Interrupts in addition to those of the format.'),
  key('effects', listOf(text), 'Effects in addition to `Query`, `Mutate`, `Network` and `Fail`.'),
  key('models', listOf(either(text, modelEntry)), 'Models and model families, for template variants.', {
    example: '[openai, {name: claude-sonnet-4-5, family: anthropic}]',
  }),
  key(
    'account_skills',
    text,
    'A folder with skills for every workspace; a skill in the workspace hides a skill in this folder with the same name. Not used in a browser.',
    {
      example: '~/.skills',
    },
  ),
  key('channels', listOf(text), 'All channels. If this list exists, channel names are checked against it.'),
  key('surfaces', listOf(text), 'All surfaces. If this list exists, surface names are checked against it.'),
  key(
    'composer',
    mapOf(
      '6',
      key('examples', count, 'The maximum number of examples in a prompt. Default: 3.'),
      key('context_tokens', positiveCount, 'The maximum number of tokens in a prompt. Default: no limit.'),
      key('max_tool_calls', positiveCount, 'The maximum number of tool calls.'),
    ),
    'Limits of the composer.',
  ),
  key(
    'templates',
    mapOf(
      '6',
      key(
        'undefined',
        oneOf({
          'semi-strict': 'A test such as `{% if notes %}` may read an undefined value. The default.',
          strict: 'A test of an undefined value is an error, as in runtimes whose engine is strict.',
        }),
        'The places where an undefined value is an error in templates and conditions. Default: `semi-strict`.',
        { example: 'strict' },
      ),
    ),
    'How templates and conditions are rendered.',
  ),
  key('permissions', recordOf(permission, 'skill'), 'The permissions of skills in this workspace.', {
    rule: 'invalid-permission',
    example: '{draft-scene-outline: {enabled: false}}',
  }),
  key('permissions_default', permission, 'The permission for skills without an entry in `permissions`.', {
    rule: 'invalid-permission',
    example: '{enabled: true}',
  }),
  key(
    'matching',
    mapOf(
      '6',
      key(
        'margin',
        { kind: 'number', min: 0, max: 1 },
        'Skills whose scores differ by less than this value are ambiguous.',
      ),
    ),
    'Settings for ranking skills for a request.',
  ),
  key('agent_skills', agentSkills, 'The clients that `SKILL.md` files are checked for.'),
  key(
    'rules',
    recordOf(
      oneOf({
        off: 'Not reported.',
        hint: 'A faint mark.',
        info: 'A note.',
        warning: 'A warning.',
        error: 'An error.',
      }),
    ),
    'Severities of rules, for all authors of these skills.',
    { offers: 'rules' },
  ),
);
