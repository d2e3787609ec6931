/** What the quick reader of plain Markdown takes, it reads as the parser does, block for block and span for span. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readPlainMarkdown } from '../../server/src/skill/markdown/plain.ts';
import { parseMarkdown } from '../../server/src/skill/markdown.ts';
import { RUNS, samples } from './corpus.ts';
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

const INLINE = [
  ...[
    'word',
    'two words',
    '`code`',
    '**bold**',
    '**bold:**',
    '[text](a.md)',
    '[text]',
    '*it*',
    'a_b_c',
    'x < 3',
    '{{ x }}',
  ],
  ...[
    '#tool:x',
    '#x',
    'end.',
    'É',
    '(x)',
    '“q”',
    '1',
    '2. 3',
    '[`c`](d)',
    '![i](p.png)',
    '<https://x.y>',
    '<a-b>',
    '✅',
  ],
  ...[
    '**Bold.** x',
    '[a]($b{c}!d)',
    '<a_b>',
    '</a_b>',
    '<$x>',
    '**a & b**',
    'x <!-- y z -->',
    '<!--a-b-->',
    '</b>',
    '<strong>x</strong>',
    '**a `b` c**',
    '\\*',
    '[[w]]',
    '&amp;',
    '--flag',
    '<a_b>',
    '| a | b |',
  ],
  ...[
    "<user's words>",
    '<string, X[]>',
    '<a b c>',
    '<a b c/d>',
    '<é>',
    '[a](b?c=d&e=f#é)',
    '<a b="c d">',
    '<a_b c d="e">',
    '<a b — c>',
    '```txt',
    '[a (b)](#c-(d))',
    '[a \\& b](c.md)',
    '[!NOTE] x',
    '**a_b=c** d',
    '**a!**',
    '**a > b**',
    '**a \\<b\\>**',
    '**[a]:** b',
    '**[a](b):** c',
    '**a**b',
    '**a\nb**',
    '*a* b',
    '_a_ b',
    '[a]: b c',
  ],
];
const ODD = [
  ...[
    '``a`b``',
    '`',
    '``',
    '<b>',
    '<b x="y">',
    '<a@b.c>',
    '<a_b@c.d>',
    '<a.b:c>',
    '</b>',
    '<!-- c -->',
    '<!-->',
    '<-',
    '<div>',
    '![`i`](p.png)',
    '![i]',
    '[ a ](b)',
    '[a*](b*)',
    '[`a](b`)',
    '[a\\](b)',
    '\t',
    '\u00a0',
    '\u2028',
    '[a](b "t")',
    '[a][b]',
    '[a]: b',
    '\\*',
    '\\`',
  ],
  ...[
    '&amp;',
    '**',
    '*',
    '_',
    '__b__',
    '***x***',
    '**a**b',
    '** a**',
    '**a **',
    '[',
    ']',
    '](',
    '[a](b c)',
    '[**a**](b)',
    '!',
    '[',
  ],
  ...[
    '[a [b](c)](d)',
    '[a](b)c',
    '(',
    '=',
    '~',
    '~~~',
    '```',
    '- ',
    '+ ',
    '* ',
    '1. ',
    '1) ',
    '> ',
    '# ',
    '## x ##',
    '    ',
    '  ',
  ],
  ...[
    '<',
    '< ',
    '<=',
    '[ ] x',
    '[x](http://a.b/c_d?e=f#g)',
    '[x](<a>)',
    '[x]()',
    '[](a)',
    '---',
    '===',
    '***',
    '_a',
    '**é**',
    '|a|b|',
    '<a b',
    '<3@b.c>',
    '<$3@b.c>',
    '<é@b.c>',
    '[a](b&amp;c)',
    '[a](b&c;)',
    '[a](b&#35;)',
    '<a b="',
    '<a b=c>',
    '<a.b@c>',
    "<a'b@c>",
    "<a:b'c>",
    '<p "x">',
    '<p_x>',
    '<div, x>',
    '</b',
    '```a`',
    '`````',
    '[a](b(c)',
    '[a](b(c(d)))',
    '[a\\]](b)',
    '[a]: b "c"',
    '[a]: <b c> d',
    '[a]:',
    '**a**)b',
    '**a)**b',
    '**a\\**',
    '**[a][b]**',
    '**a_**',
    '*a **b***',
    '_ a_',
    '***',
  ],
];
const inline = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...INLINE) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);
const words = fc.array(inline, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
const glued = fc.array(inline, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
const line = fc.oneof({ weight: 4, arbitrary: words }, glued);
const start = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('', '', '', '- ', '1. ', '2. ', '## ', '### ', '* ', '  ', '   ', '```yaml\n', '```\n'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        '  - ',
        '   - ',
        '    - ',
        '  * ',
        '   1. ',
        '      - ',
        '> ',
        '>',
        '> > ',
        '  > ',
        '   ```\n',
        '  ```yaml\n  ',
      ],
      ...[
        '<details>\n',
        '<x-y>\n',
        '</x>\n',
        '<x a="b" c="">\n',
        '<summary>',
        '<strong>',
        '</p>',
        '<X>',
        '<pre>\n',
        '< ',
      ],
      ...[
        '> 1. ',
        '> - - ',
        '> # ',
        '> ```\n> ',
        '>   - ',
        '   > ',
        '> >',
        '# ',
        '  # ',
        '    # ',
        '      code\n',
        '        ',
      ],
      ...['---\n', '***\n', '<!-- a -->\n', '<!-- a\n\nb -->\n', '-   ', '1.  ', '10. ', '\n---\n\n', '> - ', '>\n> '],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '1) ',
      '+ ',
      '> ',
      '~~~\n',
      '    ',
      ' ',
      '-',
      '#',
      '10. ',
      '-  ',
      '    - ',
      '~~~~',
      '``` ',
      '13. ',
      '<x a=b>\n',
      '<x\n',
      '<DIV>',
      '<source>\n',
      '<li><b>',
    ),
  },
);
const ends = fc.constantFrom(
  ...[
    '\n',
    '\n',
    '\n\n',
    '\n\n',
    '\n\n\n',
    ' \n',
    '  \n\n',
    '\n  \n',
    '\n```\n',
    '\n```\n\n',
    '\n   ```\n',
    '\n  ```\n',
    '\n```\u00a0\n',
    '\n---\n',
    '\n===\n\n',
    '\n--\n',
    '\n</b>\n\n',
    '\n</b>\n',
    '\n]\n',
    '\n-- x\n',
    '\n== x\n',
    '\n```x\n',
    '\n  ```\n\n',
    '\n     ```\n',
    ' \n---\n',
    '\n\n    code\n',
    '\n\n    code \n\n      more\n\n',
    '',
  ],
);
const documentOf = (maxLength: number) =>
  fc
    .array(fc.tuple(start, line, ends), { minLength: 1, maxLength })
    .map((lines) => lines.map(([a, b, c]) => a + b + c).join(''));
const document = documentOf(7);

/** What a line of a quote begins with, and one of an item, and what each may begin with by mistake. */
const MARKS = [
  ['> ', '>', '', ' > ', '>\t', '>  ', '    '],
  ['>', '> ', '', '>   '],
  ['  ', '', ' ', '   ', '      ', '- ', '  > '],
  ['   > ', '   >', '   ', '', '> ', '1. ', '2. '],
];
/** A document in a quote or an item; not every line need be. */
const inner = fc
  .tuple(
    documentOf(4),
    fc.constantFrom('', '', 'word\n', '- word\n', '1. word\n', '- ', '1. ', '> '),
    fc
      .constantFrom(...MARKS)
      .chain((marks) =>
        fc.array(
          fc.oneof(
            { weight: 14, arbitrary: fc.constant(marks[0] as string) },
            { weight: 1, arbitrary: fc.constantFrom(...marks) },
          ),
          { minLength: 1, maxLength: 12 },
        ),
      ),
    fc.constantFrom('', '\n\n', '\nword\n', '\n- word', '\n2. word\n', '\n# word\n', '\n---\n', '\n    word\n'),
  )
  .map(([text, before, marks, behind]) => {
    const lines = text.split('\n').map((each, i) => (marks[i % marks.length] as string) + each);
    return before + lines.join('\n') + behind;
  });

const runs = (numRuns: number) => ({ numRuns: Math.round(numRuns * RUNS) });

describe('plain Markdown', () => {
  test('most parts of most samples are plain', () => {
    const parts = [...samples.values()].flatMap(partsOf);
    const refused = parts.filter((part) => !agrees(part));
    assert.ok(refused.length < parts.length / 4, `${refused.length} of ${parts.length}: ${JSON.stringify(refused)}`);
  });

  test('any lines are read as the parser reads them, or refused', () => {
    let taken = 0;
    fc.assert(
      fc.property(document, (text) => {
        if (agrees(text)) taken++;
      }),
      runs(4000),
    );
    assert.ok(taken > 300 * Math.min(1, RUNS), `only ${taken} were taken`);
  });

  test('so are lines in a quote or an item', () => {
    let taken = 0;
    fc.assert(
      fc.property(inner, (text) => {
        if (agrees(text)) taken++;
      }),
      runs(4000),
    );
    assert.ok(taken > 300 * Math.min(1, RUNS), `only ${taken} were taken`);
  });

  test('so is a damaged sample', () => {
    fc.assert(
      fc.property(damagedSample, ({ text }) => {
        for (const part of partsOf(text)) agrees(part);
      }),
      runs(200),
    );
  });
});
