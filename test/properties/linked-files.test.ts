/** The links of a linked file that are found without parsing all of it are those of a whole parse. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LinkedFile } from '../../server/src/skill/markdown-file.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { anchorTargets, linkTargets } from '../../server/src/skill-folder/links.ts';
import { cases, SCALE } from '../random.ts';
import { samples } from './corpus.ts';
import { blocks, document, inlines, inner } from './markdown-texts.ts';
import { damagedSample } from './mutate.ts';

const URI = 'file:///w/skills/a/references/page.md';

/** Returns the number of links, and fails if they differ from those of a whole parse. */
function compared(text: string): number {
  const [linked, whole] = [new LinkedFile(URI, text), new SkillFile(URI, text)];
  assert.deepEqual(linkTargets(linked), linkTargets(whole), JSON.stringify(text));
  assert.deepEqual(anchorTargets(linked), anchorTargets(whole), JSON.stringify(text));
  assert.deepEqual(linked.scanned, whole.body?.scanned, JSON.stringify(text));
  const { body } = linked;
  for (const part of ['span', 'headings', 'fences', 'links', 'scanned'] as const)
    assert.deepEqual(body[part], whole.body?.[part], JSON.stringify(text));
  return linkTargets(whole).length;
}

/** Parts that are so long that pieces end between them. */
const long = fc
  .array(fc.oneof(document, inner, inlines, blocks, fc.constant(`${'Many words. '.repeat(60)}\n\n`)), { maxLength: 6 })
  .map((parts) =>
    parts.map((part, at) => `${at % 2 === 0 ? '## Part\n\n' : ''}${part}\n${'x '.repeat(300)}\n\n`).join(''),
  );

describe('the links of a linked file', () => {
  test('are found in the samples', () => {
    for (const text of samples.values()) compared(text);
  });

  for (const [what, texts] of [
    ['any lines', document],
    ['blocks of any kind', blocks],
    ['long texts', long],
  ] as const) {
    test(`are found in ${what}`, () => {
      let links = 0;
      fc.assert(
        fc.property(texts, fc.boolean(), (text, isWindows) => {
          links += compared(isWindows ? text.replaceAll('\n', '\r\n') : text);
        }),
        cases(2000),
      );
      assert.ok(links > 20 * Math.min(1, SCALE), `only ${links} links`);
    });
  }

  test('are found in a damaged sample', () => {
    fc.assert(
      fc.property(damagedSample, ({ text }) => void compared(text)),
      cases(200),
    );
  });

  test('are found after a piece in which HTML or a fence continues', () => {
    for (const open of ['<!--', '<pre>', '- ```', '   ```', '> ~~~', '1. <!--', '<div>\n<!-- a']) {
      const text = `# A\n\n${'x '.repeat(300)}\n\n${open}\n\n# B\n\n${'y '.repeat(300)}\n\n# C\n\n[a](b.md)\n`;
      compared(text);
    }
  });
});
