/** The text that fixes of the composition rules leave unchanged, in cases that the pages do not show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../../server/src/text.ts';
import { contract, findingOf, openSkills, rulesOf, uriOf } from './skills.ts';

describe('removing the composed skill that closes a cycle', () => {
  /** The lines of the skill after `composes`, before and after the first fix. */
  function fixed(...lines: readonly string[]): readonly string[] {
    const workspace = openSkills({ whole: ['level: 3', ...lines], part: ['level: 1'] });
    const [fix] = findingOf(workspace, 'whole', 'circular-dependency').fixes;
    const text = workspace.analysis.file(uriOf('whole'))?.text ?? '';
    const after = applyEdits(text, fix?.edits[0]?.edits ?? []);
    return after.slice(contract('whole', 'level: 3').length).split('\n').slice(0, -1);
  }

  it('also removes its steps, including those in groups', () => {
    assert.deepEqual(
      fixed(
        'composes: [part, whole]',
        'execution:',
        '  - {step: part}',
        '  - speculate: [{step: whole}, {step: part}]',
      ),
      ['composes: [part]', 'execution:', '  - {step: part}', '  - speculate: [{step: part}]'],
    );
    assert.deepEqual(
      fixed(
        'composes: [part, whole]',
        'execution:',
        '  - {step: part}',
        '  - parallel: [{step: whole}]',
        '  - {step: part}',
      ),
      ['composes: [part]', 'execution:', '  - {step: part}', '  - {step: part}'],
    );
  });

  it('removes an execution that would be empty', () => {
    assert.deepEqual(fixed('composes: [part, whole]', 'execution: [{step: whole}]'), ['composes: [part]']);
  });

  it('keeps the steps if two entries share a name', () => {
    const lines = ['composes: [part, {skill: whole, as: part}]', 'execution: [{step: part}]'];
    assert.deepEqual(fixed(...lines), ['composes: [part]', 'execution: [{step: part}]']);
  });

  it('keeps the steps if their edits would overlap', () => {
    const lines = ['composes: [part, whole]', 'execution: [{step: whole}, {step: whole}, {step: part}]'];
    assert.deepEqual(fixed(...lines), ['composes: [part]', lines[1]]);
  });
});

describe('fixes for a diamond', () => {
  const open = (whole: readonly string[], more: Readonly<Record<string, readonly string[]>> = {}) =>
    openSkills({
      whole: ['level: 3', ...whole],
      a: ['level: 2', 'composes: [c]'],
      b: ['level: 2', 'composes: [c]'],
      c: ['level: 1'],
      ...more,
    });
  const titles = (workspace: ReturnType<typeof open>) =>
    findingOf(workspace, 'whole', 'diamond-dependency').fixes.map(({ title }) => title);

  /** The diamond and the levels that remain after each fix. */
  function left(whole: readonly string[]): readonly (readonly string[])[] {
    return findingOf(open(whole), 'whole', 'diamond-dependency').fixes.map(({ edits }) => {
      const workspace = open(whole);
      for (const { uri, edits: here } of edits) {
        const text = workspace.analysis.file(uri)?.text ?? '';
        workspace.apply({ kind: 'text', uri, text: applyEdits(text, here) });
      }
      return ['whole', 'a', 'b'].flatMap((name) => rulesOf(workspace, name));
    });
  }

  it('remove the diamond and keep the levels valid, in each YAML style', () => {
    for (const composes of ['composes: [a, b]', 'composes: ["a", {skill: b}]', 'composes:\n  - a\n  - skill: b']) {
      assert.deepEqual(left([composes]), [[]], composes);
    }
    assert.deepEqual(left(['composes: [c, a]']), [[], []]);
  });

  it('are not offered if they could not keep the rest of the file', () => {
    assert.deepEqual(titles(open(['composes: [a, b]', 'execution: [{step: a}, {step: b}]'])), []);
    assert.deepEqual(titles(open(['tags: &parts [a, b]', 'composes: *parts'])), []);
    const twice = { b: ['level: 2', 'composes: [c, {skill: c, as: again}]'] };
    assert.deepEqual(titles(open(['composes: [a, b]'], twice)), []);
  });
});

describe('widening or pinning one of two ranges', () => {
  const titles = (...more: readonly string[]) => {
    const workspace = openSkills({
      whole: ['composes: [a, b, c]'],
      a: ['requires: [{skill: part, version: ^1.0.0}]'],
      b: ['requires: [{skill: part, version: "~2.0.0"}]'],
      c: more,
      part: ['version: 2.0.3'],
    });
    return findingOf(workspace, 'whole', 'version-conflict').fixes.map(({ title }) => title);
  };

  it('is offered if exactly one range excludes the version in the workspace', () => {
    const both = ['Widen `^1.0.0` in `a` to `^1.0.0 || ^2.0.3`', 'Pin `^1.0.0` in `a` to `2.0.3`'];
    assert.deepEqual(titles(), both);
    assert.deepEqual(titles('requires: [{skill: part, version: ">=1"}]'), both);
  });

  it('is not offered if a third range also excludes this version', () => {
    assert.deepEqual(titles('requires: [{skill: part, version: "<2"}]'), []);
  });
});

describe('requiring a version that is not deprecated', () => {
  const title = (range: string, deprecated: string) => {
    const workspace = openSkills({ whole: ['composes: [part]', `requires: [{skill: part, version: "${range}"}]`] });
    for (const lines of [['version: 2.0.0'], [`version: ${deprecated}`, 'deprecated: true']]) {
      workspace.apply({ kind: 'text', uri: uriOf(lines.join('')), text: contract('part', ...lines) });
    }
    return findingOf(workspace, 'whole', 'deprecated-skill').fixes.map((fix) => fix.title);
  };

  it('writes a caret range, or the exact version if the range would include the deprecated version', () => {
    assert.deepEqual(title('1.x', '1.3.0'), ['Require `^2.0.0`']);
    assert.deepEqual(title('>=1', '3.0.0'), ['Require `^2.0.0`']);
    assert.deepEqual(title('>=1', '2.1.0'), ['Require `2.0.0`']);
  });
});

describe('requiring an input that was optional', () => {
  const after = (input: string) => {
    const lines = ['level: 2', `input_schema: ${input}`, 'composes: [part]'];
    const workspace = openSkills({ whole: lines, part: ['input_schema: {x: string}'] });
    const [fix] = findingOf(workspace, 'whole', 'missing-required-field').fixes;
    const text = workspace.analysis.file(uriOf('whole'))?.text ?? '';
    return /^input_schema: (.*)$/m.exec(applyEdits(text, fix?.edits[0]?.edits ?? []))?.[1];
  };

  it('keeps all other keys of the schema', () => {
    assert.equal(after('{x: string?}'), '{x: string}');
    assert.equal(after('{x: "string?, a name, perhaps"}'), '{x: "string, a name, perhaps"}');
    assert.equal(after('{x: {type: string, required: false}}'), '{x: {type: string, required: true}}');
    const json = '{type: object, properties: {x: {type: string}, y: {type: string}}';
    assert.equal(after(`${json}, required: [y]}`), `${json}, required: [y, x]}`);
    assert.equal(after(`${json}}`), `${json}, required: [x]}`);
  });
});
