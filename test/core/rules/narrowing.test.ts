/** Conditions rule out values for the inputs of their step, and conditions that cover everything need no `else`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sliceOf } from '../../../server/src/text.ts';
import { findingsOf } from './findings.ts';

const contract = (name: string, input: string, output: string): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\nowner: t\ninput_schema: ${input}\noutput_schema: ${output}\n`;

const INPUT = `{type: object, required: [a, z, m, k, any, yes, flag, u, n0], properties: {a: {type: string}, z: {type: [string, "null"]},
  m: {enum: [x, y, z]}, k: {type: number}, any: {type: [string, number, boolean]}, yes: {type: boolean}, flag: {type: [boolean, "null"]},
  u: {anyOf: [{type: string}, {type: "null"}, {type: array, items: {type: string}}]}, n0: {type: integer, minimum: 0}, free: {type: string},
  opt: {enum: [x, y]}, other: {type: string}, other2: {type: string}, words: {type: array, items: {type: string}}, box: {type: object, required: [sure], properties: {sure: {type: string}, maybe: {type: string}}}}}`;

const OTHERS = {
  's.skill.yaml': contract('s', '{b: string}', '{c: string}'),
  'few.skill.yaml': contract('few', '{m: [x, y]}', '{r: string}'),
  'num.skill.yaml': contract(
    'num',
    '{type: object, required: [k], properties: {k: {type: number, minimum: 1, maximum: 9}}}',
    '{r: string}',
  ),
  'list.skill.yaml': contract('list', '{u: "string[]"}', '{r: string}'),
  'yes.skill.yaml': contract('yes', '{type: object, required: [f], properties: {f: {type: boolean}}}', '{r: string}'),
  'gives.skill.yaml': contract('gives', '{a: string}', '{kind: [one, two], maybe: {type: [string, "null"]}}'),
};

function told(
  execution: string,
  output = '{c: string?}',
  composes = 's, few, num, list, yes, gives',
): readonly string[] {
  const used = composes.split(', ').filter((name) => execution.includes(`step: ${name}`));
  const extra = [...execution.matchAll(/step: (s\d)/g)].map(([, name]) => `{skill: s, as: ${name}}`);
  const text = `${contract('w', INPUT, output)}level: 2\ncomposes: [${[...used.filter((name) => name !== 's' || extra.length === 0), ...new Set(extra)].join(', ')}]\nexecution: ${execution}\n`;
  return findingsOf('w.skill.yaml', text, OTHERS).map(({ rule, span }) => `${rule}: ${sliceOf(text, span)}`);
}

/** The condition of a step, the step with its inputs, and whether the value fits. */
const ROWS: readonly (readonly [condition: string, step: string, fits: boolean])[] = [
  ['$input.z != none', 'step: s, inputs: {b: $input.z}', true],
  ['z != none', 'step: s, inputs: {b: $input.z}', true],
  ['$input.z is not none', 'step: s, inputs: {b: $input.z}', true],
  ['$input.z is string', 'step: s, inputs: {b: $input.z}', true],
  ['$input.z', 'step: s, inputs: {b: $input.z}', true],
  ['$input.z and $input.k > 1', 'step: s, inputs: {b: $input.z}', true],
  ['not ($input.z is none)', 'step: s, inputs: {b: $input.z}', true],
  ['$input.z == "k"', 'step: s, inputs: {b: $input.z}', true],
  ['$input.z is none', 'step: s, inputs: {b: $input.z}', false],
  ['$input.z == none', 'step: s, inputs: {b: $input.z}', false],
  ['not $input.z', 'step: s, inputs: {b: $input.z}', false],
  ['$input.z != none or $input.k > 1', 'step: s, inputs: {b: $input.z}', false],
  ['$input.a != none', 'step: s, inputs: {b: $input.z}', false],
  ['$input.m != "z"', 'step: few, inputs: {m: $input.m}', true],
  ['$input.m != "z"', 'step: few', true],
  ['m in ["x", "y"]', 'step: few', true],
  ['$input.m not in ["z"]', 'step: few', true],
  ['$input.m == "x" or $input.m == "y"', 'step: few', true],
  ['not ($input.m == "z")', 'step: few', true],
  ['parameters.m == "x"', 'step: few', true],
  ['$input.a == "x" or "y" == $input.a', 'step: few, inputs: {m: $input.a}', true],
  ['$input.a == "x" or $input.a == "q"', 'step: few, inputs: {m: $input.a}', false],
  ['$input.a == "x" or $input.yes', 'step: few, inputs: {m: $input.a}', false],
  ['$input.k == 3', 'step: num, inputs: {k: $input.k}', true],
  ['$input.k in [3, 4]', 'step: num, inputs: {k: $input.k}', true],
  ['$input.k == 1 or $input.k == 2 or $input.k == 9', 'step: num, inputs: {k: $input.k}', true],
  ['$input.k in [3, 40]', 'step: num, inputs: {k: $input.k}', false],
  ['$input.any == 3', 'step: num, inputs: {k: $input.any}', false],
  ['$input.m != "x"', 'step: few, inputs: {m: $input.m}', false],
  ['$input.m in ["x", "z"]', 'step: few, inputs: {m: $input.m}', false],
  ['$input.free in ["x", "y"]', 'step: few, inputs: {m: $input.free}', true],
  ['$input.free == "x"', 'step: few, inputs: {m: $input.free}', true],
  ['$input.free in ["x", "w"]', 'step: few, inputs: {m: $input.free}', false],
  ['$input.k >= 1 and $input.k <= 9', 'step: num', true],
  ['$input.k > 1 and 9 > $input.k', 'step: num', true],
  ['not ($input.k < 1 or $input.k > 9)', 'step: num', true],
  ['$input.n0 > 0 and $input.n0 < 10', 'step: num, inputs: {k: $input.n0}', true],
  ['$input.k >= 0 and $input.k <= 9', 'step: num, inputs: {k: $input.k}', false],
  ['$input.k >= 1', 'step: num, inputs: {k: $input.k}', false],
  ['$input.any is string', 'step: s, inputs: {b: $input.any}', true],
  ['$input.any is not number and $input.any is not boolean', 'step: s, inputs: {b: $input.any}', true],
  ['$input.any is not number', 'step: s, inputs: {b: $input.any}', false],
  ['$input.any is number', 'step: s, inputs: {b: $input.any}', false],
  ['$input.u is sequence', 'step: list, inputs: {u: $input.u}', true],
  ['$input.u is none', 'step: list, inputs: {u: $input.u}', false],
  ['true if $input.k >= 1 and $input.k <= 9 else false', 'step: num', true],
  ['false if $input.k < 1 or $input.k > 9 else true', 'step: num', true],
  ['$input.k > 0 and $input.k < 9 if $input.k >= 1 else false', 'step: num', true],
  ['true if $input.k >= 1 and $input.k <= 9 else $input.yes', 'step: num', false],
  ['$input.flag != none', 'step: yes, inputs: {f: $input.flag}', true],
  ['$input.flag', 'step: yes, inputs: {f: $input.flag}', true],
  ['not $input.flag', 'step: yes, inputs: {f: $input.flag}', false],
];

