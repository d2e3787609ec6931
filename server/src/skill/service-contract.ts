/** The keys that the contract of a service must have (docs/format.md, section 6, "Contracts"). */
import { isNull, nodeAt, type YamlNode } from '../languages/yaml/node.ts';
import { SERVICE_PROMISES } from '../vocabulary/policy-keys.ts';
import { findSkillEntry } from './contract.ts';

/** Returns whether a skill with this frontmatter represents a service, whose contract must be complete. Never throws. */
export const isService = (root: YamlNode | undefined): boolean => {
  const service = findSkillEntry(root, 'backing_service');
  return service !== undefined && !isNull(service.value);
};

/** Returns the keys that the contract of a service lacks, as dotted paths, or no keys for other skills. Never throws. */
export function missingServiceKeys(root: YamlNode | undefined): readonly string[] {
  if (!isService(root)) return [];
  const isSaid = (path: readonly string[]) => {
    const node = nodeAt(root, path);
    return node !== undefined && !isNull(node);
  };
  return SERVICE_PROMISES.filter(({ paths }) => !paths.some(isSaid)).map(({ what }) => what);
}
