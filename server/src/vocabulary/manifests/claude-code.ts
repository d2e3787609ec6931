/**
 * The manifests of Claude Code: `plugin.json`, `marketplace.json` and `hooks.json` in `.claude-plugin` and `hooks`
 * (docs/format.md, section 9, "Plugins"). Observed with version 2.1.332 on 2026-11-30.
 */
import { any, bool, filled, text } from '../common-shapes.ts';
import {
  either,
  type KeyDraft,
  type KeyTable,
  key,
  keysOf,
  listOf,
  oneOf,
  recordOf,
  type Shape,
  withValues,
} from '../shape.ts';

/** The rule for what the client ignores. */
export const IGNORED = 'ignored-plugin-key';
/** The rule for what stops the client, also for unknown keys in a closed map. */
export const INVALID = 'invalid-plugin-manifest';
/** No rule: the client accepts unknown keys in the map without a word. */
const ANY_KEYS = 'none';

const map = (unknownKeys: string, ...keys: readonly KeyDraft[]): Shape => ({
  kind: 'map',
  keys: keysOf('9', ...keys),
  unknownKeys,
  filled: true,
});

const texts = withValues(listOf(text));
const number: Shape = { kind: 'number' };
const address: Shape = {
  kind: 'string',
  pattern: /^[A-Za-z][A-Za-z0-9+.-]*:\S/,
  expected: 'an address, such as `https://example.com`',
};

/** A path, or a list of paths. */
const paths = either(text, texts);

const person = map(
  ANY_KEYS,
  key('name', filled, 'The name of a person or an organization.', { mandatory: true, example: 'Ada Lovelace' }),
  key('email', text, 'An address for questions.'),
  key('url', text, 'A web page.'),
);

const handler = map(
  ANY_KEYS,
  key(
    'type',
    oneOf({
      command: 'Runs a command.',
      prompt: 'Asks a model.',
      agent: 'Asks an agent with tools.',
      http: 'Sends a request.',
      mcp_tool: 'Calls a tool of a server.',
    }),
    'What the hook does.',
    { mandatory: true },
  ),
  key('command', text, 'The command.'),
  key('args', texts, 'The arguments of the command.'),
  key('prompt', text, 'The text for the model.'),
  key('url', address, 'The address of the request.'),
  key('server', text, 'The server of the tool.'),
  key('tool', text, 'The tool.'),
  key('timeout', { kind: 'number', positive: true }, 'The longest time in seconds.'),
  key('async', bool, 'Runs in the background.'),
  key('shell', oneOf({ bash: 'Bash.', powershell: 'PowerShell.' }), 'The shell of the command.'),
);

/** The keys that a hook needs because of its type. */
export const HOOK_NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['command', ['command']],
  ['prompt', ['prompt']],
  ['agent', ['prompt']],
  ['http', ['url']],
  ['mcp_tool', ['server', 'tool']],
]);

const matchers = withValues(
  listOf(
    map(
      ANY_KEYS,
      key('matcher', text, 'The tools or the sources that the hooks are for.', { example: 'Write|Edit' }),
      key('hooks', withValues(listOf(handler)), 'The hooks.', { mandatory: true }),
    ),
  ),
);

