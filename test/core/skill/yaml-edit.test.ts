/** Edits that change one thing and keep the rest of the text, its comments and its style. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appendItem,
  formatJson,
  formatScalar,
  insertEntry,
  moveItemUp,
  quoteScalar,
  removeEntry,
  removeItem,
  renameKey,
  setScalar,
} from '../../../server/src/languages/yaml/edit.ts';
import {
  nodeAt,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { applyEdits, span, type TextEdit } from '../../../server/src/text.ts';
import { rootOf } from './yaml-root.ts';

type Path = readonly (string | number)[];

/** The text after the edits that `make` returns for the node at the path. */
function after<T extends YamlNode>(
  text: string,
  path: Path,
  make: (text: string, node: T) => readonly TextEdit[],
): string {
  const node = nodeAt(rootOf(text), path);
  assert.ok(node, `nothing at ${path.join('.')}`);
  const result = applyEdits(text, make(text, node as T));
  rootOf(result);
  return result;
}

const insert =
  (key: string, value: string, where = {}) =>
  (text: string, map: YamlMap) =>
    insertEntry(text, map, key, value, where);
const append = (key: string, item: string) => (text: string, map: YamlMap) => appendItem(text, map, key, item);
const remove = (index: number) => (text: string, list: YamlList) => removeItem(text, list, index);
const drop = (key: string) => (text: string, map: YamlMap) => removeEntry(text, map, key);
const rename = (key: string, newKey: string) => (text: string, map: YamlMap) => renameKey(text, map, key, newKey);
const set = (value: string | number | boolean | null) => (text: string, node: YamlScalar) =>
  setScalar(text, node, value);

test('`formatScalar` quotes only text that YAML would read differently', () => {
  const written: Record<string, string> = {
    read_page: 'read_page',
    'It works, mostly [so far]': 'It works, mostly [so far]',
    'a:b#c': 'a:b#c',
    '': '""',
    'a: b': '"a: b"',
    'a #b': '"a #b"',
    'a:': '"a:"',
    ' a': '" a"',
    '- a': '"- a"',
    '-a': '-a',
    '*': '"*"',
    '@x': '"@x"',
    yes: '"yes"',
    Null: '"Null"',
    '1.0': '"1.0"',
    '1.0.0': '1.0.0',
    '2020-01-01': '"2020-01-01"',
    'say "x": y': '\'say "x": y\'',
    "it's: x": '"it\'s: x"',
    'a\nb': '"a\\nb"',
  };
  for (const [value, yaml] of Object.entries(written)) {
    assert.equal(formatScalar(value), yaml);
  }
  assert.equal(formatScalar('a\ud800'), '"a\\ud800"');
  assert.equal(formatScalar('a, b', true), '"a, b"');
  assert.equal(
    formatJson({ skill: 'x', list: [1, 'a, b', null], 'k: v': true }),
    '{skill: x, list: [1, "a, b", null], "k: v": true}',
  );
});

test('`quoteScalar` quotes once', () => {
  const text = 'a: x: y # c';
  const once = applyEdits(text, quoteScalar(text, span(3, 7)));
  assert.equal(once, 'a: "x: y" # c');
  assert.deepEqual(quoteScalar(once, span(3, 9)), []);
});

test('`setScalar` keeps the quotes, the block and the comment', () => {
  assert.equal(after('a: x # c\nb: 1', ['a'], set('z')), 'a: z # c\nb: 1');
  assert.equal(after('a: x', ['a'], set('y: z')), 'a: "y: z"');
  assert.equal(after("a: 'x'", ['a'], set("it's")), "a: 'it''s'");
  assert.equal(after('a: "x"', ['a'], set('say "y"\n')), 'a: "say \\"y\\"\\n"');
  assert.equal(after('a: x', ['a'], set(2)), 'a: 2');
  assert.equal(after('a: x', ['a'], set('2')), 'a: "2"');
  assert.equal(after('a:\nb: 1', ['a'], set('z')), 'a: z\nb: 1');
  assert.equal(after('a:   # c\nb: 1', ['a'], set('z')), 'a: z   # c\nb: 1');
  assert.equal(after('- \n- b', [0], set('z')), '- z \n- b');
  assert.equal(after('{a, b: 1}', ['a'], set('y, z')), '{a: "y, z", b: 1}');
  assert.equal(after('a: [x, y]', ['a', 0], set('p, q')), 'a: ["p, q", y]');
  assert.equal(after('a: one, two', ['a'], set('one, two, three')), 'a: one, two, three');
  assert.equal(after('a: |\n    x\n    y\nb: 1', ['a'], set('p\n\nq: r\n')), 'a: |\n    p\n\n    q: r\nb: 1');
  assert.equal(after('a: >- # c\r\n  x\r\n  y\r\nb: 1', ['a'], set('p')), 'a: >- # c\r\n  p\r\nb: 1');
  assert.equal(after('a: >-\n  x\nb: 1', ['a'], set('p\nq')), 'a: |-\n  p\n  q\nb: 1');
  assert.equal(after('a: |\n  x\nb: 1', ['a'], set(' p')), 'a: " p"\nb: 1');
});

