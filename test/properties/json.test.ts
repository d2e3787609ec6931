/** JSON files are parsed by the JSON grammar, not as YAML: the result equals that of `JSON.parse`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../server/src/languages/yaml/json.ts';
import { jsonOf } from '../../server/src/languages/yaml/node.ts';
import { jsonLinesInPieces, printedJson, printedJsonInPieces } from '../../server/src/reports/json.ts';
import { span } from '../../server/src/text.ts';
import { cases } from '../random.ts';

/** Characters that JSON allows unescaped, and that YAML forbids or reads differently. */
const odd = fc.constantFrom(
  '\x7f',
  '\x80',
  '\x85',
  '\x9f',
  '\ufffe',
  '\uffff',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u00a0',
  '#',
  ':',
);
const words = fc
  .array(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 6 })
  .map((all) => all.join(''));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(words, tie('value'), { maxKeys: 4 }),
})).value;
const blanks = fc.constantFrom(undefined, '\t', ' ', '    ');

test('reading valid JSON reports no problems, and returns the same values as `JSON.parse`', () => {
  fc.assert(
    fc.property(values, blanks, (value, blank) => {
      const text = JSON.stringify(value, undefined, blank);
      const tree = parseJson(text, span(0, text.length));
      assert.deepEqual(tree.problems, [], JSON.stringify(text));
      assert.deepEqual(jsonOf(tree.root), JSON.parse(text));
    }),
    cases(300),
  );
});

test('JSON in pieces is the same text as in one piece', () => {
  const lists = fc.array(values, { maxLength: 200 });
  fc.assert(
    fc.property(fc.dictionary(words, fc.oneof(values, lists), { minKeys: 1 }), (value) => {
      assert.equal([...printedJsonInPieces(value)].join(''), printedJson(value));
      assert.deepEqual(JSON.parse([...jsonLinesInPieces(value)].join('')), JSON.parse(printedJson(value)));
    }),
    cases(100),
  );
});
