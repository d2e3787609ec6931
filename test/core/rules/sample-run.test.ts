/** Findings of `invalid-sample` about stubs, answers and expected paths, in cases that its page does not show. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { findingsOf, fixed, skill } from './findings.ts';

const CATALOG = [
  'tools:',
  '  - {name: read_page, output_schema: {text: string}}',
  '  - {name: read_pages, output_schema: {texts: "string[]"}}',
  'interrupts: [{name: on_clash, node: plan}]',
].join('\n');

const CHECK = [
  ...['name: check', 'description: Checks.', 'version: 1.0.0', 'input_schema: {claim: string}'],
  ...['output_schema: {is_true: boolean}', 'backing_service: {endpoint: "x:1"}'],
  ...['interrupts: [on_missing_input, on_output_mismatch, on_clash]', ''],
].join('\n');

const OTHERS = { 'skills.config.yaml': CATALOG, 'check.skill.yaml': CHECK };
const NAMES = ['interrupts: [on_missing_input, before_exit]', 'tools: [read_page]'];

/** Returns the texts with findings about the sample, with severity and message. `lines` are the lines of the sample. */
function told(lines: readonly string[], others: Readonly<Record<string, string>> = OTHERS, more = NAMES): string[] {
  const text = textOf(lines, more);
  return findingsOf('a.skill.md', text, others)
    .filter(({ rule }) => rule === 'invalid-sample')
    .map(({ span, severity, message }) => `${text.slice(span.start, span.end)}: ${severity}: ${message}`);
}

const textOf = (lines: readonly string[], more = NAMES): string =>
  skill(
    ...['name: a', 'description: Says it.', 'version: 1.0.0', 'level: 2', 'input_schema: {place: string}'],
    ...['output_schema: {is_true: boolean}', ...more, 'composes: [{skill: check, as: first}]', 'samples:', '  dusk:'],
    ...['    parameters: {place: gate}', ...lines.map((line) => `    ${line}`)],
  );

test('accepts the tools, services and interrupts of composed skills', () => {
  const stubs = 'stubs: {read_page: {returns: {text: x}}, check: {returns: {is_true: true}}, create_skill: {fails: X}}';
  assert.deepEqual(told([stubs, 'answers: {on_clash: 1, before_exit: false}', 'expect: {path: [first]}']), []);
});

test('compares the stub of a service with the output schema of its contract', () => {
  assert.deepEqual(told(['stubs: {check: {returns: {is_true: 3}}}']), [
    '3: warning: The stub of `check` does not match the output schema of the tool: Expected `true` or `false`, found `3`.',
  ]);
  assert.deepEqual(told(['stubs: {check: {returns: {}}}']).length, 1);
});

test('checks the code with which a service fails', () => {
  const errors = 'errors: [{code: BUSY, retry: backoff}, {code: GONE}]';
  const others = { ...OTHERS, 'check.skill.yaml': `${CHECK}${errors}\n` };
  assert.deepEqual(told(['stubs: {check: {fails: BUZY}}'], others), [
    'BUZY: warning: Unknown error `BUZY`. Did you mean `BUSY`?',
  ]);
  assert.deepEqual(told(['stubs: {check: {fails: TIMEOT}}'], others), [
    'TIMEOT: warning: Unknown error `TIMEOT`. Did you mean `TIMEOUT`?',
  ]);
  assert.deepEqual(told(['stubs: {check: {fails: ZZZ}}'], others), [
    'ZZZ: hint: Unknown error `ZZZ`. Add it to the `errors` of `check`, or use one of them.',
  ]);
  assert.deepEqual(told(['stubs: {check: {fails: MODEL_FAILED}, read_page: {fails: ANY}}'], others), []);
  assert.deepEqual(told(['stubs: {check: {fails: ANY}}']), []);
});

test('reports every unknown name of an expectation', () => {
  const expect =
    'expect: {path: [frist], nodes: [planx, chek_exit], interrupts: [before_exti], tools: [read_pge], artifacts: {taken: [nope]}}';
  assert.deepEqual(told([expect]), [
    'frist: error: Unknown step or stage `frist`. Did you mean `first`?',
    'planx: error: Unknown node `planx`. Did you mean `plan`?',
    'chek_exit: error: Unknown node `chek_exit`. Did you mean `check_exit`?',
    'before_exti: error: Unknown interrupt `before_exti`. Did you mean `before_exit`?',
    'read_pge: error: Unknown tool `read_pge`. Did you mean `read_page`?',
    'nope: error: Unknown artifact `nope`. The skill has no artifact.',
  ]);
});