/** The events of hooks, with their meaning. */
export const HOOK_EVENTS: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', 'Before a tool is used.'],
  ['PostToolUse', 'After a tool was used.'],
  ['PreSkillShellCommand', 'Before a command in a skill runs.'],
  ['PostToolUseFailure', 'After a tool failed.'],
  ['PostToolBatch', 'After several tools were used.'],
  ['PermissionRequest', 'When a permission is requested.'],
  ['PermissionDenied', 'When a permission is denied.'],
  ['Notification', 'When the client notifies the user.'],
  ['UserPromptSubmit', 'When the user sends a prompt.'],
  ['UserPromptExpansion', 'When a command in a prompt is expanded.'],
  ['SessionStart', 'When a session begins.'],
  ['SessionEnd', 'When a session ends.'],
  ['Stop', 'When the agent stops.'],
  ['StopFailure', 'When the agent stops because of an error.'],
  ['SubagentStart', 'When a subagent begins.'],
  ['SubagentStop', 'When a subagent stops.'],
  ['PreCompact', 'Before the conversation is compacted.'],
  ['PostCompact', 'After the conversation was compacted.'],
  ['Setup', 'When the client is set up.'],
  ['TeammateIdle', 'When a teammate has nothing to do.'],
  ['TaskCreated', 'When a task is created.'],
  ['TaskCompleted', 'When a task is completed.'],
  ['Elicitation', 'When a server asks the user.'],
  ['ElicitationResult', 'When the user has answered a server.'],
  ['ConfigChange', 'When a setting changes.'],
  ['WorktreeCreate', 'When a worktree is created.'],
  ['WorktreeRemove', 'When a worktree is removed.'],
  ['InstructionsLoaded', 'When instructions are loaded.'],
  ['CwdChanged', 'When the working folder changes.'],
  ['FileChanged', 'When a file changes.'],
  ['MessageDisplay', 'When a message is shown.'],
]);

/** The events whose hooks may refuse an action. Claude Code does not load a plugin with a fault in one of them. */
export const GUARDING_EVENTS: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PreSkillShellCommand',
]);

/** The hooks by event. */
const hooks = map(IGNORED, ...[...HOOK_EVENTS].map(([event, docs]) => key(event, matchers, docs)));

export const hooksFileKeys: KeyTable = keysOf(
  '9',
  key('description', text, 'The purpose of the hooks.'),
  key('hooks', hooks, 'The hooks by event.'),
  key('modules', texts, 'A module with hooks.'),
);

const command = map(
  ANY_KEYS,
  key('source', text, 'The path of the command.'),
  key('content', text, 'The text of the command.'),
  key('description', text, 'The purpose of the command.'),
  key('argumentHint', text, 'The arguments.'),
  key('model', text, 'The model.'),
  key('allowedTools', texts, 'The allowed tools.'),
);

const option = map(
  INVALID,
  key(
    'type',
    oneOf({
      string: 'A text.',
      number: 'A number.',
      boolean: 'True or false.',
      directory: 'A folder.',
      file: 'A file.',
    }),
    'The type of the value.',
    { mandatory: true },
  ),
  key('title', text, 'The label of the field.', { mandatory: true }),
  key('description', text, 'The help for the field.', { mandatory: true }),
  key('required', bool, 'Whether the user must set the value.'),
  key('sensitive', bool, 'Whether the value is a secret.'),
  key('multiple', bool, 'Whether several values are allowed.'),
  key('default', any, 'The value without a choice of the user.'),
  key('min', number, 'The smallest number.'),
  key('max', number, 'The largest number.'),
);

const mcpServer = map(
  ANY_KEYS,
  key('command', text, 'The command that starts the server.'),
  key('args', texts, 'The arguments of the command.'),
  key('type', text, 'The transport of a remote server: `http`, `sse` or `ws`.'),
  key('url', text, 'The address of a remote server.'),
);

const serversOf = (server: Shape): Shape => {
  const all = withValues(recordOf(server));
  return either(text, withValues(listOf(either(text, all))), all);
};

