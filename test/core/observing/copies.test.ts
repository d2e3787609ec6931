/** The copies of skills that an observed client gets (docs/observing.md, "What is started"). */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { clients } from '../../../server/src/clients/facts/clients.ts';
import { openProject } from '../../../server/src/io/project.ts';
import { NO_PROGRESS } from '../../../server/src/io/stderr.ts';
import {
  type Copies,
  type CopyLimits,
  copiesOf,
  type Other,
  writeCopies,
} from '../../../server/src/services/observing/copies.ts';
import { temporaryFolder } from '../../temporary.mjs';

const skill = (name: string, body = 'Body.'): string => `---\nname: ${name}\ndescription: Sorts.\n---\n\n${body}\n`;

interface How {
  readonly others?: readonly Other[];
  readonly limits?: Partial<CopyLimits>;
}

/** Returns the paths that are copied for Claude Code, the skills, and the reasons by the path that was left out. */
async function copied(folder: string, { others = [], limits }: How = {}, use?: (copies: Copies) => void) {
  const project = await openProject({
    ...{ cwd: folder, paths: ['.'], config: undefined, progress: NO_PROGRESS, mayBeEmpty: true },
  });
  const most = limits && { files: 100, bytes: 1_000_000, bytesOfFile: 1_000_000, ...limits };
  const all = await copiesOf(project, clients, folder, '.claude/skills', others, most);
  use?.(all);
  const { copies, leftOut, ...rest } = all;
  return {
    paths: copies.map((copy) => ('target' in copy ? `${copy.path} -> ${copy.target}` : copy.path)).sort(),
    texts: copies.map((copy) => ('bytes' in copy ? Buffer.from(copy.bytes).toString('utf8') : '')).join('\n'),
    leftOut: Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason])),
    ...rest,
  };
}

const repository = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder(files);
  mkdirSync(join(folder, '.git'));
  return folder;
};

