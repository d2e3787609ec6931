/** Facts that observations pin, and counts of facts (lab/pinned.ts, lab/shares.ts). */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Observation } from '../../../lab/observation.ts';
import { pinningOf } from '../../../lab/pinned.ts';
import { sharesOf } from '../../../lab/shares.ts';
import { findClient } from '../../../server/src/vocabulary/clients.ts';
import { temporaryFolder } from '../../temporary.mjs';

const entry = (name: string, word: string): string =>
  `<skill>\n    <name>${name}</name>\n    <description>Sorts ${word}. Use it when someone mentions ${word}.</description>\n    <location>{workspace}/.pi/skills/${name}/SKILL.md</location>\n  </skill>`;

/** Pi shows a plain skill, drops one without a description, and follows a link to a file, which no fact states. */
const OBSERVATION: Observation = {
  client: 'pi',
  package: 'pi',
  version: '1.0.0',
  observed: '2026-11-29',
  platform: 'linux x64, Node.js 20.20.2',
  lists: [],
  situations: {
    's01-plain': { entries: [entry('s01-plain', 'apples')] },
    's04-no-description': { entries: [] },
  },
  many: [],
  calledByModel: {},
  calledUnapproved: {},
  calledByPerson: {},
};

describe('a fact', () => {
  it('is pinned if each other value contradicts an observation', async () => {
    const pinnings = await pinningOf(OBSERVATION, join(temporaryFolder(), 'pinned'));
    const openOf = (path: string) => pinnings.find((one) => one.path === path)?.open;
    assert.ok(!openOf('outcomes.missing_description')?.includes('ok'));
    assert.ok(openOf('outcomes.bom')?.includes('skipped_silently'));
    assert.ok(openOf('precedence')?.includes('both'));
  });

  it('is the same after its other values were tried', async () => {
    const before = JSON.stringify(findClient('pi'));
    await pinningOf(OBSERVATION, join(temporaryFolder(), 'pinned'));
    assert.equal(JSON.stringify(findClient('pi')), before);
  });

  it('is known by observation, by reading, or not', () => {
    const client = {
      sources: {
        run: { where: 'pi@1.0.0 in the lab, observed (2026-11-29)', checked: '2026-11-29' },
        code: { where: 'pi skills.ts @83378aa', checked: '2026-11-29' },
      },
      fileName: { value: 'exact', source: 'run' },
      precedence: { value: 'first', source: 'code' },
      links: { value: { folder: 'followed', file: 'unknown' }, source: 'code', certainty: 'unverified' },
      byName: { value: 'unknown', source: 'code' },
    };
    assert.deepEqual(sharesOf(client as never), { observed: 1, read: 1, unverified: 1, unknown: 1 });
  });
});
