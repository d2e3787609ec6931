/** The questions of a run of the lab, and the workspaces of situations (lab/observe.ts). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { belongsTo } from '../../../lab/messages.ts';
import type { Observation } from '../../../lab/observation.ts';
import { batchesOf, questionsOf } from '../../../lab/observe.ts';
import { digestOf } from '../../../lab/outdated.ts';
import { HELD_OUT, HELD_OUT_ALONE } from '../../../lab/situations/held-out.ts';
import { READING, SITUATIONS } from '../../../lab/situations/index.ts';
import { fileSituation } from '../../../lab/situations/situation.ts';

const EARLIER: Observation = {
  client: 'pi',
  package: 'pi',
  version: '1.0.0',
  observed: '2026-11-29',
  platform: 'linux x64, Node.js 20.20.2',
  lists: [],
  situations: { 's01-plain': { entries: [] } },
  many: [{ context: 200_000, shown: [[600, 120]], characters: 80_000, forms: [] }],
  calledByModel: { 's01-plain': { delivered: [] } },
  calledUnapproved: {},
  calledByPerson: {},
  later: { seen: [] },
  diagnosis: 'not asked',
};

describe('a run of the lab', () => {
  it('asks everything without an earlier observation', () => {
    const { reading, many, calledByModel, later, diagnosis, atTerminal } = questionsOf([], undefined);
    assert.equal(reading.length, READING.length);
    assert.deepEqual([many, later, diagnosis, atTerminal], [true, true, true, true]);
    assert.ok(calledByModel.includes('s01-plain'));
  });

  it('asks only what an earlier observation lacks, and again what could not be asked', () => {
    const { reading, many, calledByModel, calledByPerson, later, diagnosis, atTerminal } = questionsOf([], EARLIER);
    assert.equal(reading.length, READING.length - 1);
    assert.ok(!calledByModel.includes('s01-plain'));
    assert.ok(calledByPerson.includes('s01-plain'));
    assert.deepEqual(
      { many, later, diagnosis, atTerminal },
      { many: false, later: false, diagnosis: true, atTerminal: true },
    );
  });

  it('asks a situation again whose files are other ones now', () => {
    const asked = (files: string) =>
      questionsOf([], { ...EARLIER, situations: { 's01-plain': { files, entries: [] } } }).reading.length;
    assert.equal(asked(digestOf(SITUATIONS.get('s01-plain'))), READING.length - 1);
    assert.equal(asked('00000000'), READING.length);
  });

  it('asks only the named situations, and no calls', () => {
    const { reading, alone, many, calledByModel, later } = questionsOf(['s01-plain', 'l01-later'], EARLIER);
    assert.deepEqual(
      [reading.map(({ id }) => id), alone, many, calledByModel, later],
      [['s01-plain'], [], false, [], true],
    );
  });
});

describe('situations that share a workspace', () => {
  const situation = (id: string, length: number) => fileSituation(id, 'a question', id, 'x'.repeat(length));

  it('are as many as a list has room for', () => {
    const batches = batchesOf([situation('a', 10), situation('b', 10), situation('c', 10)], 2);
    assert.deepEqual(
      batches.map((batch) => batch.map(({ id }) => id)),
      [['a', 'b'], ['c']],
    );
  });

  it('are fewer if their files are long', () => {
    const batches = batchesOf([situation('a', 900), situation('b', 900), situation('c', 10)], 2);
    assert.deepEqual(
      batches.map((batch) => batch.map(({ id }) => id)),
      [['a'], ['b', 'c']],
    );
  });

  it('have words that no other one contains', () => {
    const all = [...new Set([...READING, ...HELD_OUT])];
    for (const one of all) {
      for (const other of all) {
        const text = Object.entries(other.files)
          .flat()
          .filter((one) => typeof one === 'string')
          .join('\n');
        if (one.id !== other.id) assert.ok(!belongsTo(text, one), `${one.id}: a word of it is in ${other.id}`);
      }
    }
  });

  it('have the ID of their key', () => {
    for (const [id, situation] of SITUATIONS) assert.equal(id, situation.id);
  });

  it('are not held out as well', () => {
    const ids = [...HELD_OUT, ...HELD_OUT_ALONE].map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, at) => SITUATIONS.has(id) || ids.indexOf(id) !== at),
      [],
    );
  });
});
