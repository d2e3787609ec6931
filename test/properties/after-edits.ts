/** Compares a workspace after edits with a new one. */
import assert from 'node:assert/strict';
import { type Change, Workspace } from '../../server/src/analysis/workspace.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { shown } from './opened.ts';

type Findings = ReadonlyMap<string, string>;

/** The findings of every file, in a form that can be compared. */
function allFindings(workspace: Workspace): Findings {
  const analysis = workspace.analysis;
  return new Map([...analysis.allFiles()].map((file) => [file.uri, JSON.stringify(check(file, analysis))]));
}

/** Asserts that a workspace has the findings of a new one after each of the changes, and tells the files that each change affects. */
export function assertSameAsNew(changes: readonly Change[]): void {
  const workspace = new Workspace();
  const state = new Map<string, Change>();
  let before: Findings = new Map();
  for (const next of changes) {
    const affected = workspace.apply(next);
    const key = 'uri' in next ? next.uri : next.kind;
    // Deletes the key first: a map keeps the position of a key that is set again, but the entries must be in the
    // order of the last changes.
    state.delete(key);
    if (next.kind !== 'delete') state.set(key, next);
    const after = allFindings(workspace);
    for (const [uri, findings] of after) {
      const isTold = affected === 'all' || affected.has(uri) || findings === (before.get(uri) ?? '[]');
      assert.ok(isTold, `${uri} is not affected by ${shown(JSON.stringify(next))}: ${before.get(uri)} → ${findings}`);
    }
    before = after;
  }
  const fresh = new Workspace();
  // The order in which files are found has no meaning.
  for (const one of [...state.values()].reverse()) fresh.apply(one);
  const expected = allFindings(fresh);
  assert.deepEqual([...before.keys()].sort(), [...expected.keys()].sort());
  for (const [uri, findings] of before)
    assert.deepEqual(JSON.parse(findings), JSON.parse(expected.get(uri) ?? ''), uri);
}
