import { findEntry, isNull } from '../../languages/yaml/node.ts';
import { addOwner, hasFrontmatter } from '../../skill/insert-key.ts';
import { isService } from '../../skill/service-contract.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

export const missingOwner: Rule = {
  name: 'missing-owner',
  severity: 'off',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file) {
    const { root } = file.frontmatter.tree;
    const owner = findEntry(root, 'owner');
    // `incomplete-contract` reports a service without an owner.
    if (!hasFrontmatter(file) || (owner && !isNull(owner.value)) || isService(root)) return;
    yield {
      span: owner?.span ?? missingKeySpan(file),
      message: 'This skill has no owner. Add a team or contact under `owner`.',
      fixes: addOwner(file),
    };
  },
};
