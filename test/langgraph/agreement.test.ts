/**
 * A composite without an error or a warning composes, and its run ends well or with the failure of a stub; the composer refuses only
 * what `check` reports. For exits, fallbacks, retries, bodies and conditions (docs/format.md, sections 4 and 6).
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { run } from '../../server/src/services/run/run.ts';
import { stride } from '../random.ts';
import { composer, dryRequest } from './dry.ts';

const CATALOG =
  'tools: [{name: read_page, description: Reads., operation: READ, scope: "read:pages"}]\nscopes: ["read:pages"]\n';

const contract = (name: string, input: string, output: string, ...lines: readonly string[]): string =>
  [
    `name: ${name}`,
    `description: Does the job of ${name}.`,
    'version: 1.0.0',
    'owner: team',
    ...['required_scopes: ["read:pages"]', `input_schema: ${input}`, `output_schema: ${output}`],
    ...lines,
    '',
  ].join('\n');

const SERVICE = [
  'operation: READ',
  'policy: {idempotent: true, timeout_ms: 900, budget: {p95_ms: 100, p99_ms: 200, cost_usd: 0.1}}',
  'backing_service: {endpoint: "https://a.example.com"}',
];

const EXITS = [
  '',
  'exit: {on: tool_budget, max_tool_calls: 2}',
  'exit: {on: caller}',
  'exit: {on: interrupt, name: before_exit}',
];

const FALLBACKS = ['', 'none', '{b: none}', '{c: none}', '$input.a', 'b', 'other', 'null'];

const STEPS = ['', '$p.output.b is defined', '$p.output.b is defined and a != ""'];

interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly main: string;
  readonly fails: boolean;
}

/** Returns all composites of the test, each with the files of its skills. */
function* cases(): Iterable<readonly [string, Case]> {
  const other = contract('other', '{a: string}', '{b: string}', 'errors: [{code: DOWN}]', ...SERVICE);
  const take = contract('take', '{b: string}', '{d: string}', 'errors: [{code: DOWN}]', ...SERVICE);
  for (const isBody of [false, true]) {
    for (const required of ['b: string', 'b: string?', 'd: string', 'd: string?']) {
      for (const condition of STEPS) {
        const execution =
          condition === '' ? '' : `execution: [{step: p}, {step: take, condition: ${JSON.stringify(condition)}}]`;
        const whole = contract('whole', '{a: string}', `{${required}}`, 'level: 2', 'composes: [p, take]', execution);
        const main = isBody ? 'whole.skill.md' : 'whole.skill.yaml';
        const text = isBody ? `---\n${whole}---\n\nSay it.\n` : whole;
        for (const exit of EXITS) {
          const part = contract(
            'p',
            '{a: string}',
            '{b: string}',
            'tools: [read_page]',
            'interrupts: [before_exit]',
            exit,
          );
          const files = {
            [main]: text,
            'p.skill.md': `---\n${part}---\n\nRead with #tool:read_page.\n`,
            'take.skill.yaml': take,
          };
          yield [`${main} ${required} ${condition} ${exit}`, { files, main, fails: false }];
        }
        for (const fallback of FALLBACKS) {
          const errors = `errors: [{code: LOC, retry: never${fallback === '' ? '' : `, fallback: ${fallback}`}}]`;
          const part = contract('p', '{a: string}', '{b: string}', errors, ...SERVICE);
          const files = { [main]: text, 'p.skill.yaml': part, 'take.skill.yaml': take, 'other.skill.yaml': other };
          yield [`${main} ${required} ${condition} fallback ${fallback}`, { files, main, fails: true }];
        }
      }
    }
  }
}

it('check, compose and run agree on exits, fallbacks, bodies and conditions', async () => {
  const counts = { clean: 0, refused: 0, replaced: 0 };
  const all = [...cases()].filter((_, at) => at % stride(1 / 4) === 0);
  for (const [title, { files, main, fails }] of all) {
    const workspace = new Workspace();
    const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
    for (const [path, text] of Object.entries({ 'skills.config.yaml': CATALOG, ...files })) put(path, text);
    const { analysis } = workspace;
    const told = Object.keys(files).flatMap((path) => {
      const file = analysis.file(`file:///w/${path}`);
      return file ? check(file, analysis).filter(({ severity }) => severity === 'error' || severity === 'warning') : [];
    });
    const skillPackage = checkedPackageOf(analysis, `file:///w/${main}`);
    assert.ok(skillPackage, title);
    const context = invocationContextOf(analysis, skillPackage.uri);
    const { request } = prepareRequest(skillPackage, context, undefined, { parameters: { a: 'x' } });
    const answers = [{ name: 'before_exit', value: true }];
    const stubs = fails ? [{ name: 'p', fails: 'LOC' }] : [];
    const trace = await run(dryRequest(request, { answers, stubs }), composer);
    const messages = told.map(({ rule, message }) => `${rule}: ${message}`);
    if (!trace.ok) {
      counts.refused++;
      assert.ok(
        told.some(({ severity }) => severity === 'error'),
        `${title} is refused without an error: ${JSON.stringify(trace.errors)}`,
      );
      continue;
    }
    if (told.length > 0) continue;
    counts.clean++;
    const isReplaced = fails && JSON.stringify(trace.events).includes('"fallback"');
    if (isReplaced) counts.replaced++;
    const end = trace.end.kind === 'failed' ? trace.end.code : trace.end.kind;
    const isFine = end === 'met' || (fails && end === 'LOC' && title.endsWith('fallback '));
    assert.ok(isFine, `${title} ends with ${end}, and check reports nothing: ${JSON.stringify(trace.end)} ${messages}`);
  }
  // Each kind of end is reached.
  assert.ok(
    Object.values(counts).every((count) => count > all.length / 20),
    JSON.stringify(counts),
  );
});

it('check, compose and run agree on a sample without a required parameter', async () => {
  const told = async (interrupt: string) => {
    const lines = [
      'level: 2',
      interrupt,
      'composes: [p]',
      'samples: {s: {parameters: {}, answers: {on_missing_input: {a: x}}}}',
    ];
    const workspace = new Workspace();
    const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
    put(
      'p.skill.md',
      `---\n${contract('p', '{a: string}', '{b: string}').replace(/required_scopes.*\n/, '')}---\n\nSay it.\n`,
    );
    put('w.skill.yaml', contract('w', '{a: string}', '{b: string}', ...lines.filter((line) => line !== '')));
    const { analysis } = workspace;
    const uri = 'file:///w/w.skill.yaml';
    const file = analysis.file(uri);
    const skillPackage = checkedPackageOf(analysis, uri);
    assert.ok(file && skillPackage);
    const found = check(file, analysis).filter(({ severity }) => severity === 'error');
    const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, uri), 's');
    const composed = composer.compose(request);
    const trace = await run(
      dryRequest(request, { answers: [{ name: 'on_missing_input', value: { a: 'x' } }] }),
      composer,
    );
    return [
      found.map(({ rule }) => rule),
      composed.ok || composed.errors[0]?.kind,
      trace.ok ? trace.end.kind : trace.errors[0]?.kind,
    ];
  };
  assert.deepEqual(await told('interrupts: [on_missing_input]'), [[], true, 'met']);
  assert.deepEqual(await told(''), [['invalid-sample'], 'ParameterMismatch', 'ParameterMismatch']);
});
