/** Observations from several runs (lab/observe.ts). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { changesBetween } from '../../../lab/main.ts';
import { belongsTo } from '../../../lab/messages.ts';
import { type Observation, seenIn } from '../../../lab/observation.ts';
import { builtInOf, merged, namesIn, type Sight } from '../../../lab/observe.ts';
import { digestOf, FORMAT, outdatedParts } from '../../../lab/outdated.ts';
import { HELD_OUT, HELD_OUT_ALONE } from '../../../lab/situations/held-out.ts';
import { SITUATIONS } from '../../../lab/situations/index.ts';
import type { Situation } from '../../../lab/situations/situation.ts';
import type { List } from '../../../server/src/services/observing/read-list.ts';

const PLAIN = SITUATIONS.get('s01-plain') as Situation;

/** Returns a run with one list of these entries. */
function sight(names: readonly string[] | undefined, faults: readonly string[] = []): Sight {
  const entries = (names ?? []).map((name) => ({ name, text: name }));
  const list = { place: 'a', before: '', after: '', rest: '', text: '', entries } as List;
  return {
    lists: [{ situations: ['s01-plain'], list: names && list, builtIn: [], otherPlaces: [], faults }],
    situations: { 's01-plain': { entries: names ?? [], messages: [] } },
    many: [],
    calledByModel: {},
    calledUnapproved: {},
    calledByPerson: {},
    later: undefined,
    diagnosis: undefined,
    atTerminal: undefined,
  };
}

describe('a value of several runs', () => {
  it('is the value if all are equal, else the sorted set of the values', () => {
    assert.deepEqual(seenIn(['b', 'b']), 'b');
    assert.deepEqual(seenIn(['b', 'a', 'b', 'c', 'a']), { varies: ['a', 'b', 'c'] });
  });

  it('includes the runs that were repeated', () => {
    const { lists, situations } = merged(sight(['a']), sight(['a']), [sight(['b'])]);
    assert.deepEqual(lists[0]?.order, { varies: [['a'], ['b']] });
    assert.deepEqual(situations['s01-plain']?.entries, { varies: [['a'], ['b']] });
  });

  it('is an error if the second run lacks it', () => {
    const one = { ...sight(['a']), calledByModel: { 's01-plain': { delivered: [] } } };
    assert.throws(() => merged(one, sight(['a'])), /no result of s01-plain/);
  });
});

it('a failed run is marked, and its list is kept', () => {
  const { lists } = merged(sight(undefined, ['no request']), sight(['a']));
  assert.deepEqual(lists[0]?.faults, { varies: [['no request'], []] });
  assert.equal(lists[0]?.place, 'a');
});

describe('an entry that belongs to no situation', () => {
  it('is a skill of the client, of which only the length is kept', () => {
    assert.deepEqual(builtInOf([{ name: 'review', text: 'Reviews.' }], [PLAIN]), [{ name: 'review', characters: 8 }]);
  });

  it('is an error if it has a name or a path of the workspace', () => {
    assert.throws(() => builtInOf([{ name: 's01-plain', text: 'Sorts.' }], [PLAIN]), /words of its situation/);
    assert.throws(() => builtInOf([{ name: 'x', text: '{workspace}/x/SKILL.md' }], [PLAIN]), /words of its situation/);
  });
});

/** Returns whether each skill with a name has a word of its situation in its text, so that its entry has one, too. */
const areDescribed = (name: string, situation: Situation): boolean =>
  Object.entries(situation.files)
    .filter(([path, text]) => path.endsWith('.md') && (path.includes(name) || String(text).includes(name)))
    .every(([, text]) => belongsTo(String(text), situation));

it('the words of a situation match the names of all its skills', () => {
  const missing = [...SITUATIONS.values(), ...HELD_OUT, ...HELD_OUT_ALONE].flatMap((situation) =>
    situation.words.length === 0
      ? []
      : namesIn(situation)
          // `true` is in the entries of clients' own skills, too.
          .filter((name) => !/^(?:(?:\.?[\w-]+\/)?skills|SKILL\.md|true)$/.test(name))
          .filter((name) => !belongsTo(name, situation) && !areDescribed(name, situation))
          .map((name) => `${situation.id}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

describe('a change between two observations', () => {
  it('is not a value, or a set of values, that was seen before', () => {
    const before = { order: { varies: [['b'], ['a']] } };
    assert.deepEqual(changesBetween(before, { order: { varies: [['a'], ['b']] } }), []);
    assert.deepEqual(changesBetween(before, { order: ['a'] }), []);
  });

  it('is another value', () => {
    assert.equal(changesBetween({ order: { varies: [['b'], ['a']] } }, { order: ['c'] }).length, 1);
    assert.equal(changesBetween({ order: ['a'] }, { order: { varies: [['b'], ['a']] } }).length, 1);
    assert.deepEqual(changesBetween({ a: { b: 1 } }, { a: { b: 2 } }), [{ path: 'a.b', before: '1', after: '2' }]);
  });
});

it('an observation is out of date if its format or the files of a situation differ', () => {
  const known = (files: string) =>
    Object.fromEntries(
      [...SITUATIONS].map(([id, one]) => [id, { files: id === 's01-plain' ? files : digestOf(one), entries: [] }]),
    );
  const observation = (format: number, files: string) =>
    ({ format, situations: known(files) }) as unknown as Observation;
  assert.deepEqual(outdatedParts(observation(FORMAT, digestOf(PLAIN))), []);
  assert.deepEqual(outdatedParts(observation(1, '00000000')), [
    `recorded in format 1, now ${FORMAT}`,
    'other files now: s01-plain',
  ]);
});
