/** `convert --watch`: converts a skill again when a file that it depends on changes (docs/sharing.md). */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { extended } from '../extended.ts';
import { assertUsageError, folderWith, run } from './cli.ts';
import { type Watched, watching } from './watched.ts';

const skill = (name: string, body = 'Do it.', more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it to do ${name}.\nversion: 1.0.0\nlevel: ${more === '' ? 1 : 2}\ninput_schema: {}\noutput_schema: {}\n${more}---\n\n${body}\n`;

const FILES = {
  'skills/draft.skill.md': skill('draft', 'Read [the list](notes/list.md).'),
  'skills/notes/list.md': '# The list\n',
  'skills/plan.skill.md': skill('plan', 'Plan it.', 'composes: [house-style]\n'),
  'shared/house-style.skill.md': skill('house-style', 'Write short sentences.'),
  'skills.config.yaml': 'tools:\n  read_page: {description: Reads a page.}\n',
};

const DRAFT = '.claude/skills/draft/SKILL.md';
const PLAN = '.claude/skills/plan/SKILL.md';
const WORDS = ['skills', '--clients', 'claude-code'];

const watch = (files: Readonly<Record<string, string>>, work: (watched: Watched) => Promise<void>): Promise<void> =>
  watching('convert', files, work, ...WORDS);

test('converts what a change concerns, with the same bytes as a single run', async () => {
  await watch(FILES, async ({ folder, stdoutMatched, write, stdin, ended }) => {
    const textAt = (path: string) => readFileSync(join(folder, path), 'utf8');
    assert.equal(await stdoutMatched(/plan/), `${DRAFT}: written\n${PLAN}: written\n`);
    write('skills/draft.skill.md', FILES['skills/draft.skill.md'].replace('Read', 'See'));
    assert.equal(await stdoutMatched(/\n/), `${DRAFT}: written\n`);
    assert.match(textAt(DRAFT), /See \[the list\]/);
    write('shared/house-style.skill.md', skill('house-style', 'Write.'));
    assert.equal(await stdoutMatched(/\n/), `${PLAN}: written\n`);
    assert.match(textAt('.claude/skills/plan/references/house-style.md'), /^Write\.$/m);
    write('skills/notes/list.md', '# Another list\n');
    assert.equal(await stdoutMatched(/\n/), `${DRAFT}: written\n`);
    assert.equal(textAt('.claude/skills/draft/notes/list.md'), '# Another list\n');
    write('skills/new.skill.md', skill('new'));
    assert.equal(await stdoutMatched(/\n/), '.claude/skills/new/SKILL.md: written\n');
    stdin.write('q');
    assert.equal(await ended, 0);
    const { status, stdout } = await run(folder, ['convert', ...WORDS, '--check']);
    assert.deepEqual([status, stdout], [0, '']);
  });
});

test('follows the names of tools in the catalog', async () => {
  const files = { ...FILES, 'skills/draft.skill.md': skill('draft', 'Read.', 'tools: [read_page]\n') };
  await watch(files, async ({ folder, stdoutMatched, write, stdin, ended }) => {
    await stdoutMatched(/plan/);
    const catalog = FILES['skills.config.yaml'];
    write('skills.config.yaml', `${catalog}agent_skills: {tools: {claude-code: {read_page: Read}}}\n`);
    assert.equal(await stdoutMatched(/\n/), `${DRAFT}: written\n`);
    assert.match(readFileSync(join(folder, DRAFT), 'utf8'), /^allowed-tools: Read$/m);
    stdin.write('q');
    assert.equal(await ended, 0);
  });
});

test('keeps the last good result of a source with a fault, and says why', async () => {
  await watch(FILES, async ({ folder, stdoutMatched, stderrMatched, write, stdin, ended }) => {
    await stdoutMatched(/plan/);
    const good = readFileSync(join(folder, PLAN), 'utf8');
    for (const [path, bad, why] of [
      ['skills/plan.skill.md', '---\nname: [\n---\n', /failed\. Its frontmatter does not parse/],
      [
        'skills/plan.skill.md',
        FILES['skills/plan.skill.md'].replace('house-style', 'horse-style'),
        /failed\. .*horse-style/,
      ],
    ] as const) {
      write(path, bad);
      assert.match(await stdoutMatched(why), /^skills\/plan\.skill\.md: failed/);
      assert.equal(readFileSync(join(folder, PLAN), 'utf8'), good);
      write(path, `${FILES[path]}\nAgain.\n`);
      await stdoutMatched(/plan\/SKILL\.md: written/);
      write(path, FILES[path]);
      await stdoutMatched(/plan\/SKILL\.md: written/);
    }
    write('skills.config.yaml', 'tools: [\n');
    await stderrMatched(/The catalog `skills\.config\.yaml:\d` is not valid YAML/);
    write('skills/draft.skill.md', skill('draft', 'With a broken catalog.'));
    write('skills.config.yaml', FILES['skills.config.yaml']);
    await stdoutMatched(/draft\/SKILL\.md: written/);
    assert.match(readFileSync(join(folder, DRAFT), 'utf8'), /With a broken catalog/);
    write('skills/plan.skill.md', '---\nname: [\n---\n');
    await stdoutMatched(/failed/);
    stdin.write('q');
    assert.equal(await ended, 1);
  });
});

test('keeps the copy of a file that was deleted, until it is restored', async () => {
  await watch(FILES, async ({ folder, stdoutMatched, write, stdin, ended }) => {
    await stdoutMatched(/plan/);
    const copy = join(folder, '.claude/skills/draft/notes/list.md');
    const problem =
      '`skills/notes/list.md` does not exist, so its last copy is kept. Restore it, or remove the references to it.';
    rmSync(join(folder, 'skills/notes/list.md'));
    assert.equal(await stdoutMatched(/\n/), `${DRAFT}: incomplete. ${problem}\n`);
    write('skills/draft.skill.md', FILES['skills/draft.skill.md'].replace('Read', 'See'));
    assert.equal(await stdoutMatched(/\n/), `${DRAFT}: written. ${problem}\n`);
    write('skills/plan.skill.md', FILES['skills/plan.skill.md'].replace('Plan it', 'Plan them'));
    // The problem is repeated with the next result.
    assert.equal(await stdoutMatched(/incomplete.*\n/), `${PLAN}: written\n${DRAFT}: incomplete. ${problem}\n`);
    assert.equal(readFileSync(copy, 'utf8'), '# The list\n');
    write('skills/notes/list.md', '# The list\n');
    assert.equal(await stdoutMatched(/\n/), `${DRAFT}: current\n`);
    rmSync(join(folder, 'skills/notes/list.md'));
    await stdoutMatched(/incomplete/);
    stdin.write('q');
    assert.equal(await ended, 1);
  });
});

test('reports an edited target, and does not overwrite it', async () => {
  await watch(FILES, async ({ folder, stdoutMatched, write, stdin, ended }) => {
    await stdoutMatched(/plan/);
    const edited = `${readFileSync(join(folder, DRAFT), 'utf8')}By hand.\n`;
    write(DRAFT, edited);
    await stdoutMatched(
      /draft\/SKILL\.md: edited\. `\.claude\/skills\/draft\/SKILL\.md` was edited after the conversion/,
    );
    write('skills/draft.skill.md', skill('draft', 'A new text.'));
    write('skills/plan.skill.md', FILES['skills/plan.skill.md'].replace('Plan it', 'Plan them'));
    // The line of the edited target is repeated with the next result.
    await stdoutMatched(/plan\/SKILL\.md: written\n[\s\S]*draft\/SKILL\.md: edited/);
    assert.equal(readFileSync(join(folder, DRAFT), 'utf8'), edited);
    rmSync(join(folder, DRAFT));
    assert.match(await stdoutMatched(/draft\/SKILL\.md: written/), /^/);
    assert.match(readFileSync(join(folder, DRAFT), 'utf8'), /A new text/);
    stdin.write('q');
    assert.equal(await ended, 0);
  });
});

test('overwrites with `--force` only at the start, also if a source is deleted and created again', async () => {
  const first = { ...FILES, [DRAFT]: 'Before.\n' };
  const words = [...WORDS, '--force'];
  const work = async ({ folder, stdoutMatched, write, stdin, ended }: Watched) => {
    await stdoutMatched(/draft\/SKILL\.md: written/);
    const edited = `${readFileSync(join(folder, DRAFT), 'utf8')}By hand.\n`;
    write(DRAFT, edited);
    await stdoutMatched(/draft\/SKILL\.md: edited/);
    rmSync(join(folder, 'skills/draft.skill.md'));
    write('skills/plan.skill.md', FILES['skills/plan.skill.md'].replace('Plan it', 'Plan them'));
    assert.doesNotMatch(await stdoutMatched(/plan\/SKILL\.md: written/), /draft/);
    write('skills/draft.skill.md', skill('draft', 'A new text.'));
    await stdoutMatched(/draft\/SKILL\.md: edited/);
    assert.equal(readFileSync(join(folder, DRAFT), 'utf8'), edited);
    stdin.write('q');
    assert.equal(await ended, 1);
  };
  await watching('convert', first, work, ...words);
});

test('does not convert its own output again', async () => {
  await watching(
    'convert',
    FILES,
    async ({ folder, stdoutMatched, write, stdin, ended }) => {
      await stdoutMatched(/plan/);
      const { mtimeMs } = statSync(join(folder, 'skills/made/draft/SKILL.md'));
      // The next change is seen after the changes of the output.
      write('skills/plan.skill.md', FILES['skills/plan.skill.md'].replace('Plan it', 'Plan them'));
      assert.equal(await stdoutMatched(/\n/), 'skills/made/plan/SKILL.md: written\n');
      assert.equal(statSync(join(folder, 'skills/made/draft/SKILL.md')).mtimeMs, mtimeMs);
      stdin.write('\u0003');
      assert.equal(await ended, 0);
    },
    'skills',
    '--to',
    'agent-skill',
    '--out',
    'skills/made',
  );
});

test('rejects options for a single run', async () => {
  const folder = folderWith(FILES);
  for (const words of [['--check'], ['--report', 'json'], ['--config', 'skills.config.yaml']]) {
    assertUsageError(await run(folder, ['convert', ...WORDS, '--watch', ...words]), /applies to a single run/);
  }
  assertUsageError(
    await run(folder, ['convert', 'skills', '--to', 'record', '--watch']),
    /requires `--to agent-skill`/,
  );
});

test('converts one of 300 skills after an edit', extended, async () => {
  const files: Record<string, string> = {};
  for (let at = 0; at < 300; at++) files[`skills/skill-${at}.skill.md`] = skill(`skill-${at}`, 'Do it.\n'.repeat(100));
  await watch(files, async ({ folder, stdoutMatched, stdin, ended }) => {
    await stdoutMatched(/skill-99\/SKILL\.md: written/);
    mkdirSync(join(folder, 'skills'), { recursive: true });
    const start = performance.now();
    writeFileSync(join(folder, 'skills/skill-7.skill.md'), skill('skill-7', 'Do it again.'));
    assert.equal(await stdoutMatched(/\n/), '.claude/skills/skill-7/SKILL.md: written\n');
    if (process.env.SHOW_TIMES) console.log(`${Math.round(performance.now() - start)} ms`);
    stdin.write('q');
    assert.equal(await ended, 0);
  });
});
