/**
 * `compose`: prints a prompt or a composition, with the same bytes on every machine, or reports why this is impossible.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const CATALOG = `tools:
  - {name: read_page, description: Reads a page., operation: READ}
profiles:
  - {name: reader, tools: [read_page]}
  - {name: guest, tools: []}
`;

const DRAFT = `---
name: draft-scene
description: Drafts a scene.
version: 1.2.0
input_schema: {place: string, tone: {type: string, default: grim}}
allowed_contexts: [channel]
framing: main
tools: [read_page]
samples:
  storm: {request: Draft the storm, parameters: {place: the pass}, channel: north}
  calm: {parameters: {place: the bay, tone: wry}, profile: reader}
---

## PromptTemplate: main

Draft a scene at {{ place }}, {{ tone }}.{% for item in memory %} Keep in mind: {{ item.text }}{% endfor %}
`;

const ONE = DRAFT.replace('draft-scene', 'draft-one').replace(/ {2}calm: .*\n/, '');

const files = {
  'skills.config.yaml': CATALOG,
  'draft-scene.skill.md': DRAFT,
  'draft-one.skill.md': ONE,
  'none.skill.md': DRAFT.replace('draft-scene', 'none').replace(/samples:\n( .*\n)+/, ''),
  'strict.skill.md': DRAFT.replace('draft-scene', 'strict')
    .replace(/samples:\n( .*\n)+/, '')
    .replace('place: string', 'place: {type: string, regex: "^(?=x)"}'),
  'remember.skill.md': DRAFT.replace('draft-scene', 'remember').replace(
    'samples:\n',
    'samples:\n  rain: {parameters: {place: the pass}, channel: c, memory: [{id: m1, tier: canon, text: It rains.}]}\n',
  ),
  // Emoji, wide letters and CRLF before the failing position.
  'far.skill.md': DRAFT.replace('draft-scene', 'far')
    .replace('Draft a scene at', '🐉 龙门 {# 🐉 #} Draft {{ place | nope }} at')
    .replaceAll('\n', '\r\n'),
  'params.json': '{"place": "the sea", "tone": "wry"}',
  'memory.json': '[{"id": "m1", "tier": "canon", "text": "It rains."}]',
};

describe('skill-composer compose', () => {
  const folder = folderWith(files);
  const compose = (...words: string[]) => run(folder, ['compose', ...words]);

  it('prints only the prompt of a sample', async () => {
    const { status, stdout, stderr } = await compose('draft-scene.skill.md', '--sample', 'storm');
    assert.equal(stderr, '');
    assert.equal(status, 0);
    assert.match(stdout, /^Draft a scene at the pass, grim\.\n\n## Request\n\nDraft the storm\n/);
  });

  it('uses the only sample, but prefers values from the options', async () => {
    const { stdout } = await compose('draft-one.skill.md', '--request', 'Now', '--memory', '@memory.json');
    assert.match(stdout, /^Draft a scene at the pass, grim\. Keep in mind: It rains\.\n\n## Request\n\nNow\n/);
  });

  it('uses the memory of a sample, unless an option gives other items', async () => {
    const prompt = async (...options: string[]) =>
      (await compose('remember.skill.md', '--sample', 'rain', ...options)).stdout;
    assert.match(await prompt(), /^Draft a scene at the pass, grim\. Keep in mind: It rains\.\n/);
    assert.match(await prompt('--memory', '[]'), /^Draft a scene at the pass, grim\.\n/);
    const composition = JSON.parse(await prompt('--format', 'json')).composition;
    assert.deepEqual(composition.memoryDependencies, ['m1']);
  });

  it('reads parameters from JSON and from a file', async () => {
    const [inline, read] = await Promise.all([
      compose('draft-scene.skill.md', '--params', '{"place": "the sea", "tone": "wry"}', '--channel', 'c'),
      compose('draft-scene.skill.md', '--params', '@params.json', '--channel', 'c'),
    ]);
    assert.match(inline.stdout, /^Draft a scene at the sea, wry\.\n/);
    assert.deepEqual(read, inline);
  });

  it('prints the composition as JSON, with files and ranges as locations', async () => {
    const { stdout, status } = await compose('draft-scene.skill.md', '--sample', 'storm', '--format', 'json');
    assert.equal(status, 0);
    const { ok, composition } = JSON.parse(stdout);
    assert.equal(ok, true);
    for (const key of ['prompt', 'segments', 'subgraph', 'usedArtifacts', 'expectedToolCalls', 'declaredInterrupts'])
      assert.ok(key in composition, key);
    for (const key of [
      'exitCondition',
      'modelPreference',
      'decisions',
      'memoryDependencies',
      'tokens',
      'invocationRecord',
    ])
      assert.ok(key in composition, key);
    assert.deepEqual(composition.decisions[0].range, {
      start: { line: 7, character: 8 },
      end: { line: 7, character: 17 },
    });
    assert.doesNotMatch(stdout, /"uri"|"span"|file:/);
    const files = new Set([...stdout.matchAll(/"file": "([^"]*)"/g)].map(([, file]) => file));
    assert.deepEqual([...files], ['draft-scene.skill.md']);
  });

  it('reports why a skill does not compose, with the location, and exits with 1', async () => {
    const { status, stdout, stderr } = await compose('none.skill.md', '--channel', 'c');
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^none\.skill\.md:5:16 error ParameterMismatch\n {2}`place`: Missing required field/);
    assert.match(stderr, /\n {2}5 \| input_schema: .*\n {4}\| {16}\^\^\^\^\^\n/);
    const json = JSON.parse((await compose('none.skill.md', '--channel', 'c', '--format', 'json')).stdout);
    assert.deepEqual(
      [json.ok, json.errors[0].kind, json.errors[0].file],
      [false, 'ParameterMismatch', 'none.skill.md'],
    );
  });

  it('prints the decisions and the invocation record of a failure, including the error and the thread', async () => {
    const { stdout } = await compose('far.skill.md', '--sample', 'storm', '--thread', 't-9', '--format', 'json');
    const { decisions, invocationRecord } = JSON.parse(stdout);
    assert.deepEqual(
      decisions.map(({ name, taken, file }: Record<string, unknown>) => [name, taken, file]),
      [
        ['read_page', true, 'far.skill.md'],
        ['main', true, 'far.skill.md'],
      ],
    );
    const { succeeded, error, threadId, channelId, usedArtifacts } = invocationRecord;
    assert.deepEqual([succeeded, error, threadId, channelId], [false, 'MalformedTemplate', 't-9', 'north']);
    assert.deepEqual(
      usedArtifacts.map(({ name }: { name: string }) => name),
      ['main'],
    );
  });

  it('generates missing values with --made-up, and suggests this option if it is missing', async () => {
    const { status, stdout } = await compose('none.skill.md', '--channel', 'c', '--made-up', '--format', 'json');
    const { prompt, segments } = JSON.parse(stdout).composition;
    assert.equal(status, 0);
    assert.match(prompt, /^Draft a scene at «place», grim\.\n/);
    assert.ok(segments.some((segment: { kind: string }) => segment.kind === 'madeUp'));
    assert.match(
      (await compose('none.skill.md', '--channel', 'c')).stderr,
      /Use `--made-up` to generate the missing parameters/,
    );
  });

  it('reports a parameter that --made-up cannot generate, without suggesting this option', async () => {
    const { status, stderr } = await compose('strict.skill.md', '--channel', 'c', '--made-up');
    assert.equal(status, 1);
    assert.match(stderr, /No value that matches the schema of `place` can be generated\./);
    assert.doesNotMatch(stderr, /--made-up/);
  });

  it('reports the correct location after emoji, wide letters and CRLF', async () => {
    const { stdout } = await compose('far.skill.md', '--sample', 'storm', '--format', 'json');
    const [error] = JSON.parse(stdout).errors;
    const line = files['far.skill.md'].split('\r\n')[error.range.start.line] ?? '';
    assert.equal(line.slice(error.range.start.character, error.range.end.character), 'nope');
  });

  it('reports what prevents the planner from dispatching the skill', async () => {
    const { status, stderr, stdout } = await compose('draft-scene.skill.md', '--sample', 'calm');
    assert.equal(status, 0);
    assert.match(stderr, /^skill-composer: The planner would not dispatch this skill, because .*`workspace`.*\n$/);
    assert.match(stdout, /^Draft a scene at the bay, wry\./);
    assert.equal((await compose('draft-scene.skill.md', '--sample', 'calm', '--quiet')).stderr, '');
  });

  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['draft-scene.skill.md', '--sample', 'strom'],
      /unknown sample `strom`\. Did you mean `storm`\? Known samples: `storm` and `calm`\./i,
    ],
    [['none.skill.md', '--sample', 'storm'], /There are no samples/],
    [['draft-scene.skill.md', '--profile', 'raeder'], /unknown profile `raeder`\. Did you mean `reader`\?/],
    [['draft-scene.skill.md', '--params', '{'], /The value of `--params` is not valid JSON/],
    [['draft-scene.skill.md', '--params', '[]'], /`--params` must be a JSON object/],
    [
      ['draft-scene.skill.md', '--params', '@nowhere.json'],
      /`--params @nowhere\.json` cannot be read: it does not exist/,
    ],
    [['draft-scene.skill.md', '--memory', '[{}]'], /`--memory` must be a JSON list/],
    [['draft-scene.skill.md', '--source', 'planned'], /`--source` does not support `planned`/],
    [['draft-scene.skill.md', '--format', 'pretty'], /`--format` does not support `pretty`/],
    [['skills.config.yaml'], /is a catalog/],
    [['.'], /contains 6 skills\. Name one skill file/],
    [['nowhere.skill.md'], /`nowhere\.skill\.md` matches no files/],
    [[], /Missing required argument `FILE`/],
  ];
  for (const [words, message] of wrong) {
    it(`refuses \`${words.join(' ')}\``, async () => assertUsageError(await compose(...words), message));
  }

  it('composes the same bytes in another process, locale, time zone and order of files', async () => {
    const words = ['compose', 'draft-scene.skill.md', '--sample', 'storm', '--format', 'json'];
    const other = folderWith(Object.fromEntries(Object.entries(files).reverse()));
    const [first, second] = await Promise.all([
      run(folder, words, { env: { LC_ALL: 'C', TZ: 'UTC' } }),
      run(other, words, { env: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' } }),
    ]);
    assert.equal(first.status, 0);
    assert.equal(second.stdout, first.stdout);
  });

  it('composes every skill in the sample workspace with each of its samples, without findings', async () => {
    for (const path of ['skills', 'contracts', 'agent-skills']) {
      const { status, stdout } = await run('samples', ['check', path, '--quiet']);
      assert.equal(stdout, '');
      assert.equal(status, 0);
    }
    const { stdout } = await run('samples', [
      'compose',
      'skills/scenes/critique-scene.skill.md',
      '--sample',
      'line pass',
    ]);
    assert.match(stdout, /## Request/);
  });
});

describe('skill-composer check', () => {
  it('composes the samples, and reports only failures that no other rule reports', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'guest.skill.md': DRAFT.replace('draft-scene', 'guest').replace('profile: reader', 'profile: guest'),
    });
    const { stdout, status } = await run(folder, ['check']);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^guest\.skill\.md:11:3 error sample-fails\n {2}The sample `calm` does not compose: The skill requires/,
    );
    assert.match(stdout, /\n {2}11 \| {3}calm: .*\n {5}\| {3}\^\^\^\^\n/);
    assert.equal((await run(folder, ['check', '--rule', 'sample-fails=off'])).status, 0);
  });
});