test('does not suggest another name for a name that the catalog declares', () => {
  assert.deepEqual(told(['stubs: {read_pages: {returns: {}}}', 'answers: {before_stage: 1}']), [
    'read_pages: warning: The tool `read_pages` is not declared by this skill or a composed skill. Declare it, or remove the stub.',
    'before_stage: warning: The interrupt `before_stage` is not declared by this skill or a composed skill. Declare it, or remove the answer.',
  ]);
});

test('reports a stub of a composed skill that is no service, and a result that is not under `returns`', () => {
  const model = CHECK.replace('backing_service: {endpoint: "x:1"}', 'framing: f');
  assert.deepEqual(told(['stubs: {check: {fails: BUSY}}'], { ...OTHERS, 'check.skill.yaml': model }, []), [
    'check: warning: Only tools and services have stubs, but `check` is a skill that runs. Remove the stub.',
  ]);
  const keysOf = (stub: string) =>
    findingsOf('a.skill.md', textOf([`stubs: {check: ${stub}}`]), OTHERS)
      .filter(({ rule }) => rule === 'unknown-key')
      .map(({ severity, message, fixes }) => [severity, message, fixes?.map(({ title }) => title).join()]);
  const message = 'This key has no effect. Write the result of `check` under `returns`.';
  assert.deepEqual(keysOf('{is_true: true, why: x}'), [['warning', message, 'Move the result under `returns`']]);
  assert.deepEqual(keysOf('{fails: BUSY, is_true: true}'), [['warning', message, '']]);
  assert.deepEqual(keysOf('{retruns: {is_true: true}}'), [
    ['warning', 'Unknown key `retruns`. Did you mean `returns`?', 'Rename to `returns`'],
  ]);
  assert.deepEqual(keysOf('{returns: {is_true: true}, why: x}').length, 1);
  const text = textOf(['stubs: {check: {is_true: true}}']);
  assert.match(
    fixed('a.skill.md', text, 'Move the result under `returns`'),
    /stubs: \{check: \{returns: \{is_true: true\}\}\}/,
  );
});

test('reports no name and no value that an unknown file may explain', () => {
  const lines = ['stubs: {chekc: {returns: 1}, read_page: {returns: {text: x}}}', 'answers: {on_clahs: 1}'];
  assert.deepEqual(told(lines, { 'skills.config.yaml': CATALOG }), []);
  assert.deepEqual(told(['stubs: {read_page: {returns: 3}}'], { 'check.skill.yaml': CHECK }), []);
  assert.deepEqual(told(['stubs: {read_page: {returns: 3}}'], { ...OTHERS, 'skills.config.yaml': 'tools: [' }), []);
});

test('does not compare answers that a composed skill gets, too', () => {
  const lines = ['answers: {on_missing_input: {claim: x}, on_output_mismatch: 3}'];
  const both = ['interrupts: [on_missing_input, on_output_mismatch]', 'tools: [read_page]'];
  assert.deepEqual(told(lines, OTHERS, both), []);
  const alone = { ...OTHERS, 'check.skill.yaml': CHECK.replace(/interrupts: .*/, '') };
  assert.deepEqual(told(lines, alone, both), [
    'claim: warning: Unknown parameter `claim`. The answer contains parameters of the input schema.',
    '3: warning: The answer to `on_output_mismatch` does not match the output schema: Expected a map, found `3`.',
  ]);
  assert.deepEqual(told(['answers: {on_missing_input: yes}'], alone, both), [
    'yes: warning: The answer to `on_missing_input` must be a map of parameters, for example `{name: value}`.',
  ]);
});

test('fixes misspelt names, and treats `__proto__` and `constructor` as ordinary names', () => {
  const catalog = { 'check.skill.yaml': CHECK };
  const lines = ['stubs: {__proto__: {times: 1}, constructor: {fails: X}}', 'expect: {path: [frist, __proto__]}'];
  const both = [...NAMES.slice(0, 1), 'tools: [__proto__, constructor]'];
  assert.deepEqual(told(lines, catalog, both), [
    'times: warning: `times` has no effect without `fails`. Add the code of the error as `fails`, or remove `times`.',
    'frist: error: Unknown step or stage `frist`. Did you mean `first`?',
    '__proto__: error: Unknown step or stage `__proto__`. Known names: `first`.',
  ]);
  assert.match(fixed('a.skill.md', textOf(lines, both), 'Replace with `first`'), /path: \[first, __proto__\]/);
});
