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
const told = (execution: string, catalog?: string): readonly string[] =>
  checked(execution, catalog).map(({ rule, place }) => `${rule}: ${place}`);

const messages = (execution: string): readonly string[] => checked(execution).map(({ message }) => message);

function checked(execution: string, catalog = OTHERS['skills.config.yaml']) {
  const input =
    '{a: string, go: boolean, flag: boolean?, s: string?, k: number?, l: "string[]?", who: {type: object, required: false, properties: {name: string}}}';
  const composes = ['p', 'bool', 'lists', 'any-list', 'takes'].filter((name) =>
    new RegExp(`(?:step|until): ${name}\\b`).test(execution),
  );
  const text = `${contract('w', input, '{b: string?, r: string?, r2: string?, t: string?, ok: boolean?}')}level: 2\ncomposes: [${composes.join(', ')}]\nexecution: ${execution}\n`;
  return findingsOf('w.skill.yaml', text, { ...OTHERS, 'skills.config.yaml': catalog }).map(
    ({ rule, span, message }) => ({ rule, place: sliceOf(text, span), message }),
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
    const advice = (execution: string) => messages(execution).map((message) => message.replace(/^.*?\. /, ''));
    assert.deepEqual(advice(`[${skipped}, {step: lists, inputs: {items: [$p.output.b]}}]`), [
      'Always run `p`, or allow a shorter list.',
    ]);
    assert.deepEqual(advice('[{step: lists, inputs: {items: [$input.s]}}]'), [
      'Make it required, or allow a shorter list.',
    ]);
    assert.deepEqual(told(`[${skipped}, {step: any-list, inputs: {items: [$p.output.b, "and $input.s"]}}]`), []);
    assert.deepEqual(told(`[{step: any-list, inputs: {items: [$input.k, x]}}]`), ['type-mismatch: $input.k']);
  });
});

describe('an optional input without which a prompt always fails', () => {
  const part = (template: string, more = '') =>
    `---\n${contract('part', `{a: string, go: string?${more}}`, '{b: string}')}framing: t\n---\n\n## PromptTemplate: t\n\n${template}\n`;
  const of = (template: string, rest = '', input = '{a: string}', more = '') => {
    const text = `${contract('w', input, '{b: string?}')}level: 2\ncomposes: [part]\n${rest}`;
    const files = { 'part.skill.md': part(template, more) };
    return findingsOf('w.skill.yaml', text, files).map(({ rule, message, related }) => [
      rule,
      message,
      ...related.map(({ uri }) => uri.split('/').at(-1)),
    ]);
  };

  it('is required by the step', () => {
    assert.deepEqual(of('{{ a }} {{ go }}'), [
      [
        'missing-required-field',
        '`part` requires `go` (`string`) for its prompt, but no input or earlier step provides it. Map a value to it with `input_mapping`, for example `a` of the inputs, or add an input.',
        'part.skill.md',
        'w.skill.yaml',
      ],
    ]);
    assert.deepEqual(
      of('{{ go }}', 'execution: [{step: part, inputs: {go: $input.o}}]\n', '{a: string, o: string?}').map(
        ([, message]) => message,
      ),
      [
        '`part` requires `go` (`string`) for its prompt, but `$input.o` is optional. Make it required, or add a default.',
      ],
    );
    assert.equal(of('{% for one in list %}{{ one }}{% endfor %}', '', '{a: string}', ', list: "string[]?"').length, 1);
  });

  it('is given by an input, a mapping or a guard', () => {
    assert.deepEqual(of('{{ go }}', '', '{a: string, go: string}'), []);
    assert.deepEqual(of('{{ go }}', 'execution: [{step: part, inputs: {go: x}}]\n'), []);
    const guarded = 'execution: [{step: part, condition: $input.go}]\n';
    assert.deepEqual(of('{{ go }}', guarded, '{a: string, go: string?}'), []);
  });

  it('is not required if some prompt has no use for it', () => {
    for (const template of [
      '{% if go %}{{ go }}{% endif %}',
      '{{ go | default("") }}',
      '{% set go = a %}{{ go }}',
      '{{ a if a else go }}',
      '{# {{ go }} #}',
      '{% raw %}{{ go }}{% endraw %}',
    ]) {
      assert.deepEqual(of(template), [], template);
    }
  });
});

describe('a variable that is set to true in an `if`', () => {
  const warnings = (template: string) =>
    findingsOf(
      'a.skill.md',
      `---\nname: a\ndescription: A.\nversion: 1.0.0\ninput_schema: {n: "string?", m: "string?"}\nframing: f\n---\n\n## PromptTemplate: f\n\n${template}\n`,
    ).filter(({ rule }) => rule === 'unguarded-value').length;

  it('proves what the condition proves', () => {
    for (const before of ['', '{% set has = false %}'])
      assert.equal(warnings(`${before}{% if n %}{% set has = true %}{% endif %}{{ n if has else "x" }}`), 0);
    assert.equal(warnings('{% if n and m %}{% set all = true %}{% endif %}{% if all %}{{ n }}{{ m }}{% endif %}'), 0);
  });

  it('proves nothing if it may be true for another reason, or the value may have changed', () => {
    for (const template of [
      '{% if n %}{% set has = true %}{% else %}{% set has = true %}{% endif %}{% if has %}{{ n }}{% endif %}',
      '{% set has = true %}{% if n %}{% set has = true %}{% endif %}{% if has %}{{ n }}{% endif %}',
      '{% if n %}{% set has = true %}{% endif %}{% set n = m %}{% if has %}{{ n }}{% endif %}',
      '{% if n %}{% set has = true %}{% set n = m %}{% endif %}{% if has %}{{ n }}{% endif %}',
      '{% if n %}{% set has = true %}{% endif %}{% if not has %}{{ n }}{% endif %}',
      '{% if n %}{% set has = true %}{% endif %}{% if m %}{% set has = true %}{% endif %}{% if has %}{{ n }}{% endif %}',
    ])
      assert.equal(warnings(template), 1, template);
  });
});

it('suggests a test only for a word that is likely to mean it', () => {
  const meant = (word: string) =>
    findingsOf(
      'a.skill.md',
      `---\nname: a\ndescription: A.\nversion: 1.0.0\ninput_schema: {n: integer}\nframing: f\n---\n\n## PromptTemplate: f\n\n{{ n is ${word} }}\n`,
    ).flatMap(({ rule, fixes }) => (rule === 'unknown-test' ? fixes.map(({ title }) => title) : []));
  for (const word of ['len', 'power', 'size']) assert.deepEqual(meant(word), [], word);
  assert.deepEqual(
    [meant('evn'), meant('tru'), meant('strin')],
    [['Replace with `even`'], ['Replace with `true`'], ['Replace with `string`']],
  );
});
