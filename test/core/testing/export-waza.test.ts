/** Export of samples and routing cases as a suite of waza. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { parse } from 'yaml';
import { parseSchema, toNode, validateJson } from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { readAssertions } from '../../../server/src/testing/assertion.ts';
import type { ExportedCase } from '../../../server/src/testing/export.ts';
import { toWaza, type WazaSkill } from '../../../server/src/testing/export-waza.ts';

const closed = (required: readonly string[], properties: { readonly [key: string]: Json }): Json => ({
  type: 'object',
  additionalProperties: false,
  required: [...required],
  properties,
});
const strings: Json = { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } };
const text: Json = { type: 'string', minLength: 1 };

/**
 * The keys that an export uses, as in waza's own schemas: schemas/eval.schema.json at commit
 * 934aeb58bbb561859eb5573867fcca88d2026c80 and schemas/task.schema.json at commit
 * 442c865dea4827779bec584ffd0db164e56dd671 of github.com/microsoft/waza.
 */
const EVAL = parseSchema(
  toNode(
    closed(['name', 'skill', 'config', 'metrics', 'tasks'], {
      name: text,
      description: { type: 'string' },
      skill: text,
      version: text,
      config: closed(['trials_per_task', 'timeout_seconds', 'executor', 'model'], {
        trials_per_task: { type: 'integer', minimum: 1 },
        timeout_seconds: { type: 'integer', minimum: 1 },
        parallel: { type: 'boolean' },
        executor: { enum: ['copilot-sdk', 'mock'] },
        model: text,
        inject_skill_body: { type: 'boolean' },
        skill_directories: { type: 'array', items: { type: 'string' } },
      }),
      metrics: {
        type: 'array',
        minItems: 1,
        items: closed(['name', 'weight', 'threshold'], {
          name: text,
          weight: { type: 'number', exclusiveMinimum: 0 },
          threshold: { type: 'number', minimum: 0, maximum: 1 },
        }),
      },
      tasks: strings,
    }),
  ),
);

const configOf = (type: string, config: Json): Json =>
  closed(['name', 'type', 'config'], { name: text, type: { const: type }, config });

const TASK = parseSchema(
  toNode(
    closed(['id', 'name', 'inputs'], {
      id: text,
      name: text,
      inputs: closed(['prompt'], { prompt: { type: 'string' } }),
      graders: {
        type: 'array',
        items: {
          oneOf: [
            configOf(
              'code',
              closed(['assertions'], { assertions: strings, language: { enum: ['python', 'javascript'] } }),
            ),
            configOf('text', closed(['contains_cs'], { contains_cs: strings })),
            configOf('json_schema', closed(['schema'], { schema: { type: 'object' } })),
            configOf('prompt', closed(['prompt'], { prompt: text, continue_session: { type: 'boolean' } })),
            configOf('skill_invocation', {
              oneOf: [
                closed(['mode', 'required_skills'], { mode: { enum: ['any_order'] }, required_skills: strings }),
                closed(['forbidden_skills'], { forbidden_skills: strings }),
              ],
            }),
          ],
        },
      },
    }),
  ),
);

/** The keys of `TestSpec` in internal/trigger/spec.go at commit 091a1f9e406998ca62879953650e176d54dd6aa5. */
const prompts: Json = { type: 'array', minItems: 1, items: closed(['prompt'], { prompt: text }) };
const TRIGGERS = parseSchema(
  toNode(closed(['skill'], { skill: text, should_trigger_prompts: prompts, should_not_trigger_prompts: prompts })),
);

const ASSERTIONS: Json = [
  { type: 'structural', schema: { type: 'object', required: ['text'] } },
  { type: 'length', min: 2, max: 9, unit: 'words' },
  { type: 'length', max: 30, unit: 'tokens' },
  { type: 'pattern', match: '^W', not_match: 'x😀' },
  { type: 'contains', value: 'Ada: # {{' },
  { type: 'equals', value: ' Welcome "Ada". ' },
  { type: 'equals', value: [1, 2] },
  { type: 'semantic', prompt: 'Is it polite?', expected: 'yes', severity: 'soft' },
];

const caseOf = (sample: string, prompt: string, assertions: Json = []): ExportedCase => ({
  ...{ skill: 'greet', sample, prompt, schema: undefined, ofPrompt: [] },
  assertions: readAssertions(toNode(assertions)),
});

