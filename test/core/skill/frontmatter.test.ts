/** YAML as the core reads it: places, one problem for each defect, a useful tree in a broken file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFrontmatter, parseYaml } from '../../../server/src/skill/frontmatter.ts';
import {
  findValue,
  type Json,
  jsonOf,
  nodeAt,
  type YamlNode,
  type YamlScalar,
} from '../../../server/src/skill/yaml/node.ts';
import { applyEdits, sliceOf, span } from '../../../server/src/text.ts';
import { treeOf } from './yaml-root.ts';

/** Each problem as the text that it marks and the beginning of its message. */
const marks = (yaml: string): string[] => treeOf(yaml).problems.map((problem) => sliceOf(yaml, problem.span));

const json = (yaml: string): Json => jsonOf(treeOf(yaml).root);

/** The text after the mends of all problems, which must leave none. */
function mended(yaml: string): string {
  const edits = treeOf(yaml).problems.flatMap(({ mend }) => mend?.edits ?? []);
  const result = applyEdits(yaml, edits);
  assert.deepEqual(
    treeOf(result).problems.map(({ message }) => message),
    [],
    result,
  );
  return result;
}

test('frontmatter is what stands between two fences at the very start', () => {
  const text = '---\nname: x\n---\n# Body\n';
  const { open, close, content, bodyStart, tree } = parseFrontmatter(text);
  assert.deepEqual(open, span(0, 3));
  assert.deepEqual(close, span(12, 15));
  assert.equal(sliceOf(text, content), 'name: x\n');
  assert.equal(text.slice(bodyStart), '# Body\n');
  assert.equal(sliceOf(text, (findValue(tree.root, 'name') as YamlNode).span), 'x');
});

test('byte order mark, other line ends, blanks behind a fence and the fence `...` are respected', () => {
  for (const text of [
    '\uFEFF---\nname: x\n---\nbody',
    '---\r\nname: x\r\n---\r\nbody',
    '---\rname: x\r---\rbody',
    '--- \t\nname: x\r\n--- \nbody',
    '---\nname: x\n...\nbody',
  ]) {
    const { bodyStart, tree } = parseFrontmatter(text);
    assert.deepEqual(jsonOf(tree.root), { name: 'x' });
    assert.deepEqual(tree.problems, []);
    assert.equal(text.slice(bodyStart), 'body');
    assert.equal(sliceOf(text, (findValue(tree.root, 'name') as YamlNode).span), 'x');
  }
});

test('a thematic break is no frontmatter', () => {
  for (const text of [
    '',
    'text\n\n---\nname: x\n---\n',
    ' ---\nname: x\n---\n',
    '----\nname: x\n',
    '---\n\nSome prose.\n',
    '---x\n',
  ]) {
    const { open, bodyStart, tree } = parseFrontmatter(text);
    assert.equal(open, undefined);
    assert.equal(bodyStart, 0);
    assert.deepEqual(tree.problems, []);
    assert.equal(tree.root, undefined);
  }
});

test('an unclosed fence is one problem, mended where it is certain where the YAML ends', () => {
  const certain = '---\nname: x\ndescription: y\n\n# Title\n\nSome prose, and more.\n';
  const { tree, bodyStart } = parseFrontmatter(certain);
  assert.equal(tree.problems.length, 1);
  assert.deepEqual(tree.problems[0]?.span, span(0, 3));
  assert.equal(tree.broken, true);
  assert.deepEqual(jsonOf(tree.root), { name: 'x', description: 'y' });
  assert.equal(certain.slice(bodyStart), '\n# Title\n\nSome prose, and more.\n');
  const closed = applyEdits(certain, tree.problems[0]?.mend?.edits ?? []);
  assert.equal(closed, '---\nname: x\ndescription: y\n---\n\n# Title\n\nSome prose, and more.\n');

  for (const unsure of [
    '---\nname: x\n',
    '---\nname: x\n\n# Title\n',
    '---\nname: x\n\n# Title\n\nnote: y\n\nProse here.\n',
    '---\n',
    '---',
  ]) {
    const { problems } = parseFrontmatter(unsure).tree;
    assert.equal(problems.length, 1, unsure);
    assert.equal(problems[0]?.mend, undefined);
  }
});

