/** All known clients. The folder `clients/` contains one data file for each client. */
import type { Client, Fact } from './client.ts';
import amp from './clients/amp.json';
import antigravity from './clients/antigravity.json';
import claudeAi from './clients/claude-ai.json';
import claudeCode from './clients/claude-code.json';
import cline from './clients/cline.json';
import codex from './clients/codex.json';
import continueDev from './clients/continue.json';
import continueCli from './clients/continue-cli.json';
import copilotAgent from './clients/copilot-agent.json';
import copilotCli from './clients/copilot-cli.json';
import crush from './clients/crush.json';
import cursor from './clients/cursor.json';
import devin from './clients/devin.json';
import droid from './clients/droid.json';
import geminiCli from './clients/gemini-cli.json';
import goose from './clients/goose.json';
import junie from './clients/junie.json';
import kiloCode from './clients/kilo-code.json';
import kimiCli from './clients/kimi-cli.json';
import kiro from './clients/kiro.json';
import mistralVibe from './clients/mistral-vibe.json';
import openclaw from './clients/openclaw.json';
import opencode from './clients/opencode.json';
import openhands from './clients/openhands.json';
import pi from './clients/pi.json';
import qwenCode from './clients/qwen-code.json';
import rooCode from './clients/roo-code.json';
import vscode from './clients/vscode.json';
import zed from './clients/zed.json';

/** The data files. A test validates each file with `clients/schema.json`. */
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
  amp,
];

export const clients = files as readonly Client[];

const byId: ReadonlyMap<string, Client> = new Map(clients.map((client) => [client.id, client]));

/** Returns the value of a fact that has a source; undefined for an unknown or unverified one. */
export const verified = <Value>(fact: Fact<Value> | undefined): Value | undefined =>
  fact?.certainty === 'unverified' ? undefined : fact?.value;

/** Returns the client's name with the version of the facts, for messages about something that the client lacks. */
export const nameWithVersion = ({ name, asOf }: Pick<Client, 'name' | 'asOf'>): string =>
  `${name} (as of ${asOf.split(',')[0]})`;

/** Returns true if a tool of the client has the name, or had it in an older version. */
export const hasTool = ({ tools }: Client, name: string): boolean =>
  tools !== undefined && (tools.value.names.some((tool) => tool.name === name) || !!tools.value.others?.includes(name));

export const findClient = (id: string): Client | undefined => byId.get(id);
