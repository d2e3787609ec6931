import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from 'vscode-languageserver-types';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { utf8 } from '../../../server/src/features/locate.ts';
import { Buffers } from '../../../server/src/services/session/buffers.ts';
import { waitForAnnouncement, waitForClosed, waitForSamples } from '../../../server/src/services/session/pacing.ts';
import { CheckQueue, SampleQueue } from '../../../server/src/services/session/queue.ts';
import { ReadingState } from '../../../server/src/services/session/reading.ts';
import { Reports } from '../../../server/src/services/session/reports.ts';
import { Scope } from '../../../server/src/services/session/workspace-state.ts';
import { skill, uriOf } from './fake-session.ts';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const diagnostic = (message: string, place?: string): Diagnostic => ({
  range,
  message,
  ...(place === undefined ? {} : { relatedInformation: [{ location: { uri: place, range }, message: 'there' }] }),
});

test('the queue returns composed skills before their composites', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: uriOf('a.skill.md'), text: skill('a', 'level: 2\ncomposes: [z]\n') });
  workspace.apply({ kind: 'text', uri: uriOf('z.skill.md'), text: skill('z') });
  const queue = new CheckQueue();
  queue.add([uriOf('a.skill.md'), uriOf('z.skill.md')], 0);
  const order: string[] = [];
  for (let next = queue.next(workspace.analysis.graph); next; next = queue.next(workspace.analysis.graph)) {
    order.push(next);
    queue.remove(next);
  }
  assert.deepEqual(order, [uriOf('z.skill.md'), uriOf('a.skill.md')]);
  assert.equal(queue.isEmpty, true);
});

test('the queue leaves files that are added during a run for the next run', () => {
  const { analysis } = new Workspace();
  const queue = new CheckQueue();
  queue.add(['a', 'b'], 5);
  assert.equal(queue.since, 5);
  assert.equal(queue.next(analysis.graph), 'a');
  queue.remove('a');
  assert.equal(queue.isUnderWay, true);
  queue.add(['a'], 9);
  assert.equal(queue.next(analysis.graph), 'b');
  queue.remove('b');
  assert.equal(queue.next(analysis.graph), undefined);
  assert.equal(queue.isUnderWay, false);
  assert.equal(queue.since, 9);
  assert.equal(queue.next(analysis.graph), 'a');
  queue.remove('a');
  assert.equal(queue.isUnderWay, false);
  assert.equal(queue.since, undefined);
});

test('checks closed files after a pause in typing, or after a time limit', () => {
  const times = (typed: number, now: number) => ({ typed, now, changed: typed });
  assert.equal(waitForClosed(times(1_000, 1_050), 1_000), 150);
  assert.equal(waitForClosed(times(1_000, 1_300), 1_000), 0);
  assert.equal(waitForClosed(times(2_990, 3_000), 1_000), 0);
  assert.equal(waitForClosed(times(Number.NEGATIVE_INFINITY, 0), 0), 0);
  assert.equal(waitForAnnouncement(times(0, 50), 0), 150);
  assert.equal(waitForSamples(times(100, 100)), 250);
});

test('reads catalogs before other files, and reports the end of a stage', () => {
  const reading = new ReadingState();
  reading.begin('finding');
  assert.equal(reading.isWaiting, false);
  reading.found([uriOf('a.skill.md'), uriOf('skills.config.yaml'), uriOf('b.skill.md')]);
  assert.equal(reading.knowsCatalogs, false);
  assert.deepEqual(reading.nextBatch(), [uriOf('skills.config.yaml')]);
  reading.isBusy = true;
  assert.equal(reading.isWaiting, false);
  reading.read([{ uri: uriOf('skills.config.yaml'), content: { kind: 'text', text: '' } }]);
  assert.equal(reading.hasFile, true);
  reading.nextFile();
  assert.deepEqual(reading.nextBatch(), [uriOf('a.skill.md'), uriOf('b.skill.md')]);
  assert.equal(reading.knowsCatalogs, true);
  assert.equal(reading.isAtEnd, true);
  reading.stage = 'done';
  assert.equal(reading.isDone, true);
});

test('keeps the id of a report while its diagnostics are equal', () => {
  const reports = new Reports(() => true);
  const first = reports.set('a', [diagnostic('x')], 1);
  assert.equal(reports.set('a', [diagnostic('x')], 1), first);
  const second = reports.set('a', [diagnostic('x')], 2);
  assert.equal(second.id, first.id);
  assert.notEqual(reports.set('a', [diagnostic('y')], 2).id, first.id);
});

