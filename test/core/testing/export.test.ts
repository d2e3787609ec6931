/** Export of samples to other tools: the configuration of promptfoo, and `evals.json`. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import nunjucks from 'nunjucks';
import { parseSchema, toNode, validateJson } from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { readAssertions } from '../../../server/src/testing/assertion.ts';
import { readEvals } from '../../../server/src/testing/evals.ts';
import { type ExportedCase, type RoutedSkill, toEvals, toPromptfoo } from '../../../server/src/testing/export.ts';

const PROMPT = 'Say {{ this }}, {% if that %} {# and #} {{{ those }}}.';

const caseWith = (assertions: Json, more: Partial<ExportedCase> = {}): ExportedCase => ({
  skill: 'greet',
  sample: 'first visit',
  prompt: PROMPT,
  assertions: readAssertions(toNode(assertions)),
  schema: undefined,
  ofPrompt: [],
  ...more,
});

const ALL: Json = [
  { type: 'structural', schema: { type: 'object', required: ['text'] } },
  { type: 'length', min: 2, max: 9, unit: 'words' },
  { type: 'length', max: 80 },
  { type: 'length', max: 3, unit: 'lines' },
  { type: 'length', max: 30, unit: 'tokens' },
  { type: 'pattern', match: '^W', not_match: '\\{\\{x' },
  { type: 'contains', value: '{{ Ada }}' },
  { type: 'equals', value: ' Welcome. ' },
  { type: 'equals', value: { text: 'Welcome.' } },
  { type: 'semantic', prompt: 'Is it polite?', expected: 'yes', severity: 'soft' },
];

/** The part of promptfoo's published configuration schema that an export uses. */
const PROMPTFOO = parseSchema(
  toNode({
    type: 'object',
    additionalProperties: false,
    required: ['prompts'],
    properties: {
      description: { type: 'string' },
      prompts: {
        type: 'array',
        items: {
          type: 'object',
          required: ['raw', 'label'],
          additionalProperties: false,
          properties: { id: { type: 'string' }, label: { type: 'string' }, raw: { type: 'string' } },
        },
      },
      tests: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            description: { type: 'string' },
            prompts: { type: 'array', items: { type: 'string' } },
            vars: { type: 'object' },
            assert: {
              type: 'array',
              items: {
                type: 'object',
                required: ['type'],
                additionalProperties: false,
                properties: {
                  type: {
                    enum: ['contains', 'is-json', 'equals', 'javascript', 'llm-rubric', 'regex', 'not-regex'],
                  },
                  value: {},
                  transform: { type: 'string' },
                  weight: { type: 'number' },
                },
              },
            },
          },
        },
      },
    },
  }),
);

interface Config {
  readonly prompts: readonly { readonly id: string; readonly label: string; readonly raw: string }[];
  readonly tests: readonly {
    readonly prompts: readonly string[];
    readonly assert: readonly { readonly type: string; readonly value: Json; readonly weight?: number }[];
  }[];
}

const render = (text: Json | undefined): string => nunjucks.renderString(String(text), {});

test('exports a sample as a promptfoo prompt and test, with escaped templates', () => {
  const { text, lost } = toPromptfoo([caseWith(ALL)]);
  const config = JSON.parse(text) as Config & Json;
  assert.deepEqual(validateJson(PROMPTFOO, config), []);
  assert.equal(render(config.prompts[0]?.raw), PROMPT);
  assert.deepEqual(config.tests[0]?.prompts, [config.prompts[0]?.id]);
  const asserted = config.tests[0]?.assert ?? [];
  assert.deepEqual(
    asserted.map(({ type }) => type),
    [
      ...['is-json', 'javascript', 'javascript', 'javascript', 'regex', 'not-regex'],
      ...['contains', 'equals', 'is-json', 'llm-rubric'],
    ],
  );
  assert.equal(render(asserted[6]?.value), '{{ Ada }}');
  assert.deepEqual(asserted[9], { type: 'llm-rubric', value: 'Is it polite?\nExpected answer: yes', weight: 0 });
  assert.deepEqual(lost, ['greet › first visit: a length in tokens, which each model counts differently.']);
});

