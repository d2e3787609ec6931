import type { Fix } from '../finding.ts';
import { findEntry } from '../languages/yaml/node.ts';
import { missingKeySpan } from '../skill/head.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf, isFlatSkill } from '../vocabulary/dialect.ts';
import { STANDARD } from './common/agent-skill/entries.ts';
import type { Rule } from './rule.ts';

/**
 * A file name that differs from `SKILL.md`: in letter case, or because the file is not in a folder of its own. The
 * finding is only a warning, because some file systems ignore the letter case, and some clients may read the file.
 */
export const agentSkillFileName: Rule = {
  name: 'agent-skill-file-name',
  severity: 'warning',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill', 'composer'],
  readsBroken: true,
  *check(file) {
    const name = decoded(fileNameOf(file.uri));
    if (isFlatAgentSkill(file)) {
      const own = name.slice(0, -'.md'.length);
      yield {
        span: missingKeySpan(file),
        message: `Clients look for \`${own}/SKILL.md\`, not for \`${name}\`, so they do not find this skill. Move the file.`,
        fixes: moveTo(file, `${encodeURIComponent(own)}/SKILL.md`),
      };
    }
    if (file.dialect !== 'agent-skill' || name === 'SKILL.md' || file.uri.startsWith('untitled:')) return;
    yield {
      span: missingKeySpan(file),
      message: `Clients look for \`SKILL.md\`, and case-sensitive file systems do not find \`${name}\` by that name. Rename the file.`,
      fixes: moveTo(file, 'SKILL.md'),
    };
  },
};

const moveTo = ({ uri }: SkillFile, path: string): readonly Fix[] => [
  {
    title: `Move to \`${decoded(path)}\``,
    safe: false,
    edits: [],
    moves: { from: uri, to: `${folderOf(uri)}/${path}` },
  },
];

/** The keys of this project's own format, which a `SKILL.md` does not have. */
const OWN_KEYS = ['input_schema', 'output_schema', 'composes', 'execution'];

/** Returns whether a file is a skill for clients of `SKILL.md`, but not in a folder of its own. Never throws. */
export const isFlatAgentSkill = ({ uri, dialect, frontmatter }: SkillFile): boolean =>
  dialect === 'composer' && isFlatSkill(uri) && !OWN_KEYS.some((key) => findEntry(frontmatter.tree.root, key));
