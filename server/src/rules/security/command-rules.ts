/** Rules about commands and secrets in a `SKILL.md`, which a user should read before installing it. */
import { findDownloads, findEncoded, findInCode } from '../../abilities/commands.ts';
import { allowedTools, isAnyCommand } from '../../abilities/permissions.ts';
import { findSecrets } from '../../abilities/secrets.ts';
import { type BodyCommand, bodyCommands, type Place, placeIn } from '../../abilities/self-running.ts';
import { targetClients } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { clients } from '../../clients/facts/clients.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, sliceOf, span, type TextEdit } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

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
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/skills', checked: '2026-11-27' },
  dialects: ['agent-skill', 'client-file'],
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    const targets = targetClients(analysis, file);
    if (file.dialect === 'client-file' && targets.length === 0) return;
    if (targets.length > 0 && targets.every(({ commands }) => commands?.value === null)) return;
    const runners = (targets.length > 0 ? targets : clients).filter(runsExamples);
    for (const command of bodyCommands(file)) {
      const place = exampleIn(file, command);
      if (place) {
        if (runners.length > 0) yield exampleDraft(file, command, place, runners);
        continue;
      }
      yield {
        span: command.kind === 'fence' ? span(command.mark, command.mark + 1) : command.span,
        message:
          'Some clients run this command when the skill is invoked, before the model reads it. Keep it only if it changes nothing and needs no secrets.',
      };
    }
  },
};

const runsExamples = ({ commands }: Client): boolean =>
  commands?.value?.inCode === true && commands.certainty !== 'unverified';

/** Returns the fence, code span or comment that contains a command; undefined for a command that is meant to run. */
function exampleIn({ body }: SkillFile, { kind, mark }: BodyCommand): Place | undefined {
  if (!body) return undefined;
  const place = placeIn(body, mark);
  if (kind === 'inline') return place.kind === 'text' ? undefined : place;
  const isFence = findTouching(body.fences, mark, ({ infoSpan }) => infoSpan)?.infoSpan.start === mark;
  return isFence ? undefined : place;
}

/** Returns the finding for a command that its author does not expect to run. */
function exampleDraft(file: SkillFile, command: BodyCommand, place: Place, runners: readonly Client[]): Draft {
  const { mark, kind, span: whole } = command;
  const names = listed(runners.map(({ name }) => name));
  const run = runners.length === 1 ? 'runs' : 'run';
  const insert = (at: number, text: string): TextEdit => ({ span: span(at, at), newText: text });
  const draft = (message: string, title: string, edits: readonly TextEdit[]): Draft => ({
    span: whole,
    message: `${names} ${run} ${message}`,
    severity: 'warning',
    fixes: fixHere(file, title, edits),
  });
  if (kind === 'fence') {
    const message = 'the text from here to the next fence when the skill is invoked. Put a space before `!`.';
    return draft(message, 'Put a space before `!`', [insert(mark, ' ')]);
  }
  const { start, end } = place.span;
  if (place.kind === 'code-span' && mark + 2 === end) {
    return draft(
      'the text between these two code spans as a command, because `!` precedes a backtick. Add spaces inside the first one.',
      'Add spaces inside the code span',
      [insert(start + 1, ' '), insert(end - 1, ' ')],
    );
  }
  const within = { 'code-span': 'in a code span', comment: 'in a comment', fence: 'in a fence', text: '' }[place.kind];
  const message = `this command when the skill is invoked, although it is ${within}. Write`;
  const opening = /^`+\s+$/.exec(file.text.slice(start, mark))?.[0];
  if (place.kind === 'code-span' && opening) {
    const space = span(start + opening.trimEnd().length, mark);
    return draft(`${message} the code span without a space before \`!\`.`, 'Remove the space before `!`', [
      { span: space, newText: '' },
    ]);
  }
  return draft(`${message} \`\\!\` if it is an example.`, 'Write `\\!`', [insert(mark, '\\')]);
}

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
