/**
 * The manifests of Agent Plugins 1.0, Gemini CLI and Qwen Code (docs/format.md, section 9, "Plugins"). The keys of
 * Gemini CLI 0.61.0 and Qwen Code 0.24.4 were read in their packages on 2026-11-30.
 */
import { any, text } from '../common-shapes.ts';
import { type KeyDraft, type KeyTable, key, keysOf, listOf, recordOf, withValues } from '../shape.ts';
import { IGNORED } from './claude-code.ts';

const texts = withValues(listOf(text));

export const agentPluginKeys: KeyTable = keysOf(
  '9',
  key('$schema', text, 'The version of the format.', {
    mandatory: true,
    example: '"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"',
  }),
  key('name', text, 'The name of the plugin, in lower-case letters, digits, hyphens and periods.', {
    mandatory: true,
    example: '"code-review"',
  }),
  key('version', text, 'The version.', { example: '"1.0.0"' }),
  key('description', text, 'What the plugin does.'),
  key(
    'author',
    {
      kind: 'map',
      keys: keysOf(
        '9',
        key('name', text, 'The name of a person or an organization.'),
        key('email', text, 'An address for questions.'),
        key('url', text, 'A web page.'),
      ),
      unknownKeys: 'invalid-plugin-manifest',
      filled: true,
    },
    'The author of the plugin.',
  ),
  key('homepage', text, 'The web page of the plugin.'),
  key('repository', text, 'The address of the source code.'),
  key('license', text, 'The license.', { example: '"MIT"' }),
  key('keywords', texts, 'Words for a search.'),
  key('extensions', withValues(recordOf(recordOf(any))), 'The keys of single clients, by their namespace.', {
    rule: IGNORED,
  }),
);

const extensionKeys: readonly KeyDraft[] = [
  key('name', any, 'The name of the extension: letters, digits and hyphens.', {
    mandatory: true,
    example: '"code-review"',
  }),
  key('version', any, 'The version.', { mandatory: true, example: '"1.0.0"' }),
  key('description', any, 'What the extension does.'),
  key('mcpServers', any, 'MCP servers.'),
  key('contextFileName', any, 'The file with instructions, or several files.', { example: '"GEMINI.md"' }),
  key('excludeTools', any, 'Tools of the client that the extension removes.'),
  key('settings', any, 'Values that the user sets.'),
];

export const geminiExtensionKeys: KeyTable = keysOf(
  '9',
  ...extensionKeys,
  key('themes', any, 'Themes.'),
  key('plan', any, 'The folder of plans.'),
  key('migratedTo', any, 'The address to which the extension has moved.'),
);

export const qwenExtensionKeys: KeyTable = keysOf(
  '9',
  ...extensionKeys,
  key('displayName', any, 'The name that users see.'),
  key('lspServers', any, 'Language servers.'),
  key('hooks', any, 'Hooks.'),
  key('channels', any, 'Channels for messages.'),
  key('commands', any, 'The folder of commands.'),
  key('skills', any, 'The folder of skills.'),
  key('agents', any, 'The folder of agents.'),
);