test('`insertEntry` uses the indentation and the style of the map', () => {
  assert.equal(after('a: 1\nb: 2 # c\n', [], insert('z', 'x')), 'a: 1\nb: 2 # c\nz: x\n');
  assert.equal(after('a: 1\nb: 2', [], insert('z', 'x')), 'a: 1\nb: 2\nz: x');
  assert.equal(after('a: 1\r\nb: 2\r\n', [], insert('z', 'x', { after: 'a' })), 'a: 1\r\nz: x\r\nb: 2\r\n');
  assert.equal(after('a: 1\nb: 2\n', [], insert('z', 'x', { before: 'a' })), 'z: x\na: 1\nb: 2\n');
  assert.equal(
    after('l:\n  - a: 1\n    b: 2\n', ['l', 0], insert('z', 'x', { before: 'a' })),
    'l:\n  - z: x\n    a: 1\n    b: 2\n',
  );
  assert.equal(
    after('a:\n    b: 1\n\n# c\nd: 1\n', ['a'], insert('z', '\n  - x')),
    'a:\n    b: 1\n    z:\n      - x\n\n# c\nd: 1\n',
  );
  assert.equal(after('a: |+\n  x\n\nb: 1\n', [], insert('z', 'x', { after: 'a' })), 'a: |+\n  x\n\nz: x\nb: 1\n');
  assert.equal(after('a: {b: 1}', ['a'], insert('z', 'x, y')), 'a: {b: 1, z: "x, y"}');
  assert.equal(after('a: {b: 1}', ['a'], insert('z', 'x', { before: 'b' })), 'a: {z: x, b: 1}');
  assert.equal(after('a: { }', ['a'], insert('z', 'x')), 'a: {z: x}');
  assert.equal(after('a: [b: 1]', ['a', 0], insert('z', 'x')), 'a: [{b: 1, z: x}]');
  assert.equal(
    after('a: # c\nb: 1', ['a'], (text, node: YamlScalar) => insertEntry(text, node, 'z', 'x')),
    'a: # c\n  z: x\nb: 1',
  );
  const empty = '---\n# c\n---\n';
  assert.equal(applyEdits(empty, insertEntry(empty, span(4, 8), 'name', 'x')), '---\n# c\nname: x\n---\n');
});

test('`appendItem` adds to the list, or creates one', () => {
  assert.equal(after('tools:\n  - a # c\n', [], append('tools', 'b')), 'tools:\n  - a # c\n  - b\n');
  assert.equal(after('tools:\n- a\nx: 1', [], append('tools', 'b')), 'tools:\n- a\n- b\nx: 1');
  assert.equal(
    after('tools:\n  - name: a\n    x: 1\nb: 1', [], append('tools', '{name: b}')),
    'tools:\n  - name: a\n    x: 1\n  - {name: b}\nb: 1',
  );
  assert.equal(after('tools: [a] # c', [], append('tools', 'b, c')), 'tools: [a, "b, c"] # c');
  assert.equal(after('tools: []', [], append('tools', 'b')), 'tools: [b]');
  assert.equal(after('a: 1\r\n', [], append('tools', 'b')), 'a: 1\r\ntools:\r\n  - b\r\n');
  assert.equal(after('tools:\na: 1', [], append('tools', 'b')), 'tools:\n  - b\na: 1');
  assert.equal(after('tools: null # c\na: 1', [], append('tools', 'b')), 'tools: # c\n  - b\na: 1');
  assert.equal(after('x: {a: 1}', ['x'], append('tools', 'b')), 'x: {a: 1, tools: [b]}');
  assert.equal(after('x: {tools: }', ['x'], append('tools', 'b')), 'x: {tools: [b] }');
  assert.equal(after('tools: text', [], append('tools', 'b')), 'tools: text');
});

