/** Defects of YAML: one problem for each defect, at its span, and a useful tree of the rest. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { Composer, Lexer, Parser } from 'yaml';
import { findValue, nodeAt } from '../../../server/src/languages/yaml/node.ts';
import { parseByLibrary } from '../../../server/src/languages/yaml/parse.ts';
import { applyEdits, type Span, sliceOf, span } from '../../../server/src/text.ts';
import { jsonIn, treeOf } from './yaml-root.ts';

/** Each problem as the marked text and the beginning of its message. */
const marks = (yaml: string): string[] => treeOf(yaml).problems.map((problem) => sliceOf(yaml, problem.span));

/** The text after the fixes for all problems. The fixed text must have no problems. */
function fixed(yaml: string): string {
  const edits = treeOf(yaml).problems.flatMap(({ fix }) => fix?.edits ?? []);
  const result = applyEdits(yaml, edits);
  assert.deepEqual(
    treeOf(result).problems.map(({ message }) => message),
    [],
    result,
  );
  return result;
}

/** The text, its only marked span, and the text after the fix (`undefined`: no fix). */
const DEFECTS: readonly (readonly [yaml: string, marked: string, fixed?: string])[] = [
  // Characters that YAML reserves.
  ['allowed-tools: *\nb: 1', '*', 'allowed-tools: "*"\nb: 1'],
  ['globs: **/*.ts, *.js\nb: 1', '**/*.ts, *.js', 'globs: "**/*.ts, *.js"\nb: 1'],
  ['a: *nothing\nb: 1', '*nothing', 'a: "*nothing"\nb: 1'],
  ['a: [*, x]\nb: 1', '*', 'a: ["*", x]\nb: 1'],
  ['a: @me and you # note\nb: 1', '@me and you', 'a: "@me and you" # note\nb: 1'],
  ['a: `code` "x"\nb: 1', '`code` "x"', 'a: \'`code` "x"\'\nb: 1'],
  ['a: %d items\nb: 1', '%d items', 'a: "%d items"\nb: 1'],
  ['a: & more\nb: 1', '& more', 'a: "& more"\nb: 1'],
  ['a: &R and D\nb: 1', '&R and D', 'a: "&R and D"\nb: 1'],
  ['a: !important do it\nb: 1', '!important do it', 'a: "!important do it"\nb: 1'],
  ['a: , x\nb: 1', ', x', 'a: ", x"\nb: 1'],
  ['a: ]\nb: 1', ']', 'a: "]"\nb: 1'],
  ['a: ? x\nb: 1', '? x', 'a: "? x"\nb: 1'],
  ['@a: x\nb: 1', '@a', '"@a": x\nb: 1'],
  ['- @a\n- b', '@a', '- "@a"\n- b'],
  ['%FOO\na: 1', '%FOO'],
  // Brackets and braces.
  ['argument-hint: [issue] [priority]\nb: 1', '[issue] [priority]', 'argument-hint: "[issue] [priority]"\nb: 1'],
  ['a: [x] text\nb: 1', '[x] text', 'a: "[x] text"\nb: 1'],
  ['a: {{ x }}\nb: 1', '{{ x }}', 'a: "{{ x }}"\nb: 1'],
  [
    'a: {{ x }} and {{ y | default("z: 1") }}\nb: 1',
    '{{ x }} and {{ y | default("z: 1") }}',
    'a: \'{{ x }} and {{ y | default("z: 1") }}\'\nb: 1',
  ],
  ['a: [x, {{ y }}]\nb: 1', '{{ y }}', 'a: [x, "{{ y }}"]\nb: 1'],
  ['a: [x, y\nb: 1', '[x, y', 'a: [x, y]\nb: 1'],
  ['a: {x: 1 # note\nb: 1', '{x: 1', 'a: {x: 1} # note\nb: 1'],
  ['a: [x,\n  y\nb: 1', '[x,'],
  ['a: [x, [y]\nb: 1', '[x, [y]', 'a: [x, [y]]\nb: 1'],
  ['a: [1, 2]]\nb: 1', '[1, 2]]'],
  ['a: [\nx,\ny\n]\nb: 1', '[', 'a: [\n  x,\n  y\n  ]\nb: 1'],
  ['a: {x: [1],\ny: 2}\nb: 1', '{x: [1],', 'a: {x: [1],\n  y: 2}\nb: 1'],
  ['a: [x, , y]\nb: 1', ','],
  ['a: {x: 1 y: 2}\nb: 1', '1 y: 2'],
  // Quotes.
  ['a: "x\nb: 1\nc: "z"', '"x', 'a: "x"\nb: 1\nc: "z"'],
  ["a: 'x\nb: 1", "'x", "a: 'x'\nb: 1"],
  ['a: "x" y\nb: 1', '"x" y', 'a: \'"x" y\'\nb: 1'],
  ["a: 'it's fine'\nb: 1", "'it's fine'", 'a: "it\'s fine"\nb: 1'],
  ["a: 'it's\nb: 1", "'it's"],
  ['a: "x": y\nb: 1', '"x": y', 'a: \'"x": y\'\nb: 1'],
  ['a: "C:\\dir\\q"\nb: 1', '\\d', 'a: "C:\\\\dir\\\\q"\nb: 1'],
  ['a: ["x, y]\nb: 1', '"x, y'],
  // The unquoted colon.
  ['description: Use this: it is good\nb: 1', 'Use this: it is good', 'description: "Use this: it is good"\nb: 1'],
  ['description: say "x": y # note\nb: 1', 'say "x": y', 'description: \'say "x": y\' # note\nb: 1'],
  ['description: it\'s "x": y\nb: 1', 'it\'s "x": y', "description: 'it''s \"x\": y'\nb: 1"],
  ['description: One: two: three: four\nb: 1', 'One: two: three: four', 'description: "One: two: three: four"\nb: 1'],
  ['description: Use when:\nb: 1', 'Use when:', 'description: "Use when:"\nb: 1'],
  ['description: a: b\n  and more\nb: 1', 'a: b\n  and more', 'description: "a: b\n  and more"\nb: 1'],
  [
    'description: Some prose.\n  Note: more of it\nb: 1',
    'Some prose.\n  Note: more of it',
    'description: "Some prose.\n  Note: more of it"\nb: 1',
  ],
  [
    'description:\n  Some prose.\n  Use when: x\nb: 1',
    'Some prose.\n  Use when: x',
    'description:\n  "Some prose.\n  Use when: x"\nb: 1',
  ],
  ['description: a: b\r\nb: 1\r\n', 'a: b', 'description: "a: b"\r\nb: 1\r\n'],
  ['list:\n  - name: a: b\n    x: 1\nb: 1', 'a: b', 'list:\n  - name: "a: b"\n    x: 1\nb: 1'],
  // Layout.
  ['a:\n\tx: 1\n\ty: 2\nb: 1', '\t', 'a:\n  x: 1\n  y: 2\nb: 1'],
  ['a: 1\n  x: 2\nb: 1', 'x', 'a: 1\nx: 2\nb: 1'],
  ['a:\n    x: 1\n  y: 2\nb: 1', 'y'],
  ['a: 1\njust words\nb: 1', 'just words'],
  ['a:x\nb: 1', 'a:', 'a: x\nb: 1'],
  ['name:scene\nb: 1', 'name:', 'name: scene\nb: 1'],
  ['a:\n  x:"two words"\n  y: 2\nb: 1', 'x:', 'a:\n  x: "two words"\n  y: 2\nb: 1'],
  ['a:\n  x:two words, $z\n  y: 2\nb: 1', 'x:', 'a:\n  x: two words, $z\n  y: 2\nb: 1'],
  ['a:\n  x:See this.\n  Use when: y\nb: 1', 'x:See this.\n  Use when: y', 'a:\n  "x:See this.\n  Use when: y"\nb: 1'],
  ['a: 1\n- x\nb: 1', '- x'],
  ['a: - x\nb: 1', '- x'],
  ['a: > quoted text\nb: 1', '> quoted text', 'a: quoted text\nb: 1'],
  ['a: | text\n  more\nb: 1', 'text', 'a: |\n  text\n  more\nb: 1'],
  ['a: 1\n---\nb: 1', '---'],
  // Syntax that JSON does not have.
  ['a: &x [*x]\nb: 1', '*x'],
  ['[x, y]: 1\nb: 1', '[x, y]'],
  ['a: !!binary aGk=\nb: 1', '!!binary'],
  ['a: x\0\0y\nb: 1', '\0\0', 'a: xy\nb: 1'],
  ['a: "\ud800"\nb: 1', '\ud800'],
];

