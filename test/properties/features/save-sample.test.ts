/** A saved sample is read back as the invocation that was saved. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { saveSample } from '../../../server/src/features/preview/samples.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import type { Invocation } from '../../../server/src/protocol.ts';
import { readInvocation } from '../../../server/src/skill/package-samples.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { cases } from '../../random.ts';

const URI = 'file:///w/skills/draft-scene.skill.md';

const skill = (...lines: string[]): string =>
  ['---', 'name: draft-scene', 'input_schema: {tone: string}', ...lines, '---', '', 'Draft it.', ''].join('\n');

const word = fc.oneof(
  fc.constantFrom(
    'grim',
    'true',
    '7',
    '1.0',
    'null',
    '- x',
    'a: b',
    '# c',
    '"q"',
    "it's",
    '{x}',
    'a\nb',
    '🐉 x',
    '',
    '~',
    ' y ',
  ),
  fc.string({ maxLength: 12 }),
);
const name = fc.constantFrom('storm', 'calm', 'on', '7', 'a b', 'x: y', '龙', '"q"');
const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;
const invocation: fc.Arbitrary<Invocation> = fc.record(
  {
    request: word,
    parameters: fc.dictionary(word, json, { maxKeys: 4, noNullPrototype: true }),
    source: fc.constantFrom('explicit' as const, 'scheduled' as const),
    channel: word,
    profile: word,
    model: word,
    thread_id: word,
  },
  { requiredKeys: [], noNullPrototype: true },
);
const before = fc.constantFrom(
  skill(),
  skill('samples:', 'level: 1'),
  skill('samples: {}', '# c'),
  skill(
    'samples:',
    '  # c',
    '  calm:',
    '    request: >-',
    '      x',
    '      y',
    '  storm: {parameters: {tone: [a, {b: c}]}} # d',
    'level: 1',
  ),
  skill('samples: {storm: , calm: {parameters: {a: 1}}}').replaceAll('\n', '\r\n'),
  skill(
    'samples:',
    '    storm:',
    '        parameters:',
    '            tone: |',
    '                x',
    '',
    '            # e',
    '    calm: 3',
  ),
  '---\nname: x\n---\n',
);

describe('a saved sample', () => {
  it('is read without loss after repeated saves, and leaves all other bytes unchanged', () => {
    fc.assert(
      fc.property(before, fc.array(fc.tuple(name, invocation), { minLength: 1, maxLength: 3 }), (text, saves) => {
        for (const [key, wanted] of saves) {
          const file = new SkillFile(URI, text);
          const result = saveSample(file, key, wanted);
          if ('problem' in result) assert.fail(`${result.problem}\n${text}\n${key}: ${JSON.stringify(wanted)}`);
          assert.ok(result.edits.length <= 1);
          const after = applyEdits(text, result.edits);
          const sample = new SkillFile(URI, after).contract.samples.find((one) => one.name === key);
          assert.ok(sample, after);
          assert.deepEqual(readInvocation(sample.value), wanted);
          // All lines outside of the sample are unchanged.
          const old = file.contract.samples.find((one) => one.name === key);
          const kept = old ? text.slice(0, old.span.start) : text.slice(0, '---\nname'.length);
          assert.ok(after.startsWith(kept), after);
          assert.ok(after.endsWith(text.slice(file.frontmatter.close?.start ?? 0)), after);
          text = after;
        }
      }),
      cases(80),
    );
  });
});