test('`removeItem` and `removeEntry` remove the lines of an item or an entry', () => {
  assert.equal(after('l:\n  - a\n  # c\n  - b # d\n  - c\n', ['l'], remove(1)), 'l:\n  - a\n  # c\n  - c\n');
  assert.equal(after('l:\n  - a\n', ['l'], remove(0)), 'l: []\n');
  assert.equal(after('l: # c\n- a\nb: 1', ['l'], remove(0)), 'l: # c\n  []\nb: 1');
  assert.equal(after('l:\n  - a: 1\n    b: 2\n  - c\n', ['l'], remove(0)), 'l:\n  - c\n');
  assert.equal(after('- - a\n  - b\n', [0], remove(0)), '- - b\n');
  assert.equal(after('l: [a, b, c]', ['l'], remove(0)), 'l: [b, c]');
  assert.equal(after('l: [a, b, c]', ['l'], remove(2)), 'l: [a, b]');
  assert.equal(after('l: [ a ]', ['l'], remove(0)), 'l: []');
  assert.equal(after('a: 1\nb:\n  - x\n  - y\nc: 2', [], drop('b')), 'a: 1\nc: 2');
  assert.equal(after('a: 1\nb: 2', [], drop('b')), 'a: 1');
  assert.equal(after('a:\n  b: 1\nc: 2', ['a'], drop('b')), 'a: {}\nc: 2');
  assert.equal(after('- a: 1\n  b: 2\n', [0], drop('a')), '- b: 2\n');
  assert.equal(after('{a: 1, b: 2}', [], drop('a')), '{b: 2}');
  assert.equal(after('a: 1\r\nb: 2\r\n', [], drop('a')), 'b: 2\r\n');
  const fenced = '---\n- a\n---\n';
  const list = parseYaml(fenced, span(4, 8)).root as YamlList;
  assert.equal(applyEdits(fenced, removeItem(fenced, list, 0)), '---\n  []\n---\n');
});

test('`moveItemUp` moves an item before an earlier item', () => {
  const up = (from: number, to: number) => (text: string, list: YamlList) => moveItemUp(text, list, from, to);
  assert.equal(after('l:\n  - a\n  - b # b\n  - c\n', ['l'], up(1, 0)), 'l:\n  - b # b\n  - a\n  - c\n');
  assert.equal(after('l:\n- a\n- b: 1\n  c: 2\nd: 3', ['l'], up(1, 0)), 'l:\n- b: 1\n  c: 2\n- a\nd: 3');
  assert.equal(after('l:\n  - a\n  - b', ['l'], up(1, 0)), 'l:\n  - b\n  - a');
  assert.equal(after('- a\r\n- b\r\n- c', [], up(2, 1)), '- a\r\n- c\r\n- b');
  assert.equal(after('l: [a, {b: 1}, c]', ['l'], up(1, 0)), 'l: [{b: 1}, a, c]');
  assert.equal(after('- - a\n  - b\n', [0], up(1, 0)), '- - a\n  - b\n');
});

test('a new entry is below the comments that belong to the entry before it', () => {
  const add = (text: string, map: YamlMap) => insertEntry(text, map, 'n', '1', { after: 'l' });
  assert.equal(after('l:\n  - a\n  # last\n  # too\nd: 2\n', [], add), 'l:\n  - a\n  # last\n  # too\nn: 1\nd: 2\n');
  assert.equal(after('l:\n  - a\n# of d\nd: 2\n', [], add), 'l:\n  - a\nn: 1\n# of d\nd: 2\n');
  assert.equal(after('l:\n  - a\n  # last', [], add), 'l:\n  - a\n  # last\nn: 1');
});

test('`moveItemUp` moves the comments above an item with it, and keeps those of the other item', () => {
  const up = (from: number, to: number) => (text: string, list: YamlList) => moveItemUp(text, list, from, to);
  const moved = 'l:\n  # of b\n  # more\n  - b\n  # of a\n  - a\n  - c\n';
  assert.equal(after('l:\n  # of a\n  - a\n  # of b\n  # more\n  - b\n  - c\n', ['l'], up(1, 0)), moved);
  assert.equal(after('l:\n  - a\n  # of b\n  - b', ['l'], up(1, 0)), 'l:\n  # of b\n  - b\n  - a');
  assert.equal(after('l:\r\n  - a\r\n  # of b\r\n  - b', ['l'], up(1, 0)), 'l:\r\n  # of b\r\n  - b\r\n  - a');
  assert.equal(after('l:\n  - a: 1\n    # in a\n  - b\n', ['l'], up(1, 0)), 'l:\n  - b\n  - a: 1\n    # in a\n');
});

test('`renameKey` keeps the quotes of the key', () => {
  assert.equal(after('a: 1 # c', [], rename('a', 'b c')), 'b c: 1 # c');
  assert.equal(after("'a': 1", [], rename('a', 'b')), "'b': 1");
  assert.equal(after('a: 1', [], rename('a', 'true')), '"true": 1');
});
