/**
 * The output of `skill-composer test --export promptfoo`, run by promptfoo: promptfoo reads every case, sends each
 * prompt exactly as composed, and evaluates each assertion with the same result. promptfoo is installed from the
 * registry, so `npm test` does not run this suite.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parseSchema, toNode } from '../../server/src/languages/schema/schema.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import { readAssertions } from '../../server/src/testing/assertion.ts';
import { checkAssertions } from '../../server/src/testing/check-sample.ts';
import { type ExportedCase, toPromptfoo } from '../../server/src/testing/export.ts';
import { cached } from '../host/cache.mjs';
import { npm } from '../host/process.mjs';
import { ensureNode, NODES } from '../host/registry.mjs';
import { run } from '../protocol/cli.ts';
import { temporaryFolder } from '../temporary.mjs';

const VERSION = '0.123.1';

interface Result {
  readonly response: { readonly output: string };
  readonly testCase: { readonly description: string };
  readonly gradingResult: {
    readonly componentResults?: readonly { readonly pass: boolean; readonly reason: string }[];
  };
}

let node = '';
let promptfoo = '';

before(async () => {
  // promptfoo requires a newer Node than this project.
  node = await ensureNode(NODES[24]);
  promptfoo = await cached(`promptfoo-${VERSION}-${process.platform}-${process.arch}`, async (folder: string) => {
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', '--save-exact'];
    await npm([...install, `promptfoo@${VERSION}`], { cwd: folder });
    // Of the optional dependencies, the tests need only the native binding of the database `libsql`.
    const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/libsql/package.json'), 'utf8'));
    const binding = Object.keys(optionalDependencies).filter((name) => name.includes(`/${bindingOf()}`));
    await npm([...install, ...binding.map((name) => `${name}@${optionalDependencies[name]}`)], { cwd: folder });
  });
});

const bindingOf = (): string =>
  `${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : process.platform === 'win32' ? '-msvc' : ''}`;

/** Evaluates an export with the provider of promptfoo that returns each prompt. */
function evaluate(text: string): readonly Result[] {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...JSON.parse(text), providers: ['echo'] }));
  const program = join(promptfoo, 'node_modules/promptfoo/dist/src/entrypoint.js');
  const call = (...words: readonly string[]) =>
    spawnSync(node, [program, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...QUIET, PROMPTFOO_CONFIG_DIR: folder },
    });
  const valid = call('validate', '-c', 'config.json');
  assert.match(valid.stdout, /Configuration is valid/, valid.stdout + valid.stderr);
  const words = ['-c', 'config.json', '--no-cache', '--no-write', '--no-table', '--no-progress-bar', '-o', 'out.json'];
  const { stdout, stderr } = call('eval', ...words);
  assert.doesNotMatch(stdout, /[1-9]\d* errors?\b/, stdout + stderr);
  return JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')).results.results;
}

const QUIET = {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
};

const fence = (language: string, text: string): string => `Here it is:\n\n\`\`\`${language}\n${text}\n\`\`\`\n\nBye.`;

/** The prompts of the cases, which are also the outputs in promptfoo. */
const TEXTS: readonly string[] = [
  'Greet Ada.\n\nShe is here.',
  'One line',
  'Say {{ this }}, {% if that %} {# and #} {{{ those }}} {{ env.HOME }}.\n{% raw %} and {%- endraw %}',
  '{% partial\n{{ partial\n{# partial',
  'exec:touch hostile-ran',
  'file://hostile.js',
  'package:hostile:run',
  'langfuse://prompt',
  'config.json',
  'look/at/*.json',
  '{"text": "Welcome."}',
  '{\n "text":   "Welcome.",\n "other": 1}',
  fence('json', '{"text": "Welcome."}'),
  fence('', '[1, 2]'),
  '[1, 2]',
  '42',
  ' Welcome. ',
  '```yaml\nguest: Ada\n```\n---\nWelcome. \\ "quoted" \u2028 😀😀',
];

const ASSERTIONS: Json = [
  {
    type: 'structural',
    schema: {
      type: 'object',
      required: ['text'],
      properties: { text: { $ref: '#/$defs/text' } },
      $defs: { text: { type: 'string' } },
    },
  },
  { type: 'structural', schema: { type: 'array', items: { type: 'integer' } } },
  { type: 'length', min: 2, max: 9, unit: 'words' },
  { type: 'length', max: 15 },
  { type: 'length', max: 3, unit: 'lines' },
  { type: 'pattern', match: '^W' },
  { type: 'pattern', match: '\\{\\{\\s*this' },
  { type: 'pattern', match: '😀{2}', not_match: '\\p{Lu}elcome' },
  { type: 'contains', value: '{{ this }}, {% if' },
  { type: 'contains', value: 'file://hostile.js' },
  { type: 'contains', value: 'package:hostile:run' },
  { type: 'equals', value: ' Welcome. ' },
  { type: 'equals', value: { text: 'Welcome.' } },
  { type: 'equals', value: [1, 2] },
  { type: 'equals', value: 42 },
];