/** The keys that name components of a plugin, in `plugin.json` and in an entry of a marketplace. */
const componentKeys: readonly KeyDraft[] = [
  key('skills', paths, 'Paths of folders with skills, from the folder of the plugin. Each begins with `./`.', {
    example: '["./more-skills"]',
  }),
  key('commands', either(text, texts, withValues(recordOf(command))), 'Paths of commands. They replace `commands/`.', {
    example: '["./commands/deploy.md"]',
  }),
  key('agents', paths, 'Paths of agents, which are Markdown files.', { example: '["./agents/reviewer.md"]' }),
  key(
    'hooks',
    either(text, withValues(listOf(either(text, hooks))), hooks),
    'Hooks, or the path of a file with hooks.',
    {
      example: '"./config/hooks.json"',
    },
  ),
  key('mcpServers', serversOf(mcpServer), 'MCP servers, or the path of a file with servers.'),
  key('lspServers', serversOf(recordOf(any)), 'Language servers, or the path of a file with servers.'),
  key('outputStyles', paths, 'Paths of output styles.'),
  key('workflows', paths, 'Paths of workflows.'),
  key(
    'experimental',
    map(
      IGNORED,
      key('themes', paths, 'Paths of themes.', { rule: INVALID }),
      key(
        'monitors',
        either(text, listOf(either(text, recordOf(any)))),
        'Monitors, or the path of a file with monitors.',
        { rule: INVALID },
      ),
    ),
    'Components that may change.',
    { rule: IGNORED },
  ),
  key('themes', paths, 'The older place of `experimental.themes`.'),
  key('monitors', either(text, listOf(either(text, recordOf(any)))), 'The older place of `experimental.monitors`.'),
];

const pluginNames = withValues(
  listOf(
    either(
      {
        kind: 'string',
        pattern: /^[A-Za-z0-9][-A-Za-z0-9._]*(?:@[A-Za-z0-9][-A-Za-z0-9._]*)?(?:@\^[^@]*)?$/,
        expected: '`name` or `name@marketplace`',
      },
      map(ANY_KEYS, key('name', filled, 'The name of the plugin.', { mandatory: true })),
    ),
  ),
);

/** The keys of `plugin.json` that an entry of a marketplace may have, too. */
const sharedKeys: readonly KeyDraft[] = [
  key('displayName', text, 'The name that users see.'),
  key('version', text, 'The version.', { example: '"1.0.0"' }),
  key('description', text, 'What the plugin does.'),
  key('author', person, 'The author of the plugin.', { example: '{"name": "Ada Lovelace"}' }),
  key('homepage', address, 'The web page of the plugin.', { example: '"https://example.com"' }),
  key('repository', text, 'The address of the source code.'),
  key('license', text, 'The license.', { example: '"MIT"' }),
  key('keywords', texts, 'Words for a search.'),
  key('defaultEnabled', bool, 'Whether the plugin is on until the user decides.'),
  key('dependencies', pluginNames, 'Plugins that this one needs.'),
  key('optionalDependencies', pluginNames, 'Plugins that are installed with this one.', { rule: IGNORED }),
  key('userConfig', withValues(recordOf(option)), 'Values that the user sets.'),
  key(
    'channels',
    withValues(
      listOf(
        map(
          INVALID,
          key('server', text, 'The server of the channel.', { mandatory: true }),
          key('displayName', text, 'The name that users see.'),
          key('userConfig', recordOf(any), 'Values that the user sets.'),
        ),
      ),
    ),
    'Channels for messages.',
  ),
  key('settings', withValues(recordOf(any)), 'Settings that the plugin contains.'),
  key('metadata', recordOf(any), 'Data that the client does not read.', { rule: IGNORED }),
  key('network', recordOf(any), 'The hosts that the plugin uses.', { rule: IGNORED }),
  key('engines', recordOf(any), 'The versions of the clients.', { rule: IGNORED }),
  ...componentKeys,
];

const schemaKey = key('$schema', text, 'The JSON Schema of the file, for editors.');

export const pluginManifestKeys: KeyTable = keysOf(
  '9',
  schemaKey,
  key('name', text, 'The name of the plugin, which is the prefix of its skills.', {
    mandatory: true,
    example: '"code-review"',
  }),
  ...sharedKeys,
  key('icon', any, 'The path of an icon, for the directory of plugins.'),
);

const SHA: Shape = { kind: 'string', pattern: /^[0-9a-f]{40}$/, expected: 'a full commit ID of 40 characters' };

/** The sources of a plugin outside the marketplace, with the keys that each of them needs. */
export const SOURCE_NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['github', ['repo']],
  ['url', ['url']],
  ['git-subdir', ['url', 'path']],
  ['npm', ['package']],
  ['archive', ['url']],
]);

