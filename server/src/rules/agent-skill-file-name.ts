import { headOf } from '../skill/head.ts';
import { decoded, fileNameOf } from '../vocabulary/dialect.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import type { Rule } from './rule.ts';

/** Only a warning, because the file is found where letter case does not count in names of files. */
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
      span: headOf(file),
      message: `Clients look for \`SKILL.md\`, and on most systems \`${name}\` is another file, so this skill is not found there. Rename the file.`,
    };
  },
};
