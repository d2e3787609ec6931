/** Names and references in the conditions and the `inputs` of steps, and in the conditions of interrupts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { compose } from '../composer/composing.ts';

const uriOf = (name: string): string => `file:///w/${name}.skill.yaml`;

const contract = (name: string, input: string, output: string, more = ''): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\ninput_schema: ${input}\noutput_schema: ${output}\n${more}`;

const FIND =
  '{found: boolean, page: {slug: string, size: {words: integer}, tags: "string[]", note: string?}, n: integer}';

/** A composite of `find-page` and `use`, with `lines` after its `composes`. */
function open(lines: string, wanted = '{slug: string?}'): Workspace {
  const workspace = new Workspace();
  const texts = {
    'find-page': contract('find-page', '{}', FIND),
    use: contract('use', wanted, '{done: boolean?}'),
    whole: contract(
      'whole',
      '{auto: boolean, limits: {words: integer}, topic: string?}',
      '{}',
      `level: 2\ncomposes: [find-page, {skill: find-page, as: again}, use]\n${lines}`,
    ),
  };
  for (const [name, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri: uriOf(name), text });
  return workspace;
}

function findingsIn({ analysis }: Workspace): readonly Finding[] {
  const file = analysis.file(uriOf('whole'));
  assert.ok(file);
  return check(file, analysis).filter(({ severity, rule }) => severity !== 'hint' && rule !== 'unused-step');
}

/** `rule: marked text`, followed by the marked text after the first fix, if there is one. */
function told(workspace: Workspace): readonly string[] {
  const text = workspace.analysis.file(uriOf('whole'))?.text ?? '';
  return findingsIn(workspace).map(({ rule, span, fixes: [fix] }) => {
    const marked = sliceOf(text, span);
    const edits = fix?.title.startsWith('Replace') ? (fix.edits[0]?.edits ?? []) : [];
    return `${rule}: ${marked}${edits.map(({ newText }) => ` -> ${newText}`).join('')}`;
  });
}

const STEPS = '- {step: find-page}\n  - {step: again}';
const inCondition = (condition: string): readonly string[] =>
  told(open(`execution:\n  ${STEPS}\n  - step: use\n    condition: ${condition}\n`));