test('every key and value knows its place', () => {
  const yaml = `name: scene
"quoted key": 'it''s' # why
empty:
list:
  - a
  - {b: 1.0, c}
block: |
  one
  two

flow: [x, "y", z: 1]
`;
  const tree = treeOf(yaml);
  const at = (...path: (string | number)[]): string => sliceOf(yaml, (nodeAt(tree.root, path) as YamlNode).span);
  assert.deepEqual(tree.problems, []);
  assert.equal(at('quoted key'), "'it''s'");
  assert.equal(at('empty'), '');
  assert.equal((nodeAt(tree.root, ['empty']) as YamlNode).span.start, yaml.indexOf('empty:') + 6);
  assert.equal(at('list'), '- a\n  - {b: 1.0, c}');
  assert.equal(at('list', 1, 'b'), '1.0');
  assert.equal((nodeAt(tree.root, ['list', 1, 'b']) as YamlScalar).source, '1.0');
  assert.equal(at('block'), '|\n  one\n  two');
  assert.equal(at('flow', 1), '"y"');
  assert.equal(at('flow', 2, 'z'), '1');
  assert.deepEqual(
    tree.comments.map(({ text }) => text),
    ['# why'],
  );
});

test('values are those of the YAML 1.2 core schema, as far as JSON has them', () => {
  assert.deepEqual(
    json('a: yes\nb: 2020-01-01\nc: 0x1F\nd: ~\ne: true\nf: 012\ng: .inf\nh: 1e999\ni: <<\n<<: {j: 1}'),
    {
      a: 'yes',
      b: '2020-01-01',
      c: 31,
      d: null,
      e: true,
      f: 12,
      g: '.inf',
      h: '1e999',
      i: '<<',
      '<<': { j: 1 },
    },
  );
  assert.deepEqual(json('a: &x [1, 2]\nb: *x\nc: !!str 1'), { a: [1, 2], b: [1, 2], c: '1' });
  assert.deepEqual(json('__proto__: {a: 1}'), JSON.parse('{"__proto__": {"a": 1}}'));
  assert.deepEqual(json('%YAML 1.2\n---\na: 1\n...\n'), { a: 1 });
});

/** The text, the one stretch that is marked, and the text that the mend makes of it (none: `undefined`). */
const DEFECTS: readonly (readonly [yaml: string, marked: string, mended?: string])[] = [
  // Characters that YAML keeps for itself.
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
  ['a: [\nx,\ny\n]\nb: 1', '['],
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
  ['a: 1\n  x: 2\nb: 1', 'x'],
  ['a:\n    x: 1\n  y: 2\nb: 1', 'y'],
  ['a: 1\njust words\nb: 1', 'just words'],
  ['a:x\nb: 1', 'a:', 'a: x\nb: 1'],
  ['name:scene\nb: 1', 'name:', 'name: scene\nb: 1'],
  ['a: 1\n- x\nb: 1', '- x'],
  ['a: - x\nb: 1', '- x'],
  ['a: > quoted text\nb: 1', '> quoted text', 'a: "> quoted text"\nb: 1'],
  ['a: | text\n  more\nb: 1', 'text'],
  ['a: 1\n---\nb: 1', '---'],
  // What JSON does not have.
  ['a: &x [*x]\nb: 1', '*x'],
  ['[x, y]: 1\nb: 1', '[x, y]'],
  ['a: !!binary aGk=\nb: 1', '!!binary'],
  ['a: x\0\0y\nb: 1', '\0\0', 'a: xy\nb: 1'],
  ['a: "\ud800"\nb: 1', '\ud800'],
];

