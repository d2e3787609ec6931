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

/** The findings that faults hide only in these workspaces, as in `HIDDEN`. */
const HIDDEN_HERE: ReadonlyMap<string, string> = new Map([
  ['invalid-execution missing-required-field', 'the data flow of an invalid execution is unknown'],
  ['invalid-execution type-mismatch', 'the data flow of an invalid execution is unknown'],
  ['invalid-execution unused-mapping', 'the data flow of an invalid execution is unknown'],
  ['missing-framing broken-composed-skill', 'the message names the next fault of the composed skill'],
  ['undefined-variable broken-composed-skill', 'the message names the next fault of the composed skill'],
  ['undefined-variable example-mismatch', 'each new input is an input that examples must have'],
  ['undefined-variable invalid-sample', 'each new input is an input that samples must have'],
  ['undefined-variable undefined-variable', 'a schema without inputs allows any field of `parameters`'],
  ['unguarded-value refused-value', 'an expression has one problem with its types at a time'],
]);

function checkLaw(texts: Readonly<Record<string, string>>): void {
  for (const { finding, fix, isGone, added, files } of fixEffects(filesOf(texts), openFiles)) {
    const where = () =>
      `"${fix.title}" for ${finding.rule}: ${finding.message}\n${Object.values(texts).join('\n')}\ngives\n${files.map(({ content }) => content).join('\n')}`;
    assert.ok(isGone, `the finding is left by ${where()}`);
    const isHidden = (pair: string): boolean => HIDDEN.has(pair) || HIDDEN_HERE.has(pair);
    const fresh = added.filter(({ rule }) => !isHidden(`${finding.rule} ${rule}`));
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
