/**
 * The tools that a key such as `allowed-tools` may name: those of clients and of MCP servers (docs/clients.md,
 * "Tools").
 */

import type { Client } from '../clients/facts/client.ts';
import { clients, hasTool } from '../clients/facts/clients.ts';
import { pathOf, subjectOf } from '../clients/matrix/subject.ts';
import type { PluginFolder } from '../clients/pipeline/plugin-rules.ts';
import { closestSlip, closestTypo, isOtherVersion } from '../nearest.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { serverFilesFor } from '../skill-folder/referenced-files.ts';
import { clientFileOf, decoded, fileNameOf, folderOf, resolvePath, skillsFolderOf } from '../vocabulary/dialect.ts';
import type { FaultyServerTool, InvalidTool, ParsedSnapshot, SnapshotTool } from '../workspace/tool-snapshot.ts';
import type { Analysis } from './analysis.ts';
import { targetsOfContent } from './targets.ts';

export const STANDARD_KEY = 'allowed-tools';

/**
 * Returns the keys of a file that name tools; empty for a file that names no tools, and for an agent or a command that is
 * neither in a folder `.claude` nor beside the skills or the manifest of a plugin.
 */
export function toolKeysOf(analysis: Analysis, file: SkillFile): readonly string[] {
  if (file.dialect === 'agent-skill') return [STANDARD_KEY, 'disallowed-tools'];
  const own = clientFileOf(file.uri);
  const isListed = analysis.plugins.listingAgent(file.uri).length > 0;
  if (!own || !(isListed || isRootOfClaude(analysis, own.root))) return [];
  return own.kind === 'agent' ? ['tools', 'disallowedTools'] : [STANDARD_KEY, 'disallowed-tools'];
}

/** A command with the name of a skill. */
interface CommandOfSkill {
  readonly uri: string;
  /** The path below the folder of the plugin, or below `.claude`. */
  readonly path: string;
  /** True if it is used instead of the skill. */
  readonly isUsed: boolean;
}

/** Returns the command with the name of a `SKILL.md` in the same folder `.claude` or the same plugin. Never throws. */
export function commandOfSkill(analysis: Analysis, { uri }: SkillFile): CommandOfSkill | undefined {
  const skills = skillsFolderOf(uri);
  const root = folderOf(skills);
  const name = fileNameOf(folderOf(uri));
  if (!skills.endsWith('/skills')) return undefined;
  const plugin = root.endsWith('/.claude') ? undefined : pluginIn(analysis, root);
  if (!plugin) {
    const path = `commands/${name}.md`;
    const command = `${root}/${path}`;
    const isKnown = analysis.index.files.has(command) && clientFileOf(command);
    return isKnown ? { uri: command, path, isUsed: false } : undefined;
  }
  const same = plugin.commands.filter((one) => one.name === decoded(name));
  const command = same.find(({ isDescribed }) => isDescribed) ?? same[0];
  if (!command) return undefined;
  const below = command.path.slice(plugin.path.length + 1);
  return { uri: resolvePath(root, below), path: below, isUsed: command.isDescribed };
}

/** Returns the plugin of Claude Code whose folder has the URI `root`. */
export const pluginIn = (analysis: Analysis, root: string): PluginFolder | undefined => {
  const [plugin] = analysis.pluginsAround(`${root}/.claude-plugin/plugin.json`);
  return plugin?.path === pathOf(root) ? plugin : undefined;
};

/** Returns whether Claude Code reads the folders `agents` and `commands` in a folder. */
export const isRootOfClaude = (analysis: Analysis, root: string): boolean =>
  root.endsWith('/.claude') ||
  analysis.plugins.all.some((plugin) => plugin.root === root) ||
  [...analysis.graph.skills.keys()].some((uri) => uri.startsWith(`${root}/skills/`));

export const grants = ({ allowedTools }: Client): boolean => allowedTools.value === 'grants';

/**
 * Returns the clients that define a client-specific key; for the standard key the targets, or all clients that grant
 * tools.
 */
export function clientsFor(analysis: Analysis, file: SkillFile, key: string): readonly Client[] {
  if (file.dialect === 'client-file') return clients.filter(({ id }) => id === 'claude-code');
  const targets = targetsFor(analysis, file);
  const known = (targets.length > 0 ? targets : clients.filter(grants)).filter(({ tools }) => tools);
  return key === STANDARD_KEY
    ? [...known.filter(grants), ...known.filter((client) => !grants(client))]
    : clients.filter(({ keys, tools }) => tools && keys.some(({ name }) => name === key));
}

function targetsFor(analysis: Analysis, file: SkillFile): readonly Client[] {
  const { agentSkill } = file.summary;
  return agentSkill ? targetsOfContent(analysis, subjectOf(file.uri, agentSkill)).clients : [];
}

