/** Every rule has a page `docs/rules/RULE.md`, which is both documentation and fixture, and every page is correct. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { shorteningFixes } from '../../../server/src/features/actions/shorten-description.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import type { Rule } from '../../../server/src/rules/engine/rule.ts';
import {
  findingsIn,
  openCase,
  type PageCase,
  parsePage,
  ROOT,
  textsAfterFix,
  withMarkers,
  withoutMarkers,
} from './page.ts';

const folder = 'docs/rules';
const update = process.env.UPDATE_EXPECT === '1';

describe('rule pages', () => {
  it('exist for every rule, and only for rules', () => {
    const pages = readdirSync(folder).flatMap((file) => (file === 'README.md' ? [] : [file.replace(/\.md$/, '')]));
    assert.deepEqual(pages.sort(), rules.map(({ name }) => name).sort());
  });

  for (const rule of rules) {
    const path = `${folder}/${rule.name}.md`;
    if (!existsSync(path)) continue;
    it(rule.name, () => checkPage(rule, path));
  }
});

function checkPage(rule: Rule, path: string) {
  let text = readFileSync(path, 'utf8');
  const expectations = expectationsOf(rule, text);
  if (update) {
    for (const { start, end, actual } of expectations.reverse()) text = text.slice(0, start) + actual + text.slice(end);
    writeFileSync(path, text);
    return;
  }
  for (const { title, expected, actual } of expectations) assert.equal(actual, expected, `${rule.name}: ${title}`);
}

interface Expectation {
  readonly title: string;
  readonly expected: string;
  readonly actual: string;
  readonly start: number;
  readonly end: number;
}

function expectationsOf(rule: Rule, text: string): Expectation[] {
  const { title, cases } = parsePage(text);
  assert.equal(title, rule.name, 'the title is the rule’s name');
  assert.ok(
    cases.some(({ kind }) => kind === 'failing'),
    'there is a failing case',
  );
  assert.ok(
    cases.some(({ kind }) => kind === 'valid'),
    'there is a valid case',
  );
  let failing: PageCase | undefined;
  return cases.flatMap((one) => {
    if (one.kind === 'fixed') return failing ? fixedExpectations(rule, failing, one) : [];
    if (one.kind === 'failing') failing = one;
    const [main] = one.files;
    assert.ok(main, `the case "${one.title}" has a file`);
    const findings = findingsIn(openCase(one.files, rule), main.path);
    const actual = withMarkers(withoutMarkers(main.content), findings);
    if (one.kind === 'failing')
      assert.ok(
        findings.some((finding) => finding.rule === rule.name),
        `"${one.title}" fails`,
      );
    if (one.kind === 'valid' && !update) {
      assert.deepEqual(
        findings.map((finding) => finding.rule),
        [],
        `"${one.title}" has no finding`,
      );
    }
    return [{ title: one.title || one.kind, expected: main.content, actual, start: main.start, end: main.end }];
  });
}

/** The expectations about the fix of the page's rule: it produces the text on the page, and removes the finding. */
function fixedExpectations(rule: Rule, failing: PageCase, fixed: PageCase): Expectation[] {
  const [main] = failing.files;
  assert.ok(main);
  const workspace = openCase(failing.files, rule);
  const file = workspace.analysis.file(`${ROOT}/${main.path}`);
  const fixes = findingsIn(workspace, main.path).flatMap((finding) =>
    finding.rule === rule.name && file ? [...finding.fixes, ...shorteningFixes(workspace.analysis, file, finding)] : [],
  );
  const fix = fixed.title ? fixes.find(({ title }) => title === fixed.title) : fixes[0];
  assert.ok(fix, `no fix "${fixed.title}" among ${JSON.stringify(fixes.map(({ title }) => title))}`);
  const texts = textsAfterFix(workspace, fix);
  return fixed.files.map(({ path, content, start, end }) => {
    const actual = texts.get(path);
    assert.ok(actual !== undefined, `the fix "${fix.title}" does not change ${path}`);
    return { title: `fixed by "${fix.title}"`, expected: content, actual, start, end };
  });
}
