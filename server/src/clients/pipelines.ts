/** The clients with their steps. The folder `data/` contains one file for each client. */
import aiSdk from './data/ai-sdk.json';
import claudeAgentSdk from './data/claude-agent-sdk.json';
import claudeCode from './data/claude-code.json';
import cline from './data/cline.json';
import codex from './data/codex.json';
import continueCli from './data/continue-cli.json';
import copilotCli from './data/copilot-cli.json';
import deepagents from './data/deepagents.json';
import droid from './data/droid.json';
import geminiCli from './data/gemini-cli.json';
import googleAdk from './data/google-adk.json';
import kiloCode from './data/kilo-code.json';
import mastra from './data/mastra.json';
import openaiAgents from './data/openai-agents.json';
import openclaw from './data/openclaw.json';
import opencode from './data/opencode.json';
import pi from './data/pi.json';
import qwenCode from './data/qwen-code.json';
import strands from './data/strands.json';
import type { Pipeline } from './pipeline.ts';
import { withChoices } from './variants.ts';

type ClientData = Pick<Pipeline, 'id' | 'extends'>;

/** The data files. A test validates each file. In them, `unknown` is a setting of which nothing is known. */
const files: readonly ClientData[] = [
  claudeCode,
  claudeAgentSdk,
  codex,
  copilotCli,
  opencode,
  geminiCli,
  qwenCode,
  pi,
  cline,
  continueCli,
  droid,
  kiloCode,
  openclaw,
  deepagents,
  googleAdk,
  mastra,
  openaiAgents,
  strands,
  aiSdk,
];

const byId = new Map(files.map((file) => [file.id, file]));

/** Returns the data of a client with the steps that it has from another one. */
const withBase = (file: ClientData): object => ({ ...(file.extends !== undefined && byId.get(file.extends)), ...file });

export const pipelines: readonly Pipeline[] = files.map((file) => withChoices(withBase(file)) as Pipeline);
