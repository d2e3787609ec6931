/** What holds for every text in every dialect, however broken. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { completion } from '../../../server/src/features/completion/index.ts';
import { hover } from '../../../server/src/features/hover.ts';
import { utf16, utf8 } from '../../../server/src/features/locate.ts';
import { applyEdits } from '../../../server/src/text.ts';
import type { Workspace } from '../../../server/src/workspace/workspace.ts';
import { RUNS, samples } from './corpus.ts';
import { anyPath, anyText, damagedSample } from './mutate.ts';
import { actionsOf, applySafeFixes, checkFindings, documentAt, open, ROOT, shown, textsAfter } from './opened.ts';
import { checkSurvival } from './survival.ts';

/** The samples as a workspace; a test puts one damaged file in and the sound one back. */
const workspace = open(Object.fromEntries(samples));

const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });

export function withDamaged(path: string, text: string, act: (workspace: Workspace) => void): void {
  put(path, text);
  try {
    act(workspace);
  } finally {
    put(path, samples.get(path) ?? '');
  }
}

/** A skill that uses every name the arbitrary texts are made of, so that they have something to clash with. */
const NEIGHBOUR = `---
name: x
description: What it is.
version: 1.0.0
input_schema: {a: string}
---
`;

export const openAny = (path: string, text: string) => open({ 'x.skill.md': NEIGHBOUR, [path]: text });

/** Each fix on its own, then all safe ones until none is left. */
export function checkFixes(one: Workspace, path: string): void {
  const uri = `${ROOT}/${path}`;
  const before = documentAt(one, path);
  for (const { fixes } of checkFindings(one, path)) {
    for (const fix of fixes) {
      for (const [changed, text] of textsAfter(one, fix.edits)) {
        const document = one.index().documents.get(changed);
        const edits = fix.edits.filter((file) => file.uri === changed).flatMap((file) => file.edits);
        if (document) checkSurvival(document, fix, edits);
        if (changed !== uri) continue;
        one.apply({ kind: 'text', uri, text });
        checkFindings(one, path);
        one.apply({ kind: 'text', uri, text: before.text });
      }
    }
  }
  for (const { title, edit } of actionsOf(one, path)) assert.ok(edit, title);
  checkSafeFixes(one, path);
  one.apply({ kind: 'text', uri, text: before.text });
}

const bare = (text: string): string => text.replace(/[\\"']/g, '');

/** A safe fix adds quotes, blanks and fences; what it takes away says nothing that is not said elsewhere. */
function checkSafeFixes(one: Workspace, path: string): void {
  const { text } = documentAt(one, path);
  for (const { rule, fixes } of checkFindings(one, path)) {
    const [fix] = fixes;
    if (!fix?.safe) continue;
    const edits = fix.edits.flatMap((file) => file.edits);
    for (const { span, newText } of edits) {
      const old = text.slice(span.start, span.end);
      const isMend =
        bare(newText) === bare(old) ||
        rule === 'duplicate-key' ||
        /^\s*$/.test(old) ||
        // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the mend.
        /^[\0-\x1f\x7f-\x9f\ufffe\uffff]+$/.test(old);
      assert.ok(isMend, `"${fix.title}" makes ${JSON.stringify(old)} ${JSON.stringify(newText)} in ${shown(text)}`);
    }
    applyEdits(text, edits);
  }
  applySafeFixes(one, path);
}

export function checkFeatures(one: Workspace, path: string, where: number): void {
  const document = documentAt(one, path);
  const offset = Math.floor(where * document.text.length);
  for (const locate of [utf16, utf8]) {
    hover(one.index(), document, offset, locate);
    completion(one.index(), document, offset, locate);
    locate.range(document, { start: offset, end: document.text.length });
  }
}

const runs = (numRuns: number) => ({ numRuns: Math.round(numRuns * RUNS) });
const somewhere = fc.double({ min: 0, max: 1, noNaN: true });

describe('any text', () => {
  test('is checked, and every place and fix is sound', () => {
    fc.assert(
      fc.property(anyPath, anyText, (path, text) => checkFixes(openAny(path, text), path)),
      runs(150),
    );
  });

  test('has answers for a cursor anywhere', () => {
    fc.assert(
      fc.property(anyPath, anyText, somewhere, (path, text, where) => checkFeatures(openAny(path, text), path, where)),
      runs(150),
    );
  });
});

describe('a damaged sample', () => {
  test('is checked, and every place and fix is sound', () => {
    fc.assert(
      fc.property(damagedSample, ({ path, text }) => withDamaged(path, text, (one) => checkFixes(one, path))),
      runs(60),
    );
  });

  test('has answers for a cursor anywhere', () => {
    fc.assert(
      fc.property(damagedSample, somewhere, ({ path, text }, where) =>
        withDamaged(path, text, (one) => checkFeatures(one, path, where)),
      ),
      runs(100),
    );
  });
});