const namesOf = ({ tools }: Client): readonly string[] => tools?.value.names.map(({ name }) => name) ?? [];

/** Returns whether any client has, or had, a tool with exactly this name. Never throws. */
export const isToolOfClient = (name: string): boolean => clients.some((client) => hasTool(client, name));

/**
 * Returns whether an agent or a command probably belongs to another client than Claude Code: it is only beside skills,
 * and Claude Code has none of its other tools.
 */
function isOfOtherClient(analysis: Analysis, { uri }: SkillFile, beside: readonly string[]): boolean {
  const root = clientFileOf(uri)?.root;
  if (root === undefined || beside.length === 0) return false;
  if (root.endsWith('/.claude') || analysis.plugins.all.some((plugin) => plugin.root === root)) return false;
  const [claude] = clients.filter(({ id }) => id === 'claude-code');
  return claude !== undefined && !beside.some((name) => hasTool(claude, name));
}

/**
 * Returns the tool of a client that `name` misspells; undefined for a correct or an unrelated name. A name that another
 * client has is a misspelling only if a target has it in other letter case, such as `Bash` for `bash`. `beside` are the
 * other names in the same value, which show the client that the author means.
 */
export function findMeantTool(
  analysis: Analysis,
  file: SkillFile,
  key: string,
  { name, beside }: { readonly name: string; readonly beside: readonly string[] },
): string | undefined {
  const asked = clientsFor(analysis, file, key);
  const known = asked.flatMap(namesOf);
  if (asked.some((client) => hasTool(client, name))) return undefined;
  const isTargeted = asked.length === 1 || targetsFor(analysis, file).length > 0;
  if (isToolOfClient(name)) {
    if (!isTargeted || isOfOtherClient(analysis, file, beside)) return undefined;
    // Tools in lower case belong to clients that ignore letter case, or that do not grant tools.
    return known.find((one) => one !== one.toLowerCase() && one.toLowerCase() === name.toLowerCase());
  }
  const meant = clients.filter((client) => beside.some((one) => hasTool(client, one)));
  const candidates = [...known, ...meant.flatMap(namesOf)];
  const short = candidates.map((one) => one.slice(one.lastIndexOf('/') + 1));
  const found = closestSlip(name, candidates) ?? closestSlip(name, short) ?? closestTypo(name, short);
  // The names of another client, which is not known, may differ from these names only in their style.
  if (found === undefined || (!isTargeted && found.includes('_') !== name.includes('_'))) return undefined;
  return candidates.find((one) => one === found || one.endsWith(`/${found}`));
}

// Tools of MCP servers, in the form `mcp__server__tool` of Claude Code.

/** The names of the known servers, with the names of their tools; without tools if these are unknown. */
export type KnownServers = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the servers that configuration files of clients and snapshots of tools name in the folders above a file. A
 * server of the user's own configuration is not among them.
 */
export function serversFor(analysis: Analysis, uri: string): KnownServers {
  const servers = new Map<string, string[]>();
  for (const file of serverFilesFor(uri, analysis.index.graph.roots)) {
    const names = analysis.serversIn(file) ?? [];
    const plugins = names.length > 0 ? analysis.plugins.all.filter(({ root }) => isDirectlyIn(file, root)) : [];
    for (const name of [...names, ...plugins.flatMap((plugin) => names.map((one) => `plugin_${plugin.name}_${one}`))]) {
      servers.set(inToolName(name), []);
    }
  }
  for (const snapshot of snapshotsFor(analysis, uri)) {
    for (const { name } of snapshot.servers) servers.set(inToolName(name), []);
    for (const { name, server } of snapshot.tools) {
      if (server === undefined) continue;
      servers.set(inToolName(server), [...(servers.get(inToolName(server)) ?? []), inToolName(name)]);
    }
  }
  return servers;
}

/**
 * Returns the tools of a server that have faults, from the snapshots in the folders above a file.
 *
 * @param server the name of the server, also as Claude Code writes it
 */
export const faultyToolsOf = (analysis: Analysis, uri: string, server: string): readonly FaultyServerTool[] =>
  snapshotsFor(analysis, uri)
    .flatMap(({ faulty }) => faulty)
    .filter((tool) => inToolName(tool.server) === inToolName(server));

/** Returns the invalid tool with this name, or undefined. */
export const findInvalidTool = (
  analysis: Analysis,
  uri: string,
  name: string,
): (InvalidTool & { readonly server: string }) | undefined =>
  snapshotsFor(analysis, uri)
    .flatMap(({ servers }) => servers)
    .flatMap(({ name: server, invalid = [] }) => invalid.map((tool) => ({ ...tool, server })))
    .find((tool) => tool.name === name);

