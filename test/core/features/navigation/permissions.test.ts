// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** The skills in the permissions of a catalog: renaming a skill also changes its permission. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete, hoverAt } from '../cursor.ts';
import { afterRename, definitionsAt, preparedAt, referencesAt, renamedAt, WORLD } from './world.ts';

const PERMITTED = {
  ...WORLD,
  'skills.config.yaml': `${WORLD['skills.config.yaml']}permissions:\n  judge: {enabled: false} # for now\n  absent: {}\n`,
};

test('goes from a permission to its skill, and lists the permission as a reference', () => {
  assert.deepEqual(definitionsAt('skills.config.yaml', 'ju¦dge: {', PERMITTED), ['judge.skill.md 2: name: «judge»']);
  assert.deepEqual(referencesAt('judge.skill.md', 'name: ju¦dge', true, PERMITTED), [
    'judge.skill.md 2: name: «judge»',
    'report.skill.md 15: - skill: «judge»',
    'skills.config.yaml 11: «judge»: {enabled: false} # for',
  ]);
});

test('renaming a skill or its permission renames both', () => {
  const lines = [
    'judge.skill.md 2: name: weigh',
    'report.skill.md 15: - skill: weigh',
    'skills.config.yaml 11: weigh: {enabled: false} # for now',
    'judge.skill.md → weigh.skill.md',
  ];
  assert.deepEqual(renamedAt('judge.skill.md', 'name: ju¦dge', 'weigh', PERMITTED), lines);
  assert.deepEqual(renamedAt('skills.config.yaml', 'ju¦dge: {', 'weigh', PERMITTED), lines);
  const after = afterRename('judge.skill.md', 'name: ju¦dge', 'weigh', PERMITTED);
  assert.deepEqual(afterRename('weigh.skill.md', 'name: we¦igh', 'judge', after), PERMITTED);
});

test('refuses a new name that already has a permission', () => {
  assert.equal(
    renamedAt('judge.skill.md', 'name: ju¦dge', 'absent', PERMITTED),
    '`skills.config.yaml` already refers to a skill `absent`, which does not exist yet. Choose another name.',
  );
  assert.match(preparedAt('skills.config.yaml', 'abs¦ent', PERMITTED), /^Unknown skill `absent`/);
});

const SKILL = '---\nname: judge\ndescription: Judges a scene.\nversion: 1.0.0\ninput_schema: {}\n---\n\nJudge.\n';
const files = (catalog: string) => ({
  'skills.config.yaml': catalog,
  'judge.skill.md': SKILL,
  'weigh.skill.md': SKILL.replace('judge', 'weigh'),
});

test('completion offers the skills that have no permission', () => {
  const { labels, accept } = complete(files('permissions:\n  judge: {}\n  $0\n'));
  assert.deepEqual(labels, ['weigh']);
  assert.equal(accept('weigh'), 'permissions:\n  judge: {}\n  weigh: {enabled: ${1:false}}\n');
  assert.deepEqual(complete(files('permissions: {$0}\n')).labels, ['judge', 'weigh']);
  assert.deepEqual(complete(files('permissions: {judge: {$0}}\n')).labels, ['enabled', 'channels', 'contexts']);
  assert.deepEqual(complete(files('permissions: {judge: {contexts: [channel, $0]}}\n')).labels, [
    'workspace',
    'scheduled',
    'autonomous',
  ]);
});

test('hover describes the skill and the keys of a permission', () => {
  assert.match(hoverAt(files('permissions: {ju$0dge: {}}\n'))?.text ?? '', /Judges a scene/);
  assert.match(hoverAt(files('permissions: {judge: {chan$0nels: []}}\n'))?.text ?? '', /an empty list means none/);
});
