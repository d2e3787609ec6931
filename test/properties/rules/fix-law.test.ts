/** The law of fixes in generated workspaces: each offered fix, applied alone, removes its finding and adds none. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fixEffects, HIDDEN } from '../../core/rules/fix-effects.ts';
import { openFiles, type PageFile } from '../../core/rules/page.ts';
import { cases } from '../../random.ts';
import { skillsWithFieldUses, skillsWithSharedNames } from '../random-names.ts';

const filesOf = (texts: Readonly<Record<string, string>>): readonly PageFile[] =>
  Object.entries(texts).map(([path, content]) => ({ language: 'skill', path, content, start: 0, end: 0 }));

/** The findings of composites depend on all names of a skill, so a fix of a name may show any of them. */
const ABOUT_OTHERS = new Set(['missing-required-field', 'unused-parameter', 'type-mismatch', 'ambiguous-field-mapping']);

function checkLaw(texts: Readonly<Record<string, string>>): void {
  for (const { finding, fix, isGone, added, files } of fixEffects(filesOf(texts), openFiles)) {
    const where = () =>
      `"${fix.title}" for ${finding.rule}: ${finding.message}\n${Object.values(texts).join('\n')}\ngives\n${files.map(({ content }) => content).join('\n')}`;
    assert.ok(isGone, `the finding is left by ${where()}`);
    const fresh = added.filter(({ rule }) => !HIDDEN.has(`${finding.rule} ${rule}`) && !ABOUT_OTHERS.has(rule));
    assert.deepEqual(
      fresh.map(({ rule, message }) => `${rule}: ${message}`),
      [],
      where(),
    );
  }
}

describe('each fix removes its finding and adds none', () => {
  it('in skills whose names have many roles', () => {
    fc.assert(fc.property(skillsWithSharedNames, checkLaw), cases(150));
  });

  it('in skills that use their fields in many places', () => {
    fc.assert(fc.property(skillsWithFieldUses, checkLaw), cases(60));
  });
});
