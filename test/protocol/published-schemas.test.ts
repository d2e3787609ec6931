/** The build writes the published schemas, which match the files that the command line writes. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { CAPABILITY_LISTS } from '../../server/src/packing/capabilities.ts';
import { capabilityKeys } from '../../server/src/vocabulary/published/generated-keys.ts';
import { schemaTexts } from '../../server/src/vocabulary/published/schemas.ts';
import { validatorOf } from '../core/exchange/validators.ts';
import { folderWith, run } from './cli.ts';

function assertFits(name: string, text: string): void {
  const validate = validatorOf(name);
  assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors));
}

describe('the published schemas', () => {
  it('are in `dist/schemas` after a build', () => {
    const files = readdirSync('dist/schemas').map((file): [string, string] => [
      file,
      readFileSync(join('dist/schemas', file), 'utf8'),
    ]);
    for (const [file, text] of schemaTexts()) assert.equal(new Map(files).get(file), text, file);
  });

  it('accept the lock file of `install`', async () => {
    const workspace = folderWith({});
    for (const source of ['samples/agent-skills/continuity-notes', 'samples/skills/scenes/prepare-scene.skill.md']) {
      const { status, stderr } = await run(workspace, ['install', resolve(source), '--yes']);
      assert.equal(status, 0, stderr);
    }
    const text = readFileSync(join(workspace, 'skills.lock.json'), 'utf8');
    const { skills } = JSON.parse(text);
    assert.ok(skills['prepare-scene'].capabilities.tools.length > 3);
    assert.equal(skills['continuity-notes'].version, undefined);
    assertFits('skills-lock', text);
    const unknown = { ...skills['continuity-notes'], capabilities: { powers: [] } };
    assert.equal(validatorOf('skills-lock')({ version: 1, skills: { unknown } }), false);
  });

  it('contain every capability of the lock file', () => {
    assert.deepEqual(
      capabilityKeys.map(({ name }) => name),
      ['operation', ...CAPABILITY_LISTS],
    );
  });

  it('accept the findings of `check --format json`', async () => {
    const { stdout } = await run(resolve('samples/mistakes'), ['check', '--format', 'json']);
    const { findings } = JSON.parse(stdout);
    assert.ok(findings.some(({ related }: { related: unknown[] }) => related.length > 0));
    assert.ok(findings.some(({ fixes }: { fixes: unknown[] }) => fixes.length > 0));
    assertFits('findings', stdout);
  });

  it('accept the output of `clients --format json`', async () => {
    const { stdout } = await run(resolve('samples'), [
      'clients',
      '--format',
      'json',
      '--client',
      'codex',
      '--client',
      'pi',
    ]);
    const { clients, rows } = JSON.parse(stdout);
    assert.ok(clients.some(({ budget }: { budget: unknown }) => budget !== null));
    assertFits('clients-report', stdout);
    const [row] = rows;
    const validate = validatorOf('clients-report');
    assert.equal(validate({ ...JSON.parse(stdout), rows: [{ ...row, loaded: 'perhaps' }] }), false);
  });

  it('accept the subgraph of `compose --format json`', async () => {
    const skill = 'samples/skills/scenes/prepare-scene.skill.md';
    const { stdout } = await run(resolve('.'), ['compose', skill, '--made-up', '--format', 'json']);
    assertFits('subgraph', JSON.stringify(JSON.parse(stdout).composition.subgraph));
  });

  it('accept the baseline of `check --write-baseline`', async () => {
    const long = `---\nname: long\ndescription: Reads pages.\n---\n\n${'Read the page aloud.\n'.repeat(600)}`;
    const workspace = folderWith({ '.agents/skills/long/SKILL.md': long });
    cpSync('samples/mistakes', join(workspace, 'skills'), { recursive: true });
    await run(workspace, ['check', '--write-baseline']);
    const text = readFileSync(join(workspace, 'skills.baseline.json'), 'utf8');
    const { findings, measures } = JSON.parse(text);
    assert.ok(findings.length > 0 && measures.length > 0);
    assertFits('skills-baseline', text);
  });
});
