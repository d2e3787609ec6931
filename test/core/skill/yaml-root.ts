/** Parses a whole string as YAML. */

import assert from 'node:assert/strict';
import { type Json, jsonOf, type YamlNode, type YamlTree } from '../../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { span } from '../../../server/src/text.ts';

export const treeOf = (text: string): YamlTree => parseYaml(text, span(0, text.length));

export const jsonIn = (text: string): Json => jsonOf(treeOf(text).root);

/** Returns the tree of a string. Fails if it has a problem. */
export const rootOf = (text: string): YamlNode | undefined => {
  const tree = treeOf(text);
  assert.deepEqual(
    tree.problems.map(({ message }) => message),
    [],
    text,
  );
  return tree.root;
};
