/** All clients of the lab: agents, then frameworks, then an installer. */
import type { LabClient } from '../client.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueCli } from './continue.ts';
import { copilotCli } from './copilot-cli.ts';
import { droid } from './droid.ts';
import { aiSdk, claudeAgentSdk, deepagents, googleAdk, mastra, openaiAgents, strands } from './frameworks.ts';
import { geminiCli } from './gemini-cli.ts';
import { lettaCode } from './letta-code.ts';
import { openClaw } from './open-claw.ts';
import { kilo, openCode } from './open-code.ts';
import { pi } from './pi.ts';
import { qoderCli } from './qoder-cli.ts';
import { qwenCode } from './qwen-code.ts';
import { skillsInstaller } from './skills-installer.ts';

export const CLIENTS: readonly LabClient[] = [
  claudeCode,
  cline,
  codex,
  continueCli,
  copilotCli,
  droid,
  geminiCli,
  kilo,
  lettaCode,
  openClaw,
  openCode,
  pi,
  qoderCli,
  qwenCode,
  aiSdk,
  claudeAgentSdk,
  deepagents,
  googleAdk,
  mastra,
  openaiAgents,
  strands,
  skillsInstaller,
];

/** Returns the client with an ID. Throws an Error that names all clients if there is none. */
export function clientCalled(id: string): LabClient {
  const client = CLIENTS.find((one) => one.id === id);
  if (!client) throw new Error(`Unknown client \`${id}\`. Use one of ${CLIENTS.map((one) => one.id).join(', ')}.`);
  return client;
}
