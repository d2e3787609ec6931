/** The formats of manifests: which client reads a file, with which keys (docs/format.md, section 9, "Plugins"). */
import { decoded, fileNameOf, folderOf } from '../dialect.ts';
import type { KeyTable } from '../shape.ts';
import { hooksFileKeys, marketplaceKeys, pluginManifestKeys } from './claude-code.ts';
import { agentPluginKeys, geminiExtensionKeys, qwenExtensionKeys } from './others.ts';

export type ManifestKind = 'plugin' | 'marketplace' | 'hooks' | 'agent-plugin' | 'extension';

export interface ManifestFormat {
  readonly kind: ManifestKind;
  /** The client whose facts the table contains; undefined for the Agent Plugins specification. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  readonly keys: KeyTable;
}

const CLAUDE_CODE = { id: 'claude-code', name: 'Claude Code' };
const GEMINI_CLI = { id: 'gemini-cli', name: 'Gemini CLI' };
const QWEN_CODE = { id: 'qwen-code', name: 'Qwen Code' };

const FORMATS: readonly (ManifestFormat & { readonly file: RegExp })[] = [
  { file: /\/\.claude-plugin\/plugin\.json$/, kind: 'plugin', client: CLAUDE_CODE, keys: pluginManifestKeys },
  { file: /\/\.claude-plugin\/marketplace\.json$/, kind: 'marketplace', client: CLAUDE_CODE, keys: marketplaceKeys },
  { file: /\/hooks\/hooks\.json$/, kind: 'hooks', client: CLAUDE_CODE, keys: hooksFileKeys },
  { file: /\/gemini-extension\.json$/, kind: 'extension', client: GEMINI_CLI, keys: geminiExtensionKeys },
  { file: /\/qwen-extension\.json$/, kind: 'extension', client: QWEN_CODE, keys: qwenExtensionKeys },
];

const AGENT_PLUGIN: ManifestFormat = { kind: 'agent-plugin', client: undefined, keys: agentPluginKeys };

/** The folders of the manifests of clients whose facts were not observed. */
const OTHER_FOLDER = /\/(?:\.(?:codex|cursor)-plugin|\.github\/plugin|\.agents\/plugins|\.plugin)\/[^/]+$/;

/**
 * Returns the format of a manifest by its name and its folder; undefined for the formats of other clients, of which
 * only paths are read.
 */
export function manifestFormatOf(uri: string): ManifestFormat | undefined {
  if (OTHER_FOLDER.test(uri)) return undefined;
  const found = FORMATS.find(({ file }) => file.test(uri));
  return found ?? (fileNameOf(uri) === 'plugin.json' ? AGENT_PLUGIN : undefined);
}

/** Returns the URI of the manifest of the plugin in the folder with the URI `root`. */
export const claudeManifestIn = (root: string): string => `${root}/.claude-plugin/plugin.json`;

/** Returns the URI of the folder of the plugin that a manifest or a file with hooks belongs to. */
export const pluginRootOf = (uri: string): string =>
  /\/(?:\.claude-plugin|hooks)\/[^/]+$/.test(uri) ? folderOf(folderOf(uri)) : folderOf(uri);

/** Returns a name for the plugin in a folder: the folder's name in lower-case words with hyphens. */
export function proposedName(root: string): string {
  const name = decoded(fileNameOf(root)).toLowerCase();
  const words = name.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return words === '' ? 'my-plugin' : words;
}