/** Returns the tool of a server from the snapshots in the folders above a file; undefined if it is not known. */
export const findServerTool = (
  analysis: Analysis,
  uri: string,
  server: string,
  tool: string,
): SnapshotTool | undefined =>
  snapshotsFor(analysis, uri)
    .flatMap(({ tools }) => tools)
    .find((one) => inToolName(one.name) === tool && one.server !== undefined && inToolName(one.server) === server);

function snapshotsFor({ index: { snapshots } }: Analysis, uri: string): readonly ParsedSnapshot[] {
  const found: ParsedSnapshot[] = [];
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    const snapshot = snapshots.get(folder);
    if (snapshot) found.push(snapshot);
  }
  return found;
}

const isDirectlyIn = (uri: string, root: string): boolean =>
  uri === `${root}/.mcp.json` || uri === `${root}/.claude-plugin/plugin.json`;

/** Returns the name of a server or a tool as Claude Code writes it in the names of tools. */
export const inToolName = (server: string): string => server.replace(/[^\w-]/g, '_');

/** A name such as `mcp__github__create_issue`, `mcp__github__*` or `mcp__github`. */
export interface McpName {
  readonly server: string;
  /** Undefined for all tools of the server. May contain `*`. */
  readonly tool: string | undefined;
}

/** Returns the server and the tool in a tool's name; undefined for a name in another form. Never throws. */
export function readMcpName(name: string, servers: Iterable<string> = []): McpName | undefined {
  const [, rest] = /^mcp__([\w-].*)$/.exec(name) ?? [];
  if (rest === undefined) return undefined;
  // The name of a server may contain `__`.
  const known = [...servers].filter((server) => rest === server || rest.startsWith(`${server}__`));
  const server = known.sort((a, b) => b.length - a.length)[0] ?? /^.+?(?=__|$)/.exec(rest)?.[0] ?? rest;
  const tool = rest.slice(server.length + '__'.length);
  return { server, tool: tool === '' || tool === '*' ? undefined : tool };
}

/** The name that a tool of an MCP server should have, and the part that is wrong. */
export interface MeantMcpName {
  readonly name: string;
  readonly wrong: 'form' | 'server' | 'tool';
}

/** Returns the name of an MCP tool that `name` misspells; undefined for a correct or an unrelated name. */
export function findMeantMcpName(name: string, servers: KnownServers): MeantMcpName | undefined {
  const read = readMcpName(name, servers.keys());
  if (!read) return findMeantForm(name, servers);
  const { server, tool } = read;
  const meant = servers.has(server) ? undefined : closestInServers(server, [...servers.keys()]);
  const [own, wrong] = [meant ?? server, name.slice(`mcp__${server}`.length)];
  if (meant !== undefined) return { name: `mcp__${own}${wrong}`, wrong: 'server' };
  const tools = servers.get(server) ?? [];
  if (tool !== undefined && !/[*(]/.test(tool)) {
    const near = tools.includes(tool) ? undefined : closestInServers(tool, tools);
    return near === undefined ? undefined : { name: `mcp__${server}__${near}`, wrong: 'tool' };
  }
  if (name.endsWith('__')) return { name: name.slice(0, -2), wrong: 'form' };
  const joined = [...servers].flatMap(([one, own]) => own.map((each) => ({ one, each })));
  const apart = joined.find(({ one, each }) => server === `${one}_${each}` || server === `${one}-${each}`);
  return apart && { name: `mcp__${apart.one}__${apart.each}`, wrong: 'form' };
}

/** Returns the right form of a name such as `mcp_github__create_issue` or, for a known server, `mcp_github_get`. */
function findMeantForm(name: string, servers: KnownServers): MeantMcpName | undefined {
  const [, rest] = /^mcp[^a-z\d]{1,4}(\w.*)$/i.exec(name) ?? [];
  if (rest === undefined) return undefined;
  const known = [...servers.keys()].find((server) => rest === server || /^[^a-z\d]/i.test(rest.slice(server.length)));
  if (known !== undefined && rest.startsWith(known)) {
    const tool = rest.slice(known.length).replace(/^[^a-z\d*]+/i, '');
    return { name: `mcp__${known}${tool === '' ? '' : `__${tool}`}`, wrong: 'form' };
  }
  return /^(?:mcp_|mcp___|MCP__)\w[\w-]*?__\w/.test(name) ? { name: `mcp__${rest}`, wrong: 'form' } : undefined;
}

function closestInServers(name: string, known: readonly string[]): string | undefined {
  const meant = closestSlip(name, known) ?? closestTypo(name, known);
  return meant !== undefined && !isOtherVersion(name, meant) ? meant : undefined;
}
