/**
 * The dialects of the product read frontmatter as the libraries of clients do: they are equal to the readings in
 * `lab/dialects/dialects.json`, which `npm run lab -- --dialects` writes.
 */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isEqual, LIBRARIES, type Library, productReading } from '../../../lab/dialects/readings.ts';
import type { Dialects, DialectText } from '../../../lab/dialects/run.ts';
import { TEXTS } from '../../../lab/dialects/texts.ts';

const table = JSON.parse(readFileSync('lab/dialects/dialects.json', 'utf8')) as Dialects;

describe('the table of dialects', () => {
  it('has every text', () => {
    assert.deepEqual(Object.keys(table.texts), [...TEXTS.keys()]);
  });

  it('has no text that the product reads unlike a library for JavaScript', () => {
    for (const library of ['yaml', 'js-yaml-3', 'js-yaml-4-1', 'js-yaml-4', 'bun'] as const)
      assert.deepEqual(table.unequal[library]?.texts, [], library);
  });
});

for (const library of Object.keys(LIBRARIES) as Library[]) {
  describe(`the dialect ${LIBRARIES[library]}`, () => {
    it(`reads the texts as ${library} does`, () => {
      const different = [...TEXTS].flatMap(([id, text]) => (isRead(library, text, table.texts[id]) ? [] : [id]));
      assert.deepEqual(different, table.unequal[library]?.texts);
    });

    it(`reads random texts as ${library} does`, () => {
      const different = table.random.kept.filter((one) => !isRead(library, one.text ?? '', one));
      const most = table.unequal[library]?.random ?? 0;
      assert.ok(different.length <= most, JSON.stringify(different[0]));
    });
  });
}

function isRead(library: Library, text: string, seen: DialectText | undefined): boolean {
  const reading = seen?.readings.find(({ libraries }) => libraries.includes(library));
  assert.ok(reading, `${library} did not read the text`);
  return isEqual(library, reading.keys, productReading(text, library));
}
