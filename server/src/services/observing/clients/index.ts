/** The clients that `observe` runs, and why it runs no others. */
import { frameworks } from '../../../clients/facts/clients.ts';
import type { ObservedClient } from '../observed-client.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueCli } from './continue.ts';
import { copilotCli } from './copilot-cli.ts';
import { droid } from './droid.ts';
import { geminiCli } from './gemini-cli.ts';
import { openClaw } from './open-claw.ts';
import { kilo, openCode } from './open-code.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';

/** In the order of the facts. */
export const OBSERVED_CLIENTS: readonly ObservedClient[] = [
  claudeCode,
  copilotCli,
  codex,
  geminiCli,
  openCode,
  kilo,
  cline,
  continueCli,
  pi,
  qwenCode,
  openClaw,
  droid,
];

/** The clients without a program that runs one prompt: editors and services. */
const NO_PROGRAM: ReadonlyMap<string, string> = new Map([
  ...['vscode', 'cursor', 'antigravity', 'zed', 'continue', 'roo-code', 'devin', 'kiro', 'junie'].map(
    (id) => [id, 'is an editor or a part of one, and is not started as a program of its own'] as const,
  ),
  ...['claude-ai', 'copilot-agent'].map((id) => [id, 'is a service, which needs an account'] as const),
  ['amp', 'needs an account'],
  ...frameworks.map(({ id }) => [id, 'is a framework, which has no program of its own'] as const),
]);

/** Returns why a client is not run, as the end of a sentence about it. */
export const whyNotRun = (id: string): string =>
  NO_PROGRAM.get(id.split(':')[0] ?? '') ?? 'has never been run with a model on this machine';
