import { findEntry, isNull, nodeAt, type YamlNode } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { addOwner } from '../../skill/insert-key.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { SERVICE_PROMISES } from '../../vocabulary/policy-keys.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Returns true if a skill represents a service, whose contract must be complete. */
export const isService = (root: YamlNode | undefined): boolean => {
  const service = findSkillEntry(root, 'backing_service');
  return service !== undefined && !isNull(service.value);
};

/** Returns the keys that the contract of a service lacks, as dotted paths, or no keys for other skills. */
export function missingServiceKeys(root: YamlNode | undefined): readonly string[] {
  if (!isService(root)) return [];
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
    const missing = missingServiceKeys(root);
    if (!service || missing.length === 0) return;
    yield {
      span: missingKeySpan(file),
      message: `A skill with a \`backing_service\` must declare ${inWords(missing, 'and')}. Add ${missing.length === 1 ? 'it' : 'them'}.`,
      related: [{ uri: file.uri, span: service.key.span, message: 'The service is declared here.' }],
      fixes: missing.includes('owner') ? addOwner(file) : [],
    };
  },
};
