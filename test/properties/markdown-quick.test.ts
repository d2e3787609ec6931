/** The quick reader of Markdown returns the same blocks and spans as remark, for every text that it does not refuse. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readMarkdownQuickly } from '../../server/src/languages/markdown/quick-markdown.ts';
import { parseByRemark } from '../../server/src/languages/markdown/remark.ts';
import { cases, SCALE } from '../random.ts';
import { samples } from './corpus.ts';
import { blocks, document, inlines, inner } from './markdown-texts.ts';
import { damagedSample } from './mutate.ts';

/** Returns whether the quick reader accepts the text, and fails if its result then differs from that of remark. */
function agrees(text: string): boolean {
  const quick = readMarkdownQuickly(text);
  if (!quick) return false;
  assert.deepEqual(quick, parseByRemark(text), JSON.stringify(text));
  return true;
}

/** Strings that are split before headings, as bodies are split into chunks. */
const partsOf = (text: string): string[] => text.replace(/^---\n[\s\S]*?\n---\n/, '').split(/(?=^#{1,2} )/m);

describe('the quick Markdown reader', () => {
  test('reads most parts of the samples', () => {
    const parts = [...samples.values()].flatMap(partsOf);
    const refused = parts.filter((part) => !agrees(part));
    assert.ok(refused.length < parts.length / 4, `${refused.length} of ${parts.length}: ${JSON.stringify(refused)}`);
  });

  for (const [what, texts] of [
    ['any lines', document],
    ['lines in a quote or an item', inner],
    ['constructs inside a paragraph', inlines],
    ['blocks of any kind', blocks],
  ] as const) {
    test(`reads ${what} as remark does, or refuses them`, () => {
      let taken = 0;
      fc.assert(
        fc.property(texts, fc.boolean(), (text, isWindows) => {
          if (agrees(isWindows ? text.replaceAll('\n', '\r\n') : text)) taken++;
        }),
        cases(4000),
      );
      assert.ok(taken > 100 * Math.min(1, SCALE), `only ${taken} were taken`);
    });
  }

  test('reads a damaged sample as remark does, or refuses it', () => {
    fc.assert(
      fc.property(damagedSample, ({ text }) => {
        for (const part of partsOf(text)) agrees(part);
      }),
      cases(200),
    );
  });
});