function suiteOf(given: Partial<WazaSkill>) {
  const { files, lost } = toWaza({ skill: 'greet', cases: [], routing: [], folders: [], ...given });
  const read = new Map(files.map(({ path, text: yaml }) => [path, parse(yaml)]));
  for (const [path, json] of read) {
    const schema = path === 'eval.yaml' ? EVAL : path === 'trigger_tests.yaml' ? TRIGGERS : TASK;
    assert.deepEqual(validateJson(schema, json), [], path);
  }
  return { read, lost };
}

const PROMPT = '---\nGreet Ada: # now\n  - "quoted" \u2028 😀\n\n\tEnd.  ';

test('writes a task for each sample, with a grader for each assertion', () => {
  const { read, lost } = suiteOf({ cases: [caseOf('first visit', PROMPT, ASSERTIONS), caseOf('b', 'x')] });
  const { skill, tasks, config, metrics } = read.get('eval.yaml');
  assert.deepEqual([skill, config.inject_skill_body, metrics.length], ['greet', false, 1]);
  assert.deepEqual(tasks, [...read.keys()].slice(1));
  const task = read.get(String(tasks[0]));
  assert.deepEqual([task.name, task.inputs.prompt], ['first visit', PROMPT]);
  assert.deepEqual(
    task.graders.map(({ type }: { type: string }) => type),
    ['json_schema', 'code', 'code', 'text', 'code', 'json_schema', 'prompt'],
  );
  assert.deepEqual(task.graders[3].config, { contains_cs: ['Ada: # {{'] });
  assert.deepEqual(task.graders[5].config, { schema: { const: [1, 2] } });
  assert.match(task.graders[6].config.prompt, /Is it polite\?\nExpected answer: yes\n/);
  const holds = (at: number, output: string): boolean =>
    task.graders[at].config.assertions.every((code: string) => new Function('output', `return ${code}`)(output));
  assert.deepEqual([holds(1, 'Welcome Ada'), holds(1, 'Welcome')], [true, false]);
  assert.deepEqual([holds(2, 'Welcome'), holds(2, 'Wx😀'), holds(2, 'x')], [true, false, false]);
  assert.deepEqual([holds(4, ' Welcome "Ada".'), holds(4, 'Welcome')], [true, false]);
  assert.deepEqual(lost, [
    'greet › first visit: a length in tokens, which each model counts differently.',
    'greet › first visit: the severity `soft` of an assertion.',
  ]);
});

test('writes routing cases as trigger tests, and one of them as a task if there is no sample', () => {
  const routing = [
    { request: 'say hi: # now', should: true },
    { request: 'fix my grammar', should: false },
  ];
  const { read } = suiteOf({ routing, folders: ['../../skills'] });
  assert.deepEqual(read.get('trigger_tests.yaml'), {
    skill: 'greet',
    should_trigger_prompts: [{ prompt: 'say hi: # now' }],
    should_not_trigger_prompts: [{ prompt: 'fix my grammar' }],
  });
  const { tasks, config, metrics } = read.get('eval.yaml');
  assert.deepEqual(config.skill_directories, ['../../skills']);
  assert.deepEqual(
    metrics.map(({ name }: { name: string }) => name),
    ['task_completion', 'trigger_accuracy'],
  );
  assert.deepEqual(read.get(tasks[0]).graders[0].config, { mode: 'any_order', required_skills: ['greet'] });
  const other = suiteOf({ routing: routing.slice(1) }).read;
  assert.deepEqual(other.get('tasks/trigger.yaml').graders[0].config, { forbidden_skills: ['greet'] });
  assert.deepEqual(suiteOf({ routing, cases: [caseOf('a', 'x')] }).read.has('tasks/trigger.yaml'), false);
});

test('leaves out and reports a prompt that waza may read as a template', () => {
  const { read, lost } = suiteOf({ cases: [caseOf('a', 'Read {{fixture:../../secret}}.')] });
  assert.equal(read.size, 0);
  assert.deepEqual(lost, ['greet › a: a prompt with `{{`, which waza may read as a template.']);
});

test('never writes a file outside the folder of the suite', () => {
  for (const sample of ['../x', '..', 'a/b', 'C:\\x', '']) {
    for (const path of suiteOf({ cases: [caseOf(sample, 'x')] }).read.keys()) {
      assert.match(path, /^(?:eval\.yaml|tasks\/[a-z0-9-]+\.yaml)$/);
    }
  }
});
