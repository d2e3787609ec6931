/** Markdown that the quick reader supports, and Markdown that it must leave to the parser. */
import fc from 'fast-check';

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
/** Text with lines of all kinds. */
export const document = documentOf(7);

/** Correct and wrong prefixes of lines in quotes and items. */
const MARKS = [
  ['> ', '>', '', ' > ', '>\t', '>  ', '    '],
  ['>', '> ', '', '>   '],
  ['  ', '', ' ', '   ', '      ', '- ', '  > '],
  ['   > ', '   >', '   ', '', '> ', '1. ', '2. '],
];
/** A document in a quote or an item. Some lines may be outside. */
export const inner = fc
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

/** Pieces of links, images, code, HTML, comments and addresses, many of them unfinished. */
const PIECES =
  'a|b c| |\n|\t|`|``|[|]|(|)|![|](|](x)|](x "t")|](x \'t\')|](x (t))|](<x y>)|](<|>|<|</|<b>|</b>|<b c="d">|<b c=\'|<b c=d/>' +
  '|<b c = d e>|"|\'|<!--|-->|<!-->|<!--->|--|<?|?>|<![CDATA[|]]>|<!X|\\|\\\\|&amp;|&|*|_|**|!|=|/|<br>|<https://a.b>|<a@b.c>' +
  '|<a:|@|.|:|  \n|\\\n|(x)|[y](z)|![i](j)|`c`| "|\u00e9|\u2028|{|#|-|+|1';
const pieces = fc
  .array(fc.constantFrom(...PIECES.split('|'), '|'), { minLength: 1, maxLength: 14 })
  .map((all) => all.join(''));
const pieceStart = fc.constantFrom(
  'a ',
  'a ',
  '| ',
  '## ',
  '- a ',
  '1. a ',
  '> a ',
  '- a\n  ',
  '',
  '<',
  '1. **a** ',
  '-\ta ',
);
/** Paragraphs, headings, items and quotes with constructs of any kind. */
export const inlines = fc
  .array(fc.tuple(pieceStart, pieces, fc.constantFrom('', '\n', '\n\n')), { minLength: 1, maxLength: 3 })
  .map((all) => all.flat().join(''));

/** Lines with HTML, tabs, definitions, tables and rules. Inside a line, `~` is a tab. */
const BLOCK_LINES = [
  'a;b c;- x;1. x;2. y;---;--- | ---;-- x;--- x;-- - x;- - x;-+ x;+ x;++ y;===;== x;= x;=;| a | b |;    code;  x;> q;;;',
  'T `x` ;=====;-----;--;--- ;==  ;<kbd>K</kbd> x;<kbd>;</kbd>;<kbd> ;<a x="; ">;<x y="z">;<details>;</details>;<pre>;</pre>;<pre>x</pre>;<PRE x>;<script>;</script>',
  '<a id=1></a> [x](y);<a id=x></a>;<a id=x/>;<a b=c=d>;<a b=/c>;<a b/>;<a b="c"d>;<https://x.y>;<a@b.c>;<!-- c -->;<!--;-->',
  '<!-- a;b -->;<!-- c --> d;<!-->;<!--->;<!-- e --> <!-- f -->;<?x?>;<!X>;<3;<;<b;</;</3>;<br>;<br/> t;<div/>;<div/ x;</div> x',
  '```;```  ;```a&b\\c;``` a~b;x~;~x;a~b;## h~x;## h;#x;*e* x;**b** x;* x;***;_e_;`x`;\\x;-~x;~- y;1.~x;>~q;-~~x;- ~x;~```;   ~',
  '[r1]: gone.md;[r 2]: <a b> "t";  [r3]: x (t);[r4]: a&amp;b ;[^1]: Note.;[r]:;[r]: <>;[ ]: x;[r]: x y;[r]: x "y;"t";[r5]:y;[r6]: (x)',
].flatMap((lines) => lines.replaceAll('~', '\t').split(';'));
const blockStart = fc.constantFrom('', '', '', '', '', '', '  ', '   ', '> ', '- ', '1. ', '\t', '> > ', '> - ', '-\t');
/** Blocks of any kind, at the margin and in items and quotes. */
export const blocks = fc
  .array(fc.tuple(blockStart, fc.constantFrom(...BLOCK_LINES)), { minLength: 1, maxLength: 7 })
  .map((lines) => lines.map(([first, rest]) => first + rest).join('\n'));
