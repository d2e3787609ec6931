/** `record check`: compares the records of `compose` and `run` with the skill files. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run, write } from './cli.ts';

const WHOLE = `---
name: whole
id: w-1
description: Does it all.
version: 1.0.0
level: 2
input_schema: {}
composes: [part]
---

Do it.

## Description: style

Short.
`;

const PART = `---
name: part
description: Does a part.
version: 1.0.0
input_schema: {}
output_schema: {}
---

Do a part.

## Approach: slow

Take your time.
`;

const FILES = { 'skills/whole.skill.md': WHOLE, 'skills/part.skill.md': PART };

/** Returns a folder with the records of `compose` and of `run`, and the function that checks one of them. */
async function recorded() {
  const folder = folderWith(FILES);
  for (const command of ['compose', 'run']) {
    const words = [command, 'skills/whole.skill.md', '--format', 'json', '--out', `${command}.json`];
    const { stderr } = await run(folder, words);
    assert.equal(stderr, '');
  }
  const check = async (file = 'compose.json', ...options: string[]) => {
    const { status, stdout, stderr } = await run(folder, ['record', 'check', file, ...options]);
    assert.equal(stderr, '');
    return { status, lines: stdout.trimEnd().split('\n') };
  };
  return { folder, check };
}

describe('record check', () => {
  it('finds the skills of a composition and of a run unchanged', async () => {
    const { folder, check } = await recorded();
    const unchanged = { status: 0, lines: ['unchanged: 2 skills'] };
    assert.deepEqual(await check('compose.json'), unchanged);
    assert.deepEqual(await check('run.json'), unchanged);
    assert.deepEqual(await check('run.json', 'skills'), unchanged);
    assert.deepEqual(await check('run.json', '--quiet'), { status: 0, lines: [''] });
    const { composition } = JSON.parse(
      (await run(folder, ['compose', 'skills/whole.skill.md', '--format', 'json'])).stdout,
    );
    write(folder, 'bare.json', JSON.stringify(composition.invocationRecord));
    assert.deepEqual(await check('bare.json'), unchanged);
    // A file that moves is the same skill.
    renameSync(join(folder, 'skills/part.skill.md'), join(folder, 'skills/other.skill.md'));
    assert.deepEqual(await check(), unchanged);
  });

  it('lists the changed skills, with their versions and the used artifacts that have changed', async () => {
    const { folder, check } = await recorded();
    write(folder, 'skills/part.skill.md', PART.replace('1.0.0', '1.1.0').replace('your time', 'a day'));
    write(folder, 'skills/whole.skill.md', WHOLE.replace('Do it.', 'Do it now.').replace(/## Description.*/s, ''));
    const lines = [
      'changed  w-1  1.0.0  skills/whole.skill.md',
      '  missing  Description:style',
      'changed  part  1.0.0 → 1.1.0  skills/part.skill.md',
      '  changed  Approach:slow',
      '2 of 2 skills not as in the record',
    ];
    assert.deepEqual(await check('compose.json'), { status: 1, lines });
    assert.deepEqual(await check('run.json'), { status: 1, lines });
    const { lines: json } = await check('compose.json', '--format', 'json');
    const { unchanged, skills } = JSON.parse(json.join('\n'));
    assert.equal(unchanged, false);
    assert.deepEqual(skills[1], {
      ...{ state: 'changed', id: 'part', version: '1.0.0', newVersion: '1.1.0', file: 'skills/part.skill.md' },
      artifacts: [{ id: 'Approach:slow', state: 'changed' }],
    });
  });

  it('lists a change outside of the used artifacts', async () => {
    const { folder, check } = await recorded();
    write(folder, 'skills/part.skill.md', PART.replace('Do a part.', 'Do your part.'));
    const lines = ['changed  part  1.0.0  skills/part.skill.md', '1 of 2 skills not as in the record'];
    assert.deepEqual(await check(), { status: 1, lines });
  });

  it('lists missing and added skills, and another version that is composed now', async () => {
    const { folder, check } = await recorded();
    write(folder, 'skills/part-2.skill.md', PART.replace('1.0.0', '2.0.0'));
    assert.deepEqual((await check()).lines[0], 'changed  part  1.0.0 → 2.0.0  skills/part-2.skill.md');
    write(folder, 'skills/more.skill.md', PART.replace('part', 'more'));
    write(folder, 'skills/whole.skill.md', WHOLE.replace('[part]', '[more]'));
    assert.deepEqual((await check()).lines, [
      'changed  w-1  1.0.0  skills/whole.skill.md',
      'missing  part  1.0.0',
      'added  more  1.0.0  skills/more.skill.md',
      '3 of 3 skills not as in the record',
    ]);
    for (const name of ['whole', 'part', 'part-2', 'more']) rmSync(join(folder, `skills/${name}.skill.md`));
    const none = await check();
    assert.deepEqual(none, {
      status: 1,
      lines: ['missing  w-1  1.0.0', 'missing  part  1.0.0', '2 of 2 skills not as in the record'],
    });
  });

  it('refuses a file without a record', async () => {
    const { folder } = await recorded();
    write(folder, 'empty.json', '{}');
    write(
      folder,
      'odd.json',
      '{"invocationRecord": {"skillId": "a", "skillVersion": "1.0.0", "skills": [1], "usedArtifacts": []}}',
    );
    for (const file of ['empty.json', 'odd.json']) {
      assertUsageError(
        await run(folder, ['record', 'check', file]),
        /has no invocation record\. Write it with `skill-composer compose/,
      );
    }
    assertUsageError(await run(folder, ['record', 'check', 'none.json']), /cannot be read|does not exist/);
    assertUsageError(await run(folder, ['record']), /record|help/);
  });
});
