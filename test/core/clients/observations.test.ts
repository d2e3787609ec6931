/**
 * The predictions about clients, compared with what the lab observed (lab/README.md). `observations.txt` lists each
 * difference. It may only become shorter.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Observation } from '../../../lab/observation.ts';
import { type Comparison, compare } from '../../../lab/predict.ts';
import { MANY } from '../../../lab/situations/index.ts';
import { temporaryFolder } from '../../temporary.mjs';

const FOLDER = join('lab', 'observations');
const EXPECTED = join('test', 'core', 'clients', 'observations.txt');

const observations = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Observation);

const count = (comparisons: readonly Comparison[], verdict: Comparison['verdict']): number =>
  comparisons.filter((one) => one.verdict === verdict).length;

/** Returns a line with the counts of a client, and a line for each prediction that is not right. */
function linesOf({ client, version }: Observation, comparisons: readonly Comparison[]): readonly string[] {
  const [right, list, text, unknown] = (['right', 'wrong-list', 'wrong-text', 'unknown'] as const).map((verdict) =>
    count(comparisons, verdict),
  );
  return [
    `${client} ${version}: ${right} right, ${list} wrong in the list, ${text} wrong in the text, ${unknown} unknown`,
    ...comparisons
      .filter(({ verdict }) => verdict !== 'right')
      .map(
        ({ situation, verdict, seen, predicted }) =>
          `  ${situation}: ${verdict}${situation.startsWith(MANY.id) ? `, seen ${seen}, predicted ${predicted}` : ''}`,
      ),
  ];
}

describe('the predictions about clients', () => {
  it('equal the observations, except for the listed differences: UPDATE_EXPECT=1 npm run test:core -- --filter observations', async () => {
    const folder = join(temporaryFolder(), 'lab');
    const blocks: string[] = [];
    for (const observation of observations) {
      const comparisons = await compare(observation, folder);
      if (comparisons.length > 0) blocks.push(`${linesOf(observation, comparisons).join('\n')}\n`);
    }
    const text = blocks.join('\n');
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(EXPECTED, text);
    assert.equal(text, readFileSync(EXPECTED, 'utf8'));
  });
});
