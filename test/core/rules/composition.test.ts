/** One fault in `composes` or `execution` gives one finding, whose first fix corrects it; the composer agrees. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';
import { compose } from '../composer/composing.ts';

const contract = (name: string, input: string, output: string, more = ''): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\ninput_schema: ${input}\noutput_schema: ${output}\n${more}`;

const ERRORS =
  'errors: [{code: BUSY, description: Busy., retry: backoff}, {code: LOST, description: Lost., retry: never}]\n';

const OTHERS = {
  p: contract('p', '{a: string}', '{b: string}', `${ERRORS}operation: READ\nretry: {max_attempts: 3}\n`),
  q: contract('q', '{b: string}', '{c: integer}'),
  obj: contract('obj', '{}', '{o: {x: string, y: integer?}, flag: boolean, kind: [red, blue], items: "string[]"}'),
  renamed: contract('new-name', '{a: string}', '{b: string}', 'id: old-name\n'),
};

function open(text: string): Workspace {
  const workspace = new Workspace();
  for (const [name, content] of Object.entries({ ...OTHERS, w: text })) {
    workspace.apply({ kind: 'text', uri: `file:///w/${name}.skill.yaml`, text: content });
  }
  return workspace;
}

const WHOLE = 'file:///w/w.skill.yaml';

function findingsIn({ analysis }: Workspace): readonly Finding[] {
  const file = analysis.file(WHOLE);
  assert.ok(file);
  return check(file, analysis);
}

function isRefused({ analysis }: Workspace): boolean {
  const skillPackage = checkedPackageOf(analysis, WHOLE);
  assert.ok(skillPackage);
  return !compose(
    prepareRequest(skillPackage, invocationContextOf(analysis, WHOLE), undefined, { madeUp: true }).request,
  ).ok;
}

const composite = (lines: string): string =>
  contract(
    'w',
    '{a: string, n: integer?, my-flag: boolean, f: {y: string}}',
    '{b: string?, c: integer?}',
    `level: 2\n${lines}\n`,
  );

/** `severity rule: marked text`, followed by the changed line after the first fix. */
function told(lines: string): readonly string[] {
  const text = composite(lines);
  const workspace = open(text);
  const findings = findingsIn(workspace);
  const errors = findings.filter(
    ({ severity, span }) => severity === 'error' && span.start >= text.indexOf('level: 2'),
  );
  assert.equal(isRefused(workspace), errors.length > 0, 'the composer disagrees');
  return findings.map((finding) => {
    const { severity, rule, span } = finding;
    return `${severity} ${rule}: ${sliceOf(text, span)}${afterFix(text, finding)}`;
  });
}

function afterFix(text: string, { rule, message, fixes: [fix] }: Finding): string {
  const edits = fix?.edits.find(({ uri }) => uri === WHOLE)?.edits;
  if (!edits) return '';
  const after = applyEdits(text, edits);
  const left = findingsIn(open(after)).filter((other) => other.rule === rule && other.message === message);
  assert.deepEqual(left, [], `the fix does not correct ${message}`);
  const before = text.split('\n');
  const changed = after.split('\n').filter((line) => !before.includes(line));
  return ` -> ${changed.map((line) => line.trim()).join(' | ')}`;
}

