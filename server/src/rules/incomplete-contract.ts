import { findEntry, isNull, nodeAt, type YamlNode } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { headOf } from '../skill/head.ts';
import { addOwner } from './common/owner-fix.ts';
import { type Rule, SKILLS } from './rule.ts';

/** What a service must say of itself before others may rely on it, each with the places where it may be said. */
const PROMISES: readonly { readonly what: string; readonly paths: readonly (readonly string[])[] }[] = [
  { what: 'owner', paths: [['owner']] },
  { what: 'errors', paths: [['errors']] },
  {
    what: 'policy.idempotent',
    paths: [
      ['policy', 'idempotent'],
      ['policy', 'idempotency_key'],
    ],
  },
  { what: 'policy.timeout_ms', paths: [['policy', 'timeout_ms']] },
  { what: 'policy.budget.p95_ms', paths: [['policy', 'budget', 'p95_ms']] },
  { what: 'policy.budget.p99_ms', paths: [['policy', 'budget', 'p99_ms']] },
  { what: 'policy.budget.cost_usd', paths: [['policy', 'budget', 'cost_usd']] },
];

/** Whether a skill stands for a service, whose whole contract must be known. */
export const standsForService = (root: YamlNode | undefined): boolean => {
  const service = findSkillEntry(root, 'backing_service');
  return service !== undefined && !isNull(service.value);
};

/** What the contract of a skill that stands for a service leaves out; nothing for any other skill. */
export function missingPromises(root: YamlNode | undefined): readonly string[] {
  if (!standsForService(root)) return [];
  const isSaid = (path: readonly string[]) => {
    const node = nodeAt(root, path);
    return node !== undefined && !isNull(node);
  };
  return PROMISES.filter(({ paths }) => !paths.some(isSaid)).map(({ what }) => what);
}

export const incompleteContract: Rule = {
  name: 'incomplete-contract',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Contracts"' },
  dialects: SKILLS,
  *check(file) {
    const { root } = file.frontmatter.tree;
    const service = findEntry(root, 'backing_service');
    const missing = missingPromises(root);
    if (!service || missing.length === 0) return;
    yield {
      span: headOf(file),
      message: `A service answers for this skill, but the contract does not say ${inWords(missing, 'and')}, so no caller knows what to expect of it. Add ${missing.length === 1 ? 'it' : 'them'}.`,
      related: [{ uri: file.uri, span: service.key.span, message: 'The service stands here.' }],
      fixes: missing.includes('owner') ? addOwner(file) : [],
    };
  },
};