describe('the copies of skills for a client', () => {
  it('keep the paths in folders of clients, and put other skills into one', async () => {
    const { paths, skills, installed, leftOut } = await copied(
      temporaryFolder({
        '.agents/skills/a/SKILL.md': skill('a'),
        '.agents/skills/a/scripts/a.py': '',
        'skills/b/SKILL.md': skill('b'),
        'other/b/SKILL.md': skill('b'),
        'src/code.ts': '',
      }),
    );
    assert.deepEqual(paths, [
      '.agents/skills/a/SKILL.md',
      '.agents/skills/a/scripts/a.py',
      '.claude/skills/b/SKILL.md',
    ]);
    assert.deepEqual(skills, ['.agents/skills/a/SKILL.md', '.claude/skills/b/SKILL.md']);
    assert.equal(installed, 1);
    assert.deepEqual(leftOut, { 'skills/b': 'another skill is in a folder `b`' });
  });

  it('contain neither hooks, servers nor settings', async () => {
    const { paths, leftOut } = await copied(
      temporaryFolder({
        '.claude/skills/a/SKILL.md': skill('a'),
        '.claude/skills/a/.mcp.json': '{}',
        '.claude/skills/a/hooks/hooks.json': '{}',
        '.claude/skills/a/agents/openai.yaml': 'dependencies: {}',
        '.claude/settings.json': '{"hooks":{}}',
        '.claude/agents/a.md': '---\nname: a\n---\n',
        'CLAUDE.md': 'Hello.',
      }),
    );
    assert.deepEqual(paths, ['.claude/skills/a/SKILL.md']);
    assert.deepEqual(Object.keys(leftOut).sort(), [
      '.claude/skills/a/.mcp.json',
      '.claude/skills/a/agents/openai.yaml',
      '.claude/skills/a/hooks',
    ]);
  });

  it('contain agents, commands and manifests of plugins if the user asks, unless they name hooks or servers', async () => {
    const folder = temporaryFolder({
      '.claude/skills/a/SKILL.md': skill('a'),
      '.claude/agents/a.md': '---\nname: a\n---\nSays hooks.\n',
      '.claude/agents/b.md': '---\nname: b\nhooks: {}\n---\n',
      '.claude/agents/flow.md': '---  \n{name: flow, "h\\u006foks": {}}\n---  \n',
      '.claude/commands/c.md': 'Sort.',
      '.codex/agents/c.toml': 'name = "c"\n[mcp_servers.x]\ncommand = "y"\n',
      '.claude-plugin/plugin.json': '{"name": "p", "skills": "./.claude/skills"}',
      '.codex-plugin/plugin.json': '{"name": "p", "hooks": "./hooks/hooks.json"}',
      'tools/.claude-plugin/plugin.json': '{"name": "q", "lspServers": {}}',
      'hooks/hooks.json': '{}',
    });
    const all: How = { others: ['agents', 'commands', 'plugins'] };
    const { paths, leftOut, others: counts } = await copied(folder, all);
    assert.deepEqual(paths, [
      '.claude-plugin/plugin.json',
      '.claude/agents/a.md',
      '.claude/commands/c.md',
      '.claude/skills/a/SKILL.md',
    ]);
    assert.deepEqual(counts, { agents: 4, commands: 1, plugins: 3 });
    const reason = 'it names hooks, servers or dependencies';
    assert.deepEqual(leftOut, {
      '.claude/agents/b.md': reason,
      '.claude/agents/flow.md': reason,
      '.codex/agents/c.toml': reason,
      '.codex-plugin/plugin.json': reason,
      'tools/.claude-plugin/plugin.json': reason,
    });
    assert.deepEqual((await copied(folder, { others: ['plugins'] })).paths, [
      '.claude-plugin/plugin.json',
      '.claude/skills/a/SKILL.md',
    ]);
  });

  it('follow links only within the folder, and keep the links of a skill', async () => {
    const folder = temporaryFolder({
      'shared/pdf/SKILL.md': skill('pdf'),
      'shared/notes.md': 'Notes.',
      'shared/data/a.csv': '',
      '.env': 'KEY=1',
      '.claude/skills/x/SKILL.md': skill('x'),
      'skills/y/SKILL.md': skill('y'),
      'skills/y/a.md': 'A.',
    });
    symlinkSync('../../shared/pdf', join(folder, '.claude/skills/pdf'));
    symlinkSync('../../../shared/notes.md', join(folder, '.claude/skills/x/notes.md'));
    symlinkSync('../../../shared/data', join(folder, '.claude/skills/x/data'));
    symlinkSync('../../../.env', join(folder, '.claude/skills/x/env'));
    symlinkSync('a.md', join(folder, 'skills/y/b.md'));
    symlinkSync(temporaryFolder({ 'SKILL.md': skill('away') }), join(folder, '.claude/skills/away'));
    symlinkSync('/etc/hostname', join(folder, '.claude/skills/x/host'));
    const { paths, leftOut } = await copied(folder);
    assert.deepEqual(paths, [
      '.claude/skills/pdf -> ../../shared/pdf',
      '.claude/skills/x/SKILL.md',
      '.claude/skills/x/notes.md -> ../../../shared/notes.md',
      '.claude/skills/y/SKILL.md',
      '.claude/skills/y/a.md',
      '.claude/skills/y/b.md -> a.md',
      'shared/notes.md',
      'shared/pdf/SKILL.md',
    ]);
    const loose = 'the target of the link is not copied';
    assert.deepEqual(leftOut, {
      '.claude/skills/x/host': 'the link leads outside of the folder',
      '.claude/skills/x/data': loose,
      '.claude/skills/x/env': loose,
    });
  });

  it('follow no link that leads outside, into a repository or nowhere through another link', async () => {
    const outside = temporaryFolder({ 'out/secret.txt': 'KEY', 'out/agents/a.md': 'A.', 'work/a.txt': '' });
    const real = join(outside, 'work');
    const folder = join(outside, 'linked');
    symlinkSync('work', folder);
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(real, path)), { recursive: true });
      writeFileSync(join(real, path), text);
    };
    write('.git/config', 'url = KEY');
    write('shared/a.md', 'A.');
    write('.claude/skills/x/SKILL.md', skill('x'));
    const link = (target: string, path: string): void => symlinkSync(target, join(real, path));
    link('../out', 'b');
    link('.git', 'g');
    link('shared', 's');
    link('../out', '.evil');
    link('../../../b/secret.txt', '.claude/skills/x/leak.txt');
    link('../../../b', '.claude/skills/x/folder');
    link('../../../g/config', '.claude/skills/x/config');
    link('../../../s/a.md', '.claude/skills/x/a.md');
    link('loop-b', '.claude/skills/x/loop-a');
    link('loop-a', '.claude/skills/x/loop-b');
    link('none', '.claude/skills/x/none');
    link('.', '.claude/skills/x/self');
    link('../../../b/none', '.claude/skills/x/nothing-there');
    for (const one of [real, folder]) {
      const { paths, leftOut, texts } = await copied(one, { others: ['agents'] });
      assert.deepEqual(paths, [
        '.claude/skills/x/SKILL.md',
        '.claude/skills/x/a.md -> ../../../shared/a.md',
        '.claude/skills/x/self -> .',
        'shared/a.md',
      ]);
      assert.doesNotMatch(texts, /KEY/);
      const [away, nothing] = ['the link leads outside of the folder', 'the link leads to nothing'];
      assert.deepEqual(leftOut, {
        '.claude/skills/x/leak.txt': away,
        '.claude/skills/x/folder': away,
        '.claude/skills/x/config': 'the target of the link is not copied',
        '.claude/skills/x/loop-a': nothing,
        '.claude/skills/x/loop-b': nothing,
        '.claude/skills/x/none': nothing,
        '.claude/skills/x/nothing-there': nothing,
        '.evil/agents': 'links to agents and commands are not followed',
      });
    }
  });

  it('contain no agents and commands behind links', async () => {
    const folder = temporaryFolder({
      '.claude/skills/a/SKILL.md': skill('a'),
      '.claude/agents/a.md': 'A.',
      'priv/agents/b.md': 'B.',
      'priv/c.md': 'C.',
    });
    symlinkSync('priv', join(folder, '.evil'));
    symlinkSync('../priv', join(folder, '.claude/commands'));
    symlinkSync('../../priv/c.md', join(folder, '.claude/agents/c.md'));
    symlinkSync('../../priv', join(folder, '.claude/agents/d'));
    const reason = 'links to agents and commands are not followed';
    const { paths, others, leftOut } = await copied(folder, { others: ['agents', 'commands'] });
    assert.deepEqual(paths, ['.claude/agents/a.md', '.claude/skills/a/SKILL.md']);
    assert.deepEqual(others, { agents: 1, commands: 0, plugins: 0 });
    assert.deepEqual(leftOut, {
      '.claude/agents/c.md': reason,
      '.claude/agents/d': reason,
      '.claude/commands': reason,
      '.evil/agents': reason,
    });
    assert.deepEqual((await copied(folder)).leftOut, {});
  });

  it('contain no skill whose link or file is left out, and count links as files', async () => {
    const folder = temporaryFolder({
      'shared/pdf/SKILL.md': skill('pdf'),
      'shared/pdf/a.md': 'A.',
      'shared/big/SKILL.md': skill('big', 'x'.repeat(2_000)),
      'shared/big/a.md': 'A.',
      '.agents/skills/x/SKILL.md': skill('x'),
      'shared/dir/.keep': '',
    });
    symlinkSync('../../shared/pdf', join(folder, '.agents/skills/pdf'));
    symlinkSync('../../shared/big', join(folder, '.agents/skills/big'));
    mkdirSync(join(folder, '.claude'));
    symlinkSync('../.agents/skills', join(folder, '.claude/skills'));
    for (const name of ['l1', 'l2', 'l3']) symlinkSync('SKILL.md', join(folder, '.agents/skills/x', name));
    const { skills, paths } = await copied(folder, { limits: { bytesOfFile: 1_000 } });
    assert.deepEqual([...skills].sort(), [
      '.agents/skills/pdf/SKILL.md',
      '.agents/skills/x/SKILL.md',
      '.claude/skills/pdf/SKILL.md',
      '.claude/skills/x/SKILL.md',
      'shared/pdf/SKILL.md',
    ]);
    assert.ok(paths.includes('.claude/skills -> ../.agents/skills'));
    const few = await copied(folder, { limits: { files: 5 } });
    assert.equal(few.paths.length, 5);
    for (const path of ['.agents/skills/x/l3', '.agents/skills/pdf', '.claude/skills']) {
      assert.equal(few.leftOut[path], 'beyond 5 files or 1 MB');
    }
  });

  it('are put into the folder behind a link, if the folder of skills is one', async () => {
    const folder = temporaryFolder({ '.agents/skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
    mkdirSync(join(folder, '.claude'));
    symlinkSync('../.agents/skills', join(folder, '.claude/skills'));
    const { paths, skills, leftOut } = await copied(folder, {}, (copies) => writeCopies(temporaryFolder({}), copies));
    assert.deepEqual(paths, [
      '.agents/skills/a/SKILL.md',
      '.agents/skills/b/SKILL.md',
      '.claude/skills -> ../.agents/skills',
    ]);
    assert.deepEqual([...skills].sort(), [
      '.agents/skills/a/SKILL.md',
      '.agents/skills/b/SKILL.md',
      '.claude/skills/a/SKILL.md',
    ]);
    assert.deepEqual(leftOut, {});
  });

  it('contain only the named parts of a skill in the root of a repository, and the skills below it', async () => {
    const folder = repository({
      'SKILL.md': skill('root', 'See [the guide](docs/guide.md), [b](skills/b/SKILL.md).\n\nRead `templates/one.md`.'),
      'references/r.md': '',
      'docs/guide.md': '',
      'docs/other.md': '',
      'templates/one.md': '',
      'src/code.ts': '',
      'README.md': '',
      'skills/b/SKILL.md': skill('b'),
    });
    const { paths, leftOut } = await copied(folder);
    const own = `.claude/skills/${folder.split('/').at(-1)}`;
    assert.deepEqual(
      paths,
      [
        '.claude/skills/b/SKILL.md',
        ...['SKILL.md', 'docs/guide.md', 'templates/one.md', 'references/r.md'].map((path) => `${own}/${path}`),
      ].sort(),
    );
    assert.deepEqual(Object.keys(leftOut).sort(), ['README.md', 'docs/other.md', 'skills', 'src']);
    assert.deepEqual(
      [...new Set(Object.values(leftOut))],
      ['not named by the `SKILL.md` in the root of the repository'],
    );
  });

  it('contain the whole folder of a skill that is not the root of a repository', async () => {
    const { paths } = await copied(temporaryFolder({ 'SKILL.md': skill('one'), 'data/a.csv': '' }));
    assert.equal(paths.length, 2);
  });

  it('leave out files beyond the limits, after the skills', async () => {
    const folder = temporaryFolder({
      '.claude/skills/a/SKILL.md': skill('a'),
      '.claude/skills/a/big.bin': 'x'.repeat(2_000),
      '.claude/skills/a/one.md': '',
      '.claude/skills/b/SKILL.md': skill('b'),
      '.claude/skills/b/two.md': '',
    });
    const few = await copied(folder, { limits: { files: 3, bytesOfFile: 1_000 } });
    assert.deepEqual(few.paths, ['.claude/skills/a/SKILL.md', '.claude/skills/a/one.md', '.claude/skills/b/SKILL.md']);
    assert.deepEqual(few.leftOut, {
      '.claude/skills/a/big.bin': 'over 0.001 MB',
      '.claude/skills/b/two.md': 'beyond 3 files or 1 MB',
    });
    const small = await copied(folder, { limits: { bytes: 60 } });
    assert.deepEqual(small.skills, ['.claude/skills/a/SKILL.md']);
    assert.equal(small.leftOut['.claude/skills/b/SKILL.md'], 'beyond 100 files or 0.00006 MB');
  });
});
