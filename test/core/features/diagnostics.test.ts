/** Findings as the server sends them to a client. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CodeAction } from 'vscode-languageserver-types';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { diagnostics } from '../../../server/src/features/diagnostics.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { DiagnosticData } from '../../../server/src/protocol.ts';
import { webPageOf } from '../../../server/src/reports/rule-page.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { openFiles, parsePage, ROOT } from '../rules/page.ts';

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
    diagnostics(analysis, file, utf16, { addressOf: address }).map(({ codeDescription }) => codeDescription),
    findings.map(({ rule }) => ({ href: `https://example.com/manual/rules/${rule}.html` })),
  );
  assert.ok(
    diagnostics(analysis, file, utf16, { addressOf: () => undefined }).every((one) => !('codeDescription' in one)),
  );
});

describe('the preferred fix in the data of a diagnostic', () => {
  /** Returns each `data` with the title of the preferred action, for the findings in the first failing case of each rule. */
  function* dataAndTitles(): Iterable<readonly [DiagnosticData | undefined, string | undefined]> {
    for (const rule of rules) {
      const { cases } = parsePage(readFileSync(`docs/rules/${rule.name}.md`, 'utf8'));
      for (const { files } of cases.filter(({ kind }) => kind === 'failing').slice(0, 1)) {
        const { analysis } = openFiles(files);
        for (const file of files.flatMap(({ path }) => analysis.file(`${ROOT}/${path}`) ?? [])) {
          const all = { start: { line: 0, character: 0 }, end: { line: file.lines.length, character: 0 } };
          const actions = codeActions(analysis, file, all, ['quickfix'], utf16, {
            textOfNew: () => '',
            renamesFiles: true,
          });
          for (const { data, ...own } of diagnostics(analysis, file, utf16, { namesFixes: true })) {
            const isOfFinding = ({ diagnostics: [of] = [] }: CodeAction) =>
              isDeepStrictEqual({ ...of, data }, { ...own, data });
            yield [data, actions.find((action) => action.isPreferred === true && isOfFinding(action))?.title];
          }
        }
      }
    }
  }

  it('is the fix that code actions prefer, or is missing if the fix depends on the client or on other files', () => {
    const all = [...dataAndTitles()];
    const known = all.filter(([data]) => data?.fix !== undefined);
    assert.deepEqual(
      known.map(([data]) => data?.fix),
      known.map(([, title]) => title ?? null),
    );
    assert.ok(known.length > 0.8 * all.length);
    assert.ok(known.filter(([, title]) => title !== undefined).length > 50);
  });

  it('is not sent to a client that does not request it', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: 'file:///w/a.skill.md', text: '---\nname: a\ntols: []\n---\n' });
    const file = workspace.analysis.file('file:///w/a.skill.md');
    assert.ok(file);
    const sent = diagnostics(workspace.analysis, file, utf16);
    assert.ok(sent.length > 0);
    assert.ok(sent.every((one) => !('data' in one)));
  });
});