const source = map(
  ANY_KEYS,
  key(
    'source',
    oneOf({
      github: 'A repository on GitHub.',
      url: 'A Git repository.',
      'git-subdir': 'A folder of a Git repository.',
      npm: 'A package of npm.',
      archive: 'An archive that is downloaded.',
    }),
    'The kind of the source.',
    { mandatory: true },
  ),
  key('repo', text, 'The owner and the name of the repository.', { example: '"owner/name"' }),
  key('url', text, 'The address of the repository or of the archive.'),
  key('path', text, 'The folder of the plugin in the repository.'),
  key('package', text, 'The name of the package.'),
  key('version', text, 'The version of the package.'),
  key('registry', address, 'The registry of the package.'),
  key('ref', text, 'The branch or the tag.'),
  key('sha', SHA, 'The commit.'),
);

const entry = map(
  IGNORED,
  schemaKey,
  key('name', text, 'The name under which the plugin is installed.', { mandatory: true, example: '"code-review"' }),
  key(
    'source',
    either(text, source),
    'The folder of the plugin from the folder of the marketplace, or another place.',
    {
      mandatory: true,
      example: '"./plugins/code-review"',
    },
  ),
  key('strict', bool, 'With `false`, the entry is the only manifest of the plugin.'),
  key('category', text, 'The category in the marketplace.'),
  key('tags', texts, 'Words for a search.'),
  key('relevance', any, 'The projects for which the plugin is proposed.'),
  ...sharedKeys,
);

export const marketplaceKeys: KeyTable = keysOf(
  '9',
  schemaKey,
  key('name', text, 'The name of the marketplace.', { mandatory: true, example: '"our-plugins"' }),
  key('owner', person, 'The maintainer of the marketplace.', { mandatory: true, example: '{"name": "Ada Lovelace"}' }),
  key('plugins', withValues(listOf(entry)), 'The plugins of the marketplace.', { mandatory: true, example: '[]' }),
  key('description', text, 'What the marketplace offers.'),
  key('version', text, 'The version of the marketplace.'),
  key(
    'metadata',
    map(
      IGNORED,
      key('description', text, 'What the marketplace offers.'),
      key('version', text, 'The version of the marketplace.'),
      key('pluginRoot', text, 'The folder of sources without a `/`.', { example: '"./plugins"' }),
    ),
    'Facts about the marketplace.',
  ),
  key('forceRemoveDeletedPlugins', bool, 'Whether plugins that are removed here are uninstalled.'),
  key('allowCrossMarketplaceDependenciesOn', texts, 'Marketplaces whose plugins may be dependencies.'),
  key('renames', withValues(recordOf(text)), 'The new names of renamed plugins.'),
);

/** The keys without which Claude Code still loads a plugin, although its validator refuses a wrong value. */
export const DISPLAY_KEYS: ReadonlySet<string> = new Set([
  '$schema',
  'displayName',
  'description',
  'author',
  'homepage',
  'repository',
  'license',
  'keywords',
]);

/** Keys that only an entry of a marketplace may have. */
export const ENTRY_KEYS: ReadonlySet<string> = new Set(['source', 'strict', 'category', 'tags', 'relevance']);

/** The form of the paths of a component. */
export interface PathForm {
  /** The ending of the files, if a folder is not allowed. */
  readonly ending?: string;
  /** True if each path is a folder. */
  readonly isFolder?: true;
  /** True if a path may also be an address or a bundle, as of servers. */
  readonly mayBeBundle?: true;
}

/** The keys with paths of components, in `plugin.json` and in an entry of a marketplace. */
export const PATH_FORMS: ReadonlyMap<string, PathForm> = new Map<string, PathForm>([
  ['skills', { isFolder: true }],
  ['commands', {}],
  ['agents', { ending: '.md' }],
  ['hooks', { ending: '.json' }],
  ['mcpServers', { ending: '.json', mayBeBundle: true }],
  ['lspServers', { ending: '.json' }],
  ['outputStyles', {}],
  ['workflows', {}],
  ['themes', {}],
  ['monitors', { ending: '.json' }],
]);
