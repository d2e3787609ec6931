/** The composer refuses each skill for which `check` reports an error in `composes` or `execution`. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import type { Workspace } from '../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { findSkillEntry } from '../../../server/src/skill/contract.ts';
import { contains } from '../../../server/src/text.ts';
import { findingsIn, openFiles, parsePage, ROOT } from '../rules/page.ts';
import { compose, errorLines, failures } from './composing.ts';

/** The rules about levels, versions, scopes and gates, which do not prevent a run. */
const NOT_ABOUT_RUNS = [
  'invalid-l2-compose',
  'invalid-l3-compose',
  'missing-gate',
  'missing-scope',
  'version-conflict',
];

const own = (workspace: Workspace, path: string) => {
  const file = workspace.analysis.file(`${ROOT}/${path}`);
  assert.ok(file);
  const places = ['composes', 'execution'].flatMap(
    (key) => findSkillEntry(file.frontmatter.tree.root, key)?.span ?? [],
  );
  return findingsIn(workspace, path).filter(
    ({ span, severity, rule }) =>
      severity === 'error' && !NOT_ABOUT_RUNS.includes(rule) && places.some((place) => contains(place, span)),
  );
};

function errorsOf(workspace: Workspace, path: string) {
  const uri = `${ROOT}/${path}`;
  const skillPackage = checkedPackageOf(workspace.analysis, uri);
  assert.ok(skillPackage);
  const context = invocationContextOf(workspace.analysis, uri);
  const result = compose(prepareRequest(skillPackage, context, undefined, { madeUp: true }).request);
  return result.ok ? [] : result.errors.filter((error) => error.uri === uri);
}

describe('the composer refuses the failing files of the page', () => {
  for (const page of readdirSync('docs/rules').filter((name) => name !== 'README.md')) {
    const failing = parsePage(readFileSync(`docs/rules/${page}`, 'utf8')).cases.filter(
      ({ kind }) => kind === 'failing',
    );
    const cases = failing.flatMap(({ title, files }) => {
      const path = files[0]?.path ?? '';
      if (!/\.skill\.(md|yaml)$/.test(path)) return [];
      const workspace = openFiles(files);
      return own(workspace, path).map((finding) => ({ title, workspace, path, finding }));
    });
    if (cases.length === 0) continue;
    it(page, () => {
      for (const { title, workspace, path, finding } of cases) {
        const errors = errorsOf(workspace, path);
        // The composer looks for the composed skills only if the skill has no other error.
        const isRefused =
          errors.some(({ span }) => span.start === finding.span.start) ||
          (finding.rule === 'skill-not-found' && errors.length > 0);
        assert.ok(
          isRefused,
          `${title}: the composer accepts ${finding.rule}. Add \`prevents: ['composition']\` to the rule: ${finding.message}`,
        );
      }
    });
  }
});

it('no rule that the composer ignores is marked as preventing a composition', () => {
  const marked = rules.filter(({ prevents }) => prevents?.includes('composition')).map(({ name }) => name);
  assert.deepEqual(
    marked.filter((name) => NOT_ABOUT_RUNS.includes(name)),
    [],
  );
});

const NEXT: Readonly<Record<string, string>> = {
  'name: p': 'name: q',
  'a: string': 'b: string',
  'b: string': 'c: string',
};

describe('the error of the composer', () => {
  const part = 'name: p\ndescription: d\nversion: 1.0.0\ninput_schema: {a: string}\noutput_schema: {b: string}\n';
  const files = (rest: string) => ({
    'w.skill.yaml': `name: w\ndescription: d\nversion: 1.0.0\nlevel: 2\ninput_schema: {a: string}\noutput_schema: {}\n${rest}\n`,
    'p.skill.yaml': part,
    'q.skill.yaml': part.replace(/name: p|[ab]: string/g, (text) => NEXT[text] ?? text),
  });
  const lines = (rest: string) => errorLines(failures(files(rest), { parameters: { a: 'x' } }));
  const cases: Readonly<Record<string, string>> = {
    'composes: p': 'MissingRequiredField at "p": `composes` must be a list, but is a string.',
    'composes: [{as: p}]': 'MissingRequiredField at "as": Missing key `skill`.',
    'composes: [p]\nexecution: p': 'MissingRequiredField at "p": `execution` must be a list, but is a string.',
    'composes: [p]\nexecution: [{step: q}]': 'MissingRequiredField at "q": Unknown step `q`.',
    'composes: [p]\nexecution: [{step: p}, {step: p}]':
      'MissingRequiredField at "p": `p` runs twice, so both outputs would have the same name.',
    'composes: [p]\nexecution: [{when: [{steps: [{step: p}]}]}]':
      'MissingRequiredField at "steps": Missing key `condition`.',
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: $input.a ==}]':
      'MalformedTemplate at "==": Expected an expression, but the expression ends.',
    'composes: [p, q]\nexecution: [{step: p, inputs: {a: $q.output.c}}, {step: q}]':
      'MissingRequiredField at "$q.output.c": `q` has not run yet at this point, so it has no output.',
    'composes: [p]\nexecution: [{step: p, inputs: {a: $input.zz}}]':
      'MissingRequiredField at "zz": This skill has no input `zz`.',
    'composes: [q]':
      'MissingRequiredField at "q": `q` requires `b` (`string`), but no input or earlier step provides it.',
    'composes: [{skill: p, input_mapping: {a: zz}}]': 'MissingRequiredField at "zz": `p` has no input `zz`.',
    'composes: [{skill: p, input_mapping: {c: a}}, {skill: q}]':
      'MissingRequiredField at "p": Circular data: `p` requires `c` of `q` and `q` requires `b` of `p`.',
  };
  for (const [rest, expected] of Object.entries(cases)) {
    it(`is at the finding in ${JSON.stringify(rest)}`, () => assert.deepEqual(lines(rest), [expected]));
  }
});
