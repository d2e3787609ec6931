/** The clients with their steps. The folder `data/` contains one file for each client. */
import aiSdk from './data/ai-sdk.json';
import amp from './data/amp.json';
import antigravity from './data/antigravity.json';
import auggie from './data/auggie.json';
import claudeAgentSdk from './data/claude-agent-sdk.json';
import claudeAi from './data/claude-ai.json';
import claudeCode from './data/claude-code.json';
import cline from './data/cline.json';
import codex from './data/codex.json';
import continueEditors from './data/continue.json';
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
  lettaCode,
  deepagents,
  googleAdk,
  mastra,
  openaiAgents,
  strands,
  aiSdk,
  claudeAi,
  vscode,
  copilotAgent,
  cursor,
  antigravity,
  zed,
  goose,
  rooCode,
  continueEditors,
  openhands,
  mistralVibe,
  crush,
  kimiCli,
  devin,
  kiro,
  junie,
  qoderCli,
  auggie,
  amp,
];

const byId = new Map(files.map((file) => [file.id, file]));

/** Returns the data of a client with the steps that it has from another one. */
const withBase = (file: ClientData): object => ({ ...(file.extends !== undefined && byId.get(file.extends)), ...file });

const all = files.map((file) => withChoices(withBase(file)) as Pipeline);

const fieldsByText: ReadonlyMap<string, Pipeline['fields']> = new Map(
  all.map(({ fields }) => [JSON.stringify(fields), fields]),
);

/** Equal rules for `fields` are one object, so that their results for a file are computed once. */
export const pipelines: readonly Pipeline[] = all.map((pipeline) => {
  const { fields } = pipeline;
  return { ...pipeline, fields: fieldsByText.get(JSON.stringify(fields)) ?? fields };
});

const pipelineById: ReadonlyMap<string, Pipeline> = new Map(pipelines.map((pipeline) => [pipeline.id, pipeline]));

/**
 * Returns the steps of a client by its ID; undefined for a client without steps. The steps of a framework are the same
 * for each of its folders (`mastra:src/skills`).
 */
export const pipelineOf = (id: string): Pipeline | undefined =>
  pipelineById.get(id) ?? pipelineById.get(id.slice(0, Math.max(0, id.indexOf(':'))));
