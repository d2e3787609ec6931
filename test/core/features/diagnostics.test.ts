/** Findings as the server sends them to a client. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { diagnostics } from '../../../server/src/features/diagnostics.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { webPageOf } from '../../../server/src/reports/rule-page.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

test('the code of a diagnostic is the rule name, with a link only if the host knows the address of the page', () => {
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
    diagnostics(analysis, file, utf16).map(({ code, codeDescription }) => [code, codeDescription]),
    findings.map(({ rule }) => [rule, undefined]),
  );
  const address = (rule: string): string | undefined => webPageOf(rule, 'https://example.com/manual');
  assert.deepEqual(
    diagnostics(analysis, file, utf16, [], address).map(({ codeDescription }) => codeDescription),
    findings.map(({ rule }) => ({ href: `https://example.com/manual/rules/${rule}.html` })),
  );
  assert.ok(diagnostics(analysis, file, utf16, [], () => undefined).every((one) => !('codeDescription' in one)));
});

for (const [what, clients, rules] of [
  [
    'reports the effect of a fault in a target client, even if the editor reports the fault itself',
    ['crush'],
    ['agent-skill-name-folder'],
  ],
  ['does not repeat a fault that the editor itself reports', [], []],
] as const) {
  test(what, () => {
    const workspace = new Workspace();
    const uri = 'file:///w/.crush/skills/review-code/SKILL.md';
    workspace.apply({ kind: 'clients', clients });
    workspace.apply({
      kind: 'text',
      uri,
      text: '---\nname: code-review\ndescription: Reviews a change.\n---\n\nLook.\n',
    });
    const { analysis } = workspace;
    const file = analysis.file(uri);
    assert.ok(file);
    const found = diagnostics(analysis, file, utf16, ['agent-skill-name-folder']);
    assert.deepEqual(
      found.map(({ code }) => code),
      rules,
    );
    assert.ok(found.every(({ message }) => /Crush does not load/.test(String(message))));
  });
}
