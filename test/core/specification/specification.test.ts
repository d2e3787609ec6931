/**
 * Examples of composition (docs/format.md, section 4). The pages in this folder have the same form as rule pages.
 * In addition, this test checks every file of a case, and reads further results from its `expect` fence:
 *
 *     order: SKILLS             topological order of the skill's closure (6.1)
 *     stages: A | B, C | D      the skills that may run in parallel (6.2)
 *     effects: …                inferred from the composed skills (5.1)
 *     operation: …              inferred from the composed skills (5.2)
 *     related RULE: …           the related locations of the rule's findings, `file: text: message`
 *     fixes RULE: …             the titles of their fixes
 *
 * `UPDATE_EXPECT=1` writes the actual results, for you to read.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Workspace } from '../../../server/src/analysis/workspace.ts';
import { missingRequiredField } from '../../../server/src/rules/data-flow/data-flow-rules.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { effectiveContract } from '../../../server/src/workspace/effective-contract.ts';
import { stepsByStage } from '../../../server/src/workspace/order.ts';
import { findingsIn, openCase, type PageFile, parsePage, ROOT, withMarkers, withoutMarkers } from '../rules/page.ts';
import { findingsOf, openSkills } from '../workspace/skills.ts';

const folder = 'test/core/specification';
const update = process.env.UPDATE_EXPECT === '1';

/** The expected lines of the fence, and the actual ones. */
function expectation(workspace: Workspace, { path, content }: PageFile): string {
  const { graph } = workspace.analysis;
  const root = graph.skills.get(`${ROOT}/${path}`);
  assert.ok(root, path);
  const closure = graph.closureOf(root);
  const { effects, operation } = effectiveContract(closure, workspace.analysis.operationOfTool);
  const of = (rule: string) => findingsIn(workspace, path).filter((finding) => finding.rule === rule);
  const answers: Readonly<Record<string, (rule: string) => readonly string[]>> = {
    order: () => [closure.map(({ summary }) => summary.name).join(', ')],
    stages: () => [
      stepsByStage(graph, root)
        .map((stage) => stage.join(', '))
        .join(' | '),
    ],
    effects: () => [[...effects.keys()].join(', ')],
    operation: () => [operation?.name ?? 'none'],
    related: (rule) =>
      of(rule).flatMap(({ related }) =>
        related.map(({ uri, span, message }) => {
          const text = workspace.analysis.file(uri)?.text ?? '';
          return `${uri.slice(ROOT.length + 1)}: ${sliceOf(text, span)}: ${message}`;
        }),
      ),
    fixes: (rule) => of(rule).flatMap(({ fixes }) => fixes.map(({ title }) => title)),
  };
  const questions = new Set(content.split('\n').flatMap((line) => /^([a-z]+(?: [a-z-]+)?): /.exec(line)?.[1] ?? []));
  const lines = [...questions].flatMap((question) => {
    const [key = '', rule = ''] = question.split(' ');
    const answer = answers[key];
    assert.ok(answer, `\`${question}\` is no question`);
    return answer(rule).map((one) => `${question}: ${one}`);
  });
  return lines.map((line) => `${line}\n`).join('');
}

describe('examples of composition', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    it(file, () => checkPage(`${folder}/${file}`));
  }
});

describe('the constraint table of section 4.2', () => {
  for (const [range, allowed, refused] of [
    ['1.2.3', ['1.2.3'], ['1.2.2', '1.2.4', '2.0.0']],
    ['>=1.2.0', ['1.2.0', '1.3.0', '2.0.0'], ['1.1.9']],
    ['^1.2.0', ['1.2.0', '1.9.0'], ['1.1.0', '2.0.0']],
    ['~1.2.0', ['1.2.0', '1.2.5'], ['1.1.9', '1.3.0']],
  ] as const) {
    const findingsWith = (version: string) => {
      const workspace = openSkills({
        whole: ['level: 2', 'composes: [part]', `requires: [{skill: part, version: "${range}"}]`],
        part: [`version: ${version}`],
      });
      return findingsOf(workspace, 'whole').map(({ code }) => code);
    };
    for (const version of allowed)
      it(`\`${range}\` accepts ${version}`, () => assert.deepEqual(findingsWith(version), []));
    for (const version of refused) {
      it(`\`${range}\` refuses ${version} (E006)`, () => assert.deepEqual(findingsWith(version), ['E006']));
    }
  }

  it('reports two ranges in one closure that no version satisfies (E017)', () => {
    const workspace = openSkills({
      whole: ['level: 2', 'composes: [a, b]'],
      a: ['requires: [{skill: part, version: ^1.2.0}]'],
      b: ['requires: [{skill: part, version: ~2.1.0}]'],
      part: ['version: 1.4.0'],
    });
    assert.deepEqual(
      findingsOf(workspace, 'whole').map(({ code }) => code),
      ['E017'],
    );
  });
});

function checkPage(path: string): void {
  let text = readFileSync(path, 'utf8');
  const found = parsePage(text).cases.flatMap(({ kind, title, files }) => {
    const skills = files.filter(({ language }) => language !== 'expect');
    const workspace = openCase(skills, missingRequiredField);
    const all = skills.flatMap((one) => findingsIn(workspace, one.path));
    assert.equal(all.length > 0, kind === 'failing', `"${title}" is ${kind}: ${all.map(({ message }) => message)}`);
    return files.map((one) => {
      const written = withoutMarkers(one.content);
      const actual =
        one.language === 'expect'
          ? expectation(workspace, one)
          : one.language === 'baseline'
            ? written
            : withMarkers(written, findingsIn(workspace, one.path));
      return { ...one, title, actual };
    });
  });
  assert.ok(found.length > 0, path);
  if (update) {
    for (const { start, end, actual } of found.reverse()) text = text.slice(0, start) + actual + text.slice(end);
    writeFileSync(path, text);
    return;
  }
  for (const { title, path: of, content, actual } of found) assert.equal(actual, content, `${title}: ${of}`);
}