describe('a condition', () => {
  for (const [condition, step, fits] of ROWS) {
    it(`${fits ? 'rules out what does not fit' : 'leaves a value that does not fit'}: ${condition}, ${step}`, () => {
      const rules = told(`[{${step}, condition: '${condition}'}]`, '{c: string?, r: string?}').map(
        (line) => line.split(':')[0],
      );
      assert.deepEqual(rules, fits ? [] : ['type-mismatch']);
    });
  }

  it('that also holds without an optional value proves nothing about it', () => {
    const of = (condition: string) =>
      told(`[{step: few, inputs: {m: $input.free}, condition: '${condition}'}]`, '{c: string?, r: string?}').map(
        (line) => line.split(':')[0],
      );
    // An undefined value is contained in every string.
    assert.deepEqual(of('$input.free in "xy"'), ['missing-required-field', 'unguarded-value']);
    for (const condition of [
      '$input.flag',
      '$input.free != "z"',
      '$input.flag or $input.free == "x"',
      '$input.a == ($input.free | default($input.a))',
      '[$input.free] | length == 1',
      '($input.free is defined) == $input.flag',
      '($input.free | default("x"))[0] == $input.a',
    ]) {
      assert.deepEqual(of(condition), ['missing-required-field'], condition);
    }
    assert.deepEqual(of('$input.flag and $input.free == "x"'), []);
    assert.deepEqual(of('$input.free == "x" or $input.free == "y"'), []);
  });

  it('that compares two values which may both be missing proves neither of them', () => {
    const of = (condition: string) =>
      told(`[{step: s, inputs: {b: $input.free}, condition: '${condition}'}]`, '{c: string?}').map(
        (line) => line.split(':')[0],
      );
    for (const condition of [
      '$input.free == $input.other',
      '$input.other == free',
      'not ($input.free != $input.other)',
      '$input.free >= $input.other',
      '$input.free in ["x", $input.other]',
      '$input.free == $input.other and $input.other == $input.other2',
      '$input.free != $input.a',
      '$input.free <= $input.a',
      '$input.free not in $input.words',
      '$input.free in $input.a',
      '$input.free in $input.other',
    ]) {
      assert.ok(of(condition).includes('missing-required-field'), condition);
    }
    for (const condition of [
      '$input.free == $input.a',
      '$input.free > $input.other',
      '$input.other < $input.free',
      '$input.other and $input.free == $input.other',
      '$input.free == $input.other and $input.other == "x"',
      '$input.free in $input.words',
      'true if $input.free == $input.a else false',
    ]) {
      const rules = of(condition).filter((rule) => rule !== 'unguarded-value');
      assert.deepEqual(rules, [], condition);
    }
  });

  it('is judged at any length that a condition may have', () => {
    const of = (condition: string, step: string) =>
      told(`[{${step}, condition: '${condition}'}]`, '{c: string?, r: string?}').map((line) => line.split(':')[0]);
    const long = (one: string, operator: string, length = 9000) =>
      Array.from({ length: Math.floor(length / (one.length + operator.length + 2)) }, () => one).join(` ${operator} `);
    for (const length of [900, 9500]) {
      assert.deepEqual(of(long('$input.m == "x"', 'or', length), 'step: few, inputs: {m: $input.m}'), []);
      assert.deepEqual(of(long('$input.free', 'and', length), 'step: s, inputs: {b: $input.free}'), []);
      assert.deepEqual(of(long('$input.free', 'or', length), 'step: s, inputs: {b: $input.free}'), []);
      const other = `${long('$input.yes', 'or', length)} or $input.m == "x"`;
      assert.deepEqual(of(other, 'step: few, inputs: {m: $input.m}'), ['type-mismatch']);
    }
  });

  it('proves a field only if it needs the last optional value on the way to it', () => {
    const of = (condition: string, field: string) =>
      told(`[{step: s, inputs: {b: $input.box.${field}}, condition: '${condition}'}]`).map(
        (line) => line.split(':')[0],
      );
    assert.deepEqual(of('$input.box', 'sure'), []);
    assert.deepEqual(of('$input.box and $input.box.maybe', 'sure'), []);
    assert.deepEqual(of('$input.box and $input.box.maybe', 'maybe'), []);
    assert.deepEqual(of('$input.box and "maybe" in $input.box', 'maybe'), []);
    assert.deepEqual(of('$input.box', 'maybe'), ['missing-required-field']);
    assert.deepEqual(of('$input.box and $input.box.sure', 'maybe'), ['missing-required-field']);
  });

  it('counts in the arms after it, where it is false', () => {
    const arms = (first: string, then: string) =>
      told(
        `[{when: [{condition: '${first}', steps: [{step: few, inputs: {m: x}}]}], else: [{${then}}]}]`,
        '{c: string?, r: string?}',
      );
    assert.deepEqual(arms('$input.z is none', 'step: s, inputs: {b: $input.z}'), []);
    assert.deepEqual(arms('$input.z == none', 'step: s, inputs: {b: "$input.z"}'), []);
    assert.deepEqual(arms('$input.z != none', 'step: s, inputs: {b: $input.z}'), ['type-mismatch: $input.z']);
    const second = `[{when: [{condition: '$input.z is none', steps: []}, {condition: $input.yes, steps: [{step: s, inputs: {b: $input.z}}]}]}]`;
    assert.deepEqual(told(second), []);
  });

  it('makes a step certain that may not have run only if it does not hold without that step', () => {
    const of = (condition: string) =>
      told(
        `[{step: gives, condition: $input.yes}, {step: s, condition: '${condition}', inputs: {b: $gives.output.kind}}]`,
      );
    for (const condition of [
      '$gives.output.kind == "one"',
      '$gives.output',
      '$input.yes',
      '$input.yes and $input.a',
      '$input.a and ( $input.yes )',
      '$gives.output.kind == "one" or $gives.output.maybe',
    ]) {
      assert.deepEqual(of(condition), [], condition);
    }
    for (const condition of [
      'not $gives.output.maybe',
      '$gives.output.kind != "one"',
      '$gives.output.kind is not defined',
      '$gives.output.kind or $input.k > 1',
      '$gives.output.kind | default("") == ""',
      '$input.free != $gives.output.kind',
      '$gives.output.kind == $input.free',
      '$input.yes or $input.a',
    ]) {
      assert.deepEqual(of(condition), ['missing-required-field: $gives.output.kind'], condition);
    }
    const after = `{when: [{condition: not $input.yes, steps: []}], else: [{step: s, inputs: {b: $gives.output.kind}}]}`;
    assert.deepEqual(told(`[{step: gives, condition: $input.yes}, ${after}]`), []);
  });

  it('that is too long to be checked is an error', () => {
    const of = (count: number) =>
      told(`[{step: s, condition: '${'not '.repeat(count)}$input.yes', inputs: {b: $input.a}}]`).map(
        (line) => line.split(':')[0],
      );
    assert.deepEqual(of(3000), ['invalid-condition']);
    assert.deepEqual(of(100), []);
  });

  it('that reads a step before the condition of that step may fail', () => {
    const of = (condition: string) =>
      told(`[{step: gives, condition: $input.yes}, {step: s, condition: '${condition}', inputs: {b: $input.a}}]`);
    assert.deepEqual(of('$input.yes and $gives.output.kind | length > 1'), []);
    assert.deepEqual(of('$gives.output.kind | length > 1 and $input.yes'), ['unguarded-value: $gives.output.kind']);
  });

  it('counts for the output of a step', () => {
    const step = (condition: string) =>
      told(`[{step: gives}, {step: s, condition: ${condition}, inputs: {b: $gives.output.maybe}}]`);
    assert.deepEqual(step('$gives.output.maybe != none'), []);
    assert.deepEqual(step('$gives.output.kind == "one"'), ['type-mismatch: $gives.output.maybe']);
  });
});

