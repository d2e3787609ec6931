/** All known clients. The folder `data/` contains one file for each client. */
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { Client, Fact } from './client.ts';
import aiSdk from './data/ai-sdk.json';
import amp from './data/amp.json';
import antigravity from './data/antigravity.json';
import auggie from './data/auggie.json';
import claudeAgentSdk from './data/claude-agent-sdk.json';
import claudeAi from './data/claude-ai.json';
import claudeCode from './data/claude-code.json';
import cline from './data/cline.json';
import codex from './data/codex.json';
import continueDev from './data/continue.json';
import continueCli from './data/continue-cli.json';
import copilotAgent from './data/copilot-agent.json';
import copilotCli from './data/copilot-cli.json';
import crush from './data/crush.json';
import cursor from './data/cursor.json';
import deepagents from './data/deepagents.json';
import devin from './data/devin.json';
import droid from './data/droid.json';
import geminiCli from './data/gemini-cli.json';
import googleAdk from './data/google-adk.json';
import goose from './data/goose.json';
import junie from './data/junie.json';
import kiloCode from './data/kilo-code.json';
import kimiCli from './data/kimi-cli.json';
import kiro from './data/kiro.json';
import lettaCode from './data/letta-code.json';
import mastra from './data/mastra.json';
import mistralVibe from './data/mistral-vibe.json';
import openaiAgents from './data/openai-agents.json';
import openclaw from './data/openclaw.json';
import opencode from './data/opencode.json';
import openhands from './data/openhands.json';
import pi from './data/pi.json';
import qoderCli from './data/qoder-cli.json';
import qwenCode from './data/qwen-code.json';
import rooCode from './data/roo-code.json';
import strands from './data/strands.json';
import vscode from './data/vscode.json';
import zed from './data/zed.json';
import { FRAMEWORK_FOLDER } from './framework-folder.ts';

/** The data files. A test validates each file with `data/schema.json`. */
const files: readonly unknown[] = [
  claudeCode,
  claudeAi,
  vscode,
  copilotCli,
  copilotAgent,
  codex,
  cursor,
  antigravity,
  geminiCli,
  opencode,
  kiloCode,
  zed,
  goose,
  cline,
  rooCode,
  continueDev,
  continueCli,
  openhands,
  mistralVibe,
  pi,
  crush,
  kimiCli,
  qwenCode,
  openclaw,
  devin,
  kiro,
  junie,
  droid,
  lettaCode,
  qoderCli,
  auggie,
  amp,
];

export const clients = files as readonly Client[];

const frameworkFiles: readonly unknown[] = [
  deepagents,
  googleAdk,
  strands,
  mastra,
  openaiAgents,
  aiSdk,
  claudeAgentSdk,
];

/** The frameworks, which are clients only of the skills in the folders that a user names (`findClient`). */
export const frameworks = frameworkFiles as readonly Client[];

const byId: ReadonlyMap<string, Client> = new Map([...clients, ...frameworks].map((client) => [client.id, client]));

/** Returns the value of a fact that has a source; undefined for an unknown or unverified one. */
export const verified = <Value>(fact: Fact<Value> | undefined): Value | undefined =>
  fact?.certainty === 'unverified' ? undefined : fact?.value;

/** Returns the client's name with the version of the facts, for messages about something that the client lacks. */
export const nameWithVersion = ({ name, asOf }: Pick<Client, 'name' | 'asOf'>): string =>
  `${name} (as of ${asOf.split(',')[0]})`;

/** Returns true if a tool of the client has the name, or had it in an older version. */
export const hasTool = ({ tools }: Client, name: string): boolean =>
  tools !== undefined && (tools.value.names.some((tool) => tool.name === name) || !!tools.value.others?.includes(name));

/** Returns the message for a word that is not the ID of a client, with the nearest IDs, or with all of them. */
export function unknownClient(word: string): string {
  const ids = [...byId.keys()];
  const framework = byId.get(word.split(':')[0] ?? '');
  if (framework?.framework && word.includes(':'))
    return `\`${word}\` has no folder below the workspace. Write \`${framework.id}:FOLDER\`, such as \`${framework.id}:skills\`.`;
  return `Unknown client \`${word}\`.${didYouMean(nearestNames(word, ids)) || ` Use one of ${ids.join(', ')}.`}`;
}

/** The form of a framework with the folder that its program names, such as `mastra:src/skills`. */
export const FRAMEWORK_WITH_FOLDER = new RegExp(
  `^(?:${frameworks.map(({ id }) => id).join('|')}):${FRAMEWORK_FOLDER}$`,
);

/**
 * Returns the client with this ID, or the framework with this ID and a folder, such as `mastra:src/skills`, which is
 * relative to the folder in which its program runs (docs/clients.md, "Frameworks").
 *
 * @returns undefined for another ID, and for a folder that is absolute or leads outside
 */
export function findClient(id: string): Client | undefined {
  const known = byId.get(id);
  if (known || !FRAMEWORK_WITH_FOLDER.test(id)) return known;
  const colon = id.indexOf(':');
  const base = byId.get(id.slice(0, colon));
  if (!base?.framework) return undefined;
  const path = id.slice(colon + 1).replace(/^\.\/|\/$/g, '');
  const dir = { scope: 'project', path, at: 'root', base: 'the folder that the program names' } as const;
  return {
    ...base,
    id: `${base.id}:${path}`,
    name: `${base.name} (${path})`,
    dirs: { value: [dir], source: base.framework.source },
  };
}

/** The clients of a workspace: equal IDs of frameworks with folders get the same object. */
export class ClientsById {
  readonly #known = new Map<string, Client>();

  /** Returns what `findClient` returns. */
  find(id: string): Client | undefined {
    const known = this.#known.get(id);
    const found = known ?? findClient(id);
    const client = found && (this.#known.get(found.id) ?? found);
    if (client) this.#known.set(id, client).set(client.id, client);
    return client;
  }
}