const CASES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the kind of a step': {
    'composes: [p]\nexecution: [{step: [p]}]': ['error unknown-step: [p]'],
    'composes: [obj, p]\nexecution: [{speculate: [{step: p}], until: [obj]}]': ['error unknown-step: [obj]'],
    'composes: [obj, p]\nexecution: [{parallel: {step: p}}, {step: obj}]': [
      'error invalid-execution: {step: p} -> execution: [{parallel: [{step: p}]}, {step: obj}]',
    ],
    'composes: [p]\nexecution: [{when: {condition: a == "x", steps: [{step: p}]}}]': [
      'error invalid-execution: {condition: a == "x", steps: [{step: p}]} -> execution: [{when: [{condition: a == "x", steps: [{step: p}]}]}]',
    ],
    'composes: [p]\nexecution: [{when: a, steps: [{step: p}]}]': ['error invalid-execution: a'],
    'composes: [obj, p]\nexecution: [{speculate: [{step: p, condition: $obj.output.flag}], until: obj}]': [
      'error invalid-execution: condition -> execution: [{speculate: [{step: p, keep_when: $obj.output.flag}], until: obj}]',
    ],
    'composes: [p]\nexecution: [{step: p, step: p}]': ['error duplicate-key: step -> execution: [{step: p}]'],
  },
  'the name of a step': {
    'composes: [{skill: p, as: first}]\nexecution: [{step: p}]': [
      'error unknown-step: p -> execution: [{step: first}]',
    ],
    'composes: [p]\nexecution: [{step: $p.output}]': ['error unknown-step: $p.output -> execution: [{step: p}]'],
    'composes: [obj, p]\nexecution: [{speculate: [{step: p}], until: $obj}]': [
      'error unknown-step: $obj -> execution: [{speculate: [{step: p}], until: obj}]',
    ],
    'composes: [p]\nexecution: [{step: p@1.0.0}]': ['error unknown-step: p@1.0.0'],
    'composes: [old-name]\nexecution: [{step: old-name}]': [
      'hint skill-not-found: old-name -> composes: [new-name] | execution: [{step: new-name}]',
    ],
  },
  'the keys of an arm and of an entry': {
    'composes: [p]\nexecution:\n  - when:\n      - if: a == "x"\n        then: [{step: p}]': [
      'error missing-key: if -> - condition: a == "x"',
      'error missing-key: then -> steps: [{step: p}]',
    ],
    'composes: [{name: p}]': ['error missing-key: name -> composes: [{skill: p}]'],
    'composes: [{skill: p, condition: a == "x"}]': ['warning unknown-key: condition'],
    'composes: [12]': ['error invalid-value: 12 -> composes: ["12"]'],
    'composes: [p, nope]\nexecution: [{step: p}]': [
      'error skill-not-found: nope',
      'warning unused-step: nope -> execution: [{step: p}, {step: nope}]',
    ],
  },
  'the names in a condition': {
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: my-flag}]': [
      'error undefined-variable: my-flag -> execution: [{step: p}, {step: q, condition: $input.my-flag}]',
    ],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: steps.p.output.b == "x"}]': [
      'error undefined-variable: steps.p.output.b -> execution: [{step: p}, {step: q, condition: $p.output.b == "x"}]',
    ],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: p}]': [
      'error undefined-variable: p -> execution: [{step: p}, {step: q, condition: $p.output}]',
    ],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: len(a) > 3}]': [
      'error undefined-variable: len -> execution: [{step: p}, {step: q, condition: a | length > 3}]',
    ],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: a == "$US" or a == "$p.outptu"}]': [],
    'composes: [obj, q]\nexecution: [{step: obj}, {step: q, inputs: {b: x}, condition: $obj.output.o.y-1 > 3}]': [
      'error type-mismatch: y-1 -> execution: [{step: obj}, {step: q, inputs: {b: x}, condition: $obj.output.o.y - 1 > 3}]',
    ],
    'interrupts: [{name: on_missing_input, when: input.a == "x"}]\ncomposes: [p]': [
      'error undefined-variable: input.a -> interrupts: [{name: on_missing_input, when: a == "x"}]',
    ],
    'interrupts: [{name: on_missing_input, when: p.output.b == "x"}]\ncomposes: [p]': [
      'error undefined-variable: p.output.b -> interrupts: [{name: on_missing_input}]',
    ],
  },
  'the types in a condition': {
    'composes: [p]\nexecution: [{step: p, condition: f.z == "x"}]': ['warning undefined-variable: z'],
    'composes: [p]\nexecution: [{step: p, condition: f.y.z}]': ['warning undefined-variable: z'],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: $p.output.b + 1 > 2}]': [
      'error refused-value: $p.output.b + 1',
    ],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: $p.output.b | uper == "X"}]': [
      'error unknown-filter: uper -> execution: [{step: p}, {step: q, condition: $p.output.b | upper == "X"}]',
    ],
    "composes: [obj, p]\nexecution: [{step: obj}, {step: p, condition: \"$obj.output['oo'].x == 'x'\"}]": [
      'error undefined-variable: oo',
    ],
    'composes: [obj, p]\nexecution: [{step: obj}, {step: p, condition: $obj.output.kind == "bleu"}]': [
      'warning invalid-condition: "bleu" -> execution: [{step: obj}, {step: p, condition: $obj.output.kind == "blue"}]',
    ],
    'composes: [obj, p]\nexecution: [{step: obj}, {step: p, condition: $obj.output.flag == "true"}]': [
      'warning invalid-condition: $obj.output.flag == "true" -> execution: [{step: obj}, {step: p, condition: $obj.output.flag == true}]',
    ],
    'composes: [obj, p]\nexecution: [{step: obj}, {step: p, condition: 1 < $obj.output.o.y < 3}]': [
      'warning chained-comparison: 1 < $obj.output.o.y < 3 -> execution: [{step: obj}, {step: p, condition: 1 < $obj.output.o.y and $obj.output.o.y < 3}]',
    ],
    'composes: [obj, p]\nexecution: [{step: obj}, {step: p, condition: $obj.output.kind == "blue" and n == 2 and f != f}]':
      [],
  },
  'a mapping': {
    'composes: [{skill: p, input_mapping: {a: n}}]': [
      'error type-mismatch: a: n -> composes: [{skill: p, input_mapping: {n: a}}]',
    ],
    'composes: [{skill: p, output_mapping: {c: b}}]': [
      'error type-mismatch: c: b -> composes: [{skill: p, output_mapping: {b: c}}]',
    ],
    'composes: [{skill: q, inputMapping: {a: b}}]': [
      'warning unknown-key: inputMapping -> composes: [{skill: q, input_mapping: {a: b}}]',
    ],
    'composes: [{skill: q, input_mapping: {a: bb}}]': [
      'error type-mismatch: bb -> composes: [{skill: q, input_mapping: {a: b}}]',
    ],
    'composes: [{skill: q, input_mapping: {a: b, a: b}}]': [
      'error duplicate-key: a -> composes: [{skill: q, input_mapping: {a: b}}]',
    ],
    'composes: [{skill: obj, output_mapping: {items: o, flag: o}}]': [
      'error duplicate-mapping: o',
      'error duplicate-mapping: o -> composes: [{skill: obj, output_mapping: {items: o}}]',
    ],
    'composes: [{skill: p, input_mapping: {f: a}}]\nexecution: [{step: p, inputs: {a: x}}]': [
      'warning unused-mapping: f: a -> composes: [{skill: p}]',
    ],
  },
  'the values in `inputs`': {
    'composes: [p]\nexecution: [{step: p, inputs: {a: "costs $US 5, or $foo.bar"}}]': [],
    'composes: [p]\nexecution: [{step: p, inputs: {a: input.a}}]': [
      'warning type-mismatch: input.a -> execution: [{step: p, inputs: {a: $input.a}}]',
    ],
    'composes: [p, q]\nexecution: [{step: p}, {step: q, inputs: {b: "{{ p.output.b }}"}}]': [
      'warning type-mismatch: "{{ p.output.b }}" -> execution: [{step: p}, {step: q, inputs: {b: "$p.output.b"}}]',
    ],
    'composes: [obj, p]\nexecution: [{step: obj}, {step: p, inputs: {a: $obj.output.items.0}}]': [
      'error type-mismatch: 0',
    ],
    'composes: [p]\nexecution:\n  - step: p\n    inputs: {a: &x $input.aa}\nx-other: *x': [
      'error type-mismatch: aa -> inputs: {a: &x $input.a}',
    ],
    'composes: [p]\nexecution: [{step: p, inputs: {a: }}]': ['error type-mismatch: a'],
  },
  'a condition that is always true': {
    'composes: [p, q]\nexecution: [{step: p, condition: true}, {step: q}]': [],
  },
  'a retry': {
    'composes: [p]\nexecution: [{step: p, retry: {maxAttempts: 3}}]': [
      'warning unknown-key: maxAttempts -> execution: [{step: p, retry: {max_attempts: 3}}]',
    ],
    'composes: [p]\nexecution: [{step: p, retry: {max_retries: 3}}]': [
      'warning unknown-key: max_retries -> execution: [{step: p, retry: {attempts: 3}}]',
    ],
    'composes: [p]\nexecution: [{step: p, retry: {max_attempts: 3, retry_on: [LOST]}}]': [
      'warning invalid-policy: LOST',
    ],
    'composes: [p]\nexecution: [{step: p, retry: {max_attempts: 3, retry_on: [LOST, BUSY]}}]': [
      'warning invalid-policy: LOST -> execution: [{step: p, retry: {max_attempts: 3, retry_on: [BUSY]}}]',
    ],
  },
};

for (const [about, cases] of Object.entries(CASES)) {
  describe(about, () => {
    for (const [lines, expected] of Object.entries(cases)) {
      it(`is checked in ${JSON.stringify(lines)}`, () => assert.deepEqual(told(lines), expected));
    }
  });
}

it('a step with one attempt does not inherit the retry of its skill', () => {
  const retryIn = (lines: string) => {
    const { analysis } = open(composite(lines));
    const skillPackage = checkedPackageOf(analysis, WHOLE);
    assert.ok(skillPackage);
    const context = invocationContextOf(analysis, WHOLE);
    const result = compose(prepareRequest(skillPackage, context, undefined, { madeUp: true }).request);
    return result.ok && result.composition.subgraph.nodes.find(({ kind }) => kind === 'skill')?.retry?.maxAttempts;
  };
  assert.equal(retryIn('composes: [p]\nexecution: [{step: p}]'), 3);
  assert.equal(retryIn('composes: [p]\nexecution: [{step: p, retry: {max_attempts: 1}}]'), undefined);
});
