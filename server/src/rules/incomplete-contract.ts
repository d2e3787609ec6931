import { findEntry, isNull, nodeAt, type YamlNode } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { headOf } from '../skill/head.ts';
import { SERVICE_PROMISES } from '../vocabulary/policy-keys.ts';
import { addOwner } from './common/insert-key.ts';
import { type Rule, SKILLS } from './rule.ts';

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
  return SERVICE_PROMISES.filter(({ paths }) => !paths.some(isSaid)).map(({ what }) => what);
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
