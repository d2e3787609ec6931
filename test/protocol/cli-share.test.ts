/** `convert` of `SKILL.md` folders: links and copies for clients that read other folders (docs/sharing.md). */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderWith, run, write } from './cli.ts';

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it to do ${name}.\n---\n\nRun \`scripts/run.sh\`.\n`;

const CLAUDE = ['a', 'b', 'c'].map((name) => `.claude/skills/cl-${name}`);
const catalog = (...ids: readonly string[]) => `agent_skills: {clients: [${ids.join(', ')}]}\n`;
const filesFor = (...ids: readonly string[]) => ({
  ...Object.fromEntries(CLAUDE.map((folder) => [`${folder}/SKILL.md`, skill(folder.slice(-4))])),
  '.claude/skills/cl-a/scripts/run.sh': 'echo a\n',
  'skills.config.yaml': catalog(...ids),
});
const notLoaded = ({ stdout }: { readonly stdout: string }): number =>
  stdout.split('agent-skill-not-loaded').length - 1;

describe('a folder of skills that one of two clients reads', () => {
  it('has one warning, and only the first of the named files is reported', async () => {
    const folder = folderWith(filesFor('claude-code', 'codex'));
    const all = await run(folder, ['check', '.']);
    assert.deepEqual([all.status, notLoaded(all)], [0, 1]);
    assert.match(all.stdout, /cl-a\/SKILL\.md:2:1 warning[\s\S]*does not load the 3 skills in `\.claude\/skills`/);
    const some = await run(folder, ['check', ...CLAUDE.slice(1).map((one) => `${one}/SKILL.md`)]);
    assert.equal(notLoaded(some), 1);
    assert.match(some.stdout, /cl-b\/SKILL\.md:2:1 warning/);
    assert.equal((await run(folder, ['clients', '.'])).status, 0);
    assert.equal((await run(folder, ['clients', '--fail-on', 'warning', '.'])).status, 1);
  });
});

const canLink = process.platform !== 'win32';

describe('skill-composer convert of `SKILL.md` files', () => {
  it('links them for clients that follow links, and they then have no finding', { skip: !canLink }, async () => {
    const folder = folderWith(filesFor('claude-code', 'codex'));
    const made = await run(folder, ['convert', '.claude/skills', '--clients', 'claude-code,codex']);
    assert.equal(made.status, 0, made.stderr);
    assert.equal(readlinkSync(join(folder, '.agents/skills/cl-a')), '../../.claude/skills/cl-a');
    assert.equal(readFileSync(join(folder, '.agents/skills/cl-b/SKILL.md'), 'utf8'), skill('cl-b'));
    assert.equal(notLoaded(await run(folder, ['check', '.'])), 0);
    const again = await run(folder, ['convert', '.claude/skills', '--clients', 'claude-code,codex', '--check']);
    assert.deepEqual([again.status, again.stdout], [0, '']);
  });

  it('stays in the project of the skills', { skip: !canLink }, async () => {
    const files = Object.entries(filesFor('claude-code', 'codex')).map(([path, text]) => [
      `packages/web/${path}`,
      text,
    ]);
    const folder = folderWith(Object.fromEntries(files));
    assert.equal((await run(folder, ['convert', 'packages/web/.claude/skills', '--clients', 'codex'])).status, 0);
    assert.ok(lstatSync(join(folder, 'packages/web/.agents/skills/cl-c')).isSymbolicLink());
    assert.ok(!existsSync(join(folder, '.agents')));
  });

  it('copies them for other clients, with their origin, and reports and updates a copy that is out of date', async () => {
    const folder = folderWith(filesFor('claude-code', 'antigravity'));
    const convert = () => run(folder, ['convert', '.claude/skills', '--clients', 'antigravity']);
    const made = await convert();
    assert.equal(made.status, 0, made.stderr);
    const copy = '.agents/skills/cl-a/SKILL.md';
    assert.ok(!lstatSync(join(folder, '.agents/skills/cl-a')).isSymbolicLink());
    assert.match(
      readFileSync(join(folder, copy), 'utf8'),
      /generated-from: \.\.\/\.\.\/\.\.\/\.claude\/skills\/cl-a\/SKILL\.md/,
    );
    assert.equal(readFileSync(join(folder, '.agents/skills/cl-a/scripts/run.sh'), 'utf8'), 'echo a\n');
    const clean = await run(folder, ['check', '.', '--fail-on', 'info']);
    assert.equal(clean.status, 0, clean.stdout);
    write(folder, '.claude/skills/cl-a/SKILL.md', `${skill('cl-a')}More.\n`);
    assert.match((await run(folder, ['check', '.'])).stdout, /The original of this copy has changed/);
    assert.equal((await convert()).status, 0);
    assert.match(readFileSync(join(folder, copy), 'utf8'), /More\./);
    assert.doesNotMatch((await run(folder, ['check', '.'])).stdout, /The original/);
  });

  it('makes no link to a folder that contains the link', { skip: !canLink }, async () => {
    const folder = folderWith({ 'SKILL.md': skill('own') });
    const made = await run(folder, ['convert', 'SKILL.md', '--to', 'agent-skill', '--clients', 'codex']);
    assert.equal(made.status, 2, made.stderr);
    assert.match(made.stderr, /needs a folder of its own/);
    assert.ok(!existsSync(join(folder, '.agents/skills')));
  });

  it('names two skills with one name, and shares the others', { skip: !canLink }, async () => {
    const folder = folderWith({ ...filesFor('claude-code', 'codex'), '.agents/skills/cl-a/SKILL.md': skill('cl-a') });
    const made = await run(folder, ['convert', '.', '--clients', 'claude-code,codex']);
    assert.equal(made.status, 1, made.stderr);
    assert.match(
      made.stderr,
      /those of `\.agents\/skills\/cl-a\/SKILL\.md` and `\.claude\/skills\/cl-a\/SKILL\.md`\. Rename one of the two skills\./,
    );
    assert.ok(lstatSync(join(folder, '.agents/skills/cl-b')).isSymbolicLink());
    assert.ok(!lstatSync(join(folder, '.agents/skills/cl-a')).isSymbolicLink());
  });

  it('replaces nothing that it did not write', { skip: !canLink }, async () => {
    const folder = folderWith({ ...filesFor('claude-code', 'codex'), '.agents/skills/cl-a/SKILL.md': skill('other') });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync('../../elsewhere', join(folder, '.agents/skills/cl-b'));
    const made = await run(folder, ['convert', '.claude/skills', '--clients', 'codex']);
    assert.equal(made.status, 2);
    assert.match(made.stderr, /already exists|is a link to another folder/);
    assert.ok(!existsSync(join(folder, '.agents/skills/cl-c')));
    assert.equal(readFileSync(join(folder, '.agents/skills/cl-a/SKILL.md'), 'utf8'), skill('other'));
  });
});
