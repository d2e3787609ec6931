/** `test --export`: exports samples for other tools. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const skill = (name: string, expect: string, guest = 'Ada'): string =>
  [
    ...['---', `name: ${name}`, `description: Does ${name}.`, 'version: 1.0.0', 'input_schema: {guest: string}'],
    ...['framing: greeting', 'samples:', '  ada:', `    parameters: {guest: ${guest}}`, `    expect: ${expect}`],
    ...['---', '', '## PromptTemplate: greeting', '', 'Greet {{ guest }} warmly.', ''],
  ].join('\n');

const RUN = '{path: [], exit: caller}';
const EXPECT = '{tokens: {max: 90}, output: [{type: contains, value: Ada}]}';

test('exports samples for promptfoo, and reports what it does not support', async () => {
  const folder = folderWith({ 'a.skill.md': skill('a', EXPECT), 'b.skill.md': skill('b', RUN) });
  const { status, stdout, stderr } = await run(folder, ['test', '--export', 'promptfoo']);
  const { prompts, tests } = JSON.parse(stdout);
  assert.deepEqual([status, prompts.length, tests.length], [0, 2, 2]);
  assert.match(prompts[0].raw, /^Greet Ada warmly\./);
  assert.match(
    stderr,
    /^skill-composer: Not exported: the expectations under tokens, path and exit in 2 of 2 samples\./,
  );
});

test('reports a sample that does not compose, and exits with 1', async () => {
  const folder = folderWith({ 'a.skill.md': skill('a', EXPECT, '3'), 'b.skill.md': skill('b', EXPECT) });
  const { status, stdout, stderr } = await run(folder, ['test', '--export', 'promptfoo']);
  assert.deepEqual([status, JSON.parse(stdout).tests.length], [1, 1]);
  assert.match(stderr, /Not exported: `ada`, which is invalid\. The sample `ada` does not match the contract/);
});

test('writes evals for one skill, and keeps the existing cases', async () => {
  const folder = folderWith({
    'a.skill.md': skill('a', EXPECT),
    'b.skill.md': skill('b', EXPECT),
    'evals/evals.json': '{"skill_name": "a", "owner": "Ines", "evals": [{"id": 1, "prompt": "By hand."}]}',
  });
  assertUsageError(
    await run(folder, ['test', '--export', 'evals']),
    /belongs to one skill, but 2 are selected\. Name one skill file/,
  );
  const { status } = await run(folder, ['test', 'a.skill.md', '--export', 'evals', '--out', 'evals/evals.json']);
  assert.equal(status, 0);
  const { owner, evals } = JSON.parse(readFileSync(join(folder, 'evals/evals.json'), 'utf8'));
  assert.deepEqual([owner, evals.length, evals[1].name, evals[1].id], ['Ines', 2, 'ada', 2]);
});

test('refuses invalid arguments, and a filter that matches no sample', async () => {
  const folder = folderWith({ 'a.skill.md': skill('a', EXPECT) });
  assertUsageError(await run(folder, ['test', '--export', 'pytest']), /--export.*promptfoo/);
  assertUsageError(await run(folder, ['test', '--export', 'evals', '--update']), /cannot be used with `--update`/);
  assertUsageError(await run(folder, ['test', '--export', 'evals', '--filter', 'none']), /No sample to export/);
});

const notes = (description: string, ...lines: readonly string[]): string =>
  ['---', 'name: tidy-notes', `description: ${description}`, ...lines, '---', '', 'Merge notes.', ''].join('\n');

test('exports routing cases for promptfoo with the list of the first target client', async () => {
  const folder = folderWith({
    'skills.config.yaml': 'agent_skills: {clients: [codex]}\n',
    '.agents/skills/tidy-notes/SKILL.md': notes('Tidies notes.'),
    '.agents/skills/tidy-notes/evals/triggers.json': '[{"query": "merge my notes", "should_trigger": true}]',
    'a.skill.md': skill('a', EXPECT).replace('samples:', 'routing: {should_not: [merge my notes]}\nsamples:'),
    'hidden/SKILL.md': notes('Is hidden.', 'disable-model-invocation: true').replace('tidy-notes', 'hidden'),
    'hidden/evals/triggers.json': '[{"query": "hide", "should_trigger": true}]',
  });
  const { status, stdout, stderr } = await run(folder, ['test', '--export', 'promptfoo']);
  const { prompts, tests } = JSON.parse(stdout);
  assert.equal(status, 0);
  assert.deepEqual(
    tests.map(({ description }: { description: string }) => description),
    ['a › ada', 'tidy-notes › should: merge my notes', 'a › should not: merge my notes'],
  );
  assert.match(prompts[1].raw, /\n- tidy-notes: Tidies notes\. \(file: r1\/tidy-notes\/SKILL\.md\)\n<\/skills>/);
  assert.match(prompts[2].raw, /<skills>\n- a: Does a\.\n- tidy-notes: Tidies notes\.\n<\/skills>/);
  assert.match(stderr, /Not exported: the routing cases of `hidden`, which no model may choose\./);
});

test('exports a suite of waza for each skill into a folder', async () => {
  const folder = folderWith({
    'skills/tidy-notes/SKILL.md': notes('Tidies notes.'),
    'skills/tidy-notes/evals/triggers.json': '[{"query": "merge my notes", "should_trigger": true}]',
    'a.skill.md': skill('a', EXPECT).replace('samples:', 'routing: {should_not: [merge my notes]}\nsamples:'),
  });
  assertUsageError(await run(folder, ['test', '--export', 'waza']), /several files\. Name a folder with `--out`/);
  const { status, stdout, stderr } = await run(folder, ['test', '--export', 'waza', '--out', 'out/evals']);
  assert.deepEqual([status, stdout], [0, '']);
  const read = (path: string) => readFileSync(join(folder, 'out/evals', path), 'utf8');
  assert.match(read('tidy-notes/eval.yaml'), /\n {4}- ..\/..\/..\/skills\n/);
  assert.match(read('tidy-notes/trigger_tests.yaml'), /should_trigger_prompts:\n {2}- prompt: merge my notes\n/);
  assert.match(read('a/tasks/ada.yaml'), /Greet Ada warmly\./);
  assert.match(stderr, /Not exported: the routing cases of `a`: waza reads only `SKILL\.md`\./);
});
