/** The frontmatter of a file, and YAML as the core reads it: fences, spans and values. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFrontmatter } from '../../../server/src/languages/yaml/frontmatter.ts';
import { findValue, jsonOf, nodeAt, type YamlNode, type YamlScalar } from '../../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { applyEdits, sliceOf, span } from '../../../server/src/text.ts';
import { jsonIn, treeOf } from './yaml-root.ts';

test('frontmatter is the text between two fences at the start of a file', () => {
  const text = '---\nname: x\n---\n# Body\n';
  const { open, close, content, bodyStart, tree } = parseFrontmatter(text);
  assert.deepEqual(open, span(0, 3));
  assert.deepEqual(close, span(12, 15));
  assert.equal(sliceOf(text, content), 'name: x\n');
  assert.equal(text.slice(bodyStart), '# Body\n');
  assert.equal(sliceOf(text, (findValue(tree.root, 'name') as YamlNode).span), 'x');
});

test('supports a byte order mark, other line endings, spaces after a fence and the fence `...`', () => {
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

test('a thematic break is not frontmatter', () => {
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

test('reports an unclosed fence as one problem, and reads the text after the fence', () => {
  const certain = '---\nname: x\ndescription: y\n\n# Title\n\nSome prose, and more.\n';
  const { tree, bodyStart } = parseFrontmatter(certain);
  assert.equal(tree.problems.length, 1);
  assert.deepEqual(tree.problems[0]?.span, span(0, 3));
  assert.equal(tree.broken, false);
  assert.deepEqual(jsonOf(tree.root), { name: 'x', description: 'y' });
  assert.equal(certain.slice(bodyStart), '\n# Title\n\nSome prose, and more.\n');
  const closed = applyEdits(certain, tree.problems[0]?.fix?.edits ?? []);
  assert.equal(closed, '---\nname: x\ndescription: y\n---\n\n# Title\n\nSome prose, and more.\n');

  assert.equal(tree.problems[0]?.fix?.isGuess, false);

  for (const [unsure, guess] of [
    ['---\nname: x', '---\nname: x\n---\n'],
    ['---\nname: x\n\n', '---\nname: x\n---\n\n'],
    ['---\nname: x\n\n# Title\n', '---\nname: x\n---\n\n# Title\n'],
    ['---\nname: x\n\n# Title\n\nnote: y\n\nProse here.\n', '---\nname: x\n\n---\n# Title\n\nnote: y\n\nProse here.\n'],
    ['---\n', '---\n---\n'],
    ['---', '---\n---\n'],
    ['---\r\nname: x\r\n', '---\r\nname: x\r\n---\r\n'],
  ] as const) {
    const { problems } = parseFrontmatter(unsure).tree;
    assert.equal(problems.length, 1, unsure);
    assert.equal(problems[0]?.fix?.isGuess, true);
    assert.equal(applyEdits(unsure, problems[0]?.fix?.edits ?? []), guess);
  }
});

test('of a SKILL.md is closed only by `---`: reports `...` and replaces it', () => {
  for (const [dots, closed] of [
    ['---\nname: x\n...\n\nbody\n', '---\nname: x\n---\n\nbody\n'],
    ['---\nname: x\n...', '---\nname: x\n---'],
    ['\uFEFF---\r\nname: x\r\n... \t\r\nbody\r\n', '\uFEFF---\r\nname: x\r\n---\r\nbody\r\n'],
    ['---\nname: x\n... # the end\nbody\n', '---\nname: x\n---\nbody\n'],
    ['---\nname: x\n...\nbody\n\n---\n\nmore\n', '---\nname: x\n---\nbody\n\n---\n\nmore\n'],
  ] as const) {
    const { open, close, tree, bodyStart } = parseFrontmatter(dots, 'hyphens');
    assert.ok(open);
    assert.equal(close, undefined);
    assert.deepEqual(jsonOf(tree.root), { name: 'x' });
    const [problem] = tree.problems;
    assert.match(problem?.message ?? '', /^The frontmatter is not closed: it ends with a line `---`, not `\.\.\..*`\./);
    assert.equal(problem && dots.slice(problem.span.start).startsWith('...'), true);
    assert.equal(problem?.fix?.isGuess, false);
    assert.equal(applyEdits(dots, problem?.fix?.edits ?? []), closed);
    assert.equal(
      dots.slice(bodyStart).trimStart(),
      closed.slice(parseFrontmatter(closed, 'hyphens').bodyStart).trimStart(),
    );
    assert.deepEqual(parseFrontmatter(closed, 'hyphens').tree.problems, []);
  }
  for (const text of ['---\nname: x\n  ...\n---\nbody', '---\nname: "a ... b"\n---\nbody', '---\n...\nbody\n'])
    assert.deepEqual(
      parseFrontmatter(text, 'hyphens').tree.problems.filter(({ message }) => /not closed/.test(message)),
      [],
    );
});

test('every key and value has a span', () => {
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

test('values have the types of the YAML 1.2 core schema that JSON supports', () => {
  assert.deepEqual(
    jsonIn('a: yes\nb: 2020-01-01\nc: 0x1F\nd: ~\ne: true\nf: 012\ng: .inf\nh: 1e999\ni: <<\n<<: {j: 1}'),
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
  assert.deepEqual(jsonIn('a: &x [1, 2]\nb: *x\nc: !!str 1'), { a: [1, 2], b: [1, 2], c: '1' });
  assert.deepEqual(jsonIn('__proto__: {a: 1}'), JSON.parse('{"__proto__": {"a": 1}}'));
  assert.deepEqual(jsonIn('%YAML 1.2\n---\na: 1\n...\n'), { a: 1 });
});

test('offsets of embedded YAML are relative to the file', () => {
  const text = 'prose\n```\na: b: c\nx: [1]\nx: 2\n```\n';
  const place = span(10, 30);
  const tree = parseYaml(text, place);
  assert.deepEqual(
    tree.problems.map((problem) => sliceOf(text, problem.span)),
    ['b: c', 'x'],
  );
  assert.equal(applyEdits(text, tree.problems[0]?.fix?.edits ?? []), 'prose\n```\na: "b: c"\nx: [1]\nx: 2\n```\n');
  assert.equal(sliceOf(text, tree.problems[1]?.first ?? span(0, 0)), 'x');
  assert.equal(sliceOf(text, (nodeAt(tree.root, ['x', 0]) as YamlNode).span), '1');
});
