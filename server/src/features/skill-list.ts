/** The skills of a workspace in short, for a list of them, and what it shows of one when somebody looks at it. */

import type { Analysis } from '../analysis/analysis.ts';
import { isDisabledHere } from '../analysis/permissions.ts';
import type { ListedSkill, SkillDetailsReply } from '../protocol.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { listTests } from '../testing/list-tests.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import { levelsOf } from '../workspace/levels.ts';
import { aboutTokens } from './about-tokens.ts';
import { describeComposition } from './hover/describe-composition.ts';
import { describeFile } from './hover/describe-names.ts';
import type { Locate } from './locate.ts';
import { markup, paragraphs } from './markdown.ts';

/** Undefined for a file that is no skill, or that is gone. */
export function listedSkill(analysis: Analysis, uri: string): ListedSkill | undefined {
  const skill = analysis.graph.skills.get(uri);
  const file = skill && analysis.file(uri);
  if (!file || file.dialect === 'catalog') return undefined;
  const { version, deprecated } = skill.summary;
  const isAgentSkill = file.dialect === 'agent-skill';
  return {
    uri,
    name: skill.summary.name ?? nameFromUri(uri),
    dialect: file.dialect,
    version: version ?? null,
    level: isAgentSkill ? null : (levelsOf(analysis.graph, skill).get(uri) ?? 1),
    tokens: file.dialect === 'contract' ? null : aboutTokens(bodyOf(file)),
    isDeprecated: deprecated,
    isDisabled: isDisabledHere(analysis, skill),
    tests: file.frontmatter.tree.broken ? null : file.derive(listTests).length,
  };
}

export function skillDetails(analysis: Analysis, uri: string, locate: Locate): SkillDetailsReply | undefined {
  const file = analysis.file(uri);
  if (!file?.isSkill) return undefined;
  const { name } = file.contract;
  const description = paragraphs(describeFile(file, nameOf(file)), describeComposition(analysis, uri));
  return { description: markup(description), nameRange: name ? locate.range(file, name.span) : null };
}

const nameOf = ({ summary, uri }: SkillFile): string => summary.name ?? nameFromUri(uri);

const bodyOf = ({ text, frontmatter: { bodyStart } }: SkillFile): string => text.slice(bodyStart);
