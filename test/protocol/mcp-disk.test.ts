/** `mcp` and the disk: several writers, links, folders, and files that a call leaves behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { extended } from '../extended.ts';
import { assertUsageError, CLI, folderWith, run, skill } from './cli.ts';
import { type Agent, agentIn, ERAS } from './mcp.ts';
import { FILES, OUTLINE, READERS, textIn } from './mcp-files.ts';

describe('the authoring server, with files on disk,', () => {
  it('refuses the second of two conflicting writes, and returns the new text', async () => {
    const folder = folderWith(FILES);
    const [one, two] = [await agentIn(folder), await agentIn(folder, { apart: true })];
    const { digest } = await one.call('get_skill', { skill: 'outline-scene' });
    const first = await one.call('update_skill', { skill: 'outline-scene', digest, set: { tags: ['one'] } });
    const second = await two.call('update_skill', { skill: 'outline-scene', digest, set: { tags: ['two'] } });
    assert.deepEqual([first.ok, second.reason], [true, 'changed']);
    assert.deepEqual([second.digest, second.text], [first.digest, textIn(folder, 'skills/outline-scene.skill.md')]);
    const again = await two.call('update_skill', {
      ...{ skill: 'outline-scene', digest: second.digest, set: { tags: ['one', 'two'] } },
    });
    assert.ok(again.ok);
    assert.match(textIn(folder, 'skills/outline-scene.skill.md'), /^tags: \[one, two\]$/m);
  });

  it('loses no write if two servers write the same file', async () => {
    const folder = folderWith(FILES);
    const agents = [await agentIn(folder, { apart: true }), await agentIn(folder, { apart: true, era: '2025' })];
    const told: string[] = [];
    const write = async (agent: Agent, word: string) => {
      const content = `${word} is here.`;
      const given = { skill: 'outline-scene', kind: 'Description', name: word, content };
      const { ok, reason, text } = await agent.call('add_artifact', given);
      if (ok) told.push(word);
      else assert.deepEqual([reason, /^name: outline-scene$/m.test(text)], ['changed', true]);
    };
    for (let turn = 0; turn < 10; turn++) {
      await Promise.all(agents.map((agent, at) => write(agent, `part ${turn} of ${at}`)));
    }
    const found = [...textIn(folder, 'skills/outline-scene.skill.md').matchAll(/^## Description: (.*)$/gm)];
    assert.deepEqual(found.map(([, word = '']) => word).sort(), told.sort());
    assert.ok(told.length >= 10);
    assert.deepEqual(
      readdirSync(join(folder, 'skills')).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('computes no slow line diff for very different strings', async () => {
    const folder = folderWith(FILES);
    const agent = await agentIn(folder);
    const lines = (word: string) => Array.from({ length: 1500 }, (_, at) => `${word} ${at}`).join('\n');
    assert.ok((await agent.call('update_skill', { skill: 'outline-scene', framing: lines('one') })).ok);
    const { ok, diff } = await agent.call('update_skill', { skill: 'outline-scene', framing: lines('other') });
    assert.ok(ok);
    const file = 'skills/outline-scene.skill.md';
    assert.equal(diff, `--- a/${file}\n+++ b/${file}\n@@ too many changes for a line-by-line diff @@\n`);
    assert.match(textIn(folder, file), /^other 1499$/m);
  });

  it('reads files that other programs have written since the last call', async () => {
    const folder = folderWith(FILES);
    const agent = await agentIn(folder);
    await agent.call('list_skills');
    writeFileSync(join(folder, 'skills/new.skill.md'), skill('new'));
    assert.equal((await agent.call('get_skill', { skill: 'new' })).name, 'new');
  });

  it('serves a root that is a symbolic link, and writes nothing through a link to another folder', async () => {
    const folder = folderWith({ 'real/skills/outline-scene.skill.md': skill('outline-scene'), 'out/kept.txt': '' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    symlinkSync(join(folder, 'out'), join(folder, 'real/away'));
    writeFileSync(join(folder, 'out/linked.skill.md'), skill('linked'));
    symlinkSync(join(folder, 'real/skills/outline-scene.skill.md'), join(folder, 'real/alias.skill.md'));
    const agent = await agentIn(folder, { words: ['--root', 'link'] });
    const set = await agent.call('update_skill', { skill: 'outline-scene', set: { tags: ['x'] } });
    assert.ok(set.ok, JSON.stringify(set));
    assert.match(textIn(folder, 'real/skills/outline-scene.skill.md'), /^tags: \[x\]$/m);
    const out = await agent.call('create_skill', {
      name: 'x',
      description: 'Says it. Use it to say it.',
      where: 'away',
    });
    assert.equal(out.reason, 'outside-root');
    assert.ok(!existsSync(join(folder, 'out/x.skill.md')));
  });

  it('offers no writing tools with --read-only', async () => {
    const agent = await agentIn(folderWith(FILES), { words: ['--read-only'] });
    const { tools } = await agent.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      READERS,
    );
    await assert.rejects(agent.client.callTool({ name: 'delete_skill', arguments: { skill: 'write-scene' } }));
  });

  it('reads and writes the skills of the account with --account', async () => {
    const folder = folderWith({ ...FILES, 'home/travel.skill.md': skill('travel') });
    mkdirSync(join(folder, 'work'));
    const agent = await agentIn(folder, { words: ['--root', 'work', '--account', 'home'] });
    const listed = await agent.call('list_skills');
    assert.deepEqual([listed.skills[0].name, listed.skills[0].where], ['travel', 'account']);
    assert.ok((await agent.call('update_skill', { skill: 'travel', set: { tags: ['x'] } })).ok);
    const made = await agent.call('create_skill', {
      ...{ name: 'pack-bags', description: 'Packs bags. Use it before a journey.', where: 'account' },
    });
    assert.ok(made.ok, JSON.stringify(made));
    assert.ok(existsSync(join(folder, 'home/pack-bags.skill.md')));
  });

  for (const era of ERAS) {
    it(`writes nothing for a cancelled call (${era})`, async () => {
      const folder = folderWith(FILES);
      const agent = await agentIn(folder, { era });
      await agent.call('list_skills');
      const controller = new AbortController();
      const call = agent.call('update_skill', { skill: 'outline-scene', set: { tags: ['x'] } }, controller.signal);
      controller.abort();
      await assert.rejects(call);
      // A call that writes waits for earlier calls.
      await agent.call('update_skill', { skill: 'write-scene', set: { tags: ['y'] } });
      assert.equal(textIn(folder, 'skills/outline-scene.skill.md'), OUTLINE);
    });

    it(
      `answers forty calls at the same time, and loses no write (${era})`,
      era === '2026' ? {} : extended,
      async () => {
        const folder = folderWith(FILES);
        const agent = await agentIn(folder, { era });
        const calls = Array.from({ length: 40 }, (_, n) =>
          n % 4 === 0
            ? agent.call('add_artifact', {
                skill: 'outline-scene',
                kind: 'Description',
                name: `part ${n}`,
                content: 'Yes.',
              })
            : agent.call(['get_skill', 'compose_skill', 'check_skill'][n % 3] ?? '', { skill: 'outline-scene' }),
        );
        const answers = await Promise.all(calls);
        assert.deepEqual(
          answers.filter(({ ok }) => !ok),
          [],
        );
        const text = textIn(folder, 'skills/outline-scene.skill.md');
        assert.equal(text.match(/^## Description: part \d+$/gm)?.length, 10);
      },
    );
  }

  it('applies a fix that creates another skill, and reports new findings', async () => {
    const folder = folderWith({
      ...FILES,
      'skills/two.skill.md': skill('two', 'level: 2', 'output_schema: {}', 'composes: [lint-scene, outline-scene]'),
    });
    const agent = await agentIn(folder);
    const { findings } = await agent.call('check_skill', { skill: 'two' });
    const { rule, fixes } = findings.find((one: { rule: string }) => one.rule === 'skill-not-found');
    const { title } = fixes.find((one: { title: string }) => /lint-scene/.test(one.title) && /Create/i.test(one.title));
    const made = await agent.call('apply_fix', { skill: 'two', rule, title });
    assert.deepEqual([made.ok, made.written], [true, ['skills/lint-scene.skill.md']], JSON.stringify(made));
    assert.match(made.diff, /^\+name: lint-scene$/m);
    assert.deepEqual([made.findings[0].rule, made.elsewhere], ['missing-required-field', []]);
    assert.ok(existsSync(join(folder, 'skills/lint-scene.skill.md')));
  });

  it('reports other skills that a change breaks', async () => {
    const folder = folderWith({
      'skills/part.skill.md': skill('part', 'output_schema: {text: string}').replace(
        'input_schema: {}',
        'input_schema: {a: string}',
      ),
      'skills/whole.skill.md': skill('whole', 'level: 2', 'output_schema: {text: string}', 'composes: [part]').replace(
        'input_schema: {}',
        'input_schema: {a: string}',
      ),
    });
    const agent = await agentIn(folder);
    const given = { skill: 'part', set: { input_schema: { a: 'string', b: 'string' }, version: '2.0.0' } };
    const changed = await agent.call('update_skill', given);
    assert.deepEqual([changed.ok, changed.contract.ok], [true, true]);
    assert.deepEqual(
      changed.elsewhere.map((one: { file: string; rule: string }) => [one.file, one.rule]),
      [['skills/whole.skill.md', 'missing-required-field']],
    );
  });

  // Slow, because the limit is that of the product.
  it('refuses a write that would make a file too large to be read', extended, async () => {
    const folder = folderWith(FILES);
    const agent = await agentIn(folder);
    const content = 'word '.repeat(1.2 * 1024 * 1024);
    // Composing such a long string may exceed the deadline. Without `allow_errors`, this error would prevent the write.
    const long = { skill: 'outline-scene', framing: content, allow_errors: true };
    const written = await agent.call('update_skill', long);
    assert.ok(written.ok, written.message);
    assert.match(written.diff, /@@ too many changes/);
    const before = textIn(folder, 'skills/outline-scene.skill.md');
    assert.equal((await agent.call('get_skill', { skill: 'outline-scene' })).reason, 'too-large');
    const given = { skill: 'outline-scene', kind: 'Description', name: 'more', content };
    const { reason, message } = await agent.call('add_artifact', given);
    assert.equal(reason, 'invalid-content');
    assert.match(message, /would be larger than 10 MB/);
    const enormous = { ...given, content: 'word '.repeat(2.4 * 1024 * 1024) };
    assert.equal((await agent.call('add_artifact', enormous)).reason, 'invalid-content');
    assert.equal(textIn(folder, 'skills/outline-scene.skill.md'), before);
  });

  it('ends with a reason after a message that is too large', extended, async () => {
    const server = spawn(process.execPath, [CLI, 'mcp'], { cwd: folderWith(FILES) });
    server.stdin.on('error', () => undefined);
    server.stdin.write('x'.repeat(33 * 1024 * 1024));
    const [said, [status]] = await Promise.all([text(server.stderr), once(server, 'close')]);
    assert.equal(status, 2);
    assert.match(said, /The connection failed: .*maximum size/);
  });

  it('reports that the served folder was deleted, and writes nothing', async () => {
    const folder = folderWith(FILES);
    const agent = await agentIn(folder, { words: ['--root', 'skills'] });
    assert.ok((await agent.call('list_skills')).ok);
    rmSync(join(folder, 'skills'), { recursive: true });
    const { reason, message } = await agent.call('create_skill', { name: 'late', description: 'Comes late.' });
    assert.equal(reason, 'write-failed');
    assert.match(message, /^`late\.skill\.md` cannot be written: .+\.$/);
  });

  it('refuses a root that is not a folder', async () => {
    const stopped = await run(folderWith({}), ['mcp', '--root', 'nowhere']);
    assertUsageError(stopped, /`--root nowhere` is not a folder/);
  });
});
