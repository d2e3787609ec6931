/** The references that remain when files or folders with skills are deleted. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { usesOfFiles } from '../../../../server/src/features/navigation/definition.ts';
import { analysisOf, type Files, WORLD } from './world.ts';

const ROOT = 'file:///skills-here';

function usesOf(paths: readonly string[], files: Files = WORLD): string {
  const uris = paths.map((path) => (path === '' ? ROOT : `${ROOT}/${path}`));
  const { skills, places } = usesOfFiles(analysisOf(files), uris, utf16);
  const lines = places.map(({ uri, range }) => `${uri.slice(ROOT.length + 1)}:${range.start.line + 1}`);
  return [...skills, ...lines].join(' ');
}

test('reports the uses of a skill before it is deleted', () => {
  assert.equal(
    usesOf(['find-page.skill.md']),
    'find-page judge.skill.md:10 report.skill.md:14 report.skill.md:19 report.skill.md:22 report.skill.md:23',
  );
});

test('reports nothing for a skill that no remaining skill uses', () => {
  assert.equal(usesOf(['report.skill.md']), '');
  assert.equal(usesOf(['notes']), '');
  assert.equal(usesOf(['']), '');
  assert.equal(usesOf(['judge.skill.md', 'report.skill.md']), '');
});

test('reports nothing if another version of the skill remains', () => {
  const files = { ...WORLD, 'judge-2.skill.md': WORLD['judge.skill.md']?.replace('1.0.0', '2.0.0') ?? '' };
  assert.equal(usesOf(['judge.skill.md'], files), '');
});
