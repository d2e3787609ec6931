import { findValue, isNull } from '../languages/yaml/node.ts';
import { setLevel } from './common/composed-skills.ts';
import { type Rule, SKILLS } from './rule.ts';

export const missingComposition: Rule = {
  name: 'missing-composition',
  number: 'E013',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file) {
    const { root } = file.frontmatter.tree;
    const { level } = file.contract;
    const node = findValue(root, 'level');
    const composes = findValue(root, 'composes');
    // A `composes` of another kind is an invalid value, and so are entries that name no skill.
    const isEmpty = !composes || isNull(composes) || (composes.kind === 'list' && composes.items.every(isNull));
    if ((level !== 2 && level !== 3) || !isEmpty || node?.kind !== 'scalar') return;
    yield {
      span: node.span,
      message: `A skill of level ${level} is made of others, but this one composes none. Name them under \`composes\`, or lower the level to 1.`,
      fixes: setLevel(file, 1, 'Lower the level to 1'),
    };
  },
};
