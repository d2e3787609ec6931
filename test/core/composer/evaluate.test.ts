/** Expressions and templates that a debugger evaluates. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createComposer, type Evaluation } from '../../../server/src/composer/compose.ts';

const composer = createComposer();
const context = { guest: 'Ada', doors: ['north', 'south'], input: { a: { b: 1 } } };
const ask = (kind: Evaluation['kind'], source: string) => {
  const result = composer.evaluate({ kind, source, context });
  return result.ok ? result.value : result.message;
};

test('an expression has its value as JSON', () => {
  assert.equal(ask('value', 'guest'), 'Ada');
  assert.equal(ask('value', '"<b>" ~ guest'), '<b>Ada');
  assert.deepEqual(ask('value', 'doors[1:]'), ['south']);
  assert.deepEqual(ask('value', 'input.a'), { b: 1 });
  assert.equal(ask('value', 'doors | length > 1'), true);
  assert.equal(ask('value', 'none'), null);
});

test('a condition is true or false, and a template is a text', () => {
  assert.equal(ask('condition', 'doors | length > 1'), true);
  assert.equal(ask('condition', 'guest == "Eve"'), false);
  assert.equal(ask('template', 'Hello {{ guest }}{% if doors %}!{% endif %}'), 'Hello Ada!');
});

test('a test of an undefined value is false, and a failure in strict mode', () => {
  const question = { kind: 'condition', source: 'nobody', context } as const;
  assert.deepEqual(composer.evaluate(question), { ok: true, value: false });
  const strict = composer.evaluate({ ...question, isStrict: true });
  assert.match(strict.ok ? '' : strict.message, /`nobody`/);
});

test('a failure is a message, and the next expression has a value', () => {
  const failures: readonly (readonly [Evaluation['kind'], string, RegExp])[] = [
    ['value', 'gest', /`gest`.*Did you mean `guest`\?/],
    ['value', 'guest }} {{ doors', /./],
    ['value', '', /./],
    ['value', '1e999', /./],
    ['condition', 'nobody | length > 1', /`nobody`/],
    ['template', '{{ guest', /./],
    ['template', '{% include "other" %}', /./],
  ];
  for (const [kind, source, message] of failures) {
    const result = composer.evaluate({ kind, source, context });
    assert.match(result.ok ? `${source} is ${JSON.stringify(result.value)}` : result.message, message, source);
    if (source !== '1e999') assert.equal(result.ok, false, source);
    assert.equal(ask('value', 'guest'), 'Ada');
  }
});
