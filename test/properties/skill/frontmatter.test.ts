/**
 * Laws of reading YAML: any text can be read, spans nest, and strings without problems have the same value as in the
 * library `yaml`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { yamlPlaceAt } from '../../../server/src/languages/yaml/cursor.ts';
import { parseFrontmatter } from '../../../server/src/languages/yaml/frontmatter.ts';
import { type Json, jsonOf, type YamlNode } from '../../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { sourceSpan } from '../../../server/src/languages/yaml/source-spans.ts';
import { applyEdits, contains, type Span, sliceOf, span } from '../../../server/src/text.ts';
import { codePoints } from '../../code-points.ts';
import { treeOf } from '../../core/skill/yaml-root.ts';
import { cases } from '../../random.ts';

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
  // Lookups by offset use bisection.
  const parts: readonly { readonly span: Span }[] = node.kind === 'list' ? node.items : node.entries;
  for (const [i, { span: place }] of parts.entries()) {
    const before = parts[i - 1]?.span ?? span(0, 0);
    // The content that an alias repeats has the span of the alias.
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

/** A string with a missing key, for which the library reports an offset inside the preceding value. */
const KEYLESS = 'a: "open\r\n  some text\r\n:';

test('reading any text returns ordered spans within their parents', () => {
  fc.assert(
    fc.property(yamlish, fc.nat(8), (yaml, lead) => {
      const text = `${'#'.repeat(lead)}${yaml}\n#`;
      const place = span(lead, lead + yaml.length);
      const tree = parseYaml(text, place);
      checkNested(tree.root, place);
      for (const problem of tree.problems) {
        assert.ok(contains(place, problem.span), problem.message);
        if (problem.fix) applyEdits(text, problem.fix.edits);
        if (problem.first) assert.ok(contains(place, problem.first));
      }
      for (const comment of tree.comments) assert.equal(sliceOf(text, comment.span), comment.text);
      for (const at of [lead, lead + (yaml.length >> 1), lead + yaml.length]) {
        const found = yamlPlaceAt(tree, text, at);
        if (found)
          assert.ok(
            contains(place, found.span) && found.span.start <= at && at <= found.span.end,
            `${at} ${JSON.stringify(found)}`,
          );
      }
    }),
    { ...cases(300), includeErrorInReport: true, examples: [[KEYLESS, 0]] },
  );
});

test('a fix for a frontmatter problem in any text removes the problem', () => {
  fc.assert(
    fc.property(yamlish, fc.boolean(), (yaml, closed) => {
      const text = `---\n${yaml}\n${closed ? '---\n' : ''}# Title\n\nText.\n`;
      const { open, content, bodyStart, tree } = parseFrontmatter(text);
      if (!open) return;
      assert.ok(content.end <= bodyStart && bodyStart <= text.length);
      assert.ok(closed || tree.problems.length > 0 || text.slice(bodyStart).length < text.length);
      const [problem] = tree.problems;
      if (!problem?.fix) return;
      const after = parseFrontmatter(applyEdits(text, problem.fix.edits));
      assert.ok(
        after.tree.problems.every(
          ({ message, span: place }) => message !== problem.message || place.start !== problem.span.start,
        ),
        text,
      );
    }),
    { ...cases(200), includeErrorInReport: true },
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

test('reading a valid file returns the same values as the `yaml` library', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), jsonValue, { maxKeys: 5 }), fc.nat(3), (value, style) => {
      const file = parseDocument('{}', { version: '1.2' });
      file.contents = file.createNode(value) as never;
      const yaml = file.toString({
        ...(style === 1 ? { collectionStyle: 'flow' as const } : {}),
        ...(style === 2 ? { defaultStringType: 'QUOTE_SINGLE' as const } : {}),
        lineWidth: style === 3 ? 20 : 80,
      });
      const expected = parseDocument(yaml, { version: '1.2', uniqueKeys: false });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: only the library `yaml` accepts control characters.
      if (expected.errors.length > 0 || /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(yaml)) return;
      const tree = treeOf(yaml);
      assert.deepEqual(
        tree.problems.map(({ message }) => message),
        [],
        yaml,
      );
      assert.deepEqual(jsonOf(tree.root), JSON.parse(JSON.stringify(expected.toJS())));
      assert.ok(everyPlaceMaps(yaml, tree.root), yaml);
    }),
    { ...cases(100), includeErrorInReport: true },
  );
});

/** Returns whether each unescaped character of each string maps to the same character in the file. */
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
