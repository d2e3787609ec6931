/** Rules about commands and secrets in a `SKILL.md`, which a user should read before installing it. */
import { findDownloads, findEncoded, findInCode } from '../abilities/commands.ts';
import { allowedTools, isAnyCommand } from '../abilities/permissions.ts';
import { findSecrets } from '../abilities/secrets.ts';
import { findSelfRunning } from '../abilities/self-running.ts';
import { sliceOf } from '../text.ts';
import type { Rule } from './rule.ts';

export const embeddedSecret: Rule = {
  name: 'embedded-secret',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'the key formats that issuers document', checked: '2026-11-23' },
  dialects: ['agent-skill'],
  readsBroken: true,
  *check(file) {
    for (const { kind, span } of findSecrets(file.text)) {
      yield {
        span,
        message: `This looks like a secret (${kind}), which every user and the model can read. Revoke it, and read it from the environment instead.`,
      };
    }
  },
};

export const encodedPayload: Rule = {
  name: 'encoded-payload',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'patterns of commands' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const span of findInCode(file, findEncoded)) {
      yield {
        span,
        message:
          'This command decodes a string and runs it, so readers do not see what runs. Write the command itself, or move it to a script.',
      };
    }
  },
};

export const pipeToShell: Rule = {
  name: 'pipe-to-shell',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'patterns of commands' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const span of findInCode(file, findDownloads)) {
      yield {
        span,
        message:
          'This command runs a downloaded script that was not checked. Download the script, check it and then run it, or use a package manager.',
      };
    }
  },
};

export const selfRunningCommand: Rule = {
  name: 'self-running-command',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/skills', checked: '2026-11-23' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const { kind, span } of findSelfRunning(file)) {
      if (kind === 'hook') continue;
      yield {
        span,
        message:
          'Some clients run this command when the skill is invoked, before the model reads it. Keep it only if it changes nothing and needs no secrets.',
      };
    }
  },
};

export const unscopedShell: Rule = {
  name: 'unscoped-shell',
  severity: 'off',
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/skills', checked: '2026-11-23' },
  dialects: ['agent-skill'],
  *check(file) {
    for (const tool of allowedTools(file)) {
      if (!isAnyCommand(tool)) continue;
      yield {
        span: tool.span,
        message: `\`${sliceOf(file.text, tool.span)}\` lets clients run every command without confirmation. Name the commands, for example \`${tool.name}(git status:*)\`.`,
      };
    }
  },
};
