/** Converting a package without retired kinds to a skill and back loses nothing, and the skill is valid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packageToSkill } from '../../../server/src/exchange/package-to-skill.ts';
import { packageValues } from '../../../server/src/exchange/skill-to-package.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { codePoints } from '../../code-points.ts';
import { cases } from '../../random.ts';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  codePoints(8),
  fc
    .array(
      fc
        .constantFrom(
          '# A',
          '## Notes',
          '## Description: one',
          'Words.',
          '{{ a.b }}',
          '{% for x in xs %}{{ x }}{% endfor %}',
        )
        .map(String),
      { maxLength: 4 },
    )
    .map((lines) => lines.join('\n\n')),
  fc.constantFrom(
    '```',
    '~~~\nopen',
    '<!--',
    'a\r\nb',
    '  indented',
    'Title\n===',
    '- list\n\n      code',
    '```yaml artifact\na: 1\n```',
  ),
);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const artifact = fc.record({
  kind: fc.constantFrom('description', 'prompt_template', 'approach', 'example'),
  name: fc.oneof(fc.constantFrom('one', 'two', 'A Prompt', '*bold*', 'x: y', 'a # b'), text),
  ordinal: optional(fc.nat(4)),
  content: text,
  model_variant: optional(fc.constantFrom('anthropic', 'openai', 'default', null)),
  metadata: optional(
    fc.constantFrom(
      null,
      {},
      { own: 1 },
      { assertions: [{ type: 'length', check: 'char_range', min: 1 }] },
      { assertions: [{ type: 'pattern', check: 'other', pattern: 'a' }], tags: ['x'] },
    ),
  ),
  id: optional(fc.constant('an-id')),
});

const pack = fc.record({
  id: optional(fc.constantFrom('a', '7')),
  name: text.filter((name) => name !== ''),
  description: text,
  version: optional(fc.constantFrom('1.0.0', '2.1.0')),
  tags: optional(fc.array(text, { maxLength: 3 })),
  source: optional(fc.constantFrom('system', 'community', 'user')),
  intent_patterns: optional(fc.constantFrom(null, [], ['check *'])),
  marketplace_id: optional(fc.constantFrom(null, 'm')),
  artifacts: fc.array(artifact, { maxLength: 4 }),
});

test('converting a package without retired kinds to a skill and back loses nothing', () => {
  fc.assert(
    fc.property(pack, (values) => {
      const json = JSON.stringify(values);
      const made = packageToSkill(new SkillFile('file:///a.skill.json', json));
      assert.ok('files' in made, JSON.stringify(made));
      const skill = made.files[0]?.text ?? '';
      const back = packageValues(new SkillFile('file:///a.skill.md', skill)).values;
      assert.deepEqual(JSON.parse(JSON.stringify(back)), JSON.parse(json), skill);
    }),
    cases(150),
  );
});
