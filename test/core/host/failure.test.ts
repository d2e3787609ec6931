/** The output of a failed test. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { commandFor, difference, explainFailure } from '../../host/failure.mjs';
import { sourceFrame } from '../../host/source-position.mjs';
import { temporaryFolder } from '../../temporary.mjs';

const failureOf = (check: () => void): string => {
  try {
    check();
  } catch (error) {
    return explainFailure(error);
  }
  return '';
};

describe('the explanation of a failed test', () => {
  it('shows only the differing item of a long list and its neighbours', () => {
    const keys = Array.from({ length: 700 }, (_, at) => `key ${at}`);
    const told = failureOf(() => assert.deepEqual([...keys.slice(0, 350), ...keys.slice(351)], keys));
    assert.match(told, /^- expected\n\+ actual\n@ line \d+\n {3}'key 348',\n {3}'key 349',\n- {2}'key 350',\n/);
    assert.doesNotMatch(told, /'key (?:1|699)',/);
  });

  it('shows only the field that differs in nested data', () => {
    const report = (line: number) => ({ files: [{ path: 'a', findings: [{ rule: 'x', range: { line } }] }] });
    const told = failureOf(() => assert.deepEqual(report(1), report(2)));
    assert.match(told, /\n- +.*line: 2/);
    assert.match(told, /\n\+ +.*line: 1/);
  });

  it('shows the lines that differ', () => {
    const told = difference('a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nd\nE\nf\ng');
    assert.match(told, /\n-e\n\+E\n/);
    assert.doesNotMatch(told, /^ a$/m);
  });

  it('shows long lines around the position where they differ', () => {
    const long = 'x'.repeat(10_000);
    const told = difference(`${long}1${long}`, `${long}2${long}`);
    assert.match(told, /^expected: …x+1x+…\nactual: {3}…x+2x+…$/);
    assert.ok(told.length < 1000);
  });

  it('shows short values completely', () => {
    assert.equal(difference(1, 2), 'expected: 1\nactual:   2');
  });

  it('begins with the message that a test gives', () => {
    const told = failureOf(() => assert.equal(1, 2, 'one is not two'));
    assert.match(told, /^one is not two\nexpected: 2\nactual: {3}1\n +at /);
  });

  it('shows the causes of an error, but no stack frames from Node', () => {
    const told = explainFailure(new Error('outer', { cause: new Error('inner') }));
    assert.match(told, /^Error: outer\n[\s\S]*\nError: inner\n/);
    assert.doesNotMatch(told, /node:/);
  });

  it('shows positions in the source, not in the bundle', () => {
    const told = failureOf(() => assert.fail('here'));
    const line = readFileSync('test/core/host/failure.test.ts', 'utf8')
      .split('\n')
      .findIndex((text) => text.includes("assert.fail('here')"));
    assert.match(
      told,
      new RegExp(`^AssertionError: here\\n.*\\(?test/core/host/failure\\.test\\.ts:${line + 1}:\\d+\\)?\\n`),
    );
  });
});

describe('the position in a stack frame', () => {
  it('is unchanged if the file has no source map', () => {
    const path = join(temporaryFolder({ 'a b.mjs': 'a();\n' }), 'a b.mjs');
    const shown = `${relative('.', path)}:1:2`;
    assert.equal(sourceFrame(`    at run (${pathToFileURL(path).href}:1:2)`), `    at run (${shown})`);
    assert.equal(sourceFrame(`    at ${path}:1:2`), `    at ${shown}`);
  });

  it('is not added to a frame without a file', () => {
    for (const frame of [
      '    at <anonymous>',
      '    at eval (eval at run (a.js:1:2), <anonymous>:1:1)',
      '    at new Promise (<anonymous>)',
    ])
      assert.equal(sourceFrame(frame), frame);
  });
});

it('the command for a test quotes the name of the test for a shell', () => {
  assert.equal(commandFor('test:core', "it's one"), "npm run test:core -- --filter 'it'\\''s one'");
});
