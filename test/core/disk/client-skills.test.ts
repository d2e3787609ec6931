/** The skills that clients find behind links and in `node_modules` (docs/clients.md, "Links"). */
import { strict as assert } from 'node:assert';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { type ClientSkillsOptions, findClientSkills } from '../../../server/src/io/client-skills.ts';
import { findFiles } from '../../../server/src/io/find-files.ts';
import { temporaryFolder } from '../../temporary.mjs';

const SKILL = '---\nname: tidy\ndescription: Tidies.\n---\n';

/** Makes a folder `w` with files and links, which are relative to the parent of `w`. */
function workspaceWith(files: readonly string[], links: Readonly<Record<string, string>>): string {
  const base = realpathSync(temporaryFolder());
  const put = (path: string): string => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    return join(base, path);
  };
  for (const path of files) writeFileSync(put(path), SKILL);
  for (const [path, target] of Object.entries(links)) symlinkSync(join(base, target), put(path));
  return join(base, 'w');
}

/** Returns the paths of the found skills, each with its first link, and the paths that were left out. */
async function search(root: string, options: Partial<ClientSkillsOptions> = {}) {
  const { links, modules } = await findFiles(root, ['**/SKILL.md']);
  const found = await findClientSkills([...links, ...modules], { roots: [root], readsOutside: false, ...options });
  const shown = (path: string): string => relative(root, path).replaceAll('\\', '/');
  return {
    skills: found.skills.map(({ path, link, content }) => {
      const first = link?.first && shown(decodeURI(link.first.replace('file://', '')));
      return [shown(path), first, content.kind];
    }),
    left: found.left.map(({ path }) => shown(path)),
  };
}

describe('the search for skills that only clients find', { skip: process.platform === 'win32' }, () => {
  it('follows links to the folder of a skill, to a folder of skills, and above it', async () => {
    const root = workspaceWith(['w/shared/a/SKILL.md', 'w/.agents/skills/b/SKILL.md', 'w/codex/skills/c/SKILL.md'], {
      'w/.claude/skills': 'w/.agents/skills',
      'w/.gemini/skills/a': 'w/shared/a',
      'w/.codex': 'w/codex',
      'w/shared/again': 'w/shared/a',
    });
    assert.deepEqual(await search(root), {
      skills: [
        ['.claude/skills/b/SKILL.md', '.claude/skills', 'text'],
        ['.codex/skills/c/SKILL.md', '.codex', 'text'],
        ['.gemini/skills/a/SKILL.md', '.gemini/skills/a', 'text'],
      ],
      left: [],
    });
  });

  it('leaves a workspace only if that is allowed, and names each link that it did not follow', async () => {
    const root = workspaceWith(['outside/a/SKILL.md', 'outside/b/notes.txt'], {
      'w/.claude/skills/a': 'outside/a',
      'w/.claude/skills/b': 'outside/b',
    });
    assert.deepEqual(await search(root), { skills: [], left: ['.claude/skills/a', '.claude/skills/b'] });
    assert.deepEqual(await search(root, { readsOutside: true }), {
      skills: [['.claude/skills/a/SKILL.md', '.claude/skills/a', 'text']],
      left: [],
    });
  });

  it('ends in a loop of links, and ignores links that lead nowhere', async () => {
    const root = workspaceWith(['w/.claude/skills/a/SKILL.md'], {
      'w/.claude/skills/group/loop': 'w/.claude/skills',
      'w/.claude/skills/gone': 'w/nothing',
      'w/.claude/skills/self': 'w/.claude/skills/self',
    });
    assert.deepEqual(await search(root), {
      skills: [['.claude/skills/group/loop/a/SKILL.md', '.claude/skills/group/loop', 'text']],
      left: [],
    });
  });

  it('searches `node_modules` only in a folder of skills', async () => {
    const root = workspaceWith(
      [
        'w/.claude/skills/node_modules/a/SKILL.md',
        'w/node_modules/b/.claude/skills/b/SKILL.md',
        'w/x/node_modules/SKILL.md',
      ],
      {},
    );
    assert.deepEqual(await search(root), {
      skills: [['.claude/skills/node_modules/a/SKILL.md', undefined, 'text']],
      left: [],
    });
  });

  it('reads no folder with the name of a file', async () => {
    const root = workspaceWith(['w/shared/SKILL.md/notes.txt'], { 'w/.claude/skills/a': 'w/shared' });
    assert.deepEqual((await search(root)).skills, []);
  });

  it('ends after a number of folders, and says where', async () => {
    const root = workspaceWith(['w/shared/a/SKILL.md', 'w/shared/b/SKILL.md'], { 'w/.claude/skills': 'w/shared' });
    assert.deepEqual(await search(root, { mostFolders: 2 }), {
      skills: [['.claude/skills/a/SKILL.md', '.claude/skills', 'text']],
      left: ['.claude/skills/b'],
    });
  });

  it('ends in a deep folder, and says so', async () => {
    const deep = Array.from({ length: 14 }, (_, at) => `d${at}`).join('/');
    const root = workspaceWith([`w/shared/${deep}/a/SKILL.md`, 'w/shared/b/SKILL.md'], {
      'w/.claude/skills': 'w/shared',
    });
    const { links } = await findFiles(root, []);
    const { skills, left } = await findClientSkills(links, { roots: [root], readsOutside: false });
    assert.equal(skills.length, 1);
    assert.equal(left.length, 1);
    assert.match(left[0]?.message ?? '', /^This folder is more than 12 folders below a link/);
  });
});
