/** The choice of artifacts (docs/composer.md): conditions, tags, and the budget. */
import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { composed, FENCE, failures, skill } from './composing.ts';

describe('the selection of artifacts', () => {
  const described = (name: string, when: string) =>
    `\n## Description: ${name}\n${FENCE}yaml artifact\ninclude_when: ${when}\n${FENCE}\n\nText of ${name}.\n`;

  test('includes descriptions whose `include_when` is true, in document order', () => {
    const text = skill(
      'input_schema: {tone: string}\n',
      `\nDo it.\n${described('b', 'tone == "grim"')}${described('a', 'scope == "channel"')}${described('c', 'tone | length > 9')}`,
    );
    const { prompt, decisions, usedArtifacts } = composed(text, { parameters: { tone: 'grim' }, channel: 'one' });
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['b', 'a'],
    );
    assert.ok(prompt.indexOf('Text of b.') < prompt.indexOf('Text of a.'));
    assert.deepEqual(
      decisions.filter(({ taken }) => !taken).map(({ name, reason }) => `${name}: ${reason}`),
      ['c: include_when is false: `tone | length > 9`, and `tone` is `grim`'],
    );
  });

  test('records decisions that show the values in a condition', () => {
    const text = skill(
      'input_schema: {place: {name: string, far: boolean}, tags: "string[]"}\n',
      `\nDo it.\n${described('a', 'place.far and "x" in tags')}${described('b', 'source == "explicit"')}`,
    );
    const { decisions } = composed(text, { parameters: { place: { name: 'Vey', far: false }, tags: ['`x`'] } });
    assert.deepEqual(
      decisions.filter(({ subject }) => subject === 'artifact').map(({ name, reason }) => `${name}: ${reason}`),
      [
        'a: include_when is false: `place.far and "x" in tags`, and `place.far` is `false` and `tags` is `["\'x\'"]`',
        'b: include_when is true: `source == "explicit"`, and `source` is `explicit`',
      ],
    );
  });

  test('reports a failing condition at its position', () => {
    const text = skill(
      '',
      `\nDo it.\n\n## Description: a\n${FENCE}yaml artifact\ninclude_when: tone\n${FENCE}\n\nA.\n`,
    );
    assert.deepEqual(
      failures(text).map(({ kind, at }) => [kind, at]),
      [['MalformedTemplate', 'tone']],
    );
  });

  const example = (name: string, tags: string) =>
    `\n## Example: ${name}\n${FENCE}yaml artifact\ntags: ${tags}\n${FENCE}\n\n### Output\n\nOutput of ${name}.\n`;
  const text = skill(
    'input_schema: {tone: string}\n',
    `\nDo it.\n${example('none', '[]')}${example('one', '[night, siege]')}${example('two', '[Grim, siege, ferry]')}${example('also none', '[tea]')}`,
  );

  test('includes examples up to the limit, sorted by the number of matching tags, then in document order', () => {
    const { usedArtifacts, decisions } = composed(text, { request: 'A SIEGE, by day.', parameters: { tone: 'grim' } });
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['two', 'one', 'none'],
    );
    assert.deepEqual(
      decisions.map(({ name, reason }) => `${name}: ${reason}`),
      [
        'two: 2 of its 3 tags match',
        'one: 1 of its 2 tags matches',
        'none: it has no tags, so it fits every request',
        'also none: its tag does not match',
      ],
    );
  });

  test('matches tags as whole words', () => {
    const { usedArtifacts } = composed(text, { request: 'Besieged at midnight.', parameters: { tone: 'grimly' } });
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['none'],
    );
  });

  test('sorts examples without tags after matching examples, and leaves out examples with no matching tag', () => {
    const { decisions } = composed(
      skill('', `\nDo it.\n${example('general', '[]')}${example('night', '[night]')}${example('tea', '[tea, ferry]')}`),
      { request: 'By night.' },
    );
    assert.deepEqual(
      decisions.map(({ name, taken, reason }) => `${name} ${taken}: ${reason}`),
      [
        'night true: its tag matches',
        'general true: it has no tags, so it fits every request',
        'tea false: none of its 2 tags matches',
      ],
    );
  });

  test('records a decision for an example above the limit', () => {
    const { decisions } = composed({
      'skills/test.skill.md': skill('', `\nDo it.\n${example('a', '[]')}${example('b', '[]')}`),
      'skills.config.yaml': 'composer: {examples: 1}\n',
    });
    assert.equal(decisions.at(-1)?.reason, 'it has no tags, so it fits every request; the limit of 1 is reached');
  });

  test('suggests the smallest set of artifacts whose removal makes the prompt fit the budget', () => {
    const long = (name: string, words: number) => `\n## Description: ${name}\n\n${'word '.repeat(words)}\n`;
    const files = {
      'skills/test.skill.md': skill('', `\nDo it.\n${long('small', 30)}${long('middle', 60)}${long('big', 200)}`),
      'skills.config.yaml': 'composer: {context_tokens: 270}\n',
    };
    const [error] = failures(files);
    assert.equal(error?.kind, 'ArtifactBudgetExceeded');
    assert.deepEqual(error?.trimming?.without, ['Description:middle']);
    const { tokens } = composed(files, { without: error?.trimming?.without ?? [] });
    assert.equal(tokens.total, error?.trimming?.tokens);
    assert.ok(tokens.total <= 270);
  });
});

test('does not limit the prompt of a SKILL.md or of a skill without a declared budget', () => {
  const long = 'word '.repeat(9_000);
  assert.equal(composed(skill('', long)).tokens.budget, null);
  const files = {
    'long/SKILL.md': `---\nname: long\ndescription: Says a lot.\n---\n\n${long}`,
    'skills.config.yaml': 'composer: {context_tokens: 20}\n',
  };
  assert.equal(composed(files).tokens.budget, null);
});
