import { missingKeySpan } from '../skill/head.ts';
import { decoded, fileNameOf } from '../vocabulary/dialect.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import type { Rule } from './rule.ts';

/**
 * A file name that differs from `SKILL.md` in letter case. The finding is only a warning, because some file systems
 * ignore the letter case.
 */
export const agentSkillFileName: Rule = {
  name: 'agent-skill-file-name',
  severity: 'warning',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsBroken: true,
  *check(file) {
    const name = decoded(fileNameOf(file.uri));
    if (name === 'SKILL.md' || file.uri.startsWith('untitled:')) return;
    yield {
      span: missingKeySpan(file),
      message: `Clients look for \`SKILL.md\`, and case-sensitive file systems do not find \`${name}\` by that name. Rename the file.`,
    };
  },
};
