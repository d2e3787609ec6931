import { findEntry } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import { addOwner } from '../../skill/insert-key.ts';
import { missingServiceKeys } from '../../skill/service-contract.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

export const incompleteContract: Rule = {
  name: 'incomplete-contract',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Contracts"' },
  dialects: SKILLS,
  *check(file) {
    const { root } = file.frontmatter.tree;
    const service = findEntry(root, 'backing_service');
    const missing = missingServiceKeys(root);
    if (!service || missing.length === 0) return;
    // The error budget of a service can be checked without the slowest calls.
    const isMinor = missing.every((key) => key === 'policy.budget.p99_ms');
    yield {
      ...(isMinor && { severity: 'warning' as const }),
      span: missingKeySpan(file),
      message: `A skill with a \`backing_service\` must declare ${inWords(missing, 'and')}. Add ${missing.length === 1 ? 'it' : 'them'}.`,
      related: [{ uri: file.uri, span: service.key.span, message: 'The service is declared here.' }],
      fixes: missing.includes('owner') ? addOwner(file) : [],
    };
  },
};
