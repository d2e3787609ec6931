/** All clients of the lab, in the order of their names. */
import type { LabClient } from '../client.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueCli } from './continue.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { kilo, openCode } from './open-code.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';

export const CLIENTS: readonly LabClient[] = [
  claudeCode,
  cline,
  codex,
  continueCli,
  copilotCli,
  geminiCli,
  kilo,
  openCode,
  pi,
  qwenCode,
];
