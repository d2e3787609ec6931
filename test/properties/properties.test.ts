/** Properties of every text in every dialect, however broken. */
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Workspace } from '../../server/src/analysis/workspace.ts';
import { cases } from '../random.ts';
import { checkFeatures, checkFixes } from './checks.ts';
import { samples } from './corpus.ts';
import { anyPath, anyText, damagedSample } from './mutate.ts';
import { open, ROOT } from './opened.ts';

/** The samples as a workspace. A test replaces one file with a damaged file, and then restores the original. */
const workspace = open(Object.fromEntries(samples));

const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });

function withDamaged(path: string, text: string, act: (workspace: Workspace) => void): void {
  put(path, text);
  try {
    act(workspace);
  } finally {
    put(path, samples.get(path) ?? '');
  }
}

/** A skill that uses every name in the generated strings, so that names can conflict. */
const NEIGHBOUR = `---
name: x
description: What it is.
version: 1.0.0
input_schema: {a: string}
---
`;

const openAny = (path: string, text: string) => open({ 'x.skill.md': NEIGHBOUR, [path]: text });

const somewhere = fc.double({ min: 0, max: 1, noNaN: true });

describe('any text', () => {
  test('causes only findings with valid spans and fixes', () => {
    fc.assert(
      fc.property(anyPath, anyText, (path, text) => checkFixes(openAny(path, text), path)),
      // A line that contains only a no-break space is not empty, so a comment above it suppresses findings there.
      { ...cases(60), examples: [['b.skill.yaml', '\u00a0\r}}']] },
    );
  });

  test('causes no exception for a cursor at any offset', () => {
    fc.assert(
      fc.property(anyPath, anyText, somewhere, (path, text, where) => checkFeatures(openAny(path, text), path, where)),
      cases(60),
    );
  });
});

const SAMPLE = 'agent-skills/continuity-notes/SKILL.md';
const indentedFirstLine = { path: SAMPLE, text: `  ${samples.get(SAMPLE)}` };

describe('a damaged sample', () => {
  test('causes only findings with valid spans and fixes', () => {
    fc.assert(
      fc.property(damagedSample, ({ path, text }) => withDamaged(path, text, (one) => checkFixes(one, path))),
      { ...cases(25), examples: [[indentedFirstLine]] },
    );
  });

  test('causes no exception for a cursor at any offset', () => {
    fc.assert(
      fc.property(damagedSample, somewhere, ({ path, text }, where) =>
        withDamaged(path, text, (one) => checkFeatures(one, path, where)),
      ),
      cases(40),
    );
  });
});
