/** `convert` for clients: the folders, the origin, and targets that were edited or are out of date (docs/sharing.md). */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileDigest } from '../../server/src/skill/origin.ts';
import { extended } from '../extended.ts';
import { assertUsageError, folderWith, run, write } from './cli.ts';

const skill = (name: string, more = '', body = 'Do it.') =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it to do ${name}.\nversion: 1.0.0\ninput_schema: {}\n${more}---\n\n${body}\n`;

const FILES = {
  'skills/draft.skill.md': skill('draft', '', 'Read [the list](notes/list.md).'),
  'skills/notes/list.md': '# The list\n',
  'skills/plan.skill.md': skill('plan', 'composes: [house-style]\n'),
  'shared/house-style.skill.md': skill('house-style', '', 'Write short sentences.'),
};

const TARGET = '.claude/skills/draft/SKILL.md';
const CLAUDE = ['--clients', 'claude-code'];

const convert = (folder: string, ...words: string[]) => run(folder, ['convert', ...words]);
const textAt = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

/** Returns a folder in which the skills were converted for Claude Code. */
async function converted(files: Readonly<Record<string, string>> = FILES): Promise<string> {
  const folder = folderWith(files);
  assert.equal((await convert(folder, 'skills', ...CLAUDE)).status, 0);
  return folder;
}

describe('skill-composer convert for clients', () => {
  it('writes each skill once to each folder that the clients need', async () => {
    const folder = folderWith(FILES);
    const { status, stdout, stderr } = await convert(folder, 'skills', '--clients', 'claude-code,codex, cursor');
    assert.equal(status, 0, stderr);
    const files = ['draft/SKILL.md', 'draft/notes/list.md', 'plan/SKILL.md', 'plan/references/house-style.md'];
    const expected = ['.agents', '.claude'].flatMap((client) => files.map((path) => `${client}/skills/${path}`));
    assert.deepEqual(stdout.trim().split('\n').sort(), expected);
    assert.match(stderr, /\.agents\/skills: OpenAI Codex and Cursor read this folder\./);
    assert.match(stderr, /\.claude\/skills: Claude Code reads this folder\./);
    for (const path of files.slice(1)) {
      assert.equal(textAt(folder, `.agents/skills/${path}`), textAt(folder, `.claude/skills/${path}`));
    }
    const { status: checked, stdout: found } = await run(folder, ['check', '--fail-on', 'hint', '.claude', '.agents']);
    assert.equal(checked, 0, found);
  });

  it('uses the clients of the catalog, else those whose folders exist, else asks for them', async () => {
    const folder = folderWith({ 'skills/draft.skill.md': skill('draft') });
    assertUsageError(await convert(folder, 'skills', '--to', 'agent-skill'), /such as `--clients claude-code`/);
    mkdirSync(join(folder, '.codex/skills/other'), { recursive: true });
    write(folder, '.codex/skills/other/SKILL.md', '---\nname: other\ndescription: It does.\n---\n\nDo it.\n');
    assert.equal((await convert(folder, 'skills', '--to', 'agent-skill')).stdout, '.agents/skills/draft/SKILL.md\n');
    write(folder, 'skills.config.yaml', 'agent_skills: {clients: [claude-code]}\n');
    assert.equal((await convert(folder, 'skills', '--to', 'agent-skill')).stdout, `${TARGET}\n`);
  });

  it('refuses unknown clients, and clients without a folder in a project', async () => {
    const folder = folderWith(FILES);
    assertUsageError(await convert(folder, 'skills', '--clients', 'cluade-code'), /Did you mean `claude-code`\?/);
    assertUsageError(
      await convert(folder, 'skills', '--clients', 'claude-ai'),
      /No folder of a project is read by claude.ai/,
    );
    assertUsageError(await convert(folder, 'skills', ...CLAUDE, '--to', 'record'), /requires `--to agent-skill`/);
    assertUsageError(await convert(folder, 'skills', ...CLAUDE, '--check', '--force'), /cannot be used with/);
  });

  it('maps tools for the clients of each folder, and reports what one file cannot express', async () => {
    const folder = folderWith({
      'skills/draft.skill.md': skill('draft', 'tools: [read_page, find]\n'),
      'skills.config.yaml':
        'tools:\n  read_page: {description: Reads.}\n  find: {description: Finds.}\nagent_skills:\n  tools:\n    claude-code: {read_page: Read, find: Grep}\n    codex: {read_page: shell}\n    cursor: {read_page: Read, find: Grep}\n',
    });
    const one = await convert(folder, 'skills', '--clients', 'claude-code,codex', '--report', 'json');
    const lost: { what: string; why: string }[] = JSON.parse(one.stdout).lost;
    assert.deepEqual(
      lost.map(({ what, why }) => [what, why.slice(0, 43)]),
      [['tool `find`', 'The catalog has no client name for this too']],
    );
    assert.match(textAt(folder, TARGET), /^allowed-tools: Read Grep$/m);
    assert.match(textAt(folder, '.agents/skills/draft/SKILL.md'), /^allowed-tools: shell$/m);
    const both = await convert(folder, 'skills', '--clients', 'codex,cursor', '--report', 'json');
    assert.deepEqual(
      JSON.parse(both.stdout).lost.map(({ why }: { why: string }) => why),
      [
        'Its name is `shell` in `codex` and `Read` in `cursor`. `allowed-tools` lists all names, and the text contains only the first.',
        'The catalog has no name for this tool in `codex`, which also reads this file. Add it to `agent_skills.tools`.',
      ],
    );
    assert.match(textAt(folder, '.agents/skills/draft/SKILL.md'), /^allowed-tools: shell Read Grep$/m);
  });

  it('overwrites its own files without `--force`, and does nothing if they are up to date', async () => {
    const folder = await converted();
    const { ino } = lstatSync(join(folder, TARGET));
    const again = await convert(folder, 'skills', ...CLAUDE);
    assert.deepEqual([again.status, again.stdout], [0, '']);
    assert.match(again.stderr, /All targets are up to date\.\n$/);
    assert.equal(lstatSync(join(folder, TARGET)).ino, ino);
    write(folder, 'shared/house-style.skill.md', skill('house-style', '', 'Write long sentences.'));
    const { stdout } = await convert(folder, 'skills', ...CLAUDE);
    assert.deepEqual(stdout.trim().split('\n').sort(), [
      '.claude/skills/plan/SKILL.md',
      '.claude/skills/plan/references/house-style.md',
    ]);
  });

  it('does not overwrite an edited file', async () => {
    const folder = await converted();
    for (const path of [TARGET, '.claude/skills/draft/notes/list.md']) {
      const before = textAt(folder, path);
      write(folder, path, `${before}\nBy hand.\n`);
      write(folder, 'skills/draft.skill.md', skill('draft', '', 'Anew: [the list](notes/list.md).'));
      assertUsageError(
        await convert(folder, 'skills', ...CLAUDE),
        new RegExp(
          `\`${path}\` was edited after the conversion\\. Move the edit to \`skills/(?:draft\\.skill|notes/list)\\.md\``,
        ),
      );
      assert.match(textAt(folder, path), /By hand/);
      assert.equal((await convert(folder, 'skills', ...CLAUDE, '--force')).status, 0);
      assert.doesNotMatch(textAt(folder, path), /By hand/);
    }
  });

  it('accepts an edit that was moved to the source, and names the source of a page', async () => {
    const folder = await converted();
    const page = '.claude/skills/plan/references/house-style.md';
    write(folder, page, textAt(folder, page).replace('short', 'long'));
    const list = '.claude/skills/draft/notes/list.md';
    write(folder, list, '# My list\n');
    for (const [source, edited, from] of [
      ['skills/plan.skill.md', page, 'shared/house-style.skill.md'],
      ['skills/draft.skill.md', list, 'skills/notes/list.md'],
    ] as const) {
      const { stderr } = await convert(folder, source, ...CLAUDE);
      assert.ok(stderr.includes(`\`${edited}\` was edited after the conversion. Move the edit to \`${from}\`, then`));
    }
    write(folder, 'shared/house-style.skill.md', skill('house-style', '', 'Write long sentences.'));
    write(folder, 'skills/notes/list.md', '# My list\n');
    write(folder, TARGET, textAt(folder, TARGET).replace('Read [', 'Look at ['));
    write(folder, 'skills/draft.skill.md', skill('draft', '', 'Look at [the list](notes/list.md).'));
    const { status, stderr } = await convert(folder, 'skills', ...CLAUDE);
    assert.equal(status, 0, stderr);
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 0);
  });

  it('does not count line breaks that git changed as an edit', async () => {
    const folder = await converted();
    for (const path of [TARGET, '.claude/skills/draft/notes/list.md', 'skills/notes/list.md'])
      write(folder, path, textAt(folder, path).replaceAll('\n', '\r\n'));
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 0);
    write(folder, 'skills/draft.skill.md', skill('draft', '', 'Read [a list](notes/list.md).'));
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).stdout, `${TARGET}\n`);
    // The other file keeps its line breaks.
    assert.match(textAt(folder, '.claude/skills/draft/notes/list.md'), /\r\n/);
  });

  it('copies changed line breaks and modes of a linked file', async () => {
    const folder = await converted();
    const [from, to] = ['skills/notes/list.md', '.claude/skills/draft/notes/list.md'];
    write(folder, from, '# The list\r\n');
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).stdout, `${to}\n`);
    assert.equal(textAt(folder, to), '# The list\r\n');
    if (process.platform === 'win32') return;
    chmodSync(join(folder, from), 0o755);
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 1);
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).stdout, `${to}\n`);
    assert.ok((lstatSync(join(folder, to)).mode & 0o100) !== 0);
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 0);
  });

  it('removes files that are no longer part of the result, unless they were edited, and keeps all others', async () => {
    const folder = await converted();
    write(folder, '.claude/skills/draft/mine.md', 'Mine.\n');
    write(folder, '.claude/skills/plan/references/house-style.md', 'Edited.\n');
    write(folder, 'skills/draft.skill.md', skill('draft'));
    write(folder, 'skills/plan.skill.md', skill('plan'));
    const { status, stderr } = await convert(folder, 'skills', ...CLAUDE);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Removed: \.claude\/skills\/draft\/notes\/list\.md/);
    assert.match(stderr, /Kept, because it was edited: \.claude\/skills\/plan\/references\/house-style\.md/);
    assert.deepEqual(readdirSync(join(folder, '.claude/skills/draft')).sort(), ['SKILL.md', 'mine.md']);
    assert.ok(existsSync(join(folder, '.claude/skills/plan/references/house-style.md')));
  });

  const LIST = '.claude/skills/draft/notes/list.md';
  const STYLE = '.claude/skills/plan/references/house-style.md';

  it('keeps the copy of a file that was deleted, as long as the source refers to it', async () => {
    const folder = await converted();
    rmSync(join(folder, 'skills/notes'), { recursive: true });
    const problem =
      '`skills/notes/list.md` does not exist, so its last copy is kept. Restore it, or remove the references to it.';
    for (const words of [[], ['--force'], ['--quiet'], []]) {
      const { status, stderr } = await convert(folder, 'skills', ...CLAUDE, ...words);
      assert.equal(status, 1);
      assert.ok(stderr.includes(`skills/draft.skill.md:8:17: ${problem}\n`), stderr);
      assert.equal(textAt(folder, LIST), '# The list\n');
      const checked = await convert(folder, 'skills', ...CLAUDE, '--check');
      assert.deepEqual([checked.status, checked.stdout], [1, `${TARGET}: incomplete. ${problem}\n`]);
    }
    const { stdout } = await convert(folder, 'skills', ...CLAUDE, '--report', 'json');
    const { kept, problems, targets } = JSON.parse(stdout);
    assert.deepEqual(kept, [{ path: LIST, why: '`skills/notes/list.md` does not exist' }]);
    assert.deepEqual(problems, [
      {
        ...{ file: 'skills/draft.skill.md', message: problem },
        range: { start: { line: 7, character: 16 }, end: { line: 7, character: 29 } },
      },
    ]);
    assert.deepEqual(targets[0], { path: TARGET, state: 'incomplete' });
    write(folder, 'skills/draft.skill.md', skill('draft', '', 'Now read [the list](notes/list.md).'));
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).stdout, `${TARGET}\n`);
    assert.equal(textAt(folder, LIST), '# The list\n');
    // The copy is removed once no source links to it, except if it was edited.
    write(folder, 'skills/draft.skill.md', skill('draft'));
    const { status, stderr } = await convert(folder, 'skills', ...CLAUDE);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Removed: \.claude\/skills\/draft\/notes\/list\.md/);
  });

  it('treats a kept copy as any other copy when its original is restored', async () => {
    const folder = await converted();
    rmSync(join(folder, 'skills/notes/list.md'));
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).status, 1);
    write(folder, LIST, 'By hand.\n');
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--force')).status, 1);
    assert.equal(textAt(folder, LIST), 'By hand.\n');
    write(folder, 'skills/notes/list.md', '# A new list\n');
    assertUsageError(await convert(folder, 'skills', ...CLAUDE), /list\.md` was edited after the conversion/);
    write(folder, LIST, '# The list\n');
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).stdout, `${TARGET}\n${LIST}\n`);
    assert.equal(textAt(folder, LIST), '# A new list\n');
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 0);
  });

  it('keeps the copy of a file that can no longer be copied', { skip: process.platform === 'win32' }, async () => {
    const [list, outside] = ['skills/notes/list.md', folderWith({ 'list.md': 'Of another.\n' })];
    for (const [replace, reason] of [
      [(path: string) => symlinkSync(join(outside, 'list.md'), path), 'a link'],
      [(path: string) => mkdirSync(path), 'folder'],
      [(path: string) => writeFileSync(path, Buffer.alloc(21 * 2 ** 20)), 'larger than'],
    ] as const) {
      const folder = await converted();
      rmSync(join(folder, list));
      replace(join(folder, list));
      const { status, stderr } = await convert(folder, 'skills', ...CLAUDE);
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`${list}\` cannot be copied: [^\n]*${reason}[^\n]*, so its last copy is kept`));
      assert.doesNotMatch(stderr, /lost:/);
      assert.equal(textAt(folder, LIST), '# The list\n');
    }
  });

  it('keeps the copy of a file that is now in the folder of another converted skill', async () => {
    const folder = await converted();
    write(folder, 'skills/notes/SKILL.md', textAt(folder, TARGET).replace('../../../skills/draft', '../draft2'));
    const { stderr } = await convert(folder, 'skills/draft.skill.md', ...CLAUDE);
    assert.match(stderr, /Kept, because `skills\/notes\/list\.md` is not copied: \S+\/notes\/list\.md/);
    assert.equal(textAt(folder, LIST), '# The list\n');
    write(folder, 'skills/draft.skill.md', skill('draft', '', 'See [the list](notes/list.md).'));
    const changed = await convert(folder, 'skills/draft.skill.md', ...CLAUDE);
    assert.match(changed.stderr, /draft\.skill\.md:8:16: lost: file `notes\/list\.md`/);
    assert.equal(textAt(folder, LIST), '# The list\n');
  });

  it('keeps the copy of a file that the text names without a link, also if it only shows the name', async () => {
    for (const [body, expected] of [
      ['Run `scripts/draw.sh`.', 1],
      ['The user asks “run `scripts/draw.sh`”.', 0],
    ] as const) {
      const folder = await converted({ 'skills/a.skill.md': skill('a', '', body), 'skills/scripts/draw.sh': 'true\n' });
      rmSync(join(folder, 'skills/scripts'), { recursive: true });
      const { status, stderr } = await convert(folder, 'skills', ...CLAUDE);
      assert.equal(status, expected, stderr);
      assert.match(stderr, /Kept, because `skills\/scripts\/draw\.sh` does not exist: \.claude\/\S+\/draw\.sh\n/);
      if (expected === 1) assert.match(stderr, /a\.skill\.md:8:6: `skills\/scripts\/draw\.sh` does not exist/);
      assert.equal(textAt(folder, '.claude/skills/a/scripts/draw.sh'), 'true\n');
    }
  });

  it('keeps the pages of a composed skill that was deleted, with their files', async () => {
    const style = skill('house-style', '', 'Write [so](examples/good.md).');
    const folder = await converted({
      ...FILES,
      'shared/house-style.skill.md': style,
      'shared/examples/good.md': 'So.\n',
    });
    const good = '.claude/skills/plan/references/examples/good.md';
    assert.equal(textAt(folder, good), 'So.\n');
    const page = textAt(folder, STYLE);
    rmSync(join(folder, 'shared'), { recursive: true });
    for (const words of [[], ['--force']]) {
      const { status, stderr } = await convert(folder, 'skills', ...CLAUDE, ...words);
      assert.equal(status, 1);
      assert.match(
        stderr,
        /plan\.skill\.md:6:12: Skill `house-style` does not exist, so its last pages are kept\. Restore it, or remove it from `composes`\.\n/,
      );
      assert.deepEqual([textAt(folder, STYLE), textAt(folder, good)], [page, 'So.\n']);
    }
    write(folder, 'skills/plan.skill.md', skill('plan'));
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).status, 0);
    assert.deepEqual(readdirSync(join(folder, '.claude/skills/plan')), ['SKILL.md']);
  });

  it('treats pages alike if the source also links to a file outside its folder', async () => {
    const text = skill('plan', 'composes: [house-style]\n', 'See [up](../README.md).');
    const folder = await converted({ ...FILES, 'README.md': 'Up.\n', 'skills/plan.skill.md': text });
    rmSync(join(folder, 'shared'), { recursive: true });
    for (const words of [[], ['--check']]) {
      const { status, stdout, stderr } = await convert(folder, 'skills', ...CLAUDE, ...words);
      assert.equal(status, 1, stderr);
      assert.match(stdout + stderr, /Skill `house-style` does not exist, so its last pages are kept/);
    }
    write(folder, 'skills/plan.skill.md', skill('plan', '', 'See [up](../README.md).'));
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).status, 0);
    assert.deepEqual(readdirSync(join(folder, '.claude/skills/plan')), ['SKILL.md']);
  });

  it('keeps the files of another source that `--force` overwrites', async () => {
    const folder = await converted();
    write(folder, 'other/draft.skill.md', skill('draft', 'tags: [other]\n'));
    const { status, stderr } = await convert(folder, 'other', ...CLAUDE, '--force');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Kept, because it was converted from `skills\/draft\.skill\.md`: \S+\/notes\/list\.md/);
    assert.equal(textAt(folder, LIST), '# The list\n');
  });

  it('does not overwrite a file if only the line of its digests was edited', async () => {
    const folder = await converted();
    const text = textAt(folder, TARGET);
    write(folder, TARGET, text.replace(/^( +generated-digests: .*)$/m, '$1 # KEEP'));
    write(folder, 'skills/draft.skill.md', skill('draft', '', 'Now read [the list](notes/list.md).'));
    assertUsageError(await convert(folder, 'skills', ...CLAUDE), /SKILL\.md` was edited after the conversion/);
    assert.match(textAt(folder, TARGET), /# KEEP$/m);
    assert.match((await convert(folder, 'skills', ...CLAUDE, '--check')).stdout, /draft\/SKILL\.md: edited/);
    assert.match((await run(folder, ['check', '.'])).stdout, /This file was edited after the conversion/);
  });

  for (const [folderName, words] of [
    ['.claude/skills', CLAUDE],
    ['skills', ['--to', 'agent-skill', '--out', 'skills']],
    ['skills', ['--to', 'agent-skill', '--out', 'link']],
  ] as const) {
    const isLinked = words.includes('link' as never);
    const skip = isLinked && process.platform === 'win32';
    it(`keeps the originals of a source in the folder of its \`SKILL.md\`: ${words.join(' ')}`, { skip }, async () => {
      const base = `${folderName}/draft`;
      const notes = `${base}/references/notes.md`;
      const source = `${base}/draft.skill.md`;
      const linking = skill('draft', '', 'Read [it](references/notes.md). Run `scripts/run.sh`.');
      const folder = folderWith({ [source]: linking, [notes]: 'Notes.\n', [`${base}/scripts/run.sh`]: 'true\n' });
      if (isLinked) symlinkSync('skills', join(folder, 'link'));
      const first = await convert(folder, source, ...words);
      assert.deepEqual([first.status, first.stdout.split('\n').length], [0, 2], first.stderr);
      const text = textAt(folder, `${base}/SKILL.md`);
      assert.doesNotMatch(text, /notes\.md=|run\.sh=/);
      write(folder, notes, 'New notes.\n');
      const edited = await convert(folder, source, ...words);
      assert.match(edited.stderr, /All targets are up to date/);
      // An origin may list an original by mistake.
      const digest = /(?<=SKILL\.md=)\w+/;
      write(folder, notes, 'Notes.\n');
      write(
        folder,
        `${base}/SKILL.md`,
        text.replace(digest, `$& references/notes.md=${fileDigest(Buffer.from('Notes.\n'))}`),
      );
      write(folder, source, skill('draft', '', 'Do it.'));
      const { status, stderr } = await convert(folder, source, ...words);
      assert.equal(status, 0, stderr);
      assert.match(stderr, /Kept, because it may be an original: \S+\/draft\/references\/notes\.md\n/);
      assert.equal(textAt(folder, notes), 'Notes.\n');
    });
  }

  it('does not remove a file to which a source links', async () => {
    const folder = await converted();
    write(folder, 'other.skill.md', skill('other', '', 'Read [it](.claude/skills/draft/notes/list.md).'));
    write(folder, 'skills/draft.skill.md', skill('draft'));
    const { status, stderr } = await convert(folder, 'skills', ...CLAUDE);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /Kept, because it may be an original: \.claude\/skills\/draft\/notes\/list\.md/);
    assert.ok(existsSync(join(folder, '.claude/skills/draft/notes/list.md')));
  });

  it('refuses a folder that it did not write, and files of others in its own folder', async () => {
    const own = '---\nname: draft\ndescription: My own.\n---\n\nMine.\n';
    const folder = folderWith({ ...FILES, [TARGET]: own });
    assertUsageError(await convert(folder, 'skills', ...CLAUDE), /`\.claude\/skills\/draft\/SKILL\.md` already exists/);
    assert.equal(textAt(folder, TARGET), own);
    assert.equal(existsSync(join(folder, '.claude/skills/plan')), false);
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--force')).status, 0);
    write(folder, 'skills/draft.skill.md', skill('draft', '', 'Read [it](notes/more.md).'));
    write(folder, 'skills/notes/more.md', 'More.\n');
    write(folder, '.claude/skills/draft/notes/more.md', 'Of another.\n');
    assertUsageError(await convert(folder, 'skills', ...CLAUDE), /notes\/more\.md` already exists/);
  });

  it('refuses two sources with one name, in one run and in two', async () => {
    const folder = folderWith({
      'a/draft.skill.md': skill('draft'),
      'b/draft.skill.md': skill('draft', 'tags: [b]\n'),
    });
    assertUsageError(await convert(folder, 'a', 'b', ...CLAUDE), /Two results have the name/);
    assert.equal((await convert(folder, 'a', ...CLAUDE)).status, 0);
    assertUsageError(await convert(folder, 'b', ...CLAUDE), /was converted from `a\/draft\.skill\.md`\. Rename one/);
    // A source that was moved is the same source.
    rmSync(join(folder, 'a'), { recursive: true });
    assert.equal((await convert(folder, 'b', ...CLAUDE)).stdout, `${TARGET}\n`);
  });

  it('detects another source in a folder whose name is percent-encoded', async () => {
    const odd = "it's (a)! b@c & d+e";
    const folder = folderWith({
      [`${odd}/draft.skill.md`]: skill('draft'),
      'b/draft.skill.md': skill('draft', 'tags: [b]\n'),
    });
    assert.equal((await convert(folder, odd, ...CLAUDE)).status, 0);
    assert.ok((await convert(folder, 'b', ...CLAUDE)).stderr.includes(`was converted from \`${odd}/draft.skill.md\``));
    assert.equal((await convert(folder, odd, ...CLAUDE)).status, 0);
    write(folder, TARGET, `${textAt(folder, TARGET)}By hand.\n`);
    const { stdout } = await run(folder, ['check', '.']);
    assert.match(stdout, /generated-skill/);
  });

  it('detects another source outside the folder in which it runs', async () => {
    const folder = folderWith({
      'a/draft.skill.md': skill('draft'),
      'c/draft.skill.md': skill('draft', 'tags: [c]\n'),
    });
    const here = join(folder, 'c');
    const words = ['draft.skill.md', '--out', '../.claude/skills', '--to', 'agent-skill'];
    assert.equal((await convert(folder, 'a', ...CLAUDE)).status, 0);
    assertUsageError(await convert(here, ...words), /was converted from `\.\.\/a\/draft\.skill\.md`\. Rename one/);
    rmSync(join(folder, 'a'), { recursive: true });
    assert.equal((await convert(here, ...words)).status, 0);
  });

  it('lists folders that are left over after a source was renamed or deleted, and keeps them', async () => {
    const folder = await converted();
    write(folder, 'skills/draft.skill.md', skill('outline', '', 'Read [the list](notes/list.md).'));
    rmSync(join(folder, 'skills/plan.skill.md'));
    write(folder, '.claude/skills/mine/SKILL.md', '---\nname: mine\ndescription: My own.\n---\n\nMine.\n');
    const left = [
      `${TARGET}: left over. \`skills/draft.skill.md\` is now converted to another folder. Delete this folder.\n`,
      '.claude/skills/plan/SKILL.md: left over. `skills/plan.skill.md` does not exist. Delete this folder.\n',
    ];
    const made = await convert(folder, 'skills', ...CLAUDE);
    assert.equal(made.status, 0);
    for (const line of left) assert.ok(made.stderr.includes(line), made.stderr);
    const checked = await convert(folder, 'skills', ...CLAUDE, '--check');
    assert.deepEqual([checked.status, checked.stdout], [1, left.join('')]);
    const { targets } = JSON.parse((await convert(folder, 'skills', ...CLAUDE, '--check', '--report', 'json')).stdout);
    assert.deepEqual(
      targets.map(({ path, state }: { path: string; state: string }) => [path.split('/')[2], state]),
      [
        ['outline', 'current'],
        ['draft', 'left-over'],
        ['plan', 'left-over'],
      ],
    );
    // The source of the other folder is not in the named folder.
    const one = await convert(folder, 'skills/draft.skill.md', ...CLAUDE, '--check');
    assert.deepEqual([one.status, one.stdout], [1, left[0]]);
    for (const name of ['draft', 'plan']) rmSync(join(folder, '.claude/skills', name), { recursive: true });
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 0);
  });

  it('compares with `--check`, and writes nothing', async () => {
    const folder = folderWith(FILES);
    const missing = await convert(folder, 'skills', ...CLAUDE, '--check');
    assert.deepEqual([missing.status, existsSync(join(folder, '.claude'))], [1, false]);
    assert.equal(missing.stdout, `${TARGET}: missing\n.claude/skills/plan/SKILL.md: missing\n`);
    await convert(folder, 'skills', ...CLAUDE);
    const current = await convert(folder, 'skills', ...CLAUDE, '--check');
    assert.deepEqual([current.status, current.stdout], [0, '']);
    write(folder, TARGET, `${textAt(folder, TARGET)}By hand.\n`);
    write(folder, 'shared/house-style.skill.md', skill('house-style', '', 'Write.'));
    const { status, stdout } = await convert(folder, 'skills', ...CLAUDE, '--check', '--report', 'json');
    assert.equal(status, 1);
    assert.deepEqual(JSON.parse(stdout).targets, [
      { path: TARGET, state: 'edited' },
      { path: '.claude/skills/plan/SKILL.md', state: 'outdated' },
    ]);
  });

  it('never writes through a link, and never over a folder', { skip: process.platform === 'win32' }, async () => {
    const folder = folderWith({ ...FILES, 'elsewhere/keep.md': 'Keep.\n', 'file.md': 'Keep.\n' });
    mkdirSync(join(folder, '.claude/skills'), { recursive: true });
    const target = join(folder, '.claude/skills/draft');
    symlinkSync('../../elsewhere', target);
    assertUsageError(await convert(folder, 'skills', ...CLAUDE, '--force'), /is a link or a file, not a folder/);
    rmSync(target);
    mkdirSync(target);
    symlinkSync('../../../file.md', join(target, 'SKILL.md'));
    assertUsageError(await convert(folder, 'skills', ...CLAUDE, '--force'), /is a link or a folder\. Remove it first/);
    rmSync(target, { recursive: true });
    writeFileSync(target, 'A file.\n');
    assertUsageError(await convert(folder, 'skills', ...CLAUDE, '--force'), /is a link or a file, not a folder/);
    assert.deepEqual(readdirSync(join(folder, 'elsewhere')), ['keep.md']);
    assert.equal(textAt(folder, 'file.md'), 'Keep.\n');
    assert.equal(textAt(folder, '.claude/skills/draft'), 'A file.\n');
  });

  it('copies no file from outside the project through a linked folder', {
    skip: process.platform === 'win32',
  }, async () => {
    const outside = folderWith({ 'id_rsa.txt': 'Secret.\n' });
    const folder = folderWith({
      'skills/draft.skill.md': skill(
        'draft',
        '',
        'Read [keys](keys/id_rsa.txt) and [it](own/list.md). Run `scripts/id_rsa.txt`.',
      ),
      'lists/list.md': 'A list.\n',
    });
    for (const name of ['keys', 'scripts']) symlinkSync(outside, join(folder, 'skills', name));
    symlinkSync('../lists', join(folder, 'skills/own'));
    for (const words of [CLAUDE, ['--to', 'agent-skill', '--out', 'out']]) {
      const { stdout, stderr } = await convert(folder, 'skills', ...words);
      assert.doesNotMatch(stdout, /id_rsa/);
      assert.match(stdout, /draft\/own\/list\.md/);
      assert.match(
        stderr,
        /lost: file `draft\/keys\/id_rsa\.txt`\. It is a symbolic link, or in a linked folder outside/,
      );
    }
    const from = await convert(join(folder, 'lists'), '../skills/draft.skill.md', ...CLAUDE);
    assert.doesNotMatch(from.stdout, /id_rsa/);
  });

  it('reports why a target cannot be read', async () => {
    const folder = await converted();
    const large = '.claude/skills/draft/notes/list.md';
    write(folder, large, Buffer.alloc(21 * 2 ** 20));
    const problem = /notes\/list\.md` cannot be read: it is larger than 20 MiB\. Remove it first/;
    assertUsageError(await convert(folder, 'skills', ...CLAUDE, '--force'), problem);
  });

  it('accepts names with spaces and letters of any script', async () => {
    const folder = folderWith({
      'meine fähigkeiten/süß & gut.skill.md': skill('süß-gut', '', 'Lies [das](die notizen/ä%20b.md).'),
      'meine fähigkeiten/die notizen/ä b.md': 'Gut.\n',
    });
    const words = ['meine fähigkeiten', ...CLAUDE];
    const { status, stderr, stdout } = await convert(folder, ...words);
    assert.equal(status, 0, stderr);
    const made = stdout.split('\n').find((path) => path.endsWith('SKILL.md')) ?? '';
    assert.match(
      textAt(folder, made),
      /^ {2}generated-from: \.\.\/\.\.\/\.\.\/meine fähigkeiten\/süß & gut\.skill\.md$/m,
    );
    assert.equal((await convert(folder, ...words, '--check')).status, 0);
  });

  it('copies files that the text names without a link', async () => {
    const folder = folderWith({
      'skills/draft.skill.md': skill('draft', '', 'Run `scripts/check.sh`. See `references/gone.md`.\n'),
      'skills/scripts/check.sh': '#!/bin/sh\n',
      'skills/scripts/other.sh': '#!/bin/sh\n',
    });
    const { stdout, stderr } = await convert(folder, 'skills', ...CLAUDE);
    assert.equal(stdout, `${TARGET}\n.claude/skills/draft/scripts/check.sh\n`);
    assert.doesNotMatch(stderr, /lost/);
  });

  it('copies no skills and no converted files', async () => {
    const text = skill(
      'draft',
      '',
      'Open `examples/demo.skill.md`. Run `scripts/draft/SKILL.md` and `scripts/plan/references/house-style.md`.',
    );
    const folder = folderWith({
      ...FILES,
      'draft.skill.md': text,
      'examples/demo.skill.md': skill('demo'),
    });
    const words = ['--to', 'agent-skill', '--out', 'scripts'];
    assert.equal((await convert(folder, 'skills/plan.skill.md', 'draft.skill.md', ...words)).status, 0);
    const next = await convert(folder, 'skills/plan.skill.md', 'draft.skill.md', ...words);
    assert.match(next.stderr, /All targets are up to date/);
    assert.deepEqual(readdirSync(join(folder, 'scripts/draft')), ['SKILL.md']);
    write(folder, 'draft.skill.md', skill('draft', '', 'See [it](scripts/plan/references/house-style.md).'));
    assert.match(
      (await convert(folder, 'draft.skill.md', ...words)).stderr,
      /The text links to this file, but it is not copied/,
    );
  });

  it('drops the origin when a converted skill is converted back', async () => {
    const folder = await converted();
    const { stdout, stderr } = await convert(folder, TARGET, '--to', 'skill-md');
    assert.doesNotMatch(stdout + stderr, /generated/);
    assert.match(stdout, /^version: 1\.0\.0$/m);
  });

  it('converts 300 skills', { ...extended, timeout: 60_000 }, async () => {
    const names = Array.from({ length: 300 }, (_, at) => `skill-${at}`);
    const folder = folderWith(Object.fromEntries(names.map((name) => [`skills/${name}.skill.md`, skill(name)])));
    assert.equal((await convert(folder, 'skills', ...CLAUDE)).stdout.split('\n').length, 301);
    assert.equal((await convert(folder, 'skills', ...CLAUDE, '--check')).status, 0);
  });
});
