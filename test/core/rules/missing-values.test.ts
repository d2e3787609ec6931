/** A missing value is reported by its reference as by its name: in conditions, and in the `inputs` of steps. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sliceOf } from '../../../server/src/text.ts';
import { findingsOf } from './findings.ts';

const contract = (name: string, input: string, output: string): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\nowner: t\ninput_schema: ${input}\noutput_schema: ${output}\n`;

const OTHERS = {
  'skills.config.yaml': 'rules: {}\n',
  'p.skill.yaml': contract('p', '{a: string}', '{b: string, s: "string?"}'),
  'bool.skill.yaml': contract('bool', '{a: string}', '{ok: boolean, n: number}'),
  'lists.skill.yaml': contract('lists', '{items: {type: array, items: string, minItems: 1}}', '{r: string}'),
  'any-list.skill.yaml': contract('any-list', '{items: "string[]"}', '{r2: string}'),
  'takes.skill.yaml': contract('takes', '{text: string, o: {type: object, required: false}}', '{t: string}'),
};

/** Returns `rule: marked text` for each finding in an execution. */
function told(execution: string, catalog = OTHERS['skills.config.yaml']): readonly string[] {
  const input =
    '{a: string, go: boolean, flag: boolean?, s: string?, k: number?, l: "string[]?", who: {type: object, required: false, properties: {name: string}}}';
  const composes = ['p', 'bool', 'lists', 'any-list', 'takes'].filter((name) =>
    new RegExp(`(?:step|until): ${name}\\b`).test(execution),
  );
  const text = `${contract('w', input, '{b: string?, r: string?, r2: string?, t: string?, ok: boolean?}')}level: 2\ncomposes: [${composes.join(', ')}]\nexecution: ${execution}\n`;
  return findingsOf('w.skill.yaml', text, { ...OTHERS, 'skills.config.yaml': catalog }).map(
    ({ rule, span }) => `${rule}: ${sliceOf(text, span)}`,
  );
}

const inCondition = (condition: string, catalog?: string): readonly string[] =>
  told(`[{step: bool, condition: $input.go}, {step: p, condition: '${condition.replaceAll("'", "''")}'}]`, catalog);

/** Conditions with the reference that is reported. */
const CONDITIONS: Readonly<Record<string, string | undefined>> = {
  '$input.flag': undefined,
  'not $input.flag': undefined,
  '$input.flag or true': undefined,
  '$input.k > 1': undefined,
  '$input.s == "x"': undefined,
  '$input.s is string': undefined,
  '$input.s | trim': undefined,
  '$input.who.name == "x"': undefined,
  '$bool.output.ok': undefined,
  '$input.s and $input.s | length > 1': undefined,
  'not $input.s or $input.s | length > 1': undefined,
  's and $input.s | length > 1': undefined,
  '$input.s and s | length > 1': undefined,
  '$input.who and $input.who.name | length > 1': undefined,
  '$bool.output is defined and $bool.output.n + 1 > 2': undefined,
  '$input.go and $bool.output.n + 1 > 2': undefined,
  '$input.s | default("") | length > 1': undefined,
  '$input.s | length > 1': '$input.s',
  's | length > 1': 's',
  '"z" in $input.s': '$input.s',
  '$input.k + 1 > 1': '$input.k',
  '$input.l[0] == "x"': '$input.l',
  '$input.l | first == "x"': '$input.l',
  '$input.who.name | length > 1': '$input.who.name',
  '$bool.output.n + 1 > 2': '$bool.output.n',
  '$input.k < 1': '$input.k',
  '$input.s ~ "x" == "x"': '$input.s',
  '$input.flag and $input.s | length > 1': '$input.s',
};

describe('a condition of a step', () => {
  for (const [condition, reference] of Object.entries(CONDITIONS)) {
    it(`${reference === undefined ? 'may read' : 'reports'} a missing value in ${condition}`, () => {
      assert.deepEqual(inCondition(condition), reference === undefined ? [] : [`unguarded-value: ${reference}`]);
    });
  }

  it('reports a test of a missing value only in strict mode', () => {
    const strict = 'templates: {undefined: strict}\n';
    assert.deepEqual(inCondition('$input.flag', strict), ['unguarded-value: $input.flag']);
    assert.deepEqual(inCondition('$bool.output.ok', strict), ['unguarded-value: $bool.output.ok']);
    assert.deepEqual(inCondition('$input.flag is defined and $input.flag', strict), []);
    assert.deepEqual(inCondition('not $input.flag', strict), []);
  });

  it('is judged in the arms of a `when`, and as `keep_when`', () => {
    const kept = (condition: string) => told(`[{speculate: [{step: p, keep_when: '${condition}'}], until: bool}]`);
    assert.deepEqual(kept('$input.s | length > 1'), ['unguarded-value: $input.s']);
    assert.deepEqual(kept('$bool.output.n + 1 > 2'), []);
    const arm = (condition: string) =>
      told(`[{step: bool, condition: $input.go}, {when: [{condition: '${condition}', steps: [{step: p}]}]}]`);
    assert.deepEqual(arm('$bool.output.n + 1 > 2'), ['unguarded-value: $bool.output.n']);
    assert.deepEqual(arm('$bool.output.n'), []);
    const nested = `[{step: bool, condition: $input.go}, {when: [{condition: $input.go, steps: [{step: p, condition: $bool.output.n + 1 > 2}]}]}]`;
    assert.deepEqual(told(nested), []);
  });
});

describe('the inputs of a step', () => {
  it('report text with a reference that may be missing, if the input is required', () => {
    assert.deepEqual(told('[{step: takes, inputs: {text: "see $input.s"}}]'), ['missing-required-field: $input.s']);
    assert.deepEqual(told('[{step: bool, condition: $input.go}, {step: takes, inputs: {text: "n $bool.output.n"}}]'), [
      'missing-required-field: $bool.output.n',
    ]);
    assert.deepEqual(told('[{step: takes, inputs: {text: "see $input.a"}}]'), []);
    assert.deepEqual(told('[{step: takes, inputs: {text: x, o: {k: "see $input.s"}}}]'), []);
  });

  it('report an item that may be missing only if the list is then too short', () => {
    const skipped = '{step: p, condition: $input.go}';
    assert.deepEqual(told(`[${skipped}, {step: lists, inputs: {items: [$p.output.b]}}]`), [
      'missing-required-field: $p.output.b',
    ]);
    assert.deepEqual(told(`[${skipped}, {step: lists, inputs: {items: [x, $p.output.b]}}]`), []);
    assert.deepEqual(told(`[${skipped}, {step: any-list, inputs: {items: [$p.output.b, "and $input.s"]}}]`), []);
    assert.deepEqual(told(`[{step: any-list, inputs: {items: [$input.k, x]}}]`), ['type-mismatch: $input.k']);
  });
});
