/** A baseline recognizes a finding after its line has moved, and accepts no other finding. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import type { Finding } from '../../server/src/finding.ts';
import { digestOf } from '../../server/src/rules/engine/baseline.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { lineStartsOf } from '../../server/src/text.ts';
import { cases } from '../random.ts';
import { samples } from './corpus.ts';
import { ROOT } from './opened.ts';

const BASELINE = `${ROOT}/skills.baseline.json`;

const MISTAKES = [...samples.keys()].filter((path) => path.startsWith('mistakes/'));

function opened(path: string, text: string, baseline?: object): readonly Finding[] {
  const workspace = new Workspace();
  for (const [other, content] of samples) workspace.apply({ kind: 'text', uri: `${ROOT}/${other}`, text: content });
  workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  if (baseline) workspace.apply({ kind: 'text', uri: BASELINE, text: JSON.stringify(baseline) });
  const file = workspace.analysis.file(`${ROOT}/${path}`);
  return file ? check(file, workspace.analysis) : [];
}

/** The identity of each finding in a baseline: its rule and the marked line. Findings with a measure are left out. */
const marks = (text: string, findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ measure }) => !measure)
    .map(({ rule, span }) => {
      const start = text.lastIndexOf('\n', span.start - 1) + 1;
      const end = text.indexOf('\n', span.start);
      return `${rule}: ${text.slice(start, end < 0 ? undefined : end).trim()}`;
    });

function counted(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

test('accepted findings stay accepted when lines are added or removed, and new findings are not accepted', () => {
  const edit = fc.record({
    at: fc.nat(60),
    taken: fc.nat(1),
    put: fc.constantFrom('', '# a line', 'tools: [reed_page]'),
  });
  fc.assert(
    fc.property(fc.constantFrom(...MISTAKES), fc.array(edit, { maxLength: 3 }), (path, edits) => {
      const text = samples.get(path) ?? '';
      const before = opened(path, text);
      const lines = lineStartsOf(text);
      const findings = before
        .filter(({ measure }) => !measure)
        .map((one) => ({ rule: one.rule, file: path, digest: digestOf(one, path, text, lines), count: 1 }));
      const edited = text.split('\n');
      for (const { at, taken, put } of edits) edited.splice(at, taken, put);
      const after = edited.join('\n');
      const now = opened(path, after, { version: 1, findings: together(findings) });
      const plain = now.filter(({ measure }) => !measure);
      const known = counted(marks(text, before));
      for (const [mark, count] of counted(marks(after, plain))) {
        const left =
          counted(
            marks(
              after,
              plain.filter(({ isKnown }) => !isKnown),
            ),
          ).get(mark) ?? 0;
        assert.equal(left, Math.max(0, count - (known.get(mark) ?? 0)), mark);
      }
      for (const { isKnown, severity } of now) if (isKnown) assert.equal(severity, 'hint');
    }),
    cases(1),
  );
});

interface Entry {
  readonly digest: string;
  readonly count: number;
}

function together<One extends Entry>(entries: readonly One[]): readonly One[] {
  const all = new Map<string, One>();
  for (const one of entries) all.set(one.digest, { ...one, count: (all.get(one.digest)?.count ?? 0) + 1 });
  return [...all.values()];
}