describe('a condition of a step', () => {
  const sound = [
    'auto == true',
    '$input.auto and auto',
    '$find-page.output.page.size.words > 3 and limits.words > 1',
    'parameters.auto and scope == "channel" and source != "scheduled" and model == "anthropic"',
    '$find-page.output.n > 2 if topic is defined else false',
    'missing is defined',
    'topic != "input.auto" and topic != "find-page.output.n" and topic != "$US"',
    'range(3) | length > 2',
    '$find-page.output.page.note is defined',
    '$find-page.output.found',
  ];
  for (const condition of sound) it(`is correct: ${condition}`, () => assert.deepEqual(inCondition(condition), []));

  const faults: Readonly<Record<string, readonly string[]>> = {
    'input.auto == true': ['undefined-variable: input.auto -> $input.auto'],
    'inputs.auto == true': ['undefined-variable: inputs.auto -> $input.auto'],
    'find-page.output.n > 3': ['undefined-variable: find-page.output.n -> $find-page.output.n'],
    'again.n > 3 and auto': ['undefined-variable: again.n -> $again.output.n'],
    'again.outputs.n > 3': ['undefined-variable: again.outputs.n -> $again.output.n'],
    'n > 3': ['undefined-variable: n -> $find-page.output.n'],
    'atuo == true': ['undefined-variable: atuo -> auto'],
    'not zzz': ['undefined-variable: zzz'],
    'auto and (zzz > 3 or zzz < 1)': ['undefined-variable: zzz'],
    '$inputs.auto == true': ['unknown-step: $inputs -> $input'],
    '$input.atuo': ['type-mismatch: atuo -> auto'],
    '$find-page.outputs.n > 3': ['type-mismatch: $find-page.outputs.n -> $find-page.output.n'],
    '$find-page.n > 3': ['type-mismatch: $find-page.n -> $find-page.output.n'],
    '$find-page.output.m > 3': ['type-mismatch: m'],
    '$find-pag.output.n > 3': ['unknown-step: $find-pag -> $find-page'],
    '$input.limits.wrods > 3': ['type-mismatch: wrods -> words'],
    '$find-page.output.page.size.wrods > 3': ['type-mismatch: wrods -> words'],
    '$find-page.output.page.szie.words > 3': ['type-mismatch: szie -> size'],
    '$find-page.output.page.slug.length > 3': ['type-mismatch: length'],
    '$find-page.output.page.tags.first == "a"': ['type-mismatch: first'],
  };
  for (const [condition, expected] of Object.entries(faults)) {
    it(`is faulty: ${condition}`, () => assert.deepEqual(inCondition(condition), expected));
  }

  it('is checked in an arm, under `keep_when` and in a group', () => {
    const arm = 'execution:\n  - when: [{condition: auot, steps: [{step: use}]}]\n';
    assert.deepEqual(told(open(arm)), ['undefined-variable: auot -> auto']);
    const keep = 'execution:\n  - speculate: [{step: use, keep_when: n > 3 and input.auto}]\n    until: find-page\n';
    assert.deepEqual(told(open(keep)), [
      'undefined-variable: n -> $find-page.output.n',
      'undefined-variable: input.auto -> $input.auto',
    ]);
    const group = 'execution:\n  - parallel: [{step: find-page, condition: zz}, {step: use, condition: n > 3}]\n';
    assert.deepEqual(told(open(group)), ['undefined-variable: zz', 'undefined-variable: n']);
  });

  it('is not checked if the input schema allows any name', () => {
    const workspace = open(`execution: [{step: use, condition: zz > input.n}]\n`);
    const text = workspace.analysis.file(uriOf('whole'))?.text ?? '';
    const free = text.replace(/input_schema: .*/, 'input_schema: {type: object, additionalProperties: true}');
    workspace.apply({ kind: 'text', uri: uriOf('whole'), text: free });
    assert.deepEqual(told(workspace), []);
  });

  it('with an unknown name is refused by the composer at the same place', () => {
    const workspace = open('execution: [{step: find-page}, {step: use, condition: find-page.output.n > 3}]\n');
    const skillPackage = checkedPackageOf(workspace.analysis, uriOf('whole'));
    assert.ok(skillPackage);
    const context = invocationContextOf(workspace.analysis, uriOf('whole'));
    const parameters = { auto: true, limits: { words: 1 } };
    const { request } = prepareRequest(skillPackage, context, undefined, {
      request: '',
      source: 'explicit',
      parameters,
    });
    const result = compose(request);
    assert.equal(result.ok, false);
    const [finding] = findingsIn(workspace);
    assert.deepEqual(result.ok ? [] : result.errors.map(({ span }) => span), [finding?.span]);
  });
});

