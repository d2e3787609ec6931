/** Every skill of the samples runs to its end, for every invocation that it declares. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { requestFor } from '../core/composer/shapes.ts';
import { soundSamples } from '../properties/corpus.ts';
import { dryRun } from './dry.ts';

const files = Object.fromEntries(soundSamples);

for (const path of soundSamples.keys()) {
  if (path.endsWith('skills.config.yaml') || path.includes('/references/')) continue;
  const { samples } = requestFor(files, path).skillPackage;
  for (const { name } of samples) {
    test(`${path} runs for "${name}"`, async () => {
      const compose = requestFor(files, path, { sample: name });
      const trace = await dryRun(compose, { answered: Array(30).fill(true) });
      assert.deepEqual(await dryRun(compose, { answered: Array(30).fill(true) }), trace);
    });
  }
}