/** Arms without `else`, or steps, and whether they always give the output. */
const COVERS: readonly (readonly [conditions: readonly string[], covers: boolean])[] = [
  [['$input.m == "x"', '$input.m == "y"', '$input.m == "z"'], true],
  [['$input.m == "x"', 'm != "x"'], true],
  [['$input.m in ["x", "y"]', '$input.m == "z"'], true],
  [['$input.m == "x"', '$input.m == "y"'], false],
  [['$input.yes', 'not $input.yes'], true],
  [['yes', 'not $input.yes'], true],
  [['$input.yes == true', '$input.yes == false'], true],
  [['$input.flag', '$input.flag == false'], false],
  [['$input.flag', 'not $input.flag'], true],
  [['$input.flag', '$input.flag == false', '$input.flag is none'], true],
  [['$input.opt == "x"', '$input.opt == "y"'], false],
  [['$input.opt == "x"', '$input.opt == "y"', '$input.opt is undefined'], true],
  [['$input.k > 3', '$input.k <= 3'], true],
  [['$input.k > 3', '$input.k < 3'], false],
  [['$input.k > 3', '$input.k < 3', '$input.k == 3'], true],
  [['3 < $input.k', '-3 > -$input.k', 'k in [3, 3.0]', '$input.k < 3'], true],
  [['$input.k > 3', '$input.k < 3', '$input.k == 3 and $input.yes'], false],
  [['$input.k > 3', '$input.k < 2', '$input.k in [2, 3]'], false],
  [['$input.n0 > 3', '$input.n0 < 2', '$input.n0 in [2, 3]'], true],
  [['$input.n0 == 0', '$input.n0 == 1', '$input.n0 > 1'], true],
  [['$input.n0 == 1', '$input.n0 > 1'], false],
  [['$input.n0 > 0', '$input.n0 <= 0 and $input.yes'], false],
  [['$input.k | abs > 3', '$input.k < 3', '$input.k == 3'], false],
  [['$input.yes and $input.k > 3', 'not ($input.yes and $input.k > 3)'], true],
  [['$input.yes and $input.k > 3', 'not $input.yes and $input.k > 3'], false],
  [['$input.z is none', '$input.z is not none'], true],
  [['$input.z is none', '$input.z'], false],
  [['$input.free | length > 1', 'not ($input.free | length > 1)'], true],
];