test('finds the files whose diagnostics have a related location in a given file', () => {
  const reports = new Reports(() => true);
  reports.set('a', [diagnostic('x', 'b')], undefined);
  assert.deepEqual([...reports.showing('b')], ['a']);
  reports.set('a', [diagnostic('x', 'c')], undefined);
  assert.deepEqual([...reports.showing('b')], []);
  assert.deepEqual([...reports.showing('c')], ['a']);
});

test('forgets a deleted file with its diagnostics and their numbers', () => {
  const reports = new Reports(() => true);
  const error: Diagnostic = { ...diagnostic('x', 'b'), severity: 1 };
  reports.set('a', [error], undefined);
  reports.set('c', [error], undefined);
  reports.delete('a');
  assert.equal(reports.get('a'), undefined);
  assert.deepEqual([...reports.showing('b')], ['c']);
  assert.equal(reports.counts.errors, 1);
  reports.delete('a');
  reports.set('a', [error], undefined);
  assert.equal(reports.counts.errors, 2);
});

test('composes samples for one file at a time, starting with open files', () => {
  const workspace = new Workspace();
  const text = (name: string) => skill(name, 'samples: {one: {}}\n');
  for (const name of ['a', 'b']) workspace.apply({ kind: 'text', uri: uriOf(name), text: text(name) });
  for (const name of ['a', 'b']) {
    workspace.apply({ kind: 'text', uri: uriOf(`${name}.skill.md`), text: text(name) });
  }
  const samples = new SampleQueue();
  samples.add(workspace.index, workspace.index.files.keys());
  const isOpen = (uri: string) => uri === uriOf('b.skill.md');
  assert.equal(samples.next(isOpen, true), uriOf('b.skill.md'));
  samples.begin(uriOf('b.skill.md'), workspace.index);
  assert.equal(samples.next(isOpen, true), undefined);
  samples.end({ failures: [], isStopped: false });
  assert.equal(samples.next(isOpen, false), undefined, 'nobody wants to know of closed files');
  assert.equal(samples.next(isOpen, true), uriOf('a.skill.md'));
});

test('finds the composites of an edited skill again only if they may have changed', () => {
  const workspace = new Workspace();
  const samples = new SampleQueue();
  const composersOf = (uri: string, text: string): ReadonlySet<string> => {
    workspace.apply({ kind: 'text', uri, text, isOpen: true });
    samples.edited(uri);
    return samples.addComposers(workspace.index);
  };
  const [part, whole] = [uriOf('part.skill.md'), uriOf('whole.skill.md')];
  composersOf(whole, skill('whole', 'composes: [short]\nlevel: 2\nsamples: {one: {}}\n'));
  const first = composersOf(part, skill('part', 'id: short\n'));
  assert.deepEqual(first, new Set([whole]));
  assert.equal(
    samples.next(() => false, true),
    whole,
  );
  const second = composersOf(part, `${skill('part', 'id: short\n')}More text.\n`);
  assert.equal(second, first);
  composersOf(whole, skill('whole', 'level: 2\nsamples: {one: {}}\n'));
  assert.deepEqual(composersOf(part, `${skill('part', 'id: short\n')}Less text.\n`), new Set());
});

test('applies changes to a buffer in the position encoding of the client', () => {
  const buffers = new Buffers(utf8);
  const document = TextDocument.create('a', 'skillmd', 1, 'Grüße!\n');
  buffers.open(document);
  const change = { range: { start: { line: 0, character: 7 }, end: { line: 0, character: 8 } }, text: '?' };
  assert.equal(buffers.change(document, 2, [change]), 'Grüße?\n');
  assert.equal(document.version, 2);
});

test('the scope contains catalogs and matching files in its folders', () => {
  const scope = new Scope(['file:///site'], ['**/*.skill.md'], {});
  assert.equal(scope.serves('file:///site/a/b.skill.md'), true);
  assert.equal(scope.serves('file:///site/a/readme.md'), false);
  assert.equal(scope.serves('file:///site/skills.config.yaml'), true);
  assert.equal(scope.contains('file:///siteshop/a.skill.md'), false);
  assert.deepEqual(scope.withFolders(['file:///b'], ['file:///site']).folders, ['file:///b']);
});

test('a pattern may exclude files, and a folder name matches all files in the folder', () => {
  const scope = new Scope(['file:///site'], ['skills', '!skills/drafts', '!**/old-*.skill.md'], {});
  const served = [
    'skills/a.skill.md',
    'skills/deep/b.md',
    'skills/drafts/c.skill.md',
    'skills/old-d.skill.md',
    'e.skill.md',
  ];
  assert.deepEqual(
    served.filter((path) => scope.serves(`file:///site/${path}`)),
    ['skills/a.skill.md', 'skills/deep/b.md'],
  );
});
