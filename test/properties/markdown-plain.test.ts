/** What the quick reader of plain Markdown takes, it reads as the parser does, block for block and span for span. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseMarkdown } from '../../server/src/languages/markdown/markdown.ts';
import { readPlainMarkdown } from '../../server/src/languages/markdown/plain.ts';
import { RUNS, samples } from './corpus.ts';
import { document, inner } from './markdown-texts.ts';
import { damagedSample } from './mutate.ts';

/** Whether the quick reader takes the text; where it does, it must agree. */
function agrees(text: string): boolean {
  const plain = readPlainMarkdown(text);
  if (!plain) return false;
  assert.deepEqual(plain, parseMarkdown(text), JSON.stringify(text));
  return true;
}

/** Texts cut where a heading begins, as bodies are cut into chunks. */
const partsOf = (text: string): string[] => text.replace(/^---\n[\s\S]*?\n---\n/, '').split(/(?=^#{1,2} )/m);

const runs = (numRuns: number) => ({ numRuns: Math.round(numRuns * RUNS) });

describe('plain Markdown', () => {
  test('most parts of most samples are plain', () => {
    const parts = [...samples.values()].flatMap(partsOf);
    const refused = parts.filter((part) => !agrees(part));
    assert.ok(refused.length < parts.length / 4, `${refused.length} of ${parts.length}: ${JSON.stringify(refused)}`);
  });

  for (const [what, texts] of [
    ['any lines are', document],
    ['lines in a quote or an item are', inner],
  ] as const) {
    test(`${what} read as the parser reads them, or refused`, () => {
      let taken = 0;
      fc.assert(
        fc.property(texts, (text) => {
          if (agrees(text)) taken++;
        }),
        runs(4000),
      );
      assert.ok(taken > 300 * Math.min(1, RUNS), `only ${taken} were taken`);
    });
  }

  test('so is a damaged sample', () => {
    fc.assert(
      fc.property(damagedSample, ({ text }) => {
        for (const part of partsOf(text)) agrees(part);
      }),
      runs(200),
    );
  });
});