for (const [yaml, marked, expected] of DEFECTS) {
  test(`one problem: ${JSON.stringify(yaml)}`, () => {
    const tree = treeOf(yaml);
    assert.deepEqual(marks(yaml), [marked], tree.problems.map(({ message }) => message).join('\n'));
    assert.equal(tree.broken, true);
    assert.match(tree.problems[0]?.message ?? '', /^.{20,}\.$/s);
    if (expected === undefined) assert.equal(tree.problems[0]?.mend, undefined);
    else assert.equal(mended(yaml), expected);
    // The entry behind the defect is there, in all but the documents that end before it.
    if (/\nb: 1/.test(yaml) && !yaml.includes('---')) assert.equal(findValue(tree.root, 'b')?.kind, 'scalar');
  });
}

test('what only looks like a defect is none', () => {
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

test('several defects are several problems, each at its own place, and the rest is in the tree', () => {
  const yaml = 'name: x\na: p: q\nb: [x] [y]\nc: @z\nd: "open\ne: {{ v }}\nwords\nf: - g\nh: *\nlast: 1\nlast: 2\n';
  assert.deepEqual(marks(yaml), ['p: q', '[x] [y]', '@z', '"open', '{{ v }}', 'words', '- g', '*', 'last']);
  assert.deepEqual(json(yaml), {
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

test('a duplicate key names the first one and does not break the tree', () => {
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
  assert.deepEqual(json(yaml), { a: 1, b: 2 });
});

test('offsets are those of the file, not of the stretch', () => {
  const text = 'prose\n```\na: b: c\nx: [1]\nx: 2\n```\n';
  const place = span(10, 30);
  const tree = parseYaml(text, place);
  assert.deepEqual(
    tree.problems.map((problem) => sliceOf(text, problem.span)),
    ['b: c', 'x'],
  );
  assert.equal(applyEdits(text, tree.problems[0]?.mend?.edits ?? []), 'prose\n```\na: "b: c"\nx: [1]\nx: 2\n```\n');
  assert.equal(sliceOf(text, tree.problems[1]?.first ?? span(0, 0)), 'x');
  assert.equal(sliceOf(text, (nodeAt(tree.root, ['x', 0]) as YamlNode).span), '1');
});

test('text in quotes that goes on at the margin is one defect, which indenting mends', () => {
  const yaml =
    'name: x\r\ndescription: "Tidies notes:  \r\n- of people\r\n\r\n**of places** (see: y)\r\n" # so\r\nlicense: MIT\r\n';
  assert.deepEqual(marks(yaml), ['"Tidies notes:']);
  assert.equal(
    json(mended(yaml).replaceAll('\r\n', '\n')) && nodeAt(treeOf(mended(yaml)).root, ['license'])?.kind,
    'scalar',
  );
  assert.ok(mended(yaml).includes('\r\n  - of people\r\n\r\n  **of places**'));
  // What reads as an entry is one: then the quote is what is missing.
  assert.deepEqual(marks('description: "Tidies notes\nlicense: "MIT"\n'), ['"Tidies notes']);
  assert.deepEqual(json('description: "Tidies notes\nlicense: "MIT"\n'), {
    description: 'Tidies notes',
    license: 'MIT',
  });
});

test('lines that fit nowhere are one defect together', () => {
  const yaml =
    'description: Tidies notes.\nIt merges them.\n\n- people\n- **places**\n# no comment meant\n`lamps`\nlicense: MIT\nand: more\n';
  assert.equal(treeOf(yaml).problems.length, 1);
  assert.equal(nodeAt(treeOf(yaml).root, ['license'])?.kind, 'scalar');
});

test('brackets at the column of their key are one defect, which indenting mends', () => {
  const yaml = 'metadata:\n{\n  "a":\n    {"b": [1]}\n}\nlicense: MIT\n';
  assert.deepEqual(marks(yaml), ['{']);
  assert.deepEqual(json(mended(yaml)), { metadata: { a: { b: [1] } }, license: 'MIT' });
});

test('text below a value in quotes stands behind its end', () => {
  assert.deepEqual(marks('description: "Tidies notes."\n  It merges them.\nlicense: MIT\n'), [
    '"Tidies notes."\n  It merges them.',
  ]);
});
