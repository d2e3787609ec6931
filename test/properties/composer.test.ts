/** Laws of the composer, over skills made at random (docs/composer.md). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ComposeRequest, ComposeResult } from '../../server/src/composer/composition.ts';
import { compose, type Options, prepared, skill } from '../core/composer/composing.ts';

const WORDS = ['siege', 'ferry', 'grim', 'wry', 'night', 'tea'];
const word = fc.constantFrom(...WORDS);
const prose = fc
  .array(fc.constantFrom(...WORDS, '🦀', '漢字', '\n', 'a  b', '# no heading'), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' ').replace(/^[\s#]+/gm, 'x '));

const metadata = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\`\`\`yaml artifact\n${lines.join('\n')}\n\`\`\`\n`;

const condition = fc.constantFrom(
  'tone == "grim"',
  'n > 3',
  'scope == "channel"',
  'source == "explicit"',
  'model',
  'true',
);

const description = fc.tuple(fc.option(condition), prose).map(([when, text]) => ({
  kind: 'Description',
  text: `${metadata(when === null ? [] : [`include_when: ${when}`])}\n${text}\n`,
}));
const example = fc.tuple(fc.array(word, { maxLength: 3 }), prose, prose).map(([tags, input, output]) => ({
  kind: 'Example',
  text: `${metadata([`tags: [${tags.join(', ')}]`])}\n### Input\n\n${input}\n\n### Output\n\n${output}\n`,
}));
const approach = fc.tuple(fc.option(condition), prose).map(([when, text]) => ({
  kind: 'Approach',
  text: `${metadata(when === null ? [] : [`include_when: ${when}`])}\n1. **First** ${text.replaceAll('\n', ' ')}\n2. Second #tool:read_page\n`,
}));

const TEMPLATE = `
{%- if tone == "grim" %}Grim {% include "part" %}{% else -%}
  {{ tone | upper }} {{ n }}
{%- endif %}
{% for word in words %}{{ loop.index }}: {{ word }}{{ ", " if not loop.last }}{% endfor %}
`;

interface Case {
  readonly text: string;
  readonly artifacts: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly options: Options;
}

const aCase: fc.Arbitrary<Case> = fc
  .record({
    artifacts: fc.array(fc.oneof(description, example, approach), { maxLength: 7 }),
    framing: fc.boolean(),
    opening: prose,
    tone: fc.constantFrom('grim', 'wry'),
    n: fc.integer({ min: 1, max: 9 }),
    words: fc.array(word, { maxLength: 3 }),
    request: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    channel: fc.option(fc.constant('one'), { nil: undefined }),
    model: fc.constantFrom(undefined, 'anthropic'),
    examples: fc.integer({ min: 0, max: 3 }),
    tokens: fc.constantFrom(20, 60, 120, 8_000),
  })
  .map(({ artifacts, framing, opening, examples, tokens, tone, n, words, request, channel, model }) => {
    const sections = artifacts.map(({ kind, text }, at) => `\n## ${kind}: ${kind.toLowerCase()} ${at}\n${text}`);
    const templates = `\n## PromptTemplate: main\n\n\`\`\`jinja\n${TEMPLATE}\`\`\`\n\n## PromptTemplate: part\n\nof the {{ words | length }}\n`;
    const head = `input_schema: {tone: string, n: integer, words: "string[]"}\ntools: [read_page]\n${framing ? 'framing: main\n' : ''}`;
    return {
      artifacts: sections,
      text: skill(head, `\n${opening}\n${sections.join('')}${templates}`),
      files: {
        'skills.config.yaml': `tools: [{name: read_page}]\ncomposer: {examples: ${examples}, context_tokens: ${tokens}}\n`,
      },
      options: {
        request,
        parameters: { tone, n, words },
        ...(channel === undefined ? {} : { channel }),
        ...(model === undefined ? {} : { model }),
      },
    };
  });

const requestOf = ({ text, files, options }: Case): ComposeRequest =>
  prepared({ 'skills/test.skill.md': text, ...files }, options).request;

/** Composes; over the budget, as the suggested trimming says. */
function composeWithin(request: ComposeRequest): { readonly request: ComposeRequest; readonly result: ComposeResult } {
  const result = compose(request);
  if (result.ok) return { request, result };
  const [error] = result.errors;
  if (!error?.trimming) return { request, result };
  const trimmed = { ...request, without: error.trimming.without };
  return { request: trimmed, result: compose(trimmed) };
}

const runs = { numRuns: 150 };

test('segments tile the prompt, and their tokens add up', () => {
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

test('authored segments are what stands in the file', () => {
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

test('the used artifacts are exactly those whose text is in the prompt', () => {
  fc.assert(
    fc.property(aCase, (one) => {
      const { request, result } = composeWithin(requestOf(one));
      if (!result.ok) return;
      const { usedArtifacts, segments } = result.composition;
      const inPrompt = (span: { start: number; end: number }) =>
        segments.some(
          ({ source, kind }) =>
            kind !== 'fixed' && source && span.start <= source.span.start && source.span.end <= span.end,
        );
      const expected = request.skillPackage.artifacts.filter(({ span }) => inPrompt(span)).map(({ id }) => id);
      assert.deepEqual(usedArtifacts.map(({ id }) => id).sort(), expected.sort());
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
      // Which approach is chosen, the shape says; the composer reads a chosen one, though its prose is not in the prompt.
      const approach = composition.decisions.find(({ subject, taken }) => subject === 'approach' && taken)?.artifact;
      const unused = request.skillPackage.artifacts.filter(
        ({ id }) => !used.has(id) && id !== approach && !request.without.includes(id),
      );
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

test('trimming as suggested makes the budget hold, and nothing less does by leaving out fewer', () => {
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

test('the same request gives the same bytes, whatever the order of keys and files', () => {
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

test('it never throws, whatever the file', () => {
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
