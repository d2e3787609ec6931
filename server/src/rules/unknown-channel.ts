import { findValue, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import { type Named, namedOf, namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { undeclaredInCatalog } from './common/unknown-names.ts';
import type { Rule } from './rule.ts';

/**
 * Reports a channel that a sample or a permission uses but that is not in the catalog's `channels`, if the catalog has
 * that list.
 */
export const unknownChannel: Rule = {
  name: 'unknown-channel',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis) {
    const used = file.dialect === 'catalog' ? channelsOfPermissions(file) : channelsOfSamples(file);
    yield* undeclaredInCatalog(analysis, file, 'channel', used);
  },
};

const channelsOfSamples = ({ contract }: SkillFile): readonly Named[] =>
  contract.samples.flatMap(({ value }) => namedOf(findValue(value, 'channel')) ?? []);

function channelsOfPermissions({ frontmatter }: SkillFile): readonly Named[] {
  const { root } = frontmatter.tree;
  const channels = (permission: YamlNode | undefined) => namesOf(findValue(permission, 'channels'));
  return [
    ...mapEntries(findValue(root, 'permissions')).flatMap(({ value }) => channels(value)),
    ...channels(findValue(root, 'permissions_default')),
  ];
}
