/** YAML without a problem, as a tree. */
import assert from 'node:assert/strict';
import { parseYaml } from '../../../server/src/skill/frontmatter.ts';
import type { YamlNode } from '../../../server/src/skill/yaml/node.ts';
import { span } from '../../../server/src/text.ts';

export const rootOf = (text: string): YamlNode | undefined => {
  const tree = parseYaml(text, span(0, text.length));
  assert.deepEqual(
    tree.problems.map(({ message }) => message),
    [],
    text,
  );
  return tree.root;
};