const LIST = '- greet: Greets {{ guests }}.\n- greet-all: Greets everyone.';
const routed = (name: string, cases: RoutedSkill['cases']): RoutedSkill => ({ skill: name, name, list: LIST, cases });

test('exports routing cases as tests of one prompt for each list, and inserts requests without templates', () => {
  const requests = ['say hi', 'file://x.js', '{{ env.HOME }} {% raw %} {# x #}', 'exec:x\n{'];
  const skills = [
    routed(
      'greet',
      requests.map((request) => ({ request, should: true })),
    ),
    routed('greet-all', [{ request: 'no', should: false }]),
  ];
  const config = JSON.parse(toPromptfoo([caseWith([])], skills).text) as Config & Json;
  assert.deepEqual(validateJson(PROMPTFOO, config), []);
  assert.deepEqual(
    config.tests.map((one) => one.prompts),
    [['sample-1'], ...requests.map(() => ['skills-1']), ['skills-1']],
  );
  const raw = config.prompts.find(({ id }) => id === 'skills-1')?.raw ?? '';
  for (const [at, request] of requests.entries()) {
    const { vars } = config.tests[at + 1] as unknown as { readonly vars: object };
    assert.doesNotMatch(JSON.stringify(vars), /\{\{|\{%|\{#|"(?:file|exec):/);
    const prompt = nunjucks.renderString(raw, vars);
    assert.ok(prompt.includes(`<skills>\n${LIST}\n</skills>`));
    assert.ok(prompt.includes(`<request>\n${request}\n</request>`));
    assert.match(prompt, /answer\nonly `none`/);
  }
});

test('accepts only the name of the skill as the answer, and rejects it as a word in any answer', () => {
  const both = [true, false].map((should) => ({ request: 'hi', should }));
  for (const [name, answers, others] of [
    ['greet', ['greet', ' `greet`\n', '**greet**', '"greet".'], ['greet-all', 'none', 'The skill greets.', '']],
    ['a.b', ['a.b'], ['axb', 'a.bc', 'none']],
  ] as const) {
    const { tests } = JSON.parse(toPromptfoo([], [routed(name, both)]).text) as Config;
    const [should, shouldNot] = tests.map(
      (one) => one.assert[0] as Config['tests'][0]['assert'][0] & { transform: string },
    );
    const run = (code: Json | undefined, output: string) => new Function('output', `return ${render(code)}`)(output);
    for (const answer of answers) {
      assert.equal(run(should?.transform, answer), render(should?.value), answer);
      assert.equal(run(shouldNot?.value, answer), false, answer);
      assert.equal(run(shouldNot?.value, `I choose ${answer}, because it fits.`), false, answer);
    }
    for (const answer of others) {
      assert.notEqual(run(should?.transform, answer), render(should?.value), answer);
      assert.equal(run(shouldNot?.value, answer), true, answer);
    }
  }
});

test('escapes all braces of a prompt', () => {
  const texts = [''];
  for (const text of texts) if (text.length < 4) texts.push(...['{', '}', '%', '#', '-'].map((sign) => text + sign));
  for (const prompt of texts) {
    const { prompts } = JSON.parse(toPromptfoo([caseWith([], { prompt })]).text) as Config;
    assert.equal(render(prompts[0]?.raw), prompt);
  }
});

test('promptfoo never reads authored text as a file name, as a program or as JSON', () => {
  const prompts = [
    'exec:touch x',
    'file://x.js',
    'package:x:run',
    'langfuse://x',
    'x.json',
    'a/*.js',
    '42',
    '{\n"a": 1}',
  ];
  for (const prompt of prompts) {
    const contains = [{ type: 'contains', value: prompt }];
    const {
      prompts: [exported],
      tests,
    } = JSON.parse(toPromptfoo([caseWith(contains, { prompt })]).text) as Config;
    const raw = exported?.raw ?? '';
    assert.equal(render(raw), prompt);
    assert.match(raw, /\n/, 'one line may be the name of a file');
    assert.throws(() => JSON.parse(raw));
    const value = String(tests[0]?.assert[0]?.value);
    assert.equal(render(value), prompt);
    for (const text of [raw, value]) assert.doesNotMatch(text, /^[\w+.-]+:/);
  }
});

test('each test has a separate prompt, even if sample names are similar', () => {
  const cases = ['a', 'a:b', 'a*'].map((sample) => caseWith([], { sample }));
  const { prompts, tests } = JSON.parse(toPromptfoo(cases).text) as Config;
  assert.deepEqual(
    tests.map((one) => one.prompts),
    prompts.map(({ id }) => [id]),
  );
  assert.equal(new Set(prompts.map(({ id }) => id)).size, 3);
});

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

test('leaves out and reports a schema that promptfoo does not support', () => {
  const structural = (schema: { readonly [key: string]: Json }): Json => [
    { type: 'structural', schema: { $schema: DRAFT, ...schema } },
  ];
  const of = (schema: { readonly [key: string]: Json }) => {
    const { text, lost } = toPromptfoo([caseWith(structural(schema))]);
    return [(JSON.parse(text) as Config).tests[0]?.assert.length, lost.length];
  };
  assert.deepEqual(of({ type: 'object' }), [1, 0]);
  assert.deepEqual(of({ type: 'array', prefixItems: [{}] }), [0, 1]);
  assert.deepEqual(of({ type: 'string', format: 'colour' }), [0, 1]);
});

test('exported length assertions count words, characters and lines correctly', () => {
  const { text } = toPromptfoo([caseWith(ALL)]);
  const [, words, characters, lines] = (JSON.parse(text) as Config).tests[0]?.assert ?? [];
  const holds = (expression: Json | undefined, output: string): boolean =>
    new Function('output', `return ${expression}`)(output) as boolean;
  assert.deepEqual([holds(words?.value, 'Welcome Ada'), holds(words?.value, 'Welcome')], [true, false]);
  assert.deepEqual(
    [holds(characters?.value, '😀'.repeat(80)), holds(characters?.value, 'a'.repeat(81))],
    [true, false],
  );
  assert.deepEqual([holds(lines?.value, 'a\nb\nc\n'), holds(lines?.value, 'a\nb\nc\nd')], [true, false]);
});

test('exports the output schema', () => {
  const schema = parseSchema(toNode({ text: 'string' }));
  const { tests } = JSON.parse(toPromptfoo([caseWith([], { schema })]).text) as Config;
  assert.deepEqual(
    tests[0]?.assert.map(({ type }) => type),
    ['is-json'],
  );
});

test('exported evals can be read again, with each assertion as a check', () => {
  const { text, lost } = toEvals('greet', [caseWith(ALL)], undefined);
  const { results } = readEvals(text, true);
  assert.deepEqual(results[0], { ...results[0], name: 'first visit', status: 'passed' });
  assert.equal(results.length, 1 + 1 + (ALL as readonly Json[]).length);
  assert.deepEqual(lost, ['first visit: the severity `soft` of an assertion.']);
  const { skill_name, evals } = JSON.parse(text);
  assert.deepEqual([skill_name, evals[0].id, evals[0].prompt], ['greet', 1, PROMPT]);
  assert.ok(evals[0].assertions.every((one: unknown) => typeof one === 'string'));
});

test('overwriting evals keeps other cases and unknown fields', () => {
  const before = JSON.stringify({
    reviewed: true,
    skill_name: 'old',
    evals: [
      { id: 7, prompt: 'By hand.', expectations: ['x'] },
      { id: 4, name: 'first visit', prompt: 'old', expected_output: 'A welcome.', tags: ['a'] },
    ],
  });
  const { text } = toEvals('greet', [caseWith([]), caseWith([], { sample: 'second visit' })], before);
  const { reviewed, skill_name, evals } = JSON.parse(text);
  assert.deepEqual([reviewed, skill_name], [true, 'greet']);
  assert.deepEqual(
    evals.map(({ id, name }: { id: number; name?: string }) => [id, name]),
    [
      [7, undefined],
      [4, 'first visit'],
      [8, 'second visit'],
    ],
  );
  assert.deepEqual([evals[1].tags, evals[1].expected_output, evals[1].prompt], [['a'], 'A welcome.', PROMPT]);
});
