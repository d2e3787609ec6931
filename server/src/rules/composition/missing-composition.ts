import { setLevel } from '../../analysis/composed-skills.ts';
import { findValue, isNull } from '../../languages/yaml/node.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

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
    // `invalid-value` reports a `composes` of another type, and entries that do not name a skill.
    const isEmpty = !composes || isNull(composes) || (composes.kind === 'list' && composes.items.every(isNull));
    if ((level !== 2 && level !== 3) || !isEmpty || node?.kind !== 'scalar') return;
    yield {
      span: node.span,
      message: `A skill of level ${level} must compose other skills, but this one composes none. Add them to \`composes\`, or lower the level to 1.`,
      fixes: setLevel(file, 1, 'Lower the level to 1'),
    };
  },
};
