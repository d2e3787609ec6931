/** `test` with saved prompts: writes the files, and compares new prompts with saved ones. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';
import { greet, testJson } from './cli-tests.ts';

describe('skill-composer test, with saved prompts', () => {
  it('saves a prompt with --update, and shows the difference when the prompt changes', async () => {
    const folder = folderWith({ 'greet.skill.md': greet('expect: {snapshot: true}') });
    const missing = await testJson(folder, '--filter', 'first');
    assert.match(
      missing.tests.at(-1)?.message ?? '',
      /^File `__prompts__\/greet\.first-visit-[0-9a-f]{6}\.txt` does not exist\. /,
    );
    const kept = /`(.*?)`/.exec(missing.tests.at(-1)?.message ?? '')?.[1] ?? '';
    assert.equal((await run(folder, ['test', '--update'])).status, 0);
    assert.match(readFileSync(join(folder, kept), 'utf8'), /Greet Ada in one sentence\.\n/);
    assert.equal((await testJson(folder)).code, 0);
    writeFileSync(
      join(folder, 'greet.skill.md'),
      greet('expect: {snapshot: true}').replace('one sentence', 'two sentences'),
    );
    const { status, stdout } = await run(folder, ['test']);
    assert.equal(status, 1);
    assert.match(stdout, /-Greet Ada in one sentence\.\n +\+Greet Ada in two sentences\.\n/);
    writeFileSync(join(folder, 'greet.skill.md'), greet());
    assert.equal((await testJson(folder)).code, 0, 'without `snapshot: true` it is not compared');
    assert.equal((await testJson(folder, '--snapshots')).code, 0);
  });

  it('with --update, saves only the prompts that match --filter', async () => {
    const folder = folderWith({
      'greet.skill.md': greet('expect: {snapshot: true}').replace(
        '---\n\n##',
        '  other:\n    parameters: {guest: Ada}\n    expect: {snapshot: true}\n---\n\n##',
      ),
    });
    const { status, stdout } = await run(folder, ['test', '--update', '--filter', 'other']);
    assert.deepEqual([status, readdirSync(join(folder, '__prompts__'))], [0, ['greet.other.txt']], stdout);
  });

  it('with --snapshots, reports the command that saves a missing prompt', async () => {
    const folder = folderWith({ 'greet.skill.md': greet() });
    const missing = await testJson(folder, '--snapshots');
    const command =
      /Save the prompt with `skill-composer (test [^`]*)`/.exec(missing.tests.at(-1)?.message ?? '')?.[1] ?? '';
    assert.equal((await run(folder, command.split(' '))).status, 0);
    assert.equal((await testJson(folder, '--snapshots')).code, 0);
  });

  it('fails if a model returns a wrong output, even if the prompts are saved', async () => {
    const folder = folderWith({
      'greet.skill.md': greet('expect: {snapshot: true, output: [{type: contains, value: Ada}]}'),
    });
    const { status, stdout } = await run(folder, [
      'test',
      '--update',
      '--runner',
      `"${process.execPath}" -e 'console.log(1)'`,
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /The text does not contain `Ada`/);
    assert.match(stdout, /Saved __prompts__/);
  });

  it('does not write a prompt through a folder that is a link', async () => {
    const victim = folderWith({ 'keep.txt': '' });
    const folder = folderWith({ 'greet.skill.md': greet('expect: {snapshot: true}') });
    symlinkSync(victim, join(folder, '__prompts__'));
    assertUsageError(await run(folder, ['test', '--update']), /cannot be written: its folder is a symbolic link/);
    assert.deepEqual(readdirSync(victim), ['keep.txt']);
  });

  it('reports an unreadable saved prompt at its sample, and continues', async () => {
    const folder = folderWith({
      'greet.skill.md': greet('expect: {snapshot: true}'),
      'other.skill.md': greet().replace('name: greet', 'name: other'),
    });
    const missing = await testJson(folder, '--filter', 'greet');
    const kept = /`(.*?)`/.exec(missing.tests.at(-1)?.message ?? '')?.[1] ?? '';
    mkdirSync(join(folder, kept), { recursive: true });
    const found = await testJson(folder);
    assert.match(found.tests.find(({ kind }) => kind === 'snapshot')?.message ?? '', /cannot be read: /);
    assert.ok(found.tests.some(({ skill, status }) => skill === 'other' && status === 'passed'));
  });
});
