/**
 * Laws of renaming: a rename adds no findings, changes prompts only in the name and can be undone, and a search from any
 * occurrence finds the same occurrences.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { occurrencesOf, targetAt } from '../../server/src/features/symbol/occurrences.ts';
import { cases } from '../random.ts';
import { filesOf, workspace } from './composer/random-skills.ts';
import { samples, soundSamples } from './corpus.ts';
import { damagedSample } from './mutate.ts';
import { skillsWithFieldUses, skillsWithSharedNames } from './random-names.ts';
import { checkRename, renameContextOf, symbolsOf } from './renaming.ts';

const sound = renameContextOf(soundSamples);
const things = symbolsOf(sound);

test('the samples contain names of every kind', () => {
  const kinds = new Set(things.map(({ target }) => (target.kind === 'catalog' ? target.domain : target.kind)));
  for (const kind of ['skill', 'field', 'local', 'artifact', 'step', 'tool', 'scope', 'role', 'profile', 'interrupt']) {
    assert.ok(kinds.has(kind as never), kind);
  }
});

test('a rename breaks nothing, and renaming back restores every byte', () => {
  let done = 0;
  let tried = 0;
  fc.assert(
    fc.property(fc.constantFrom(...things), fc.nat(), (thing, which) => {
      tried++;
      if (checkRename(sound, thing, which)) done++;
    }),
    cases(30),
  );
  // Names that the format defines, and names that no mapping can rename, cannot be renamed.
  assert.ok(done > tried / 2, `only ${done} of ${tried} renames were done`);
});

test('a rename in a file with mistakes keeps its findings', () => {
  const mistaken = renameContextOf([...samples].filter(([path]) => path.startsWith('mistakes/')));
  fc.assert(
    fc.property(fc.constantFrom(...symbolsOf(mistaken)), fc.nat(), (thing, which) => {
      checkRename(mistaken, thing, which);
    }),
    cases(8),
  );
});

test('a rename in a damaged sample adds no findings', () => {
  fc.assert(
    fc.property(damagedSample, fc.nat(), fc.nat(), ({ path, text }, which, from) => {
      // The file may refer to other files in its folder.
      const folder = path.split('/')[0] ?? '';
      const near = [...soundSamples].filter(([other]) => other.startsWith(folder) || other.startsWith('skills.config'));
      const ground = renameContextOf(new Map([...near, [path, text]]));
      const all = symbolsOf(ground);
      const own = all.filter(({ occurrences }) => occurrences.some(({ file }) => file.uri.endsWith(path)));
      const thing = own[which % Math.max(1, own.length)];
      if (thing) checkRename(ground, thing, from);
    }),
    cases(6),
  );
});

test('a rename in random composites with repeated names adds no findings', () => {
  const grounds = fc.oneof(
    workspace.map((random) => Object.entries(filesOf(random))),
    skillsWithSharedNames.map((files) => Object.entries(files)),
  );
  fc.assert(
    fc.property(grounds, fc.nat(), fc.nat(), (files, which, from) => {
      const ground = renameContextOf(files);
      const all = symbolsOf(ground);
      const thing = all[which % Math.max(1, all.length)];
      if (thing) checkRename(ground, thing, from, false);
    }),
    cases(100),
  );
});

test('a rename of a field changes every place that names it', () => {
  let [done, tried] = [0, 0];
  fc.assert(
    fc.property(skillsWithFieldUses, fc.nat(), fc.nat(), (files, which, from) => {
      const ground = renameContextOf(Object.entries(files));
      const all = symbolsOf(ground).filter(
        ({ target }) => target.kind === 'field' && target.uri.endsWith('greet.skill.md'),
      );
      const thing = all[which % Math.max(1, all.length)];
      if (!thing) return;
      tried++;
      if (checkRename(ground, thing, from)) done++;
    }),
    cases(60),
  );
  assert.ok(done > tried / 2, `only ${done} of ${tried} renames were done`);
});

test('a search from any occurrence of a symbol finds the same occurrences', () => {
  fc.assert(
    fc.property(fc.constantFrom(...things), ({ target, occurrences }) => {
      const all = occurrences.map(({ file, span }) => `${file.uri} ${span.start}`);
      for (const { file, span } of occurrences.slice(0, 12)) {
        const here = targetAt(sound.analysis, file, span.start);
        const found = here ? occurrencesOf(sound.analysis, here.target) : [];
        assert.deepEqual(
          found.map((one) => `${one.file.uri} ${one.span.start}`),
          all,
          `${target.kind} ${target.name}`,
        );
      }
    }),
    cases(40),
  );
});
