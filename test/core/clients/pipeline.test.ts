/**
 * The predictions of a client's steps, compared with the observations of the lab (lab/README.md). `pipeline.txt` lists each
 * difference. It may only become shorter.
 */
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compareCalls } from '../../../lab/calls.ts';
import { compareDeliveries } from '../../../lab/delivered.ts';
import type { Observation } from '../../../lab/observation.ts';
import { compareWith, observationsOf, workspacesOf } from '../../../lab/pipeline.ts';
import type { Pipeline } from '../../../server/src/clients/pipeline/pipeline.ts';
import { pipelines } from '../../../server/src/clients/pipeline/pipelines.ts';

const EXPECTED = join('test', 'core', 'clients', 'pipeline.txt');

/** Returns a line with the counts of a client, and a line for each prediction that is not right. */
function linesOf(pipeline: Pipeline, observation: Observation): readonly string[] {
  const workspaces = workspacesOf(observation);
  const comparisons = compareWith(pipeline, observation, workspaces);
  const wrong = comparisons.filter(({ verdict }) => verdict !== 'right');
  const calls = compareCalls(pipeline, observation, workspaces);
  const wrongCalls = calls.filter(({ isRight }) => !isRight);
  const texts = compareDeliveries(pipeline, observation);
  const wrongTexts = texts.filter(({ verdict }) => verdict !== 'right');
  return [
    `${pipeline.id} ${observation.version}: ${comparisons.length - wrong.length} of ${comparisons.length} entries right, ${calls.length - wrongCalls.length} of ${calls.length} calls, ${texts.length - wrongTexts.length} of ${texts.length} delivered texts`,
    ...wrong.map(({ situation, verdict }) => `  ${situation}: ${verdict}`),
    ...wrongCalls.map(({ call }) => `  ${call}: wrong`),
    ...wrongTexts.map(({ call, verdict }) => `  text of ${call}: ${verdict}`),
  ];
}

describe('the steps of clients', () => {
  it('predict what was observed, except for the listed differences: UPDATE_EXPECT=1 npm run test:core -- --filter pipeline', () => {
    const observations = observationsOf('lab');
    const lines = pipelines.flatMap((pipeline) => {
      const observation = observations.get(pipeline.id);
      return observation ? linesOf(pipeline, observation) : [];
    });
    const text = `${lines.join('\n')}\n`;
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(EXPECTED, text);
    assert.equal(text, readFileSync(EXPECTED, 'utf8'));
  });
});
