import type { Analysis } from '../../analysis/analysis.ts';
import { isReadFlat } from '../../clients/matrix/client-folders.ts';
import type { Fix } from '../../finding.ts';
import { findEntry, mapEntries } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { isStandardKey, knownAgentSkillKeys } from '../../vocabulary/agent-skill-clients.ts';
import { decoded, fileNameOf, folderOf, isFlatSkill, isPlainMarkdown } from '../../vocabulary/dialect.ts';
import { skillKeys } from '../../vocabulary/skill-keys.ts';
import type { Rule } from '../engine/rule.ts';
import { STANDARD } from './entries.ts';

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
  *check(file, analysis) {
    const name = decoded(fileNameOf(file.uri));
    if ((isFlatAgentSkill(file) && !isReadFlat(file.uri)) || isFlatInPlugin(file, analysis)) {
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

/** Returns whether a file is directly in the folder `skills` of a plugin, and has the keys of a `SKILL.md`. */
const isFlatInPlugin = (file: SkillFile, { plugins }: Analysis): boolean =>
  fileNameOf(folderOf(file.uri)) === 'skills' &&
  mayBeOfOthers(file) &&
  plugins.all.some(({ root }) => root === folderOf(folderOf(file.uri)));

/**
 * Returns whether a plain Markdown file contains nothing of this project's own format, so that it may belong to another
 * program (docs/format.md, section 1). Never throws.
 */
export const mayBeOfOthers = ({ uri, dialect, frontmatter: { tree }, body }: SkillFile): boolean =>
  dialect === 'composer' &&
  isPlainMarkdown(uri) &&
  !tree.broken &&
  mapEntries(tree.root).every(({ key }) => SHARED_KEYS.has(String(key.value))) &&
  (body?.artifacts ?? []).every(({ kind }) => kind === 'Example');

const ownNames = new Set(skillKeys.map(({ name }) => name));

/** The keys of a `SKILL.md`, without the keys of clients that this project's own format also has. */
const SHARED_KEYS: ReadonlySet<string> = new Set(
  [...knownAgentSkillKeys()].filter((name) => isStandardKey(name) || !ownNames.has(name)),
);
