/** The order of code actions: the fixes of all findings, then the suppressions. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { utf16 } from '../../../server/src/features/locate.ts';

const TEXT = `---
name: a
description: Says it.
version: 1.0.0
input_schema: {n: integer, tone: [grim, wry]}
samples:
  s: {parameters: {tone: grimm}, profil: x}
  t: {parameters: {tone: wry}}
---

Say it.
`;

it('offers one suppression for each rule, after the fixes of all findings in the range', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: 'file:///a.skill.md', text: TEXT });
  const file = workspace.analysis.file('file:///a.skill.md');
  assert.ok(file);
  const range = { start: { line: 6, character: 0 }, end: { line: 6, character: 50 } };
  const titles = codeActions(workspace.analysis, file, range, undefined, utf16).map(({ title }) => title);
  assert.deepEqual(titles, [
    'Add ‘n’ to the sample',
    'Add ‘n’ to all samples',
    'Replace with ‘grim’',
    'Rename to ‘profile’',
    'Suppress ‘invalid-sample’ here',
    'Suppress ‘unknown-key’ here',
  ]);
});
