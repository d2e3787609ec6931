/**
 * The quick reader of YAML returns the same values, spans and comments as the library, for every text that it does not
 * refuse.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findFences } from '../../server/src/languages/yaml/frontmatter.ts';
import { parseByLibrary } from '../../server/src/languages/yaml/parse.ts';
import { readYamlQuickly } from '../../server/src/languages/yaml/quick-yaml.ts';
import { type Span, span } from '../../server/src/text.ts';
import { cases, SCALE } from '../random.ts';
import { samples } from './corpus.ts';
import { damagedSample } from './mutate.ts';

/** Returns whether the quick reader accepts the text, and fails if its result then differs from that of the library. */
function agrees(text: string, place: Span = span(0, text.length)): boolean {
  const quick = readYamlQuickly(text, place);
  if (!quick) return false;
  assert.deepEqual(quick, parseByLibrary(text, place), JSON.stringify(text.slice(place.start, place.end)));
  return true;
}

/** Most characters are common; each of the others has a meaning in YAML. */
const PLAIN = ['a', 'b-c', 'two words', 'x.y', '1.2.3', '0.9', '12', 'true', 'a:b', '[a, b]', '{a: b}', '"q"', "'s'"];
const ODD = [
  ...['-1', '+5', '007', '1e3', '0x1f', '.5', '5.', '-.inf', 'No', 'null', '~', 'Null', 'http://x.y/z?q', 'a #b'],
  ...[
    'a#b',
    '-x',
    '- x',
    '?',
    "it's",
    '"a\\nb"',
    '"\\u0041"',
    "'it''s'",
    "'",
    '"',
    '[]',
    '{}',
    '[a,b]',
    '[a, ]',
    '{a}',
  ],
  ...['{a: [1, {b: c}]}', '{a:b}', '[a: b]', '{"a": 1}', '{a: b}x', '[a] b', '|', '>', '|-', '>-', '|2', '>+', '*x'],
  ...[
    '&x y',
    '!t v',
    '%',
    '@',
    '`',
    '\u00A0',
    'é',
    '💡',
    '{{ x }}',
    'a\u00A0',
    '1_000',
    '2024-01-01',
    '12:30',
    '<<',
    '<',
  ],
  ...['=', '^1', '$ref', '#/x', '(a)', '9'.repeat(400), '-0', '', '[a', 'b]', 'c}', '{a: b,', '[http://x]', '{a: b:c}'],
];
const KEYS = [
  'a',
  'true',
  '1',
  '1.0',
  'null',
  '$ref',
  '__proto__',
  'x-y',
  '"q"',
  'a b',
  'a  b',
  '?',
  '<<',
  '-',
  'é',
  '- -',
];

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);
const key = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,3}$/) },
  { weight: 1, arbitrary: fc.constantFrom(...KEYS) },
);
const indent = fc.constantFrom('', '', '  ', '  ', '    ', ' ', '   ', '\t', '      ');
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(indent, key, word).map(([i, k, v]) => `${i}${k}: ${v}`) },
  { weight: 2, arbitrary: fc.tuple(indent, key).map(([i, k]) => `${i}${k}:`) },
  { weight: 3, arbitrary: fc.tuple(indent, word).map(([i, v]) => `${i}- ${v}`) },
  { weight: 2, arbitrary: fc.tuple(indent, key, word).map(([i, k, v]) => `${i}- ${k}: ${v}`) },
  { weight: 2, arbitrary: fc.tuple(indent, word).map(([i, v]) => i + v) },
  fc.tuple(indent, word).map(([i, v]) => `${i}# ${v} `),
  fc.tuple(indent, key, word).map(([i, k, v]) => `${i}${k}: ${v}  # why `),
  fc.constantFrom('', '', '  ', '-', '---', '...', 'a :', 'a:  b ', 'a:   ', 'a: # x', '- ', '  -', '- - a', '\r'),
);
/** A key that is being typed. */
const typed = fc.tuple(indent, key).map(([i, k]) => i + k);
/** Related lines: a map, a list or a value, at an indentation. */
const block = fc.letrec<{ map: string[]; list: string[]; below: string[] }>((tie) => ({
  map: fc
    .array(fc.tuple(key, fc.oneof({ maxDepth: 3 }, word, word, tie('below'))), { minLength: 1, maxLength: 4 })
    .map((entries) =>
      entries.flatMap(([name, value]) =>
        typeof value === 'string' ? [`${name}: ${value}`] : [`${name}:`, ...value.map((one) => `  ${one}`)],
      ),
    ),
  list: fc
    .array(fc.oneof({ maxDepth: 3 }, word, word, tie('map')), { minLength: 1, maxLength: 4 })
    .map((items) =>
      items.flatMap((item) =>
        typeof item === 'string' ? [`- ${item}`] : item.map((one, i) => (i === 0 ? `- ${one}` : `  ${one}`)),
      ),
    ),
  below: fc.oneof({ maxDepth: 3 }, tie('map'), tie('list'), fc.array(word, { minLength: 1, maxLength: 3 })),
}));
const written = fc.oneof({ weight: 5, arbitrary: block.map }, { weight: 1, arbitrary: block.list });
const document = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: written },
      { weight: 1, arbitrary: fc.array(line, { minLength: 1, maxLength: 9 }) },
    ),
    fc.array(fc.tuple(fc.nat({ max: 9 }), fc.oneof({ weight: 2, arbitrary: line }, typed)), { maxLength: 2 }),
    fc.constantFrom('\n', '\n', ''),
  )
  .map(([lines, odd, end]) => {
    const all = [...lines];
    for (const [where, one] of odd) all.splice(where, 0, one);
    return all.join('\n') + end;
  });

describe('the quick YAML reader', () => {
  test('reads the frontmatter of nearly every sample', () => {
    const sound = [...samples].filter(([path]) => !path.startsWith('mistakes/'));
    const refused = sound.filter(([, text]) => {
      const { open, content } = findFences(text);
      return !agrees(text, open ? content : span(0, text.length));
    });
    assert.ok(refused.length < sound.length / 4, `refused: ${refused.map(([path]) => path).join(', ')}`);
  });

  test('reads an unfinished key between two keys', () => {
    for (const text of ['a: 1\nword\nb: 2\n', 'a:\n  b: 1\n  wo-rd\n# c\nd: [e]\n', 'a:\n  - b\nword']) {
      assert.ok(agrees(text), text);
    }
  });

  test('refuses a word below a block scalar', () => {
    for (const text of ['a: |\n  b\nword\n', 'a: |\n  b: >\nword\n']) assert.ok(!agrees(text), text);
  });

  test('reads any lines as the YAML library does, or refuses them', () => {
    let taken = 0;
    fc.assert(
      fc.property(document, (text) => {
        if (agrees(text)) taken++;
      }),
      cases(4000),
    );
    assert.ok(taken > 300 * Math.min(1, SCALE), `only ${taken} were taken`);
  });

  test('reads a damaged sample as the YAML library does, or refuses it', () => {
    fc.assert(
      fc.property(damagedSample, ({ text }) => {
        agrees(text);
        agrees(text, findFences(text).content);
      }),
      cases(300),
    );
  });

  test('reads any part of a document as the YAML library does, or refuses it', () => {
    const text = 'x\na: b\nc:\n  - d\n# e\n\nf: |\n  g\n\nh: [i]\n';
    for (let start = 0; start < text.length; start++) {
      for (let end = start; end <= text.length; end++) agrees(text, span(start, end));
    }
  });
});
