/** The merge of findings with one cause in many skills (docs/ci.md, "One cause, one finding"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../../../server/src/finding.ts';
import { mergeShared } from '../../../server/src/rules/engine/shared-causes.ts';

const finding = (more: Partial<Finding> = {}): Finding => ({
  ...{
    rule: 'r',
    code: 'r',
    severity: 'warning',
    message: 'A fault.',
    span: { start: 4, end: 8 },
    related: [],
    fixes: [],
  },
  shared: { cause: 'c', many: 'have it' },
  ...more,
});
const uriOf = (path: string): string => `file:///site/${path}/SKILL.md`;
const withOne = (path: string, more?: Partial<Finding>) => ({ uri: uriOf(path), findings: [finding(more)] });
const without = (path: string) => ({ uri: uriOf(path), findings: [] });
const messages = (files: readonly { readonly uri: string; readonly findings: readonly Finding[] }[]) =>
  mergeShared(files).flatMap(({ uri, findings }) =>
    findings.map(({ message }) => `${uri.slice('file:///site/'.length, -'/SKILL.md'.length)}: ${message}`),
  );

describe('mergeShared', () => {
  it('merges the findings of at least three skills that are half of those in a folder', () => {
    const files = [withOne('a/1'), withOne('a/2'), withOne('a/3'), without('a/4'), without('a/5'), without('a/6')];
    assert.deepEqual(messages(files), ['a/1: A fault. 2 more skills have it.']);
    assert.equal(messages([...files, without('a/7')]).length, 3);
    assert.equal(messages(files.slice(1)).length, 2);
  });

  it('merges in the highest folder with the habit, and leaves exceptions elsewhere', () => {
    const habit = ['1', '2', '3', '4'].map((name) => withOne(`plugins/a/skills/${name}`));
    const rest = Array.from({ length: 12 }, (_, at) => without(`plugins/b/skills/${at}`));
    const exception = withOne('plugins/b/skills/x');
    assert.deepEqual(messages([...habit, ...rest, exception]), [
      'plugins/a/skills/1: A fault. 3 more skills have it.',
      'plugins/b/skills/x: A fault.',
    ]);
  });

  it('does not merge other causes, other rules, or findings that a baseline accepts', () => {
    const some = ['1', '2', '3', '4'];
    const byCause = some.map((name) => withOne(name, { shared: { cause: name, many: 'have it' } }));
    assert.equal(messages(byCause).length, 4);
    assert.equal(messages(some.map((name) => withOne(name, { rule: name }))).length, 4);
    assert.equal(messages(some.map((name) => withOne(name, { isKnown: true }))).length, 4);
    const { shared: _, ...alone } = finding();
    assert.equal(messages(some.map((name) => ({ uri: uriOf(name), findings: [alone] }))).length, 4);
  });

  it('has the highest severity, with the text of a finding that has it', () => {
    const files = [withOne('1'), withOne('2', { severity: 'error', message: 'A fault. It is refused.' }), withOne('3')];
    const [, second] = mergeShared(files);
    assert.deepEqual(
      second?.findings.map(({ severity, message, others }) => [severity, message, others]),
      [['error', 'A fault. It is refused. 2 more skills have it.', 2]],
    );
  });

  it('lists the names of the other files by their number, at most six', () => {
    const named = (path: string, ...names: string[]) =>
      withOne(path, { shared: { cause: 'c', many: 'have keys', names } });
    assert.deepEqual(messages([named('1', 'a'), named('2', 'a', 'b'), named('3', 'c', 'b')]), [
      '1: A fault. 2 more skills have keys, also `b` and `c`.',
    ]);
    const many = [...'bcdefghi'];
    assert.deepEqual(messages([named('1', 'a'), named('2', ...many), named('3')]), [
      '1: A fault. 2 more skills have keys, also `b`, `c`, `d`, `e`, `f`, `g` and 2 more.',
    ]);
  });

  it('offers one fix for all files that have a fix with edits', () => {
    const fixed = (path: string, title: string, more: object = {}) => {
      const edits = [{ uri: uriOf(path), edits: [{ span: { start: 4, end: 8 }, newText: path }] }];
      return withOne(path, { fixes: [{ title, safe: true, edits, ...more }] });
    };
    const fixesOf = (files: Parameters<typeof messages>[0]) =>
      mergeShared(files)[0]?.findings[0]?.fixes.map(({ title, safe, edits }) => [title, safe, edits.length]);
    assert.deepEqual(fixesOf([fixed('1', 'Drop it'), fixed('2', 'Drop it'), fixed('3', 'Drop it')]), [
      ['Drop it', true, 1],
      ['Drop it in all 3 files', true, 3],
    ]);
    assert.deepEqual(fixesOf([fixed('1', 'Name it 1'), fixed('2', 'Name it 2', { safe: false }), withOne('3')]), [
      ['Name it 1', true, 1],
      ['Fix in 2 of 3 files', false, 2],
    ]);
    const moves = { edits: [], moves: { from: uriOf('2'), to: uriOf('4') } };
    assert.equal(fixesOf([fixed('1', 'A'), fixed('2', 'A', moves), withOne('3')])?.length, 1);
  });

  it('keeps every place, once, whatever the order of the files', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
    const file = fc.record({ path, causes: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }) });
    fc.assert(
      fc.property(
        fc.uniqueArray(file, { selector: ({ path }) => path.join('/'), maxLength: 20 }),
        fc.nat(),
        (made, seed) => {
          const files = made.map(({ path, causes }) => ({
            uri: uriOf(path.join('/')),
            findings: causes.map((cause, at) =>
              finding({ shared: { cause, many: 'have it' }, span: { start: at, end: at } }),
            ),
          }));
          const merged = mergeShared(files);
          const placesOf = (all: readonly { readonly uri: string; readonly findings: readonly Finding[] }[]) =>
            all
              .flatMap(({ uri, findings }) =>
                findings.flatMap(({ span, related, shared }) =>
                  [{ uri, span }, ...related].map((one) => `${one.uri} ${one.span.start} ${shared?.cause}`),
                ),
              )
              .sort();
          assert.deepEqual(placesOf(merged), placesOf(files));
          const rotated = files
            .map((_, at) => files[(at + seed) % files.length] ?? files[0])
            .filter((one) => one !== undefined);
          const byUri = (all: typeof merged) => [...all].sort((a, b) => (a.uri < b.uri ? -1 : 1));
          assert.deepEqual(byUri(mergeShared(rotated)), byUri(merged));
        },
      ),
    );
  });
});
