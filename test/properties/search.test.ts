/** An edited workspace finds the same skills as a new one, with the same scores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchSkills } from '../../server/src/analysis/match-skills.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';

const WORDS = [
  'merge',
  'merged',
  'files',
  'the',
  'scene',
  '会議',
  '議事録',
  'Über',
  '{x}',
  '\u0000',
  '__proto__',
  'megre',
];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));
const skill = fc.record({
  name: fc.constantFrom('merge', 'scene', 'merge-files', ''),
  version: fc.constantFrom('1.0.0', '2.0.0', 'x'),
  description: text,
  trigger_phrases: fc.array(text, { maxLength: 2 }),
  intent_patterns: fc.array(text, { maxLength: 2 }),
  deprecated: fc.constantFrom(false, { use: 'merge' }, { use: 'scene' }),
});
const edit = fc.record({
  path: fc.constantFrom('a.skill.md', 'b.skill.md', 'c/SKILL.md', 'd/SKILL.md'),
  skill: fc.option(skill),
  asks: fc.boolean(),
});

function ask(workspace: Workspace, request: string) {
  return matchSkills(workspace.analysis, { request, top: 3, source: 'explicit' });
}

test('the ranking after single edits equals the ranking in a new workspace', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), text, (edits, request) => {
      const edited = new Workspace();
      for (const { path, skill, asks } of edits) {
        const uri = `file:///${path}`;
        if (skill) edited.apply({ kind: 'text', uri, text: `---\n${JSON.stringify(skill)}\n---\n` });
        else edited.apply({ kind: 'delete', uri });
        if (asks) ask(edited, request);
      }
      const fresh = new Workspace();
      for (const { uri, text } of edited.index.files.values()) fresh.apply({ kind: 'text', uri, text });
      const found = ask(edited, request);
      assert.deepEqual(found, ask(fresh, request));
      for (const { score } of found.matches) assert.ok(score >= 0 && score <= 1);
    }),
  );
});
