/** Every skill of the samples runs to its end, for every invocation that it declares. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { compose } from '../core/composer/composing.ts';
import { requestFor } from '../core/composer/shapes.ts';
import { soundSamples } from '../properties/corpus.ts';
import { obedientModel } from './obedient-model.ts';
import { threadOf } from './thread.ts';

const files = Object.fromEntries(soundSamples);
/** The maximum number of interrupts of a run, so that an endless run does not hang the tests. */
const MOST_PAUSES = 30;

for (const path of soundSamples.keys()) {
  if (path.endsWith('skills.config.yaml') || path.includes('/references/')) continue;
  const { samples } = requestFor(files, path).skillPackage;
  for (const { name } of samples) {
    test(`${path} runs for "${name}"`, async () => {
      const request = requestFor(files, path, { sample: name });
      const result = compose(request);
      assert.ok(result.ok, JSON.stringify(result));
      const { subgraph: shape } = result.composition;
      const thread = threadOf(shape, obedientModel(shape));
      let run = await thread.start(request.parameters);
      for (let pauses = 0; run.__interrupt__ && pauses < MOST_PAUSES; pauses++) run = await thread.resume(true);
      assert.equal(run.__interrupt__, undefined);
      assert.equal(run.log.at(-1), 'check_exit');
    });
  }
}
