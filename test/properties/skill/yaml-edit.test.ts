/** Properties of any value and any edit of YAML: written values can be read again, and an edit keeps all other text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import {
  appendItem,
  formatJson,
  formatScalar,
  insertEntry,
  moveItemUp,
  removeEntry,
  removeItem,
  renameKey,
  setScalar,
} from '../../../server/src/languages/yaml/edit.ts';
import { type Json, jsonOf, type YamlNode } from '../../../server/src/languages/yaml/node.ts';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { applyEdits, span, type TextEdit } from '../../../server/src/text.ts';
import { codePoints } from '../../code-points.ts';
import { rootOf } from '../../core/skill/yaml-root.ts';
import { cases } from '../../random.ts';

type Path = readonly (string | number)[];

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    'a: b',
    'x, y',
    '[x]',
    "it's",
    '#',
    '- x',
    'yes',
    '1e3',
    '',
    ' x',
    'x\ny',
    '{{ x }}',
    '*',
    'two words',
    '!x',
    '&x',
    '| x',
    '\\',
    '"',
    '%',
    '...',
    '---',
  ),
);

test('a formatted string is read back unchanged in blocks and in brackets', () => {
  fc.assert(
    fc.property(fc.oneof(text, codePoints(10)), (value) => {
      for (const yaml of [
        `a: ${formatScalar(value)}`,
        `- ${formatScalar(value)}`,
        `${formatScalar(value, true)}: 1`,
        `[${formatScalar(value, true)}, x]`,
        `{a: ${formatScalar(value, true)}}`,
      ]) {
        const root = rootOf(yaml);
        const node =
          root?.kind === 'list'
            ? root.items[0]
            : root?.kind === 'map'
              ? root.entries[0]?.key.value === 'a' &&
                root.entries[0].value.kind === 'scalar' &&
                root.entries[0].value.value !== 1
                ? root.entries[0].value
                : root.entries[0]?.key
              : undefined;
        assert.equal(node?.kind === 'scalar' ? node.value : undefined, value, yaml);
      }
    }),
    { ...cases(100), includeErrorInReport: true },
  );
});

const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const key = fc.constantFrom('a', 'b', 'tools', 'k e y', 'x: y', 'list', '1');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value as fc.Arbitrary<Json>;

interface Style {
  readonly flow: boolean;
  readonly lineBreak: string;
  readonly comments: boolean;
  readonly indentSeq: boolean;
  readonly nulls: string;
  readonly last: boolean;
}

/** Writes a value in some style, with comments at the ends of lines and between lines. */
function write(value: Json, style: Style): string {
  const document = parseDocument('{}', { version: '1.2' });
  document.contents = document.createNode(value) as never;
  let yaml = document.toString({
    collectionStyle: style.flow ? 'flow' : 'any',
    indentSeq: style.indentSeq,
    nullStr: style.nulls,
    flowCollectionPadding: style.last,
  });
  if (style.comments) {
    yaml = yaml.replace(/^( *)([\w ]+: \w+)$/gm, '$1$2 # end').replace(/^(a|b|tools|list):/gm, '# before\n$1:');
  }
  if (!style.last) yaml = yaml.replace(/\n$/, '');
  return yaml.replaceAll('\n', style.lineBreak);
}

type Step = { readonly path: Path; readonly node: YamlNode };

function nodesOf(node: YamlNode | undefined, path: Path = []): Step[] {
  if (!node) return [];
  const own = { path, node };
  if (node.kind === 'list') return [own, ...node.items.flatMap((item, i) => nodesOf(item, [...path, i]))];
  if (node.kind === 'map')
    return [own, ...node.entries.flatMap((entry) => nodesOf(entry.value, [...path, String(entry.key.value)]))];
  return [own];
}

/** The value with the part at the path replaced by the result of `change`. */
function changed(value: Json, path: Path, change: (part: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item: Json, i) => (i === step ? changed(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([name, item]) => [
      name,
      name === step ? changed(item, rest, change) : item,
    ]),
  );
}

const asMap = (value: Json): [string, Json][] => Object.entries((value ?? {}) as Record<string, Json>);

