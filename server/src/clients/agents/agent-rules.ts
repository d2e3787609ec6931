/**
 * The clients of agent files as data: the folders that they read, the keys, and the effect of a value that is not accepted
 * (docs/clients.md, "Agents"). The rules for the frontmatter are those for a `SKILL.md`. The folder `data` contains one file
 * for each client.
 */
import type { Client } from '../facts/client.ts';
import { findClient } from '../facts/clients.ts';
import type { FieldType } from '../pipeline/fields.ts';
import { pipelineOf } from '../pipeline/pipelines.ts';
import type { ReadRules } from '../pipeline/read.ts';
import claudeCode from './data/claude-code.json';
import copilotCli from './data/copilot-cli.json';
import copilotCommands from './data/copilot-cli-commands.json';
import openCode from './data/opencode.json';
import openCodeCommands from './data/opencode-commands.json';
import vscode from './data/vscode.json';

/**
 * The effect of a value that a client does not accept: the client does not load the agent, ignores the key, starts the
 * agent without any tool, or does not start at all.
 */
export type AgentEffect = 'not-loaded' | 'ignored' | 'no-tools' | 'stops-client';

export interface AgentKey {
  readonly name: string;
  /** One sentence about the effect of the key. */
  readonly effect: string;
  /** The types of values that the client accepts. */
  readonly types: readonly FieldType[];
  /** The effect of another value; `unknown` if it was not tried. */
  readonly otherwise: AgentEffect | 'unknown';
  /** Set if the client does not load an agent without the key, or without a text under it that is not empty. */
  readonly required?: 'key' | 'text';
  /** The texts that the client accepts, also in a map. */
  readonly values?: readonly string[];
  /** A pattern of the texts that the client accepts beside `values`. */
  readonly pattern?: string;
  /** The integers that the client accepts beside `values`. */
  readonly integer?: 'any' | 'positive';
  /** The only type of the items of a list. */
  readonly items?: FieldType;
  /** A character that the text must not contain. */
  readonly excludes?: string;
  /** The effect of a value without any text: null, an empty text, or a list without texts. */
  readonly empty?: AgentEffect;
  /** True if the client ignores the key in the agents of plugins. */
  readonly notInPlugins?: true;
}

export interface AgentRules {
  /** The ID of the client. */
  readonly client: string;
  /** Set if the files are commands, which OpenCode and Copilot CLI read in the same way. */
  readonly kind?: 'command';
  /** True if the rules were read in the package, and the client was not run. */
  readonly isRead?: true;
  readonly source: { readonly where: string; readonly checked: string };
  /** The folders of agents, relative to a project, that belong to the client. */
  readonly folders: readonly string[];
  /** The IDs of other clients that read these folders, and of which less is known. */
  readonly sharedWith?: readonly string[];
  /** The folders of other clients that the client reads, too. */
  readonly alsoReads?: readonly string[];
  /** True if the client reads the agents of plugins. */
  readonly inPlugins?: true;
  /** The agents that the client brings. An agent of a project with one of these names replaces it. */
  readonly builtIn?: readonly string[];
  /** The effect of a frontmatter that the client cannot read. */
  readonly broken: 'not-loaded' | 'ignored';
  readonly keys: readonly AgentKey[];
  /** The names of other keys that the client reads. */
  readonly otherKeys: readonly string[];
}

/** The rules of a client, with its steps `open` and `parse`. */
export interface AgentClient extends AgentRules {
  readonly of: Client;
  readonly read: ReadRules;
}

/** The clients whose agents or commands are described. */
export const agentClients: readonly AgentClient[] = [
  claudeCode,
  copilotCli,
  openCode,
  openCodeCommands,
  vscode,
  copilotCommands,
].flatMap((data) => {
  const rules = data as AgentRules;
  const [of, read] = [findClient(rules.client), pipelineOf(rules.client)];
  return of && read ? [{ ...rules, of, read }] : [];
});

/** The agents that Claude Code brings. */
export const BUILT_IN_AGENTS: readonly string[] = agentClients.find(({ inPlugins }) => inPlugins)?.builtIn ?? [];
