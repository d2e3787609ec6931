/** Laws of reading a body: spans nest, the parts cover the body, and neither edits nor chunks change the result. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { itemsOf, type OrderedList } from '../../../server/src/languages/markdown/blocks.ts';
import { type ChunkCache, NO_PROSE, parseChunks } from '../../../server/src/languages/markdown/chunks.ts';
import { parseByRemark } from '../../../server/src/languages/markdown/remark.ts';
import { type Body, parseBody } from '../../../server/src/skill/body.ts';
import { contains, type Span, sliceOf } from '../../../server/src/text.ts';
import { codePoints } from '../../code-points.ts';
import { cases } from '../../random.ts';

/** Lines that make every kind of block, including unfinished, truncated and nested blocks. */
const LINES =
  'a|b c|## h|# t|### s|#|- a|- b|* c|1. a|2. b|   x|  - n|    code|```|```yaml artifact|   ```|~~~|````|> q|> ```|<!--|-->|<!-- c -->' +
  '|<div>|</div>|<pre>|</pre>|---|===|- |* * *|`x|y`|**b** c|[a](b)|<x|#tool:x|\ttab|- ```|  ```|{{ a }}|{% if|- - a|![i](j "t")' +
  '|## Prompt Template: x|## example|### Input|## Approach|```jinja|#artifact:x y|<http://a.b>|_e_ f|\0|\uFEFF';
const line = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...LINES.split('|')) },
  { weight: 1, arbitrary: codePoints(8) },
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r', ' \n')), { maxLength: 30 })
  .map((lines) => lines.flat().join(''));

/** Returns a list together with its items, which have spans in the text. */
const withItems = ({ span, delimiter, first, ...list }: OrderedList) => ({
  ...{ span, delimiter, first },
  items: itemsOf({ span, delimiter, first, ...list }),
});

describe('any text', () => {
  const spansOf = (value: unknown): Span[] => {
    if (typeof value !== 'object' || value === null) return [];
    const inner = Object.values(value).flatMap(spansOf);
    return 'start' in value && 'end' in value ? [value as Span, ...inner] : inner;
  };

  test('has a body whose span contains all other spans', () => {
    fc.assert(
      fc.property(text, fc.nat(20), (source, start) => {
        // The spans of a kept chunk are offsets in that chunk.
        const { chunks: _, lists, ...parsed } = parseBody(source, start);
        for (const place of spansOf([parsed, lists.map(withItems)])) {
          assert.ok(place.start <= place.end && contains(parsed.span, place), JSON.stringify(place));
        }
      }),
      cases(60),
    );
  });

  test('consists of the artifacts, the framing and the title', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { span, artifacts, framing, title } = parseBody(source, 0);
        const places = [...artifacts.map((artifact) => artifact.span), ...framing].sort((a, b) => a.start - b.start);
        let at = span.start;
        for (const { start, end } of [...places, { start: span.end, end: span.end }]) {
          if (start !== at) {
            assert.equal(at, title?.span.start);
            assert.match(sliceOf(source, { start: title?.span.end ?? 0, end: start }), /^[ \t]*(?:\r\n|\n|\r)?$/);
          }
          at = end;
        }
        assert.equal(at, span.end);
      }),
      cases(60),
    );
  });

  const edit = fc.tuple(fc.nat(), fc.nat(30), line);
  const edited = (before: string, [seed, removed, added]: [number, number, string]): string => {
    const at = seed % (before.length + 1);
    return before.slice(0, at) + added + before.slice(at + removed);
  };
  const cutsOf = (chunks: ChunkCache<unknown>) => chunks.map(({ source }) => source);

  test('has the same body after an edit as after a new parse', () => {
    const large = fc
      .array(text, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(`\n## x\n${'y '.repeat(300)}\n`));
    fc.assert(
      fc.property(large, edit, (before, one) => {
        const after = edited(before, one);
        const shared = (parsed: Body) => ({ ...parsed, chunks: cutsOf(parsed.chunks) });
        assert.deepEqual(shared(parseBody(after, 0, parseBody(before, 0))), shared(parseBody(after, 0)));
      }),
      cases(15),
    );
  });

  const costs = fc.oneof(fc.nat(1_000_000), fc.constant(Number.POSITIVE_INFINITY));

  test('has the same chunks after many edits as after a new parse', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(edit, { maxLength: 8 }),
        fc.nat(3),
        fc.nat(40),
        costs,
        (first, edits, small, large, cost) => {
          let source = first;
          const limits = { small, large, cost };
          let { chunks } = parseChunks(source, 0, NO_PROSE, undefined, limits);
          for (const one of edits) {
            source = edited(source, one);
            const parsed = parseChunks(source, 0, NO_PROSE, chunks, limits);
            const fresh = parseChunks(source, 0, NO_PROSE, undefined, limits);
            assert.deepEqual({ ...parsed, chunks: cutsOf(parsed.chunks) }, { ...fresh, chunks: cutsOf(fresh.chunks) });
            chunks = parsed.chunks;
          }
        },
      ),
      cases(15),
    );
  });

  test('has the same links after an edit that reaches the cost limit as after a new parse', () => {
    const limits = { small: 1, large: 1, cost: 5e6 };
    const dear = (number: number) => `Dear *${number}*\n=\n\n[a](${number}.md)\n\n`;
    const few = Array.from({ length: 20 }, (_, number) => dear(number)).join('');
    const all = few + Array.from({ length: 100 }, (_, number) => dear(number)).join('');
    const known = parseChunks(few, 0, NO_PROSE, undefined, limits);
    const { blocks } = parseChunks(all, 0, NO_PROSE, known.chunks, limits);
    assert.equal(known.blocks.scanned.length, 0);
    assert.ok(blocks.scanned.length > 0);
    assert.deepEqual(blocks, parseChunks(all, 0, NO_PROSE, undefined, limits).blocks);
    assert.equal(blocks.links.length, 120);
  });

  test('has the same blocks when parsed in chunks as when parsed in one piece', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (source, large) => {
        const { lists, headings, fences, comments, prose, codeSpans } = parseByRemark(source).blocks;
        const limits = { small: 0, large, cost: Number.POSITIVE_INFINITY };
        const { blocks } = parseChunks(source, 0, NO_PROSE, undefined, limits);
        const { lists: l, headings: h, fences: f, comments: c, prose: p, codeSpans: s } = blocks;
        assert.deepEqual(
          [l.map(withItems), h, f, c, p, s],
          [lists.map(withItems), headings, fences, comments, prose, codeSpans],
        );
      }),
      cases(60),
    );
  });
});
