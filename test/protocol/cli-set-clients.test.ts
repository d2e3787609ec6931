/** `clients --set`: the target clients of a path, in its catalog. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: Handles ${name}.\n---\n\nDo it.\n`;
const SKILLS = { '.claude/skills/a/SKILL.md': skill('a'), '.agents/skills/b/SKILL.md': skill('b') };
const CATALOG = 'skills.config.yaml';

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describe('skill-composer clients --set', () => {
  it('edits the catalog, and keeps the rest of it', async () => {
    const folder = folderWith({ ...SKILLS, [CATALOG]: '# Ours.\nrules: {unused-tool: off}\n' });
    const { stdout, stderr, status } = await run(folder, ['clients', '--set', 'claude-code,codex']);
    assert.deepEqual([stderr, status], ['', 0]);
    assert.equal(stdout, 'Target clients: Claude Code and OpenAI Codex. Saved in `skills.config.yaml`.\n');
    const text = '# Ours.\nrules: {unused-tool: off}\nagent_skills: {clients: [claude-code, codex]}\n';
    assert.equal(read(folder, CATALOG), text);
    const again = await run(folder, ['clients', '--set', 'Claude-Code, codex']);
    assert.equal(again.stdout, 'Target clients: Claude Code and OpenAI Codex. Nothing was changed.\n');
    const auto = await run(folder, ['clients', '--set', 'auto']);
    assert.equal(auto.stdout, 'Target clients, detected: Claude Code. Saved in `skills.config.yaml`.\n');
    assert.equal(read(folder, CATALOG), '# Ours.\nrules: {unused-tool: off}\n');
  });

  it('edits the catalog of the path', async () => {
    const folder = folderWith({ [CATALOG]: '', 'web/.claude/skills/a/SKILL.md': skill('a'), [`web/${CATALOG}`]: '' });
    await run(folder, ['clients', '--set', 'zed', 'web']);
    assert.deepEqual([read(folder, CATALOG), read(folder, 'web', CATALOG)], ['', 'agent_skills: {clients: [zed]}\n']);
    await run(folder, ['clients', '--set', 'pi', 'web/.claude/skills/a/SKILL.md']);
    assert.equal(read(folder, 'web', CATALOG), 'agent_skills: {clients: [pi]}\n');
  });

  it('creates a valid catalog if there is none', async () => {
    const folder = folderWith(SKILLS);
    const auto = await run(folder, ['clients', '--set', 'auto']);
    assert.equal(auto.stdout, 'Target clients, detected: Claude Code. Nothing was changed.\n');
    assert.equal(existsSync(join(folder, CATALOG)), false);
    const { stdout, status } = await run(folder, ['clients', '--set', 'codex']);
    assert.deepEqual(
      [stdout, status],
      ['Target clients: OpenAI Codex. Saved in the new file `skills.config.yaml`.\n', 0],
    );
    assert.match(read(folder, CATALOG), /^agent_skills: \{clients: \[codex\]\}$/m);
    const checked = await run(folder, ['check', CATALOG]);
    assert.deepEqual([checked.status, checked.stderr], [0, '']);
  });

  it('suggests a known client, and refuses options without a meaning', async () => {
    const folder = folderWith({ ...SKILLS, [CATALOG]: 'tools: [\n' });
    const refuse = async (message: RegExp, ...words: string[]) =>
      assertUsageError(await run(folder, ['clients', ...words]), message);
    await refuse(/`--set codx`: Unknown client `codx`\. Did you mean `codex`\?/, '--set', 'pi,codx');
    await refuse(/`--set` needs the IDs of clients/, '--set', ',');
    await refuse(/`--set` cannot be used with `--format`/, '--set', 'pi', '--format', 'json');
    await refuse(/`--set` cannot be used with `--why`/, '--set', 'pi', '--why', 'x');
    await refuse(/`--set` takes one PATH/, '--set', 'pi', 'a', 'b');
    await refuse(/`skills\.config\.yaml` has a syntax error/, '--set', 'pi');
    assert.equal(read(folder, CATALOG), 'tools: [\n');
  });

  it('creates no catalog that does not apply to the named file', async () => {
    const [folder, other] = [folderWith(SKILLS), folderWith({ 'a/SKILL.md': skill('a') })];
    assertUsageError(await run(folder, ['clients', '--set', 'pi', join(other, 'a/SKILL.md')]), /has no catalog\. Name/);
    assert.equal(existsSync(join(folder, CATALOG)), false);
  });

  it('does not write through a link', { skip: process.platform === 'win32' }, async () => {
    const other = folderWith({ [CATALOG]: 'rules: {}\n' });
    const folder = folderWith(SKILLS);
    symlinkSync(join(other, CATALOG), join(folder, CATALOG));
    assertUsageError(await run(folder, ['clients', '--set', 'pi']), /it is a link/);
    assert.equal(read(other, CATALOG), 'rules: {}\n');
  });
});