describe('the `inputs` of a step', () => {
  const steps = (inputs: string, wanted: string): string[] => [
    ...told(open(`execution:\n  ${STEPS}\n  - step: use\n    inputs: ${inputs}\n`, wanted)),
  ];

  it('may refer to nested fields of the right type', () => {
    assert.deepEqual(steps('{slug: $find-page.output.page.slug}', '{slug: string}'), []);
    assert.deepEqual(steps('{slug: $find-page.output.page.slgu}', '{slug: string}'), ['type-mismatch: slgu -> slug']);
    assert.deepEqual(steps('{slug: $find-page.output.page.size.words}', '{slug: string}'), [
      'type-mismatch: $find-page.output.page.size.words',
    ]);
    assert.deepEqual(steps('{slug: $find-page.output.page.note}', '{slug: string}'), [
      'missing-required-field: $find-page.output.page.note',
    ]);
    assert.deepEqual(steps('{slug: $find-page.output.page.note}', '{slug: string?}'), []);
    assert.deepEqual(steps('{slug: $input.limits}', '{slug: {words: integer}}'), []);
  });

  const page = '{page: {slug: string, words: {type: integer, max: 9}, note: string?, of: {id: string?}}}';
  const inPage = (fields: string): string[] => steps(`{page: {${fields}}}`, page);

  it('may be maps, whose fields are checked separately', () => {
    const slug = 'slug: $find-page.output.page.slug';
    assert.deepEqual(inPage(`${slug}, words: 3, of: {}`), []);
    assert.deepEqual(inPage(`${slug}, words: $find-page.output.n, of: {id: $input.topic}`), [
      'type-mismatch: $find-page.output.n',
    ]);
    assert.deepEqual(inPage(`${slug}, words: three, of: {id: 5}`), ['type-mismatch: three', 'type-mismatch: 5']);
    assert.deepEqual(inPage(`${slug}, of: {}`), ['type-mismatch: page']);
    assert.deepEqual(inPage('words: 3, slgu: x, of: {}'), ['type-mismatch: slgu -> slug']);
    assert.deepEqual(inPage(`${slug}, words: 3, nte: x, of: {}`), ['type-mismatch: nte -> note']);
    assert.deepEqual(inPage(`${slug}, words: 3, colour: red, of: {id: $find-page.output.page.slg}`), [
      'type-mismatch: slg -> slug',
    ]);
    assert.deepEqual(inPage('slug: $find-page.output.page.note, words: 3, of: {}'), [
      'missing-required-field: $find-page.output.page.note',
    ]);
    assert.deepEqual(inPage(`${slug}, words: 3, of: none`), ['type-mismatch: none']);
  });

  it('have one finding for a misspelt name', () => {
    assert.deepEqual(steps('{slgu: x}', '{slug: string}'), ['type-mismatch: slgu -> slug']);
  });

  it('may be lists, whose items are checked separately', () => {
    const wanted = '{slugs: "string[]"}';
    assert.deepEqual(steps('{slugs: [$find-page.output.page.slug, b]}', wanted), []);
    assert.deepEqual(steps('{slugs: [$find-page.output.page.slug, $find-page.output.n]}', wanted), [
      'type-mismatch: $find-page.output.n',
    ]);
    assert.deepEqual(steps('{slugs: [$find-page.output.page.slg, 3]}', wanted), [
      'type-mismatch: slg -> slug',
      'type-mismatch: 3',
    ]);
    assert.deepEqual(steps('{pages: [{slug: $find-page.output.n}]}', '{pages: {type: array, items: {slug: string}}}'), [
      'type-mismatch: $find-page.output.n',
    ]);
  });

  it('are not checked if a schema may allow the field', () => {
    const free = (output: string, path: string): readonly string[] => {
      const workspace = open(`execution:\n  ${STEPS}\n  - step: use\n    inputs: {slug: $find-page.output.${path}}\n`);
      workspace.apply({ kind: 'text', uri: uriOf('find-page'), text: contract('find-page', '{}', output) });
      return told(workspace);
    };
    assert.deepEqual(free('{page: object}', 'page.slug'), []);
    assert.deepEqual(free('{page: any}', 'page.a.b'), []);
    const of = (page: string): string =>
      `{type: object, properties: {page: ${page}}, required: [page], $defs: {p: {type: object, properties: {slug: {type: string}}}}}`;
    assert.deepEqual(free(of('{type: object, additionalProperties: {type: string}}'), 'page.slug'), []);
    assert.deepEqual(free(of('{type: object, properties: {a: {}}, patternProperties: {"^s": {}}}'), 'page.slug'), []);
    assert.deepEqual(free(of('{anyOf: [{type: object}, {type: string}]}'), 'page.slug'), []);
    assert.deepEqual(free(of('{allOf: [{properties: {a: {}}}, {required: [a]}]}'), 'page.slug'), []);
    assert.deepEqual(free(of('{$ref: "#/$defs/p"}'), 'page.slug'), []);
    assert.deepEqual(free(of('{$ref: "#/$defs/p"}'), 'page.slgu'), ['type-mismatch: slgu -> slug']);
    assert.deepEqual(free(of('{oneOf: [{$ref: "#/$defs/p"}, {type: "null"}]}'), 'page.slgu'), [
      'type-mismatch: slgu -> slug',
    ]);
    assert.deepEqual(free(of('{type: [object, "null"], properties: {slug: {type: integer}}}'), 'page.slug'), [
      'type-mismatch: $find-page.output.page.slug',
    ]);
  });
});

