/** YAML as the core reads it: places, one problem for each defect, a useful tree in a broken file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import {
  parseFrontmatter,
  parseYaml,
  sourceSpan,
  valueOffset,
  yamlPathAt,
} from '../../../server/src/skill/frontmatter.ts';
import {
  findValue,
  type Json,
  jsonOf,
  nodeAt,
  type YamlNode,
  type YamlScalar,
  type YamlTree,
} from '../../../server/src/skill/yaml/node.ts';
import { applyEdits, contains, type Span, sliceOf, span } from '../../../server/src/text.ts';
import { codePoints } from '../../code-points.ts';

const read = (yaml: string): YamlTree => parseYaml(yaml, span(0, yaml.length));

/** Each problem as the text that it marks and the beginning of its message. */
const marks = (yaml: string): string[] => read(yaml).problems.map((problem) => sliceOf(yaml, problem.span));

const json = (yaml: string): Json => jsonOf(read(yaml).root);

/** The text after the mends of all problems, which must leave none. */
function mended(yaml: string): string {
  const edits = read(yaml).problems.flatMap(({ mend }) => mend?.edits ?? []);
  const result = applyEdits(yaml, edits);
  assert.deepEqual(
    read(result).problems.map(({ message }) => message),
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
  const tree = read(yaml);
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
    const tree = read(yaml);
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
    assert.equal(read(yaml).broken, false);
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
  const tree = read(yaml);
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

test('a place in a value is a place in the file', () => {
  const cases: readonly (readonly [yaml: string, value: string, source: string])[] = [
    ['a: tone == "grim"', 'grim', 'grim'],
    ["a: 'it''s grim'", 's grim', 's grim'],
    ["a: 'it''s grim'", "'s", "''s"],
    ['a: "x \\"grim\\" \\u0041\\n y"', '"grim"', '\\"grim\\"'],
    ['a: "x \\u0041\\n y"', 'A\n y', '\\u0041\\n y'],
    ['a: one\n  two\n\n  three', 'two\nthree', 'two\n\n  three'],
    ['a: "one\n  two \\\n  three"', 'two three', 'two \\\n  three'],
    ['a: |\n  one\n   two\n\n  three\n', ' two\n\nthree', ' two\n\n  three'],
    ['a: >-\n  one\n  two\n\n  three\n    four\n  five\n', 'three\n  four\nfive', 'three\n    four\n  five'],
    ['a: >-\r\n  one\r\n  two', 'one two', 'one\r\n  two'],
    ['a: |2\n    one\n  two\n', '  one\ntwo', '  one\n  two'],
    ['a: 12.50', '.5', '.5'],
  ];
  for (const [yaml, value, source] of cases) {
    const scalar = findValue(read(yaml).root, 'a') as YamlScalar;
    const whole = typeof scalar.value === 'string' ? scalar.value : scalar.source;
    const from = whole.indexOf(value);
    assert.ok(from >= 0, JSON.stringify(whole));
    const place = sourceSpan(yaml, scalar, from, from + value.length);
    assert.equal(sliceOf(yaml, place), source);
    assert.equal(valueOffset(yaml, scalar, place.start), from);
    assert.deepEqual(sourceSpan(yaml, scalar, whole.length + 1, whole.length + 2), scalar.span);
  }
  const empty = findValue(read('a: ""').root, 'a') as YamlScalar;
  assert.deepEqual(sourceSpan('a: ""', empty, 0, 0), span(4, 4));
  assert.equal(valueOffset('a: ""', empty, 4), 0);
  assert.equal(valueOffset('a: ""', empty, 3), undefined);
});

/** The cursor `$0`; the path with its role last; the word that would be replaced; siblings. */
const CURSORS: readonly (readonly [yaml: string, place: string, word?: string, siblings?: string])[] = [
  ['$0', 'key', '', ''],
  ['na$0', 'key', 'na', ''],
  ['na$0me: x\nversion: 1', 'key', 'name', 'version'],
  ['name: x\n$0', 'key', '', 'name'],
  ['name: x\nve$0\ntags: []', 'key', 've', 'name tags'],
  ['name: x\n$0\ntags: []\n  deep: 1', 'key', '', 'name tags'],
  ['"na$0": x', 'key', 'na', ''],
  ['name: $0', 'name value', ''],
  ['name:$0', 'name value', ''],
  ['operation: RE$0AD # c', 'operation value', 'READ'],
  ['operation: "RE$0', 'operation value', 'RE'],
  ["operation: 'RE$0'", 'operation value', 'RE'],
  ['operation: READ # c$0', ''],
  ['policy:\n  $0', 'policy key', '', ''],
  ['policy:\n  i$0', 'policy key', 'i', ''],
  ['policy:\n  idempotent: true\n  $0\n  retry: 1\nname: x', 'policy key', '', 'idempotent retry'],
  ['policy:\n  budget:\n    $0\n  retry: 1\nname: x', 'policy budget key', '', ''],
  ['policy:\n  budget:\n    p95_ms: $0\n  retry: 1', 'policy budget p95_ms value', ''],
  ['policy:\n  budget: {}\n$0', 'key', '', 'policy'],
  ['tools:\n  - $0', 'tools 0 item', ''],
  ['tools:\n  -$0', 'tools 0 item', ''],
  ['tools:\n  - a\n  - re$0', 'tools 1 item', 're'],
  ['tools:\n- a\n- re$0\nname: x', 'tools 1 item', 're'],
  ['tools:\n  - a\n  $0', 'tools 1 item', ''],
  ['tools:\n- a\n$0', 'key', '', 'tools'],
  ['tools:\n  - a\n  -\n  - $0', 'tools 2 item', ''],
  ['tools:\n  - name: a\n    $0\n  - name: b\n    optional: true', 'tools 0 key', '', 'name'],
  ['tools:\n  - name: a\n  - na$0me: b\n    optional: true', 'tools 1 key', 'name', 'optional'],
  ['tools:\n  - name: a\n    constraints:\n      x: 1\n    optional: $0', 'tools 0 optional value', ''],
  ['a:\n  - - x\n    - y$0', 'a 0 1 item', 'y'],
  ['tools: [$0]', 'tools 0 item', ''],
  ['tools: [a, re$0', 'tools 1 item', 're'],
  ['tools: [a, $0, b]', 'tools 1 item', ''],
  ['tools: [a, "re$0"]', 'tools 1 item', 're'],
  ['tools: [a,\n  b,\n  re$0\n]', 'tools 2 item', 're'],
  ['tools: [a]$0', 'tools value', '[a]'],
  ['t: {na$0: x, b: 1}', 't key', 'na', 'b'],
  ['t: {a: 1, $0}', 't key', '', 'a'],
  ['t: {a: $0}', 't a value', ''],
  ['t: {a: [x, {b: c$0', 't a 1 b value', 'c'],
  ['t:\n  - {name: x, op$0}', 't 0 key', 'op', 'name'],
  ['d: |\n  some text: wo$0rd here\nb: 1', 'd value', 'word'],
  ['d: |\n  tools:\n    - x\n  $0\nb: 1', 'd value', ''],
  ['d: some\n  text go$0es on', 'd value', 'goes'],
  ['a: b: c\nx:\n  $0', 'x key', '', ''],
  ['a: "open\nx: [1\ny:\n  z$0', 'y key', 'z', ''],
  ['a: *\nb$0', 'key', 'b', 'a'],
  ['\tx: 1\ny$0', 'key', 'y', ''],
  ['a: &x\n  b: 1\n  $0', 'a key', '', 'b'],
  ['name: x\r\npolicy:\r\n  re$0\r\n  b: 1\r\n', 'policy key', 're', 'b'],
];

for (const [marked, expected, word, siblings] of CURSORS) {
  test(`at the cursor: ${JSON.stringify(marked)}`, () => {
    const offset = marked.indexOf('$0');
    const yaml = marked.replace('$0', '');
    const place = yamlPathAt(read(yaml), yaml, offset);
    assert.equal(place ? [...place.path, place.role].join(' ') : '', expected);
    if (!place) return;
    assert.equal(sliceOf(yaml, place.span), word);
    if (siblings !== undefined) assert.equal(place.siblings.join(' '), siblings);
  });
}

test('a place says what has to be typed before it, and how deep it stands', () => {
  const at = (marked: string) => {
    const yaml = marked.replace('$0', '');
    const { before, indent, flow } = yamlPathAt(read(yaml), yaml, marked.indexOf('$0')) ?? {};
    return [before, indent, flow];
  };
  assert.deepEqual(at('a:$0'), [' ', 0, false]);
  assert.deepEqual(at('a:\n  -$0'), [' ', 2, false]);
  assert.deepEqual(at('a:\n  - x\n  $0'), ['- ', 2, false]);
  assert.deepEqual(at('a:\n    b: 1\n    $0'), ['', 4, false]);
  assert.deepEqual(at('a: [$0'), ['', 0, true]);
});

const LINES = [
  'name: x',
  'description: Use this: it is good',
  'description: >-',
  '  some text',
  'tools:',
  '  - read_page',
  '  - {name: x, optional: true}',
  'tags: [a, b',
  'allowed-tools: *',
  'input_schema: {scene: string}',
  '\ttab: 1',
  'a: &x [*x]',
  'many: &many [1, {b: 2}, 3]',
  'again: *many',
  '? [k]',
  '---',
  '...',
  '# comment',
  'a: "open',
  "b: 'it's'",
  'c: {{ x }}',
  'd: |+',
  '',
  '  ',
  '- item',
  '!t v',
  '%YAML 1.1',
  'e: "\\x"',
  '}',
  'é: 🎲',
];

const yamlish = fc.oneof(
  codePoints(60),
  fc.string({ unit: fc.constantFrom(...'ab:-?[]{}#&*!|>\'"%@` \t\n\r,.\\\0\u0085\ud800'.split('')), maxLength: 60 }),
  fc
    .array(fc.constantFrom(...LINES), { maxLength: 12 })
    .chain((lines) =>
      fc.tuple(
        fc.constant(lines),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.nat(),
        fc.constantFrom('', ':', '"', '[', ' ', '\n', '*'),
      ),
    )
    .map(([lines, lineBreak, seed, inserted]) => {
      const text = lines.join(lineBreak);
      const at = seed % (text.length + 1);
      return text.slice(0, at) + inserted + text.slice(at + (seed % 3));
    }),
);

function checkNested(node: YamlNode | undefined, outer: { start: number; end: number }): void {
  if (!node) return;
  assert.ok(
    node.span.start <= node.span.end && contains(outer, node.span),
    `${JSON.stringify(node)} in ${JSON.stringify(outer)}`,
  );
  if (node.kind === 'scalar') return;
  // Who looks for a place among many parts finds it by bisection.
  const parts: readonly { readonly span: Span }[] = node.kind === 'list' ? node.items : node.entries;
  for (const [i, { span: place }] of parts.entries()) {
    const before = parts[i - 1]?.span ?? span(0, 0);
    // What an alias repeats stands in its place, all of it.
    const isInOrder = before.end <= place.start || isDeepStrictEqual(before, place);
    assert.ok(isInOrder, `out of order: ${JSON.stringify(node)}`);
  }
  if (node.kind === 'list') for (const item of node.items) checkNested(item, node.span);
  if (node.kind !== 'map') return;
  for (const entry of node.entries) {
    assert.ok(contains(node.span, entry.span));
    checkNested(entry.key, entry.span);
    checkNested(entry.value, entry.span);
  }
}

/** For a key that is not there the library says a place in the midst of the text above. */
const KEYLESS = 'a: "open\r\n  some text\r\n:';

test('whatever the text, reading is total and every span lies within its parent, in order', () => {
  fc.assert(
    fc.property(yamlish, fc.nat(8), (yaml, lead) => {
      const text = `${'#'.repeat(lead)}${yaml}\n#`;
      const place = span(lead, lead + yaml.length);
      const tree = parseYaml(text, place);
      checkNested(tree.root, place);
      for (const problem of tree.problems) {
        assert.ok(contains(place, problem.span), problem.message);
        if (problem.mend) applyEdits(text, problem.mend.edits);
        if (problem.first) assert.ok(contains(place, problem.first));
      }
      for (const comment of tree.comments) assert.equal(sliceOf(text, comment.span), comment.text);
      for (const at of [lead, lead + (yaml.length >> 1), lead + yaml.length]) {
        const found = yamlPathAt(tree, text, at);
        if (found)
          assert.ok(
            contains(place, found.span) && found.span.start <= at && at <= found.span.end,
            `${at} ${JSON.stringify(found)}`,
          );
      }
    }),
    { numRuns: 300, includeErrorInReport: true, examples: [[KEYLESS, 0]] },
  );
});

test('whatever the text, frontmatter is read, and a mend takes its problem away', () => {
  fc.assert(
    fc.property(yamlish, fc.boolean(), (yaml, closed) => {
      const text = `---\n${yaml}\n${closed ? '---\n' : ''}# Title\n\nText.\n`;
      const { open, content, bodyStart, tree } = parseFrontmatter(text);
      if (!open) return;
      assert.ok(content.end <= bodyStart && bodyStart <= text.length);
      assert.ok(closed || tree.problems.length > 0 || text.slice(bodyStart).length < text.length);
      const [problem] = tree.problems;
      if (!problem?.mend) return;
      const after = parseFrontmatter(applyEdits(text, problem.mend.edits));
      assert.ok(
        after.tree.problems.every(
          ({ message, span: place }) => message !== problem.message || place.start !== problem.span.start,
        ),
        text,
      );
    }),
    { numRuns: 200, includeErrorInReport: true },
  );
});

const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('a: b', '- x', 'x\ny\n', ' x', '#', "it's", '1', 'true'),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value as fc.Arbitrary<Json>;

test('a clean document means what `yaml` says it means', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), jsonValue, { maxKeys: 5 }), fc.nat(3), (value, style) => {
      const document = parseDocument('{}', { version: '1.2' });
      document.contents = document.createNode(value) as never;
      const yaml = document.toString({
        ...(style === 1 ? { collectionStyle: 'flow' as const } : {}),
        ...(style === 2 ? { defaultStringType: 'QUOTE_SINGLE' as const } : {}),
        lineWidth: style === 3 ? 20 : 80,
      });
      const expected = parseDocument(yaml, { version: '1.2', uniqueKeys: false });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: YAML forbids them, `yaml` does not.
      if (expected.errors.length > 0 || /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(yaml)) return;
      const tree = read(yaml);
      assert.deepEqual(
        tree.problems.map(({ message }) => message),
        [],
        yaml,
      );
      assert.deepEqual(jsonOf(tree.root), JSON.parse(JSON.stringify(expected.toJS())));
      assert.ok(everyPlaceMaps(yaml, tree.root), yaml);
    }),
    { numRuns: 100, includeErrorInReport: true },
  );
});

