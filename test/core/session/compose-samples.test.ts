/** The number of samples of a skill that are composed, and the findings about the other samples. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { ComposeResult } from '../../../server/src/composer/composition.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { composeSamples, type SampleLimit } from '../../../server/src/services/composing/compose-samples.ts';
import type { Composed, Composing } from '../../../server/src/services/composing/composing.ts';
import { endedResult } from '../../../server/src/services/composing/ended-result.ts';

const URI = 'file:///w/a.skill.md';

const SKILL = `---
name: a
description: Tests one thing.
version: 1.0.0
input_schema: {}
output_schema: {text: string}
samples:
  one: {request: x}
  two: {request: x}
  other: {request: x, model: openai}
  three: {request: x}
  four: {request: x}
---

## PromptTemplate: main

Draft it.

## PromptTemplate: main
\`\`\`yaml artifact
model_variant: openai
\`\`\`

Draft it well.
`;

/**
 * Composes samples with a worker that takes `milliseconds` for each, and must be stopped at the samples in `endsAt`.
 */
async function findings(milliseconds: number, endsAt: readonly string[] = [], limit?: SampleLimit) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text: SKILL });
  const tried: string[] = [];
  const composing: Pick<Composing, 'compose'> = {
    async compose(key, request): Promise<Composed> {
      const sample = key.split(' ')[1] ?? '';
      tried.push(sample);
      if (!endsAt.includes(sample)) return { result: { ok: true } as ComposeResult, milliseconds };
      return { result: endedResult(request, 'time', 2), milliseconds: 2_000, ended: 'time' };
    },
  };
  const composed = await composeSamples(composing as Composing, workspace.analysis, URI, undefined, limit);
  assert.ok(composed);
  workspace.apply({ kind: 'samples', uri: URI, failures: composed.failures });
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  const messages = check(file, workspace.analysis)
    .filter(({ rule }) => rule === 'sample-fails')
    .map(({ message, severity }) => `${severity}: ${message}`);
  return { tried, messages, isStopped: composed.isStopped, spent: composed.milliseconds };
}

test('composes fast samples without findings', async () => {
  const { tried, messages, isStopped, spent } = await findings(10);
  assert.deepEqual(tried, ['one', 'two', 'other', 'three', 'four']);
  assert.deepEqual({ messages, isStopped, spent }, { messages: [], isStopped: false, spent: 50 });
});

test('reports the skipped samples of a stopped template once', async () => {
  const { tried, messages, isStopped } = await findings(10, ['one', 'two', 'three', 'four']);
  assert.deepEqual(tried, ['one', 'other']);
  assert.equal(isStopped, true);
  assert.equal(messages.length, 2);
  assert.match(messages[0] ?? '', /^error: The sample `one` does not compose: The template `main` ran longer than 2 s/);
  assert.equal(
    messages[1],
    'error: The sample `two` is not composed: The template `main` was stopped while composing the sample `one`. Fix that sample first. 2 more samples are skipped.',
  );
});

test('limits the time for the samples of one skill', async () => {
  const { tried, messages } = await findings(1_900);
  assert.deepEqual(tried, ['one', 'two', 'other']);
  assert.equal(messages.length, 1);
  assert.match(
    messages[0] ?? '',
    /^error: The sample `three` is not composed: The samples before it took 5 s, .* 1 more sample is skipped\.$/,
  );
});

test('reports skipped samples at the first sample if no time is left', async () => {
  const { tried, messages } = await findings(10, [], { milliseconds: 0, reason: 'The run took 12 s.' });
  assert.deepEqual(tried, []);
  assert.deepEqual(messages, [
    'error: The sample `one` is not composed: The run took 12 s. 4 more samples are skipped.',
  ]);
});
