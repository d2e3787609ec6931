/** The composer refuses each skill for which `check` reports an error in its composition, or about an output of its steps. */
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
  const conditions = file.contract.interrupts.flatMap(({ when }) => when?.span ?? []);
  const outputs = findSkillEntry(file.frontmatter.tree.root, 'output_schema')?.span;
  const isOutput = (name: string): boolean =>
    rules.some((rule) => rule.name === name && rule.prevents?.includes('output') === true);
  return findingsIn(workspace, path).filter(
    ({ span, severity, rule }) =>
      severity === 'error' &&
      !NOT_ABOUT_RUNS.includes(rule) &&
      ([...places, ...conditions].some((place) => contains(place, span)) ||
        (outputs !== undefined && isOutput(rule) && contains(outputs, span))),
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

describe('a required output', () => {
  const head = (name: string, output: string): string =>
    `name: ${name}\ndescription: d\nversion: 1.0.0\nlevel: 2\ninput_schema: {a: string}\noutput_schema: ${output}\n`;
  const part = (exit: string): string =>
    `---\n${head('p', '{b: string}').replace('level: 2\n', '')}tools: [read_page]\ninterrupts: [before_exit]\n${exit}---\n\nSay it.\n`;
  const EXITS = {
    none: '',
    output: 'exit: {on: output_schema}\n',
    budget: 'exit: {on: tool_budget, max_tool_calls: 2}\n',
    interrupt: 'exit: {on: interrupt, name: before_exit}\n',
    caller: 'exit: {on: caller}\n',
  };
  const told = (
    exit: string,
    path: string,
    text: string,
    others: Readonly<Record<string, string>> = {},
  ): readonly string[] => {
    const files = [
      { path, content: text },
      ...Object.entries(others).map(([other, content]) => ({ path: other, content })),
      { path: 'p.skill.md', content: part(exit) },
      {
        path: 'q.skill.yaml',
        content: `${head('q', '{d: string}').replace('level: 2', 'level: 1').replace('{a: string}', '{b: string}')}`,
      },
    ].map((file) => ({ ...file, language: 'yaml', start: 0, end: 0 }));
    const workspace = openFiles(files);
    const errors = errorsOf(workspace, path).map(({ message }) => message);
    assert.deepEqual(
      own(workspace, path).map(({ message }) => errors.some((error) => message.startsWith(error))),
      errors.map(() => true),
      'check and the composer agree',
    );
    return errors;
  };

  for (const [exit, lines] of Object.entries(EXITS)) {
    const isDoubtful = !['none', 'output'].includes(exit);
    it(`of a step with the exit ${exit} is ${isDoubtful ? 'refused' : 'accepted'} in a composite without a body`, () => {
      const whole = `${head('w', '{b: string}')}composes: [p]\n`;
      assert.equal(told(lines, 'w.skill.yaml', whole).length, isDoubtful ? 1 : 0);
      assert.deepEqual(told(lines, 'w.skill.yaml', whole.replace('b: string', 'b: string?')), []);
      assert.deepEqual(told(lines, 'w.skill.md', `---\n${whole}---\n\nSay it.\n`), []);
    });

    it(`of a step with the exit ${exit} ${isDoubtful ? 'does not satisfy' : 'satisfies'} a required input, unless a condition tests the step`, () => {
      const whole = `${head('w', '{d: string?}')}composes: [p, q]\n`;
      assert.equal(told(lines, 'w.skill.yaml', whole).length, isDoubtful ? 1 : 0);
      const guarded = `${whole}execution: [{step: p}, {step: q, condition: $p.output.b is defined}]\n`;
      assert.deepEqual(told(lines, 'w.skill.yaml', guarded), []);
    });
  }

  it('of a composite whose own steps give it is certain with every exit except an interrupt', () => {
    const middle = (exit: string): string =>
      `${head('m', '{b: string}')}composes: [p]\ninterrupts: [before_exit]\n${exit}`;
    const whole = head('w', '{b: string}').replace('level: 2', 'level: 3');
    for (const [exit, count] of [
      [EXITS.caller, 0],
      [EXITS.interrupt, 1],
    ] as const) {
      const files = { 'm.skill.yaml': middle(exit) };
      assert.equal(told('', 'w.skill.yaml', `${whole}composes: [m]\n`, files).length, count, exit);
    }
  });

  it('that no step gives, or gives with another type, is refused only without a body', () => {
    for (const output of ['{c: string}', '{b: integer}']) {
      const whole = `${head('w', output)}composes: [p]\n`;
      assert.equal(told('', 'w.skill.yaml', whole).length, 1, output);
      assert.deepEqual(told('', 'w.skill.md', `---\n${whole}---\n\nSay it.\n`), [], output);
    }
  });

  it('is refused with the unknown name in an interrupt, of the skill and of a composed skill', () => {
    const interrupt = 'interrupts: [{name: before_exit, when: zz == 1}]\n';
    const whole = `${head('w', '{b: string}')}composes: [p]\n`;
    assert.deepEqual(told('', 'w.skill.yaml', `${whole}${interrupt}`), ['Undefined variable `zz`.']);
  });
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
    'composes: p': 'InvalidComposition at "p": `composes` must be a list, but is a string.',
    'composes: [{as: p}]': 'MissingRequiredField at "as": Missing key `skill`.',
    'composes: [p]\nexecution: p': 'InvalidComposition at "p": `execution` must be a list, but is a string.',
    'composes: [p]\nexecution: [{step: q}]': 'InvalidComposition at "q": Unknown step `q`.',
    'composes: [p]\nexecution: [{step: p}, {step: p}]':
      'InvalidComposition at "p": `p` runs twice, so both outputs would have the same name.',
    'composes: [p]\nexecution: [{when: [{steps: [{step: p}]}]}]':
      'MissingRequiredField at "steps": Missing key `condition`.',
    'composes: [p, q]\nexecution: [{step: p}, {step: q, condition: $input.a ==}]':
      'MalformedTemplate at "==": Expected an expression, but the expression ends.',
    'composes: [p, q]\nexecution: [{step: p, inputs: {a: $q.output.c}}, {step: q}]':
      'InvalidComposition at "$q.output.c": `q` has not run yet at this point, so it has no output.',
    'composes: [p]\nexecution: [{step: p, inputs: {a: $input.zz}}]':
      'InvalidComposition at "zz": This skill has no input `zz`.',
    'composes: [q]':
      'MissingRequiredField at "q": `q` requires `b` (`string`), but no input or earlier step provides it.',
    'composes: [{skill: p, input_mapping: {a: zz}}]': 'InvalidComposition at "zz": `p` has no input `zz`.',
    'composes: [{skill: p, input_mapping: {c: a}}, {skill: q}]':
      'InvalidComposition at "p": Circular data: `p` requires `c` of `q` and `q` requires `b` of `p`.',
  };
  for (const [rest, expected] of Object.entries(cases)) {
    it(`is at the finding in ${JSON.stringify(rest)}`, () => assert.deepEqual(lines(rest), [expected]));
  }
});