for (const [yaml, marked, expected] of DEFECTS) {
  test(`reports one problem: ${JSON.stringify(yaml)}`, () => {
    const tree = treeOf(yaml);
    assert.deepEqual(marks(yaml), [marked], tree.problems.map(({ message }) => message).join('\n'));
    assert.equal(tree.broken, true);
    assert.match(tree.problems[0]?.message ?? '', /^.{20,}\.$/s);
    if (expected === undefined) assert.equal(tree.problems[0]?.fix, undefined);
    else assert.equal(fixed(yaml), expected);
    // The entry after the defect is in the tree, except in documents that end before it.
    if (/\nb: 1/.test(yaml) && !yaml.includes('---')) assert.equal(findValue(tree.root, 'b')?.kind, 'scalar');
  });
}

test('reports nothing for text that only looks wrong', () => {
  for (const yaml of [
    'description: Use C # for x',
    'a: hello {{ x }}',
    'a: http://x.y/z',
    'a: b:c',
    'a: "b: c"',
    'a: &x {p: 1}\nb: *x',
    'a: &unused {p: 1}',
    'a: -1\nb: --flag\nc: :x',
    'a:\n- x\n- y\nb: 1',
    'a: |\n  x: y: z\n  \tq\nb: 1',
    'a: >\n  @x\n  `y`\nb: 1',
    '# only a comment',
    '',
    '\n\n',
    'on: yes\noff: no',
    'a: [x, y,]\nb: {c: 1,}',
    'a:\n  - x:\n      - y\n',
  ]) {
    assert.deepEqual(marks(yaml), [], yaml);
    assert.equal(treeOf(yaml).broken, false);
  }
});

