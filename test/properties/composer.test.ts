/** Laws of the composer, over random skills (docs/composer.md). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ComposeRequest, ComposeResult } from '../../server/src/composer/composition.ts';
import { compose, prepared } from '../core/composer/composing.ts';
import { cases } from '../random.ts';
import { aCase, requestOf } from './composer/random-cases.ts';

/** Composes a skill. If it is over the budget, composes it with the suggested trimming. */
function composeWithin(request: ComposeRequest): { readonly request: ComposeRequest; readonly result: ComposeResult } {
  const result = compose(request);
  if (result.ok) return { request, result };
  const [error] = result.errors;
  if (!error?.trimming) return { request, result };
  const trimmed = { ...request, without: error.trimming.without };
  return { request: trimmed, result: compose(trimmed) };
}

const runs = cases(150);

test('segments cover the prompt without gaps, and their tokens add up to the total', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const { result } = composeWithin(requestOf(one));
      if (!result.ok) return;
      const { prompt, segments, tokens } = result.composition;
      let end = 0;
      for (const segment of segments) {
        assert.equal(segment.start, end);
        assert.ok(segment.end > segment.start);
        end = segment.end;
      }
      assert.equal(end, prompt.length);
      assert.equal(
        segments.reduce((sum, segment) => sum + segment.tokens, 0),
        tokens.total,
      );
    }),
    runs,
  );
});

test('authored segments equal their source in the file', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const { result } = composeWithin(requestOf(one));
      if (!result.ok) return;
      for (const { kind, source, start, end } of result.composition.segments) {
        if (kind !== 'authored' || !source) continue;
        const text = one.text.slice(source.span.start, source.span.end);
        assert.ok(text.includes(result.composition.prompt.slice(start, end)), text);
      }
    }),
    runs,
  );
});

test('the used artifacts are those that decisions include, and no other artifact appears in the prompt', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const { result } = composeWithin(requestOf(one));
      if (!result.ok) return;
      const { usedArtifacts, segments, decisions } = result.composition;
      const used = usedArtifacts.map(({ id }) => id);
      assert.deepEqual(
        decisions.flatMap(({ artifact, taken }) => (taken && artifact !== undefined ? [artifact] : [])),
        used,
      );
      const inPrompt = segments.flatMap(({ artifact }) => artifact ?? []);
      assert.deepEqual(
        [...new Set(inPrompt)].filter((id) => !used.includes(id)),
        [],
      );
    }),
    runs,
  );
});

test('removing an unused artifact changes nothing but its decision', () => {
  fc.assert(
    fc.property(aCase, fc.nat(), (one, pick) => {
      const { request, result } = composeWithin(requestOf(one));
      if (!result.ok) return;
      const { composition } = result;
      const used = new Set(composition.usedArtifacts.map(({ id }) => id));
      const unused = request.skillPackage.artifacts.filter(({ id }) => !used.has(id) && !request.without.includes(id));
      const gone = unused[pick % Math.max(1, unused.length)];
      if (!gone) return;
      const artifacts = request.skillPackage.artifacts.filter((artifact) => artifact !== gone);
      const after = compose({ ...request, skillPackage: { ...request.skillPackage, artifacts } });
      assert.ok(after.ok);
      const decisions = composition.decisions.filter(({ artifact }) => artifact !== gone.id);
      assert.deepEqual(after.composition, { ...composition, decisions });
    }),
    runs,
  );
});

test('removing the suggested artifacts meets the budget, and removing fewer artifacts does not', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const request = requestOf(one);
      const result = compose(request);
      if (result.ok) return;
      const { trimming, kind } = result.errors[0] ?? assert.fail('no error');
      assert.equal(kind, 'ArtifactBudgetExceeded');
      if (!trimming) {
        const all = request.skillPackage.artifacts.map(({ id }) => id);
        assert.ok(!compose({ ...request, without: all }).ok, 'leaving out all would have been enough');
        return;
      }
      const after = compose({ ...request, without: trimming.without });
      assert.ok(after.ok);
      assert.equal(after.composition.tokens.total, trimming.tokens);
      for (const id of trimming.without) {
        const fewer = trimming.without.filter((other) => other !== id);
        assert.ok(!compose({ ...request, without: fewer }).ok, `${id} need not be left out`);
      }
    }),
    runs,
  );
});

test('equal requests return the same bytes for any order of keys and files', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const { text, files, options } = one;
      const request = prepared({ 'skills/test.skill.md': text, ...files }, options).request;
      const backwards = Object.fromEntries(Object.entries(options.parameters ?? {}).reverse());
      const other = prepared({ ...files, 'skills/test.skill.md': text }, { ...options, parameters: backwards }).request;
      assert.equal(JSON.stringify(compose(other)), JSON.stringify(compose(request)));
    }),
    runs,
  );
});

test('composing never throws, for any file', () => {
  fc.assert(
    fc.property(
      aCase,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('', '{{', '%}', '---\n', '"', ': ', '\0'),
      (one, at, length, put) => {
        const start = at % one.text.length;
        const text = one.text.slice(0, start) + put + one.text.slice(start + (length % 40));
        compose(requestOf({ ...one, text }));
      },
    ),
    runs,
  );
});
