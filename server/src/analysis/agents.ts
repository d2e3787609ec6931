/** The clients that read an agent file, and its faults in them (docs/clients.md, "Agents"). */
import { type AgentFault, agentFaults } from '../clients/agents/agent-faults.ts';
import { type AgentClient, agentClients } from '../clients/agents/agent-rules.ts';
import { FileReader } from '../clients/pipeline/read.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isMarketplace, isPluginOfClaude, type Plugin } from '../skill-folder/plugins.ts';
import { type AgentFile, agentFileOf, folderOf } from '../vocabulary/dialect.ts';
import type { KnownAgent } from '../workspace/known-agents.ts';
import type { Analysis } from './analysis.ts';
import { targetsBeside } from './targets.ts';

/** A client that reads an agent file. */
export interface AgentReader {
  readonly client: AgentClient;
  /** The plugin that contains the agent, if there is one. */
  readonly plugin: Plugin | undefined;
  /** True if the author chose the client, or if the folder belongs only to this client. */
  readonly isSure: boolean;
}

/**
 * Returns the plugin of Claude Code that contains an agent: one that lists it, or one without a list in whose folder `agents`
 * it is.
 */
function pluginOf({ plugins }: Analysis, uri: string, { folder, root }: AgentFile): Plugin | undefined {
  const isIn = (plugin: Plugin) =>
    folder === undefined && !plugin.agents && plugin.root === root && isPluginOfClaude(plugin);
  return plugins.listingAgent(uri).find(isPluginOfClaude) ?? plugins.all.find(isIn);
}

/** Returns the plugin whose list of agents leaves out an agent in its folder `agents`, so that Claude Code does not load it. */
export function pluginWithout(analysis: Analysis, uri: string): Plugin | undefined {
  const file = agentFileOf(uri);
  if (!file || file.folder !== undefined || pluginOf(analysis, uri, file)) return undefined;
  const beside = analysis.plugins.all.filter((plugin) => plugin.root === file.root && isPluginOfClaude(plugin));
  return beside.find(({ manifest }) => !isMarketplace(manifest));
}

/**
 * Returns the clients for which findings about an agent file are reported: those to which its folder belongs, unless the
 * author chose other clients, and chosen clients that read the folder, too. Empty for other files.
 */
export function agentReaders(analysis: Analysis, { uri }: SkillFile): readonly AgentReader[] {
  const file = agentFileOf(uri);
  if (!file) return [];
  const { folder } = file;
  const plugin = folder === undefined ? pluginOf(analysis, uri, file) : undefined;
  if (folder === undefined && !plugin) return [];
  const targets = targetsBeside(analysis, uri);
  const chosen = targets.isChosen ? targets.clients.map(({ id }) => id) : undefined;
  return agentClients.flatMap((client): AgentReader | [] => {
    const { folders, alsoReads = [], sharedWith = [], inPlugins = false } = client;
    const isOwn = folder === undefined ? inPlugins : folders.includes(folder);
    const isRead = isOwn || (folder !== undefined && alsoReads.includes(folder));
    if (!isRead || (chosen ? !chosen.includes(client.client) : !isOwn)) return [];
    return { client, plugin, isSure: chosen !== undefined || sharedWith.length === 0 };
  });
}

/** Returns whether Copilot CLI, which takes only the bare names of skills in `skills`, is a chosen client for an agent. */
export function needsBareNames(analysis: Analysis, { uri }: SkillFile): boolean {
  const { clients, isChosen } = targetsBeside(analysis, uri);
  return isChosen && clients.some(({ id }) => id === 'copilot-cli');
}

/** A fault of an agent file in one client. */
export interface ReportedFault extends AgentFault {
  readonly reader: AgentReader;
}

/** Returns the faults of an agent file in the clients that read it. */
export const agentFaultsOf = (analysis: Analysis, file: SkillFile): readonly ReportedFault[] => {
  const readers = agentReaders(analysis, file);
  if (readers.length === 0) return [];
  const reader = new FileReader(file.text);
  return readers.flatMap((one) =>
    agentFaults(reader, one.client, one.plugin !== undefined).map((fault) => ({ ...fault, reader: one })),
  );
};

/**
 * Returns the agent of the workspace that a skill or a command calls by a name: of several ones, that in the nearest project
 * or plugin around the file. Undefined for several agents of which none is around the file.
 */
export function findAgent(analysis: Analysis, from: string, callName: string): KnownAgent | undefined {
  const called = analysis.agents.called(callName);
  const around = called.flatMap((agent) => {
    const root = agentFileOf(agent.uri)?.root ?? '';
    const folder = root.endsWith('/.claude') ? folderOf(root) : root;
    return from.startsWith(`${folder}/`) ? [{ agent, depth: folder.length }] : [];
  });
  const [nearest] = around.sort((a, b) => b.depth - a.depth);
  return nearest?.agent ?? (called.length === 1 ? called[0] : undefined);
}
