import type { Fix } from '../finding.ts';
import { removeEntry } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { levelAboveComposed, setLevel } from './common/composed-skills.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

export const levelViolation: Rule = {
  name: 'level-violation',
  number: 'E010',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const { level, composes } = file.contract;
    const node = findValue(file.frontmatter.tree.root, 'level');
    if (level !== 1 || composes.length === 0 || !node) return;
    const lowest = levelAboveComposed(analysis, file) ?? 2;
    const wanted = lowest > 3 ? undefined : lowest;
    const many = composes.length === 1 ? `\`${composes[0]?.name}\`` : `${composes.length} skills`;
    yield {
      span: node.span,
      message: `A skill of level 1 cannot compose skills, but this one composes ${many}. ${wanted ? `Raise the level to ${wanted}, or remove` : 'Remove'} \`composes\`.`,
      related: composes.map(({ span, name }) => ({ uri: file.uri, span, message: `\`${name}\` is composed here` })),
      fixes: [...(wanted ? setLevel(file, wanted, `Raise the level to ${wanted}`) : []), ...removeComposes(file)],
    };
  },
};

function removeComposes(file: SkillFile): Fix[] {
  const { root } = file.frontmatter.tree;
  return root?.kind === 'map' ? fixHere(file, 'Remove `composes`', removeEntry(file.text, root, 'composes')) : [];
}
