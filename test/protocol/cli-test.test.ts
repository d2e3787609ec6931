/** `test`: the tests of skills. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';
import { greet, testJson, told } from './cli-tests.ts';

describe('skill-composer test', () => {
  it('reports each expectation of a sample', async () => {
    const found = await testJson(
      folderWith({
        'greet.skill.md': greet(
          'expect:',
          '  prompt:',
          '    - {type: contains, value: Ada}',
          '    - {type: length, max: 3, unit: words, severity: soft}',
          '    - {type: semantic, prompt: Is it polite?}',
          '  tokens: {max: 2}',
          '  nodes: [plan]',
        ),
      }),
    );
    assert.deepEqual(told(found), [
      'composes first visit: passed',
      'prompt first visit › node plan: passed',
      'prompt first visit › at most 2 tokens: failed',
      'prompt first visit › contains Ada: passed',
      'prompt first visit › has at most 3 words: warned',
      'prompt first visit › Is it polite?: skipped',
    ]);
    assert.deepEqual([found.summary, found.code], [{ passed: 3, failed: 1, warned: 1, skipped: 1 }, 1]);
  });

  it('passes a sample with an expected failure', async () => {
    const fails = greet('expect: {fails: ParameterMismatch}').replace('guest: Ada', 'guest: 3');
    assert.deepEqual(told(await testJson(folderWith({ 'greet.skill.md': fails }))), ['composes first visit: passed']);
    const composes = await testJson(folderWith({ 'greet.skill.md': greet('expect: {fails: ParameterMismatch}') }));
    assert.deepEqual([told(composes), composes.code], [['composes first visit: failed'], 1]);
    assert.equal(composes.tests[0]?.message, 'The sample must fail with `ParameterMismatch`, but it composes.');
  });

  it('reports the deciding location and the actual text, without a diff', async () => {
    const wrong = greet(
      'expect: {prompt: [{type: pattern, not_match: one sentence}], artifacts: {left_out: [greeting]}}',
    );
    const { stdout } = await run(folderWith({ 'greet.skill.md': wrong }), ['test']);
    assert.match(
      stdout,
      /The text matches `one sentence`\. See `greet\.skill\.md:16:22`\.\n +\| Greet Ada in one sentence\.\n/,
    );
    assert.match(stdout, /`greeting` is missing: the composition has no left out artifacts\.\n/);
    assert.doesNotMatch(stdout, /^ +[-+@]/m);
  });

  it('reports the location of an invalid sample once', async () => {
    const { stdout } = await run(folderWith({ 'greet.skill.md': greet().replace('{guest: Ada}', '{}') }), ['test']);
    assert.match(stdout, /composes first visit greet\.skill\.md:\d+:\d+\n/);
    assert.doesNotMatch(stdout, / See `/);
  });

  it('checks a recorded output against its schema and assertions, and refuses two outputs for a sample', async () => {
    const skill = greet('expect: {output: [{type: contains, value: Ada}]}');
    const path = '__outputs__/greet.first-visit-';
    const probe = await testJson(folderWith({ 'greet.skill.md': greet('expect: {snapshot: true}') }));
    const digest = /first-visit-([0-9a-f]{6})/.exec(probe.tests.at(-1)?.message ?? '')?.[1];
    const recorded = (files: Readonly<Record<string, string>>) =>
      testJson(folderWith({ 'greet.skill.md': skill, ...files }));
    const good = await recorded({ [`${path}${digest}.json`]: '{"text": "Welcome, Ada."}' });
    assert.deepEqual(told(good).slice(1), [
      'output first visit › output schema: passed',
      'output first visit › contains Ada: passed',
    ]);
    const wrong = await recorded({ [`${path}${digest}.txt`]: 'Welcome.' });
    assert.deepEqual(told(wrong).slice(1), [
      'output first visit › output schema: failed',
      'output first visit › contains Ada: failed',
    ]);
    const twice = await recorded({ [`${path}${digest}.json`]: '{}', [`${path}${digest}.txt`]: '' });
    assert.match(twice.tests.at(-1)?.message ?? '', /has two recorded outputs, `.json` and `.txt`/);
  });

  it('runs a sample that expects a path or an exit, and shows where the run differs', async () => {
    const approach = ['', '## Approach: two', '', '1. **Read** the page.', '2. **Write** the greeting.', ''].join('\n');
    const expecting = (...lines: string[]) =>
      `${greet(...lines)}${approach}`.replace('framing:', 'interrupts: [before_exit]\nframing:');
    const passes = expecting(
      'expect: {path: [Read, Write], exit: output_schema, interrupts: [before_exit]}',
      'answers: {before_exit: true}',
    );
    assert.deepEqual(told(await testJson(folderWith({ 'greet.skill.md': passes }), '--filter', 'visit')), [
      'composes first visit: passed',
      'prompt first visit › interrupt before_exit: passed',
      'path first visit › path: passed',
      'path first visit › exit output_schema: passed',
      'path first visit › fires before_exit: passed',
    ]);
    const fails = expecting('expect:', '  path: [Read, Read, Write]', '  exit: output_schema');
    const folder = folderWith({ 'greet.skill.md': fails });
    const { stdout, status } = await run(folder, ['test', '--filter', '› path']);
    assert.equal(status, 1);
    assert.match(stdout, /path first visit › path greet\.skill\.md:13:20\n/);
    assert.match(stdout, /After `Read`, the expected path continues with `Read`, but the run with `Write`\./);
    assert.match(
      stdout,
      /The run waits at the interrupt `before_exit`\. Add its answer under `answers` of the sample\./,
    );
    assert.match(stdout, /^ +-Read$/m);
    const junit = await run(folder, ['test', '--format', 'junit', '--filter', '› exit']);
    assert.match(junit.stdout, /<testcase classname="greet\.path" name="first visit › exit output_schema">/);
    const github = await run(folder, ['test', '--format', 'github', '--filter', '› exit']);
    assert.match(github.stdout, /^::error file=greet\.skill\.md,line=14,col=\d+,title=path%3A first visit › exit /);
  });

  it('checks examples against the contract', async () => {
    const example = ['', '## Example: one', '', '### Output', '', '```yaml', 'text: 3', '```', ''].join('\n');
    const found = await testJson(folderWith({ 'greet.skill.md': `${greet()}${example}` }), '--filter', 'one');
    assert.deepEqual(told(found), ['example one: failed']);
  });

  it('prints JUnit with skipped tests, and annotations for a GitHub workflow', async () => {
    const folder = folderWith({
      'greet.skill.md': greet(
        'expect: {prompt: [{type: contains, value: "<b> & \\"c\\""}, {type: semantic, prompt: Is it polite?}]}',
      ),
    });
    const { stdout } = await run(folder, ['test', '--format', 'junit']);
    assert.match(
      stdout,
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="3" failures="1" errors="0" skipped="1">/,
    );
    assert.match(
      stdout,
      /<testcase classname="greet\.prompt" name="first visit › contains &lt;b&gt; &amp; &quot;c&quot;">/,
    );
    assert.match(stdout, /<skipped message="Only a model can decide this: Is it polite\?"\/>/);
    const github = await run(folder, ['test', '--format', 'github']);
    assert.match(
      github.stdout,
      /^::error file=greet\.skill\.md,line=11,col=\d+,title=prompt%3A first visit › contains /,
    );
  });

  it('reports that there are no tests, and refuses a filter that matches no test', async () => {
    const folder = folderWith({ 'a.skill.md': '---\nname: a\ndescription: Does a.\nversion: 1.0.0\n---\n\nDo it.\n' });
    const { status, stdout, stderr } = await run(folder, ['test']);
    assert.deepEqual([status, stdout], [0, 'No tests.\n']);
    assert.match(stderr, /^skill-composer: No tests found in 1 file\. Add `samples`/);
    assertUsageError(await run(folder, ['test', '--filter', 'x']), /No test matches `--filter x`/);
    assertUsageError(
      await run(folder, ['test', '--max-runs', '3']),
      /has no effect without a model\. Add `--runner COMMAND`/,
    );
  });

  it('with --shard, tests the same part of the files on every machine', async () => {
    const folder = folderWith({ 'a.skill.md': greet(), 'b.skill.md': greet().replace('name: greet', 'name: b') });
    const filesOf = async (shard: string) => (await testJson(folder, '--shard', shard)).tests.map(({ file }) => file);
    assert.deepEqual([await filesOf('1/2'), await filesOf('2/2')], [['a.skill.md'], ['b.skill.md']]);
    assertUsageError(await run(folder, ['test', '--shard', '3/2']), /`--shard 3\/2` is not a valid shard/);
  });

  it('requests outputs from a command, reports the cost first, and records the outputs', async () => {
    const folder = folderWith({
      'greet.skill.md': greet('expect: {output: [{type: contains, value: Ada}]}'),
      'model.cjs': 'process.stdout.write(JSON.stringify({text: "Welcome, Ada."}))',
    });
    const runner = `"${process.execPath}" 'model.cjs'`;
    const first = await run(folder, ['test', '--runner', runner, '--record']);
    assert.match(first.stderr, /^skill-composer: 1 run with prompts of \d+ tokens\.\n$/);
    assert.match(first.stdout, /Saved __outputs__\/greet\.first-visit-[0-9a-f]{6}\.json\./);
    assert.deepEqual(told(await testJson(folder)).slice(1), [
      'output first visit › output schema: passed',
      'output first visit › contains Ada: passed',
    ]);
  });

  it('checks an output from any file against the only sample that matches the filter', async () => {
    const second = ['  second visit:', '    parameters: {guest: Bo}'].join('\n');
    const skill = greet('expect: {output: [{type: contains, value: Ada}]}');
    const folder = folderWith({
      'greet.skill.md': skill.replace('\n---\n\n##', `\n${second}\n---\n\n##`),
      'good.json': '{"text": "Welcome, Ada."}',
      'bad.txt': 'Welcome.',
    });
    const recorded = (file: string, ...words: string[]) => testJson(folder, '--recorded', file, ...words);
    const good = await recorded('good.json', '--filter', 'first');
    assert.deepEqual(told(good).slice(1), [
      'output first visit › output schema: passed',
      'output first visit › contains Ada: passed',
    ]);
    assert.equal((await recorded('bad.txt', '--filter', 'first')).code, 1);
    const refused = (...words: string[]) => run(folder, ['test', '--recorded', ...words]);
    assertUsageError(await refused('good.json'), /requires a sample\. Select one sample with `--filter TEXT`/);
    assertUsageError(
      await refused('good.json', '--filter', 'visit'),
      /matches 2 samples: `first visit` and `second visit`/,
    );
    assertUsageError(await refused('good.json', '--filter', 'third'), /matches no sample that composes/);
    assertUsageError(await refused('none.json', '--filter', 'first'), /`--recorded none\.json` cannot be read/);
    assertUsageError(await refused('good.json', '--filter', 'first', '--runner', 'x'), /Remove one of them/);
  });

  it('runs routing cases, and reports a request that does not match the skill', async () => {
    const routing = 'routing: {should: [greet a guest, fly to the moon], should_not: [fix my grammar]}';
    const found = await testJson(
      folderWith({ 'greet.skill.md': greet().replace('framing: greeting', `framing: greeting\n${routing}`) }),
      '--filter',
      'should',
    );
    assert.deepEqual(told(found), [
      'routing should: greet a guest: passed',
      'routing should: fly to the moon: failed',
      'routing should not: fix my grammar: passed',
    ]);
    assert.match(found.tests[1]?.message ?? '', /no skill contains its words/);
  });

  it('refuses too many runs, and recording without a model', async () => {
    const second = ['  second visit:', '    parameters: {guest: Bo}'].join('\n');
    const folder = folderWith({ 'greet.skill.md': greet().replace('\n---\n\n##', `\n${second}\n---\n\n##`) });
    const refused = await run(folder, ['test', '--runner', 'no-such-command', '--max-runs', '1']);
    assertUsageError(refused, /The tests need 2 runs with prompts of \d+ tokens; the limit is 1\. Use `--filter`/);
    assertUsageError(await run(folder, ['test', '--runner', 'node "a b']), /has an unclosed `"`/);
    assertUsageError(await run(folder, ['test', '--record']), /Add `--runner COMMAND`/);
    const { status, stdout } = await run(folder, ['test', '--runner', 'no-such-command']);
    assert.equal(status, 1);
    assert.match(stdout, /`no-such-command` cannot be run/);
  });

  it('tests every sample of a skill with very many samples', async () => {
    const many = Array.from({ length: 55 }, (_, at) =>
      [`  more ${at}:`, '    parameters: {guest: Ada}'].join('\n'),
    ).join('\n');
    const folder = folderWith({
      'greet.skill.md': greet().replace('\n---\n\n##', `\n${many}\n  last:\n    parameters: {}\n---\n\n##`),
    });
    const { summary, tests } = await testJson(folder);
    assert.deepEqual([summary.passed, summary.failed, tests.at(-1)?.name], [56, 1, 'last']);
  });
});