describe('conditions that cover everything', () => {
  const named = (at: number) => `{step: s${at + 1}, inputs: {b: x}`;
  for (const [conditions, covers] of COVERS) {
    const expected = covers ? [] : ['missing-required-field: c'];
    const missing = (lines: readonly string[]) => lines.filter((line) => line.startsWith('missing-required-field'));
    it(`${covers ? 'need no `else`' : 'are not complete'}: ${conditions.join(', ')}`, () => {
      const arms = conditions.map((one, at) => `{condition: '${one}', steps: [${named(at)}}]}`);
      assert.deepEqual(missing(told(`[{when: [${arms.join(', ')}]}]`, '{c: string}')), expected, 'arms');
      const steps = conditions.map((one, at) => `${named(at)}, condition: '${one}'}`);
      assert.deepEqual(missing(told(`[${steps.join(', ')}]`, '{c: string}')), expected, 'steps');
      assert.deepEqual(missing(told(`[{parallel: [${steps.join(', ')}]}]`, '{c: string}')), expected, 'parallel');
      const nested = `[{when: [{condition: $input.k > 7, steps: [${steps.join(', ')}]}]}]`;
      assert.deepEqual(missing(told(nested, '{c: string}')), ['missing-required-field: c'], 'nested');
    });
  }

  it('are not complete if one of them is around another condition', () => {
    const steps = '{step: s1, inputs: {b: x}, condition: $input.yes}';
    const nested =
      '{when: [{condition: $input.k > 1, steps: [{step: s2, inputs: {b: x}, condition: not $input.yes}]}]}';
    assert.deepEqual(told(`[${steps}, ${nested}]`, '{c: string}'), ['missing-required-field: c']);
  });

  it('may read the output of a step that has certainly run', () => {
    const arms = (before: string) =>
      told(
        `[${before}, {when: [{condition: $gives.output.kind == "one", steps: [{step: s1, inputs: {b: x}}]}, {condition: $gives.output.kind == "two", steps: [{step: s2, inputs: {b: x}}]}]}]`,
        '{c: string}',
      );
    assert.deepEqual(arms('{step: gives}'), []);
    assert.deepEqual(arms('{step: gives, condition: $input.yes}'), ['missing-required-field: c']);
  });
});
