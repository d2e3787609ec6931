/** The gates of a composed skill close its composite in every command (docs/format.md, section 4, "Gates"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folderWith, run } from './cli.ts';

const contract = (name: string, ...lines: readonly string[]): string =>
  [
    `name: ${name}`,
    `description: Rates a title (${name}).`,
    'version: 1.0.0',
    'input_schema: {a: string}',
    'output_schema: {b: string}',
    ...lines,
    '',
  ].join('\n');

const CATALOG = `surfaces: [chat, voice]
roles: {writer: [], reader: []}
profiles:
  - {name: kid, role: reader, tier: child}
  - {name: ada, role: writer, tier: adult, feature_flags: [beta]}
`;

const composite = contract('rate-all', 'level: 2', 'composes: [part]');

describe('a tool that is a skill', () => {
  const folder = folderWith({
    'all.skill.yaml': composite,
    'part.skill.yaml': contract('part', 'tools: [svc]'),
    'svc.skill.yaml': contract(
      'svc',
      'capabilities_required: [{tier: adult}]',
      'backing_service: {endpoint: "https://svc.example.com"}',
    ),
    'skills.config.yaml': CATALOG,
  });

  it('closes its callers and their composites in every command', async () => {
    const reason = 'the tool `svc` requires the tier `adult`, which `kid` does not have (CAPABILITY_DENIED)';
    for (const name of ['part', 'all']) {
      const compose = ['compose', `${name}.skill.yaml`, '--made-up', '--profile'];
      assert.ok((await run(folder, [...compose, 'kid'])).stderr.includes(`because ${reason}.`), name);
      assert.doesNotMatch((await run(folder, [...compose, 'ada'])).stderr, /would not dispatch/);
    }
    const { stdout } = await run(folder, ['catalog', '--profile', 'kid']);
    assert.doesNotMatch(stdout, /rate-all|part|svc/);
    const { stdout: matched } = await run(folder, ['match', 'rate-all', '--profile', 'kid', '--format', 'json']);
    const excluded: readonly { readonly name: string; readonly reason: string }[] = JSON.parse(matched).excluded;
    assert.equal(excluded.find(({ name }) => name === 'rate-all')?.reason, reason);
  });
});

describe('a part that is closed', () => {
  const folder = folderWith({
    'all.skill.yaml': composite,
    'part.skill.yaml': contract('part', 'capabilities_required: [{tier: adult}]', 'surfaces: [chat]'),
    'skills.config.yaml': CATALOG,
  });
  const REASON = 'the composed skill `part` requires the tier `adult`, which `kid` does not have (CAPABILITY_DENIED)';

  it('is not offered to the caller through its composite', async () => {
    const offered = async (profile: string) => (await run(folder, ['catalog', '--profile', profile])).stdout;
    assert.doesNotMatch(await offered('kid'), /rate-all/);
    assert.match(await offered('ada'), /rate-all/);
    const { stdout } = await run(folder, ['match', 'rate title rate-all', '--profile', 'kid', '--format', 'json']);
    const { matches, excluded } = JSON.parse(stdout);
    assert.deepEqual(matches, []);
    assert.equal(excluded.find(({ name }: { name: string }) => name === 'rate-all').reason, REASON);
  });

  it('closes the composite in compose and run', async () => {
    for (const command of ['compose', 'run']) {
      const { stderr } = await run(folder, [command, 'all.skill.yaml', '--made-up', '--profile', 'kid']);
      assert.ok(
        stderr.includes(`The planner would not dispatch this skill, because ${REASON}.`),
        `${command}: ${stderr}`,
      );
      const { stderr: none } = await run(folder, [command, 'all.skill.yaml', '--made-up', '--profile', 'ada']);
      assert.doesNotMatch(none, /would not dispatch/);
    }
  });

  it('takes its composite from the surfaces that do not offer it', async () => {
    const offered = async (surface: string) => (await run(folder, ['catalog', '--surface', surface])).stdout;
    assert.doesNotMatch(await offered('voice'), /rate-all/);
    assert.match(await offered('chat'), /rate-all/);
    const { stderr } = await run(folder, ['compose', 'all.skill.yaml', '--made-up', '--surface', 'voice']);
    assert.match(stderr, /because the composed skill `part` is not offered on the surface `voice`\./);
    const { stdout } = await run(folder, ['match', 'rate-all', '--surface', 'voice', '--format', 'json']);
    assert.deepEqual(JSON.parse(stdout).matches, []);
  });

  it('is an error of check, with fixes that add its gates', async () => {
    const fixed = folderWith({
      'all.skill.yaml': composite,
      'part.skill.yaml': contract('part', 'capabilities_required: [{tier: adult}]', 'surfaces: [chat]'),
      'skills.config.yaml': CATALOG,
    });
    const { stdout } = await run(fixed, ['check', '.', '--format', 'json']);
    const { findings } = JSON.parse(stdout);
    assert.deepEqual(
      findings.flatMap(({ rule, fixes }: { rule: string; fixes: { title: string }[] }) =>
        rule === 'missing-gate' ? fixes.map(({ title }) => title) : [],
      ),
      ['Require the tier `adult`', 'Add `surfaces: [chat]`'],
    );
  });
});
