import { formatScalar } from '../languages/yaml/edit.ts';
import { findEntry, findValue, isNull } from '../languages/yaml/node.ts';
import { namedOf } from '../skill/contract.ts';
import { headOf } from '../skill/head.ts';
import { addKey } from './common/insert-key.ts';
import { hasFrontmatter } from './common/missing-key.ts';
import { standsForService } from './incomplete-contract.ts';
import { type Rule, SKILLS } from './rule.ts';

export const missingOwner: Rule = {
  name: 'missing-owner',
  severity: 'off',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file) {
    const { root } = file.frontmatter.tree;
    const owner = findEntry(root, 'owner');
    // Of a service `incomplete-contract` reports it.
    if (!hasFrontmatter(file) || (owner && !isNull(owner.value)) || standsForService(root)) return;
    const author = namedOf(findValue(root, 'author'))?.name;
    yield {
      span: owner?.span ?? headOf(file),
      message:
        'Nobody answers for this skill: when it fails or is in the way, there is nobody to ask. Name a team or an address under `owner`.',
      fixes: author ? addKey(file, 'owner', formatScalar(author, true)) : [],
    };
  },
};
