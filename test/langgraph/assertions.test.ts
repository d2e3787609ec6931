/** Assertions on outputs, and prompts that do not compose, in runs (docs/run.md, "Assertions"). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { RunRequest, Trace } from '../../server/src/protocol.ts';
import { type Files, requestFor, skill } from '../core/composer/shapes.ts';
import { dryRun, modelRun } from './dry.ts';

const asserting = (assertion: string): string =>
  skill('count', 'input_schema: {}\noutput_schema: {n: string}\nframing: t').replace(
    /\n*$/,
    `\n\n## PromptTemplate: t\n\`\`\`yaml artifact\nassertions: [${assertion}]\n\`\`\`\nCount.\n`,
  );

const recordedAs = (value: Json): Pick<RunRequest, 'recorded'> => ({
  recorded: { value, text: JSON.stringify(value) },
});

const dry = (files: Files, parts: Partial<RunRequest>): Promise<Trace> =>
  dryRun(requestFor(files, Object.keys(files)[0] ?? ''), parts);

const summary = ({ end, events, assertions: { run, passed } }: Trace) => ({
  end: end.kind === 'failed' ? `${end.code}: ${end.message}` : end.kind,
  warnings: events.flatMap((event) => (event.kind === 'warning' ? [event.message] : [])),
  assertions: `${passed} of ${run}`,
});

test('a hard assertion of a template ends the run at a recorded output that fails it', async () => {
  const files = { 'count.skill.md': asserting('{type: pattern, not_match: "bad"}') };
  assert.deepEqual(summary(await dry(files, recordedAs({ n: 'bad' }))), {
    end: 'ASSERTION_FAILED: The output does not meet the assertion "does not match bad": The text matches `bad`.',
    warnings: [],
    assertions: '0 of 1',
  });
  const passed = summary(await dry(files, recordedAs({ n: 'good' })));
  assert.deepEqual(passed, { end: 'met', warnings: [], assertions: '1 of 1' });
});

test('a soft assertion is a warning, and the run goes on', async () => {
  const files = { 'count.skill.md': asserting('{type: length, max: 3, severity: soft}') };
  const { end, warnings, assertions } = summary(await dry(files, recordedAs({ n: 'long' })));
  assert.deepEqual([end, warnings.length, assertions], ['met', 1, '0 of 1']);
  assert.match(warnings[0] ?? '', /^The output does not meet the assertion "has at most 3 characters": /);
});

test('the assertions of the sample are checked, too, but no invalid or semantic ones and no generated output', async () => {
  const files = { 'count.skill.md': asserting('{type: pattern, match: "("}, {type: semantic, prompt: "ok?"}') };
  const assertion = { type: 'contains', value: 'seven' };
  const expected = [{ uri: 'a.skill.md', span: { start: 0, end: 1 }, assertion }];
  assert.equal(summary(await dry(files, { ...recordedAs({ n: '7' }), expected })).assertions, '0 of 1');
  assert.deepEqual(summary(await dry(files, { expected })), { end: 'met', warnings: [], assertions: '0 of 0' });
});

test('a trace names the artifacts and the model of each prompt', async () => {
  const files = {
    'count.skill.md': asserting('{type: contains, value: seven}').replace(
      'framing: t',
      'framing: t\nmodel_preference: [anthropic]',
    ),
  };
  const { events } = await dry(files, {});
  const prompts = events.flatMap((event) => (event.kind === 'enter' && event.prompt ? [event.prompt] : []));
  assert.deepEqual(
    prompts.map(({ text, artifacts, model }) => [text, artifacts.length, model]),
    [['Count.', 1, 'anthropic']],
  );
  assert.match(prompts[0]?.artifacts[0] ?? '', /t$/);
});

test('a model that fails an assertion of a composed skill ends the run at that skill', async () => {
  const files = {
    'plan.skill.md': skill('plan', 'level: 2\ninput_schema: {}\noutput_schema: {n: string}\ncomposes: [count]'),
    'count.skill.md': asserting('{type: contains, value: seven}'),
  };
  const request = requestFor(files, 'plan.skill.md');
  const trace = await modelRun(request, () => ({ kind: 'output', text: '{"n": "six"}' }), {});
  assert.ok(trace.end.kind === 'failed');
  assert.deepEqual([trace.end.code, trace.end.path], ['ASSERTION_FAILED', 'count/plan']);
});

test('a dry run fails where the prompt of a composed skill does not compose for its input', async () => {
  const template = '\n\n## PromptTemplate: t\n\n{% if ask %}{{ go }}{% endif %}\n';
  const files = {
    'plan.skill.md': skill(
      'plan',
      'level: 2\ninput_schema: {ask: {type: boolean, default: true}}\noutput_schema: {n: string}\ncomposes: [count]',
    ),
    'count.skill.md': `${skill('count', 'input_schema: {ask: boolean, go: string?}\noutput_schema: {n: string}\nframing: t')}${template}`,
  };
  const { end } = await dry(files, {});
  assert.ok(end.kind === 'failed');
  assert.deepEqual([end.code, end.path], ['PROMPT_FAILED', 'count/plan']);
  assert.match(end.message, /`go` is undefined/);
});
