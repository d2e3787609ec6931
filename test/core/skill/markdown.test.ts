import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseBody } from '../../../server/src/skill/body.ts';
import { type Span, sliceOf } from '../../../server/src/text.ts';

const body = (text: string, start = 0) => parseBody(text, start);
const slices = (text: string, spans: readonly Span[]) => spans.map((place) => sliceOf(text, place));

describe('headings', () => {
  const headings = (text: string) => body(text).headings.map(({ level, text: name }) => `${level} ${name}`);

  test('are found in both forms, even if they are empty, indented or followed by closing marks', () => {
    assert.deepEqual(headings('# a\n\nb\n===\n\n  ## c ##\n##\nd\n---\n'), ['1 a', '1 b', '2 c', '2 ', '2 d']);
  });

  test('are not found in fences, HTML, quotes or lists', () => {
    const text = '```\n## a\n```\n\n<div>\n## b\n</div>\n\n> ## c\n\n- ## d\n\n<!--\n## e\n-->\n\n## f\n';
    assert.deepEqual(headings(text), ['2 f']);
  });

  test('are found after a fence in a list', () => {
    assert.deepEqual(headings('- a\n  ```\n  ## b\n\n## c\n'), ['2 c']);
  });

  for (const [name, eol] of [
    ['CRLF', '\r\n'],
    ['lone CR', '\r'],
  ] as const) {
    test(`have correct offsets in a file with ${name}, tabs, NUL and a byte order mark`, () => {
      const text = `\uFEFFa\0\tb${eol}${eol}##\tc\t${eol}\t- d${eol}`;
      const [heading] = body(text).headings;
      assert.deepEqual(heading && slices(text, [heading.span, heading.textSpan]), ['##\tc\t', 'c']);
    });
  }

  test('are the title if they are the only level-1 heading, or the first of several at the start', () => {
    assert.equal(body('a\n\n# b\n').title?.text, 'b');
    assert.equal(body('<!-- c -->\n# a\n\n# b\n').title?.text, 'a');
    assert.equal(body('c\n\n# a\n\n# b\n').title, undefined);
  });
});

describe('fences', () => {
  const only = (text: string) => {
    const [fence] = body(text).fences;
    assert.ok(fence);
    const { info, lang, words, indent, uniform, closed, nested } = fence;
    return { content: sliceOf(text, fence.contentSpan), info, lang, words, indent, uniform, closed, nested };
  };
  const plain = { indent: 0, uniform: true, closed: true, nested: false };

  test('are read with their language and content', () => {
    const words = ['yaml', 'artifact'];
    assert.deepEqual(only('```YAML  artifact \na: 1\n```\n'), {
      ...plain,
      content: 'a: 1\n',
      info: 'YAML  artifact',
      lang: 'yaml',
      words,
    });
    assert.deepEqual(only('~~~\n~~~'), { ...plain, content: '', info: '', lang: '', words: [] });
    assert.equal(only('````\n```\n````').content, '```\n');
    assert.equal(only('```\n    ```\n```').content, '    ```\n');
  });

  test('keep their indentation in a list, even if it is uneven', () => {
    const even = only('- ```yaml\n  a: 1\n\n  b: 2\n  ```\n');
    assert.deepEqual([even.content, even.indent, even.uniform, even.nested], ['  a: 1\n\n  b: 2\n', 2, true, true]);
    assert.equal(only('- ```yaml\n\ta: 1\n  ```\n').uniform, false);
    assert.equal(only('> ```yaml\n> a: 1\n> ```\n').uniform, false);
  });

  test('that are not closed contain the rest of the text, and are reported at their start', () => {
    const text = 'a\n\n```yaml\nb\n\n## c\n';
    assert.deepEqual([only(text).content, only(text).closed], ['b\n\n## c\n', false]);
    assert.deepEqual(
      body(text).problems.map(({ kind, span }) => [kind, sliceOf(text, span)]),
      [['unclosed-fence', '```yaml']],
    );
    assert.equal(only('```').closed, false);
    assert.equal(only('```\n    ```').closed, false);
  });
});

describe('links', () => {
  const links = (text: string) =>
    body(text).links.map(({ kind, url, urlSpan, textSpan }) => [
      kind,
      url,
      sliceOf(text, urlSpan),
      sliceOf(text, textSpan),
    ]);

  test('of all kinds are found, with the span of their target', () => {
    const text = '[a *b*](c/d.md "t") ![e[f](g)](<h i>) <https://j.k> [](l)\n\n[m]: ./n (o)\n[p]:\n  <q>\n';
    assert.deepEqual(links(text), [
      ['link', 'c/d.md', 'c/d.md', 'a *b*'],
      ['image', 'h i', 'h i', 'e[f](g)'],
      ['link', 'https://j.k', 'https://j.k', 'https://j.k'],
      ['link', 'l', 'l', ''],
      ['definition', './n', './n', 'm'],
      ['definition', 'q', 'q', 'p'],
    ]);
  });

  test('are read with decoded escapes', () => {
    assert.deepEqual(links('[a](b\\)c&amp;d(e))'), [['link', 'b)c&d(e)', 'b\\)c&amp;d(e)', 'a']]);
  });

  test('are ignored in code and comments', () => {
    const text = '`[a](b)`\n\n```\n[a](b)\n```\n\n<!-- [a](b) -->\n';
    assert.deepEqual(links(text), []);
    assert.deepEqual(slices(text, body(text).codeSpans), ['`[a](b)`']);
  });
});

describe('comments', () => {
  test('are found inside a line and in blocks with one or several comments', () => {
    const text = '<!-- a -->\n<!--b\nc-->\n\nd <!-- e --> f\n\n- <!-- g -->\n';
    const { htmlComments } = body(text);
    assert.deepEqual(
      htmlComments.map((comment) => comment.text),
      ['a', 'b\nc', 'e', 'g'],
    );
    assert.deepEqual(
      slices(
        text,
        htmlComments.map(({ span }) => span),
      )[1],
      '<!--b\nc-->',
    );
  });

  test('that are not closed are reported as a problem', () => {
    assert.deepEqual(body('a\n\n<!-- b\n\n## c\n').problems, [
      { kind: 'unclosed-comment', span: { start: 3, end: 7 } },
    ]);
  });
});