/** Each character of each string is found in the file where it is written as itself. */
function everyPlaceMaps(text: string, node: YamlNode | undefined): boolean {
  if (node?.kind === 'list') return node.items.every((item) => everyPlaceMaps(text, item));
  if (node?.kind === 'map') return node.entries.every(({ value }) => everyPlaceMaps(text, value));
  if (typeof node?.value !== 'string') return true;
  const { value } = node;
  return [...value.slice(0, 40)].every((character, i) => {
    if (!/\w/.test(character)) return true;
    return sliceOf(text, sourceSpan(text, node, i, i + 1)) === value[i] || value[i] !== character;
  });
}

test('text in quotes that goes on at the margin is one defect, which indenting mends', () => {
  const yaml =
    'name: x\r\ndescription: "Tidies notes:  \r\n- of people\r\n\r\n**of places** (see: y)\r\n" # so\r\nlicense: MIT\r\n';
  assert.deepEqual(marks(yaml), ['"Tidies notes:']);
  assert.equal(
    json(mended(yaml).replaceAll('\r\n', '\n')) && nodeAt(read(mended(yaml)).root, ['license'])?.kind,
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
  assert.equal(read(yaml).problems.length, 1);
  assert.equal(nodeAt(read(yaml).root, ['license'])?.kind, 'scalar');
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
