/** Findings as a client gets them. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { diagnostics } from '../../../server/src/features/diagnostics.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { check } from '../../../server/src/rules/check.ts';

test('the code of a diagnostic is the name of its rule, also where the rule has a number, and leads to its page', () => {
  const workspace = new Workspace();
  const uri = 'file:///w/a.skill.md';
  const text = '---\nname: a\ndescription: x\nversion: 1.0.0\nlevel: 2\ncomposes: [nobody]\ntols: []\n---\n\nDo it.\n';
  workspace.apply({ kind: 'text', uri, text });
  const { analysis } = workspace;
  const file = analysis.file(uri);
  assert.ok(file);
  const findings = check(file, analysis);
  assert.ok(findings.some(({ rule, code }) => rule !== code));
  assert.deepEqual(
    diagnostics(analysis, file, utf16).map(({ code, codeDescription }) => [code, codeDescription?.href]),
    findings.map(({ rule }) => [rule, `skill-rule:${rule}`]),
  );
});
