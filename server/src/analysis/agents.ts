/** The clients that read an agent file, and its faults in them (docs/clients.md, "Agents"). */
import { type AgentFault, agentFaults } from '../clients/agents/agent-faults.ts';
import { type AgentClient, agentClients } from '../clients/agents/agent-rules.ts';
import { FileReader } from '../clients/pipeline/read.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isPluginOfClaude, type Plugin } from '../skill-folder/plugins.ts';
import { agentFileOf } from '../vocabulary/dialect.ts';
import type { Analysis } from './analysis.ts';
import type { KnownAgent } from './known-agents.ts';
import { targetsBeside } from './targets.ts';

/** A client that reads an agent file. */
export interface AgentReader {
  readonly client: AgentClient;
  /** The plugin that contains the agent, if there is one. */
  readonly plugin: Plugin | undefined;
  /** True if the author chose the client, or if the folder belongs only to this client. */
  readonly isSure: boolean;
}

const claudePluginsAt = ({ plugins }: Analysis, root: string): readonly Plugin[] =>
  plugins.all.filter((plugin) => plugin.root === root && isPluginOfClaude(plugin));

/**
 * Returns the clients for which findings about an agent file are reported: those to which its folder belongs, unless the
 * author chose other clients, and chosen clients that read the folder, too. Empty for other files.
 */
export function agentReaders(analysis: Analysis, { uri }: SkillFile): readonly AgentReader[] {
  const file = agentFileOf(uri);
  if (!file) return [];
  const { folder, root } = file;
  const plugin = folder === undefined ? claudePluginsAt(analysis, root)[0] : undefined;
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
 * Returns the agent of the workspace that a skill or a command calls by a name: of several ones, that with the most folders
 * in common with the file.
 */
export function findAgent(analysis: Analysis, from: string, callName: string): KnownAgent | undefined {
  const shared = ({ uri }: KnownAgent): number => {
    let at = 0;
    while (at < uri.length && uri[at] === from[at]) at++;
    return uri.lastIndexOf('/', at);
  };
  return analysis.agents
    .called(callName)
    .reduce<KnownAgent | undefined>((best, one) => (best && shared(best) >= shared(one) ? best : one), undefined);
}
