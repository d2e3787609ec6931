import { allowedTools, isAnyCommand } from '../abilities/permissions.ts';
import { sliceOf } from '../text.ts';
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
        message: `\`${sliceOf(file.text, tool.span)}\` lets clients run every command without confirmation. Name the commands, for example \`${tool.name}(git status:*)\`.`,
      };
    }
  },
};
