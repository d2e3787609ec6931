/** The example of the walkthrough has exactly three mistakes, each with a fix. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const uri = 'untitled:Untitled-1';
const findingsIn = (text: string) => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text });
  const analysis = workspace.analysis;
  const file = analysis.file(uri);
  assert.ok(file);
  return check(file, analysis);
};

test('the example contains three mistakes, and the first fix for each mistake removes it', () => {
  let text = readFileSync('docs/walkthrough/example.skill.md', 'utf8');
  assert.deepEqual(
    findingsIn(text).map(({ rule }) => rule),
    ['unknown-filter', 'undefined-variable', 'unknown-artifact-kind'],
  );
  for (let [finding] = findingsIn(text); finding; [finding] = findingsIn(text)) {
    const edits = finding.fixes[0]?.edits.flatMap((file) => file.edits) ?? [];
    assert.ok(edits.length > 0, `${finding.rule} has a fix`);
    text = applyEdits(text, edits);
  }
});