const caseOf = (prompt: string, sample: string): ExportedCase => ({
  ...{ skill: 'greet', sample, prompt, schema: undefined, ofPrompt: [] },
  assertions: readAssertions(toNode(ASSERTIONS)),
});

describe('an export for promptfoo', () => {
  it('sends each prompt exactly as composed, and gives each assertion the same result as Skill Composer', () => {
    const { text, lost } = toPromptfoo(TEXTS.map((one, at) => caseOf(one, `case ${at}`)));
    assert.deepEqual(lost, []);
    const results = evaluate(text);
    assert.equal(results.length, TEXTS.length);
    for (const [at, prompt] of TEXTS.entries()) {
      const found = results.find(({ testCase }) => testCase.description === `greet › case ${at}`);
      assert.equal(found?.response.output, prompt);
      const { assertions } = caseOf(prompt, '');
      const ours = assertions.flatMap((assertion) => {
        const { type } = assertion;
        const parts =
          type === 'pattern' && assertion.match !== undefined && assertion.notMatch !== undefined
            ? [
                { ...assertion, notMatch: undefined },
                { ...assertion, match: undefined },
              ]
            : [assertion];
        return checkAssertions('output', { name: '' }, parts as typeof assertions, { prompt, segments: [] }, () => 0);
      });
      assert.deepEqual(
        found?.gradingResult.componentResults?.map(({ pass }) => pass),
        ours.map(({ status }) => status === 'passed'),
        `${prompt}\n${JSON.stringify(found?.gradingResult.componentResults?.map(({ reason }) => reason))}`,
      );
    }
  });

  it('asks for the skill of each routing case with exactly the list and the request', () => {
    const requests = TEXTS.filter((text) => text.trim() !== '');
    const list = TEXTS.map((text, at) => `- skill-${at}: ${text}`).join('\n');
    const cases = requests.flatMap((request) => [true, false].map((should) => ({ request, should })));
    const { text } = toPromptfoo([], [{ skill: 'greet', name: 'greet', list, cases }]);
    const results = evaluate(text);
    assert.equal(results.length, cases.length);
    for (const { request } of cases) {
      const expected = `<skills>\n${list}\n</skills>\n\n<request>\n${request}\n</request>`;
      assert.ok(
        results.some(({ response }) => response.output.includes(expected)),
        request,
      );
    }
    // The prompt, which the provider returns, is not the name, and does not contain it.
    for (const { testCase, gradingResult } of results) {
      const isRight = testCase.description.includes('should not');
      assert.deepEqual(
        gradingResult.componentResults?.map(({ pass }) => pass),
        [isRight],
      );
    }
  });

  it('tests each prompt with the case of its sample, regardless of sample names', () => {
    const names = ['a', 'a:b', 'a*', 'a › b', 'look/at/*.json', 'x.js', 'file://x.js', '{{ env.HOME }}', '{% raw %}'];
    const results = evaluate(toPromptfoo(names.map((name) => caseOf(`Prompt of\n${name}`, name))).text);
    assert.deepEqual(
      results.map(({ response }) => response.output).sort(),
      names.map((name) => `Prompt of\n${name}`).sort(),
    );
  });

  it('contains the output schema, and reports what promptfoo does not support', () => {
    const schema = parseSchema(toNode({ text: 'string' }));
    const tuple = parseSchema(
      toNode({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array', prefixItems: [{}] }),
    );
    const cases = [
      { ...caseOf('{"text": "x"}', 'good'), assertions: [], schema },
      { ...caseOf('{"text": 3}', 'bad'), assertions: [], schema },
      { ...caseOf('[]', 'unknown'), assertions: [], schema: tuple },
    ];
    const { text, lost } = toPromptfoo(cases);
    assert.deepEqual(lost, ['greet › unknown: a schema with `prefixItems`, which promptfoo does not support.']);
    const passes = evaluate(text).map(({ testCase, gradingResult }) => [
      testCase.description,
      gradingResult.componentResults?.map(({ pass }) => pass) ?? [],
    ]);
    assert.deepEqual(Object.fromEntries(passes as [string, unknown][]), {
      'greet › good': [true],
      'greet › bad': [false],
      'greet › unknown': [],
    });
  });

  it('of all samples in the sample workspace is read completely', async () => {
    const { stdout } = await run('samples', ['test', '--export', 'promptfoo']);
    const { prompts, tests } = JSON.parse(stdout);
    assert.ok(tests.length > 5);
    // No model evaluates rubrics here.
    const silent = tests.map((test: { assert: readonly { type: string }[] }) => ({
      ...test,
      assert: test.assert.filter(({ type }) => type !== 'llm-rubric'),
    }));
    const results = evaluate(JSON.stringify({ prompts, tests: silent }));
    assert.equal(results.length, tests.length);
    for (const { response } of results) assert.doesNotMatch(response.output, /\{\{ "/);
  });
});
