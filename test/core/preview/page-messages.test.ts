/** Messages from a page are read only if they have a valid form, and open only files that the page has shown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ToGraphPanel, toGraphPanel } from '../../../client/src/panels/graph/messages.ts';
import { restoredState, type ToPanel, toPanel } from '../../../client/src/panels/preview/messages.ts';
import { namesFile, readMessage } from '../../../client/src/panels/read-message.ts';

const readPageMessage = (value: unknown) => readMessage(toPanel, value);
const readGraphMessage = (value: unknown) => readMessage(toGraphPanel, value);
const readKept = (value: unknown) => readMessage(restoredState, value);

const place = {
  uri: 'file:///w/a.skill.md',
  range: { start: { line: 0, character: 0 }, end: { line: 1, character: 2 } },
};
const invocation = { request: 'Go.', parameters: { tone: 'grim', cast: [1] }, source: 'explicit' } as const;
const preview: readonly ToPanel[] = [
  { type: 'ready' },
  { type: 'compose', asked: { without: [] } },
  { type: 'compose', asked: { sample: 'a', without: ['Example/b'] } },
  { type: 'compose', asked: { invocation, origin: 'a', without: [] } },
  { type: 'compose', asked: { without: [], client: 'codex', arguments: 'a b' } },
  { type: 'chooseClients' },
  { type: 'askClients' },
  { type: 'askChosen' },
  { type: 'askChosen', request: 'Go.' },
  { type: 'askModel', client: 'codex', request: 'Go.', trials: 3 },
  { type: 'stopModel' },
  { type: 'askAbilities' },
  { type: 'run', answered: [true, { tone: 'grim' }] },
  { type: 'reveal', place, focus: true },
  { type: 'saveSample', name: '', invocation },
  { type: 'keepPrompt' },
  { type: 'openJson' },
  { type: 'compare', with: { kind: 'saved' } },
  { type: 'compare', with: { kind: 'head' } },
  { type: 'compare', with: { kind: 'sample', name: 'a' } },
  { type: 'menuOpened' },
  { type: 'keepCase', request: 'Tidy my notes.', should: true },
  { type: 'copyPrompt' },
  { type: 'lock', locked: false },
  { type: 'close' },
  { type: 'newSkill' },
  { type: 'exportImage', format: 'svg', data: '<svg/>' },
  { type: 'fix', finding: { range: place.range, severity: 'error', message: 'Wrong.', rule: 'a', fix: 'Fix it' } },
  { type: 'fix', finding: { range: place.range, severity: 'info', message: 'Wrong.', rule: 'a' } },
  { type: 'scrolled', place },
  { type: 'painted', serial: 1 },
  { type: 'prepareRun' },
];
const graph: readonly ToGraphPanel[] = [
  { type: 'ready' },
  { type: 'reveal', place, focus: false },
  { type: 'scope', scope: null },
  { type: 'scope', scope: 'file:///w/a.skill.md' },
  { type: 'newSkill' },
];

describe('a message from a page', () => {
  it('is accepted if it matches its schema', () => {
    for (const message of preview) assert.equal(readPageMessage(message), message);
    for (const message of graph) assert.equal(readGraphMessage(message), message);
  });

  it('is tested with an example of each type', () => {
    const typesOf = (list: readonly { readonly type: string }[]) => new Set(list.map(({ type }) => type));
    const declared = ({ options }: typeof toPanel | typeof toGraphPanel) =>
      new Set<string>(options.map(({ entries }) => entries.type.literal));
    assert.deepEqual(typesOf(preview), declared(toPanel));
    assert.deepEqual(typesOf(graph), declared(toGraphPanel));
  });

  it('is rejected if any of its values has the wrong type', () => {
    const wrong = fc.oneof(fc.constant([1]), fc.double({ noInteger: true }), fc.constant(-1));
    const damaged = (message: object, value: unknown): object[] =>
      Object.entries(message).flatMap(([name, part]) => [
        // Any list of values is valid here.
        ...(name === 'answered' && Array.isArray(value) ? [] : [{ ...message, [name]: value }]),
        ...(typeof part === 'object' && part !== null && name !== 'parameters' && !Array.isArray(part)
          ? damaged(part, value).map((inner) => ({ ...message, [name]: inner }))
          : []),
      ]);
    fc.assert(
      fc.property(wrong, (value) => {
        for (const message of preview)
          for (const one of damaged(message, value)) assert.equal(readPageMessage(one), undefined, JSON.stringify(one));
        for (const message of graph)
          for (const one of damaged(message, value))
            assert.equal(readGraphMessage(one), undefined, JSON.stringify(one));
      }),
    );
  });

  it('is rejected if it has no known type', () => {
    for (const other of [
      null,
      undefined,
      1,
      'ready',
      [],
      {},
      { type: 'toString' },
      { type: '__proto__' },
      { type: 'run' },
    ]) {
      assert.equal(readPageMessage(other), undefined);
      assert.equal(readGraphMessage(other), undefined);
    }
    fc.assert(fc.property(fc.anything(), (value) => void [readPageMessage(value), readGraphMessage(value)]));
  });
});

it('restores the saved state of a page only if it matches its schema', () => {
  const kept = { uri: place.uri, locked: true, asked: { without: [] } };
  assert.equal(readKept(kept), kept);
  for (const other of [{ ...kept, uri: 1 }, { ...kept, asked: {} }, { ...kept, locked: 'yes' }, null]) {
    assert.equal(readKept(other), undefined);
  }
});

it('a page may open only files that the data for the page contains', () => {
  const shown = {
    errors: [{ message: 'file:///etc/passwd', uri: place.uri }],
    segments: [{ source: { uri: 'file:///b' } }],
  };
  assert.ok(namesFile(shown, place.uri));
  assert.ok(namesFile([undefined, shown], 'file:///b'));
  assert.ok(!namesFile(shown, 'file:///etc/passwd'));
  assert.ok(!namesFile(undefined, place.uri));
});