test('any edit produces the expected values and keeps all comments', () => {
  fc.assert(
    fc.property(
      fc.dictionary(key, json, { minKeys: 1, maxKeys: 4 }),
      fc.record({
        flow: fc.boolean(),
        lineBreak: fc.constantFrom('\n', '\r\n'),
        comments: fc.boolean(),
        indentSeq: fc.boolean(),
        nulls: fc.constantFrom('null', '~', ''),
        last: fc.boolean(),
      }),
      fc.nat(),
      fc.nat(6),
      leaf,
      (value, style, pick, operation, replacement) => {
        const yaml = write(value, style);
        const tree = parseYaml(yaml, span(0, yaml.length));
        if (tree.problems.length > 0) return;
        const before = jsonOf(tree.root);
        const nodes = nodesOf(tree.root);
        const { path, node } = nodes[pick % nodes.length] as Step;
        const made = edits(yaml, node, operation, pick, replacement);
        if (!made) return;
        const result = applyEdits(yaml, made.edits);
        const read = parseYaml(result, span(0, result.length));
        const context = `${JSON.stringify(yaml)}\n${JSON.stringify(result)}`;
        assert.deepEqual(
          read.problems.map(({ message }) => message),
          [],
          context,
        );
        const expected = changed(before, path, made.change);
        const isEmptied = path.length === 0 && asMap(expected).length === 0;
        assert.deepEqual(jsonOf(read.root), isEmptied && !read.root ? null : expected, context);
        assert.equal(/\r\n/.test(yaml) && /[^\r]\n/.test(result), false, context);
        if (!made.removes) assert.equal(read.comments.length, tree.comments.length, context);
      },
    ),
    { ...cases(200), includeErrorInReport: true },
  );
});

interface Made {
  readonly edits: readonly TextEdit[];
  readonly change: (part: Json) => Json;
  /** Removing an entry also removes its own comments. */
  readonly removes?: true;
}

function edits(yaml: string, node: YamlNode, operation: number, pick: number, replacement: Json): Made | undefined {
  if (node.kind === 'scalar') {
    const value = replacement as string | number | boolean | null;
    if (operation === 4 && node.value === null) {
      return { edits: insertEntry(yaml, node, 'new', formatJson(replacement)), change: () => ({ new: replacement }) };
    }
    return { edits: setScalar(yaml, node, value), change: () => value };
  }
  if (node.kind === 'list') {
    if (node.items.length === 0) return undefined;
    const index = pick % node.items.length;
    if (operation % 2 === 1) {
      const to = (pick >> 3) % (index + 1);
      const moved = moveItemUp(yaml, node, index, to);
      const change = (part: Json) => {
        const rest = (part as Json[]).filter((_, i) => i !== index);
        return [...rest.slice(0, to), (part as Json[])[index] as Json, ...rest.slice(to)];
      };
      // Items that share a line are not moved.
      return moved.length === 0 ? undefined : { removes: true, edits: moved, change };
    }
    return {
      removes: true,
      edits: removeItem(yaml, node, index),
      change: (part) => (part as Json[]).filter((_, i) => i !== index),
    };
  }
  const names = node.entries.map((entry) => String(entry.key.value));
  const name = names[pick % Math.max(1, names.length)];
  const item = formatJson(replacement);
  if (operation === 0)
    return {
      edits: insertEntry(yaml, node, 'new', item),
      change: (part) => ({ ...(part as object), new: replacement }),
    };
  if (name === undefined) return undefined;
  if (operation === 1) {
    const where = pick % 2 ? { after: name } : { before: name };
    return {
      edits: insertEntry(yaml, node, 'new', item, where),
      change: (part) => Object.fromEntries([...asMap(part), ['new', replacement]]),
    };
  }
  if (operation === 2)
    return {
      edits: renameKey(yaml, node, name, 'new: x'),
      change: (part) => Object.fromEntries(asMap(part).map(([other, own]) => [other === name ? 'new: x' : other, own])),
    };
  if (operation === 3)
    return {
      edits: appendItem(yaml, node, 'fresh', item),
      change: (part) => ({ ...(part as object), fresh: [replacement] }),
    };
  const held = node.entries.find((entry) => String(entry.key.value) === name)?.value;
  if (operation === 4 && held && (held.kind === 'list' || (held.kind === 'scalar' && held.value === null))) {
    return {
      edits: appendItem(yaml, node, name, item),
      change: (part) =>
        Object.fromEntries(
          asMap(part).map(([other, own]) => [other, other === name ? [...((own ?? []) as Json[]), replacement] : own]),
        ),
    };
  }
  return {
    removes: true,
    edits: removeEntry(yaml, node, name),
    change: (part) => Object.fromEntries(asMap(part).filter(([other]) => other !== name)),
  };
}
