/**
 * The position of a cursor in YAML is found from the unindented lines, and from the lines after the last unindented
 * line. If every line is indented by a space, all lines are read, and the result is the same with shifted offsets.
 */

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { yamlPlaceAt } from '../../../server/src/languages/yaml/cursor.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { cases, stride } from '../../random.ts';
import { samples } from '../corpus.ts';

const BREAK = /\r\n|\r|\n/g;

function checkEverywhere(text: string, step = 1): void {
  const moved = ` ${text.replaceAll(BREAK, (end) => `${end} `)}`;
  const tree = parseYaml('', { start: 0, end: 0 });
  const at = { ...tree, span: { start: 0, end: text.length } };
  const atMoved = { ...tree, span: { start: 0, end: moved.length } };
  const to = (offset: number): number => offset + 1 + (text.slice(0, offset).match(BREAK)?.length ?? 0);
  for (let offset = 0; offset <= text.length; offset += step) {
    // A cursor cannot be between these two characters.
    if (text[offset - 1] === '\r' && text[offset] === '\n') continue;
    const place = yamlPlaceAt(at, text, offset);
    const { start, end } = place?.span ?? { start: 0, end: 0 };
    const expected = place && { ...place, span: { start: to(start), end: to(end) }, indent: place.indent + 1 };
    assert.deepEqual(yamlPlaceAt(atMoved, moved, to(offset)), expected, `${JSON.stringify(text)} at ${offset}`);
  }
}

test('a cursor in the frontmatter of any sample has the same position with or without indentation', () => {
  for (const text of samples.values()) {
    const end = text.indexOf('\n---', 3);
    const yaml = text.startsWith('---\n') && end > 0 ? text.slice(4, end) : text.slice(0, 4_000);
    checkEverywhere(yaml, stride(5));
    checkEverywhere(yaml.replaceAll('\n', '\r\n'), stride(11));
  }
});

const LINES = [
  'a: 1',
  'b:',
  'c: "open',
  'd: [one,',
  ']',
  '"q": x',
  "'q' : x",
  'two words: x',
  'x:y',
  'word',
  'e: |',
  '- item',
  '- f: 1',
  '-',
  '- - g',
  '? h',
  '# note',
  'i: 1 # note',
  'j #: 1',
  '\u00a0k: 1',
  '\u2028l: 1',
  '&m n: 1',
  '{o: 1}',
  'p:\t1',
  '---',
  '',
];

test('finds the same position of the cursor with and without indentation', () => {
  const line = fc.tuple(fc.constantFrom('', '', '', '  ', '    ', '\t'), fc.constantFrom(...LINES));
  const end = fc.constantFrom('\n', '\n', '\r\n', '\r');
  const text = fc.array(fc.tuple(line, end), { maxLength: 9 });
  fc.assert(
    fc.property(text, (lines) => checkEverywhere(lines.map(([[blanks, own], last]) => blanks + own + last).join(''))),
    cases(2_000),
  );
});
