/** The position of a cursor in YAML, and the span in the file for a part of a value. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yamlPlaceAt } from '../../../server/src/languages/yaml/cursor.ts';
import { findValue, type YamlScalar } from '../../../server/src/languages/yaml/node.ts';
import { sourceSpan, valueOffset } from '../../../server/src/languages/yaml/source-spans.ts';
import { sliceOf, span } from '../../../server/src/text.ts';
import { withCursor } from '../with-cursor.ts';
import { treeOf } from './yaml-root.ts';

test('maps positions in a value to positions in the file', () => {
  const cases: readonly (readonly [yaml: string, value: string, source: string])[] = [
    ['a: tone == "grim"', 'grim', 'grim'],
    ["a: 'it''s grim'", 's grim', 's grim'],
    ["a: 'it''s grim'", "'s", "''s"],
    ['a: "x \\"grim\\" \\u0041\\n y"', '"grim"', '\\"grim\\"'],
    ['a: "x \\u0041\\n y"', 'A\n y', '\\u0041\\n y'],
    ['a: one\n  two\n\n  three', 'two\nthree', 'two\n\n  three'],
    ['a: "one\n  two \\\n  three"', 'two three', 'two \\\n  three'],
    ['a: |\n  one\n   two\n\n  three\n', ' two\n\nthree', ' two\n\n  three'],
    ['a: >-\n  one\n  two\n\n  three\n    four\n  five\n', 'three\n  four\nfive', 'three\n    four\n  five'],
    ['a: >-\r\n  one\r\n  two', 'one two', 'one\r\n  two'],
    ['a: |2\n    one\n  two\n', '  one\ntwo', '  one\n  two'],
    ['a: 12.50', '.5', '.5'],
  ];
  for (const [yaml, value, source] of cases) {
    const scalar = findValue(treeOf(yaml).root, 'a') as YamlScalar;
    const whole = typeof scalar.value === 'string' ? scalar.value : scalar.source;
    const from = whole.indexOf(value);
    assert.ok(from >= 0, JSON.stringify(whole));
    const place = sourceSpan(yaml, scalar, from, from + value.length);
    assert.equal(sliceOf(yaml, place), source);
    assert.equal(valueOffset(yaml, scalar, place.start), from);
    assert.deepEqual(sourceSpan(yaml, scalar, whole.length + 1, whole.length + 2), scalar.span);
  }
  const empty = findValue(treeOf('a: ""').root, 'a') as YamlScalar;
  assert.deepEqual(sourceSpan('a: ""', empty, 0, 0), span(4, 4));
  assert.equal(valueOffset('a: ""', empty, 4), 0);
  assert.equal(valueOffset('a: ""', empty, 3), undefined);
});

/** The result at the cursor `$0`: the path followed by the role, the word that would be replaced, and the siblings. */
const CURSORS: readonly (readonly [yaml: string, place: string, word?: string, siblings?: string])[] = [
  ['$0', 'key', '', ''],
  ['na$0', 'key', 'na', ''],
  ['na$0me: x\nversion: 1', 'key', 'name', 'version'],
  ['name: x\n$0', 'key', '', 'name'],
  ['name: x\nve$0\ntags: []', 'key', 've', 'name tags'],
  ['name: x\n$0\ntags: []\n  deep: 1', 'key', '', 'name tags'],
  ['"na$0": x', 'key', 'na', ''],
  ['name: $0', 'name value', ''],
  ['name:$0', 'name value', ''],
  ['operation: RE$0AD # c', 'operation value', 'READ'],
  ['operation: "RE$0', 'operation value', 'RE'],
  ["operation: 'RE$0'", 'operation value', 'RE'],
  ['operation: READ # c$0', ''],
  ['policy:\n  $0', 'policy key', '', ''],
  ['policy:\n  i$0', 'policy key', 'i', ''],
  ['policy:\n  idempotent: true\n  $0\n  retry: 1\nname: x', 'policy key', '', 'idempotent retry'],
  ['policy:\n  budget:\n    $0\n  retry: 1\nname: x', 'policy budget key', '', ''],
  ['policy:\n  budget:\n    p95_ms: $0\n  retry: 1', 'policy budget p95_ms value', ''],
  ['policy:\n  budget: {}\n$0', 'key', '', 'policy'],
  ['tools:\n  - $0', 'tools 0 item', ''],
  ['tools:\n  -$0', 'tools 0 item', ''],
  ['tools:\n  - a\n  - re$0', 'tools 1 item', 're'],
  ['tools:\n- a\n- re$0\nname: x', 'tools 1 item', 're'],
  ['tools:\n  - a\n  $0', 'tools 1 item', ''],
  ['tools:\n- a\n$0', 'key', '', 'tools'],
  ['tools:\n  - a\n  -\n  - $0', 'tools 2 item', ''],
  ['tools:\n  - name: a\n    $0\n  - name: b\n    optional: true', 'tools 0 key', '', 'name'],
  ['tools:\n  - name: a\n  - na$0me: b\n    optional: true', 'tools 1 key', 'name', 'optional'],
  ['tools:\n  - name: a\n    constraints:\n      x: 1\n    optional: $0', 'tools 0 optional value', ''],
  ['a:\n  - - x\n    - y$0', 'a 0 1 item', 'y'],
  ['tools: [$0]', 'tools 0 item', ''],
  ['tools: [a, re$0', 'tools 1 item', 're'],
  ['tools: [a, $0, b]', 'tools 1 item', ''],
  ['tools: [a, "re$0"]', 'tools 1 item', 're'],
  ['tools: [a,\n  b,\n  re$0\n]', 'tools 2 item', 're'],
  ['tools: [a]$0', 'tools value', '[a]'],
  ['t: {na$0: x, b: 1}', 't key', 'na', 'b'],
  ['t: {a: 1, $0}', 't key', '', 'a'],
  ['t: {a: $0}', 't a value', ''],
  ['t: {a: [x, {b: c$0', 't a 1 b value', 'c'],
  ['t:\n  - {name: x, op$0}', 't 0 key', 'op', 'name'],
  ['d: |\n  some text: wo$0rd here\nb: 1', 'd value', 'word'],
  ['d: |\n  tools:\n    - x\n  $0\nb: 1', 'd value', ''],
  ['d: some\n  text go$0es on', 'd value', 'goes'],
  ['a: b: c\nx:\n  $0', 'x key', '', ''],
  ['a: "open\nx: [1\ny:\n  z$0', 'y key', 'z', ''],
  ['a: *\nb$0', 'key', 'b', 'a'],
  ['\tx: 1\ny$0', 'key', 'y', ''],
  ['a: &x\n  b: 1\n  $0', 'a key', '', 'b'],
  ['name: x\r\npolicy:\r\n  re$0\r\n  b: 1\r\n', 'policy key', 're', 'b'],
];

for (const [marked, expected, word, siblings] of CURSORS) {
  test(`finds the key or value at the cursor in ${JSON.stringify(marked)}`, () => {
    const { text: yaml, offset } = withCursor(marked);
    const place = yamlPlaceAt(treeOf(yaml), yaml, offset);
    assert.equal(place ? [...place.path, place.role].join(' ') : '', expected);
    if (!place) return;
    assert.equal(sliceOf(yaml, place.span), word);
    if (siblings !== undefined) assert.equal(place.siblings.join(' '), siblings);
  });
}

test('returns the prefix, the indentation and the style of a new value', () => {
  const at = (marked: string) => {
    const { text: yaml, offset } = withCursor(marked);
    const { before, indent, flow } = yamlPlaceAt(treeOf(yaml), yaml, offset) ?? {};
    return [before, indent, flow];
  };
  assert.deepEqual(at('a:$0'), [' ', 0, false]);
  assert.deepEqual(at('a:\n  -$0'), [' ', 2, false]);
  assert.deepEqual(at('a:\n  - x\n  $0'), ['- ', 2, false]);
  assert.deepEqual(at('a:\n    b: 1\n    $0'), ['', 4, false]);
  assert.deepEqual(at('a: [$0'), ['', 0, true]);
});