test('reports several defects at their positions, and keeps the rest in the tree', () => {
  const yaml = 'name: x\na: p: q\nb: [x] [y]\nc: @z\nd: "open\ne: {{ v }}\nwords\nf: - g\nh: *\nlast: 1\nlast: 2\n';
  assert.deepEqual(marks(yaml), ['p: q', '[x] [y]', '@z', '"open', '{{ v }}', 'words', '- g', '*', 'last']);
  assert.deepEqual(jsonIn(yaml), {
    name: 'x',
    a: 'p: q',
    b: '[x] [y]',
    c: '@z',
    d: 'open',
    e: '{{ v }}',
    f: '- g',
    h: '*',
    last: 1,
  });
});

test('reports a duplicate key with the span of the first key, and keeps the tree', () => {
  const yaml = 'a: 1\nb: 2\na: 3\na: 4\n';
  const tree = treeOf(yaml);
  assert.equal(tree.broken, false);
  assert.deepEqual(
    tree.problems.map(({ kind, span: { start }, first }) => [kind, start, first?.start]),
    [
      ['duplicate-key', 10, 0],
      ['duplicate-key', 15, 0],
    ],
  );
  assert.deepEqual(jsonIn(yaml), { a: 1, b: 2 });
});

test('reports quoted text that continues without indentation as one defect with a fix', () => {
  const yaml =
    'name: x\r\ndescription: "Tidies notes:  \r\n- of people\r\n\r\n**of places** (see: y)\r\n" # so\r\nlicense: MIT\r\n';
  assert.deepEqual(marks(yaml), ['"Tidies notes:']);
  assert.equal(nodeAt(treeOf(fixed(yaml)).root, ['license'])?.kind, 'scalar');
  assert.ok(fixed(yaml).includes('\r\n  - of people\r\n\r\n  **of places**'));
  // A continuation line that has the form of an entry is read as an entry, so the defect is the missing quote.
  assert.deepEqual(marks('description: "Tidies notes\nlicense: "MIT"\n'), ['"Tidies notes']);
  assert.deepEqual(jsonIn('description: "Tidies notes\nlicense: "MIT"\n'), {
    description: 'Tidies notes',
    license: 'MIT',
  });
});

test('reports several misplaced lines as one defect', () => {
  const yaml =
    'description: Tidies notes.\nIt merges them.\n\n- people\n- **places**\n# no comment meant\n`lamps`\nlicense: MIT\nand: more\n';
  assert.equal(treeOf(yaml).problems.length, 1);
  assert.equal(nodeAt(treeOf(yaml).root, ['license'])?.kind, 'scalar');
});

test('reports brackets at the column of their key as one defect with a fix', () => {
  const yaml = 'metadata:\n{\n  "a":\n    {"b": [1]}\n}\nlicense: MIT\n';
  assert.deepEqual(marks(yaml), ['{']);
  assert.deepEqual(jsonIn(fixed(yaml)), { metadata: { a: { b: [1] } }, license: 'MIT' });
});

test('reports text below a quoted value as text after its end', () => {
  assert.deepEqual(marks('description: "Tidies notes."\n  It merges them.\nlicense: MIT\n'), [
    '"Tidies notes."\n  It merges them.',
  ]);
});

test('reports a line below `|` as badly indented text only if the block is empty', () => {
  const told = (yaml: string): string | undefined => treeOf(yaml).problems[0]?.message;
  assert.match(told('a: |-\nb\n') ?? '', /^The text after `\|` must be indented deeper/);
  assert.match(told('a: |-\n  # x\nb\n') ?? '', /^This line is neither `key: value`, nor/);
});

describe('an error while YAML is parsed', () => {
  const text = 'a: [1';
  const problemsIn = (place: Span) => parseByLibrary(text, place).problems.map(({ message }) => message);

  it('is reported at the text if the library throws it', (context) => {
    const fail = (): never => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const mocks = [
      () => context.mock.method(Lexer.prototype, 'lex', fail),
      () => context.mock.method(Parser.prototype, 'next', fail),
      () => context.mock.method(Composer.prototype, 'next', fail),
    ];
    for (const mock of mocks) {
      const { mock: mocked } = mock();
      assert.deepEqual(problemsIn(span(0, text.length)), ['This YAML cannot be parsed.']);
      mocked.restore();
    }
  });

  it('is not reported as a fault of the text if this program throws it', () => {
    let reads = 0;
    const place = {
      end: text.length,
      get start(): number {
        reads++;
        if (reads === 2) throw new TypeError('broken');
        return 0;
      },
    };
    assert.throws(() => problemsIn(place), /^TypeError: broken$/);
  });
});