describe('a condition of an interrupt', () => {
  const when = (condition: string) => told(open(`interrupts: [{name: before_exit, when: ${condition}}]\n`));

  it('may use parameters and variables, but no references', () => {
    assert.deepEqual(when('auto and parameters.auto and source == "explicit"'), []);
    assert.deepEqual(when('zzz == 1'), ['undefined-variable: zzz']);
    assert.deepEqual(when('$input.auto == true'), ['invalid-condition: $input.auto -> auto']);
    assert.deepEqual(when('$use.output.done'), ['invalid-condition: $use.output.done']);
  });
});

it('a value that is only a reference may have letters of any script, and text ends a reference at the first other letter', () => {
  const workspace = new Workspace();
  const whole = (value: string) =>
    contract(
      'whole',
      '{a: string}',
      '{r: string?}',
      `level: 2\ncomposes: [a, b]\nexecution: [{step: a}, {step: b, inputs: {n: ${value}}}]\n`,
    );
  const of = (value: string): readonly string[] => {
    const texts = {
      a: contract('a', '{}', '{Über: number, 名: number}'),
      b: contract('b', '{n: number}', '{r: string?}'),
      whole: whole(value),
    };
    for (const [name, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri: uriOf(name), text });
    return findingsIn(workspace).map(({ message }) => message);
  };
  assert.deepEqual(of('$a.output.Über'), []);
  assert.deepEqual(of('$a.output.名'), []);
  assert.deepEqual(of('$a.output.Uber'), ['`a` has no output `Uber`. Did you mean `Über`?']);
  assert.match(of('看$input.a的').join(), /Text with a reference is `string`, but `b` expects `number`/);
});

it('the default of an output does not fill in a value of a step that did not run', () => {
  const workspace = new Workspace();
  const texts = {
    given: contract('given', '{}', '{h: {type: string, default: none}}'),
    deep: contract('deep', '{p: {x: string}}', '{d: string?}'),
    whole: contract(
      'whole',
      '{a: string}',
      '{}',
      'level: 2\ncomposes: [given, deep]\nexecution: [{step: given, condition: $input.a == "q"}, {step: deep, inputs: {p: {x: $given.output.h}}}]\n',
    ),
  };
  for (const [name, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri: uriOf(name), text });
  assert.match(
    findingsIn(workspace)[0]?.message ?? '',
    /^`deep` requires `p\.x` \(`string`\), but `\$given\.output\.h` is available only if/,
  );
});

it('text with a reference that may have no value is missing in the map that requires it', () => {
  const workspace = new Workspace();
  const texts = {
    deep: contract('deep', '{p: {x: string, y: string?}}', '{d: string?}'),
    whole: contract(
      'whole',
      '{box: {x: string, y: string?}}',
      '{}',
      'level: 2\ncomposes: [deep]\nexecution: [{step: deep, inputs: {p: {x: see $input.box.y again, y: see $input.box.y}}}]\n',
    ),
  };
  for (const [name, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri: uriOf(name), text });
  assert.deepEqual(
    findingsIn(workspace).map(({ message }) => message),
    ['`deep` requires `p.x` (`string`), but `$input.box.y` is optional. Make it required, or add a default.'],
  );
});
