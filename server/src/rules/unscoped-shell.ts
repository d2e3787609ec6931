import { allowedTools, isAnyCommand } from '../abilities/permissions.ts';
import type { Rule } from './rule.ts';

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
        message: `While this skill is active, a client that acts on \`allowed-tools\` runs any command without asking. Name the commands that it needs, such as \`${tool.name}(git status:*)\`.`,
      };
    }
  },
};
