/** The skills that `npx skills` takes, compared with its observation in the lab, and the folders that it makes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { SITUATIONS } from '../../../lab/situations/index.ts';
import { installedFolder, npxSkills, npxSkillsNotes } from '../../../server/src/features/clients/npx-skills.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { skillText } from './fixtures.ts';

const fileAt = (path: string, text: string): SkillFile => new SkillFile(`file:///w/${path}/SKILL.md`, text);

it('takes the files that it was seen to take', () => {
  const { situations } = JSON.parse(readFileSync('lab/observations/skills.json', 'utf8')) as {
    readonly situations: Readonly<Record<string, { readonly entries?: readonly unknown[] }>>;
  };
  const wrong = [...SITUATIONS.values()].flatMap(({ id, files }) => {
    const [[path, content] = ['', ''], ...others] = Object.entries(files);
    const seen = situations[id]?.entries;
    const isPlain = others.length === 0 && path === `${id}/SKILL.md` && typeof content === 'string';
    if (!isPlain || !seen) return [];
    const result = npxSkills(fileAt(id, content));
    return 'folder' in result === seen.length > 0 ? [] : [`${id}: ${JSON.stringify(result)}`];
  });
  assert.deepEqual(wrong, []);
});

it('makes the folder of the name', () => {
  const folders = { 'S05 Title Name': 's05-title-name', 's24-größe': 's24-gr-e', 's30--double-': 's30-double' };
  for (const [name, folder] of Object.entries(folders)) assert.equal(installedFolder(name), folder);
  assert.equal(installedFolder('日本'), 'unnamed-skill');
});

it('notes skipped skills, other folders and equal ones', () => {
  const all = [
    ['a/plain', skillText('name: plain', 'description: Sorts.')],
    ['b/title', skillText('name: Plain', 'description: Sorts.')],
    ['notes', skillText('name: Two Words', 'description: Sorts.')],
    ['none', skillText('name: none')],
  ].map(([path = '', text = '']) => ({ shown: `${path}/SKILL.md`, file: fileAt(path, text) }));
  assert.deepEqual(npxSkillsNotes(all), [
    '`b/title/SKILL.md` gets the folder `plain`, as `a/plain/SKILL.md` does, and one replaces the other.',
    '`notes/SKILL.md` gets the folder `two-words`, because of its `name`.',
    '`none/SKILL.md` is skipped, because it has no `description`.',
  ]);
});
