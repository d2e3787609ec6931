/** A fence around text that contains backticks: a CommonMark parser reads the same text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Paragraph, Root } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { codeSpan, fenceFor } from '../../server/src/languages/markdown/code-fences.ts';
import { cases } from '../random.ts';

const text = fc
  .array(fc.constantFrom('`', '``', '```', ' ', 'a', '\\', '*', '<b>'), { minLength: 1 })
  .map((all) => all.join(''));
const parse = (markdown: string): Root => unified().use(remarkParse).parse(markdown);
const runs = cases(300);

test('a code span contains exactly the given text', () => {
  fc.assert(
    fc.property(text, (code) => {
      const [, span, end] = (parse(`See ${codeSpan(code)}.`).children[0] as Paragraph).children;
      assert.deepEqual([span?.type, span && 'value' in span && span.value], ['inlineCode', code], codeSpan(code));
      assert.equal(end && 'value' in end && end.value, '.');
    }),
    runs,
  );
});

test('the content of a fence does not end it', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (lines) => {
      const code = lines.join('\n');
      const [block, ...more] = parse(`${fenceFor(code)}text\n${code}\n${fenceFor(code)}`).children;
      assert.deepEqual([block?.type, block && 'value' in block && block.value, more], ['code', code, []]);
    }),
    runs,
  );
});
