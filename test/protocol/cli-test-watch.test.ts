/** `test --watch`: the tests that an edit on disk affects. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { extended } from '../extended.ts';
import { assertUsageError, folderWith, run } from './cli.ts';
import { watching } from './watched.ts';

const skill = (name: string, ...lines: readonly string[]): string =>
  [
    ...['---', `name: ${name}`, `description: Does ${name}.`, 'version: 1.0.0', 'input_schema: {guest: string}'],
    ...['framing: greeting', 'samples:', '  ada:', '    parameters: {guest: Ada}', ...lines, '---', ''],
    ...['## PromptTemplate: greeting', '', 'Greet {{ guest }} warmly.', ''],
  ].join('\n');

const EXPECTS = '    expect: {prompt: [{type: contains, value: warmly}]}';

test('runs affected tests and failed tests after an edit', async () => {
  const files = { 'a.skill.md': skill('a', EXPECTS), 'b.skill.md': skill('b', EXPECTS) };
  await watching('test', files, async ({ stdoutMatched, write, stdin, ended }) => {
    assert.match(await stdoutMatched(/4 passed\./), /✓ a a\.skill\.md[\s\S]*✓ b b\.skill\.md/);
    write('a.skill.md', skill('a', EXPECTS).replace('warmly', 'coldly'));
    assert.doesNotMatch(await stdoutMatched(/1 passed, 1 failed\./), /b\.skill\.md/);
    write('b.skill.md', skill('b'));
    assert.match(await stdoutMatched(/2 passed, 1 failed\./), /✗ a a\.skill\.md[\s\S]*✓ b b\.skill\.md/);
    stdin.write('q');
    assert.equal(await ended, 1);
  });
});

test('follows new and deleted files, and saved prompts', async () => {
  const kept = skill('a', '    expect: {snapshot: true}');
  await watching('test', { 'a.skill.md': kept }, async ({ folder, stdoutMatched, write, stdin, ended }) => {
    await stdoutMatched(/does not exist[\s\S]*1 passed, 1 failed\./);
    write('__prompts__/a.ada.txt', 'Greet Ada warmly.\n\n## Request\n\n```yaml\nguest: Ada\n```\n');
    await stdoutMatched(/✓ a [\s\S]*2 passed\./);
    write('deep/skills/c.skill.md', skill('c'));
    await stdoutMatched(/✓ c deep\/skills\/c\.skill\.md[\s\S]*passed\./);
    rmSync(join(folder, 'deep'), { recursive: true });
    write('a.skill.md', kept.replace('Does a.', 'Does it.'));
    assert.doesNotMatch(await stdoutMatched(/2 passed\./), /deep/);
    stdin.write('q');
    assert.equal(await ended, 0);
  });
});

test('tests the skills that compose an edited skill', async () => {
  const whole = skill('whole').replace('framing:', 'level: 2\ncomposes: [part]\nframing:');
  await watching(
    'test',
    { 'part.skill.md': skill('part'), 'whole.skill.md': whole },
    async ({ stdoutMatched, write }) => {
      await stdoutMatched(/passed\./);
      write('part.skill.md', skill('part').replace('warmly', 'coldly'));
      assert.match(await stdoutMatched(/part[\s\S]*passed\./), /✓ whole/);
    },
  );
});

test('runs all tests after an edit to the catalog, and reports an invalid catalog', async () => {
  const files = { 'a.skill.md': skill('a'), 'b.skill.md': skill('b'), 'skills.config.yaml': 'tools: []\n' };
  await watching('test', files, async ({ stdoutMatched, stderrMatched, write }) => {
    await stdoutMatched(/2 passed\./);
    write('skills.config.yaml', 'tools: [read_page]\n');
    await stdoutMatched(/2 passed\./);
    write('skills.config.yaml', 'tools: [\n');
    await stderrMatched(/The catalog `skills\.config\.yaml.*` is not valid YAML/);
  });
});

test('refuses options that apply only to a single run', async () => {
  const folder = folderWith({ 'a.skill.md': skill('a') });
  for (const words of [['--format', 'json'], ['--update'], ['--out', 'x'], ['--runner', 'x'], ['--shard', '1/2']]) {
    assertUsageError(
      await run(folder, ['test', '--watch', ...words]),
      /cannot be used with `--\w+`, which applies to a single run/,
    );
  }
});

test('tests requests in the evals of a SKILL.md again after a change to another description', extended, async () => {
  const files = {
    'greet/SKILL.md': '---\nname: greet\ndescription: Greets guests.\n---\nGreet.\n',
    'greet/evals/triggers.json': '[{"query": "fold paper cranes for guests", "should_trigger": true}]',
    'wave.skill.md': skill('wave'),
  };
  await watching('test', files, async ({ stdoutMatched, write, stdin, ended }) => {
    await stdoutMatched(/2 passed\./);
    write('wave.skill.md', skill('wave').replace('Does wave.', 'Folds paper cranes for guests.'));
    await stdoutMatched(/✗ greet greet\/evals\/triggers\.json[\s\S]*chooses `wave`/);
    stdin.write('q');
    assert.equal(await ended, 1);
  });
});
