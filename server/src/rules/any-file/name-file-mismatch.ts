import type { Analysis } from '../../analysis/analysis.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { stringOf } from '../../languages/yaml/node.ts';
import { findName } from '../../skill/contract.ts';
import { isName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

export const nameFileMismatch: Rule = {
  name: 'name-file-mismatch',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: SKILLS,
  readsCertainKeys: true,
  *check(file, analysis) {
    const node = findName(file.frontmatter.tree.root, file.dialect);
    const name = stringOf(node);
    const promised = nameFromUri(file.uri);
    if (!node || !name || !isName(name) || name === promised) return;
    if (analysis.partial || file.uri.startsWith('untitled:') || isOtherVersion(analysis, file, name, promised)) return;
    const edits = isName(promised) ? setScalar(file.text, node, promised) : [];
    yield {
      span: node.span,
      message: `The skill is called \`${name}\`, but its file is called \`${promised}\`. Use the same name for both.`,
      fixes: fixHere(file, `Rename the skill to \`${promised}\``, edits),
    };
  },
};

/**
 * Returns whether the file is one of several versions of a skill, named `NAME…` (docs/format.md, section 4, "Side by
 * side").
 */
const isOtherVersion = (analysis: Analysis, { uri }: SkillFile, name: string, promised: string): boolean =>
  promised.startsWith(name) && analysis.skillsNamed(name, uri).some((other) => other.uri !== uri);
