/** While somebody types, only what is in view is judged; the rest is judged once, when the hands rest. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createKeystrokes } from '../../../server/src/hosts/keystrokes.ts';
import { createTyping } from '../../../server/src/hosts/typing.ts';
import { Workspace } from '../../../server/src/workspace/workspace.ts';
import { reportsOf } from '../../reports.ts';

describe('typing', () => {
  test('files out of view wait until nobody has typed for a while, but not for ever', () => {
    let now = 0;
    const typing = createTyping(() => now);
    assert.equal(typing.left(0), 0);
    typing.typed();
    assert.equal(typing.left(0), 200);
    now = 150;
    assert.equal(typing.left(0), 50);
    typing.typed();
    assert.equal(typing.left(0), 200);
    now = 350;
    assert.equal(typing.left(0), 0);
    now = 1900;
    typing.typed();
    assert.equal(typing.left(0), 100);
    assert.equal(typing.left(1900), 200);
  });

  test('what is typed is taken in when somebody asks, or when the hands rest', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const taken: string[] = [];
    const keystrokes = createKeystrokes(true, (uri) => taken.push(uri));
    for (const uri of ['file:///a', 'file:///b', 'file:///a']) {
      keystrokes.typed(uri);
      context.mock.timers.tick(40);
    }
    assert.deepEqual(taken, []);
    context.mock.timers.tick(10);
    assert.deepEqual(taken, ['file:///a', 'file:///b']);
    keystrokes.typed('file:///c');
    keystrokes.flush();
    context.mock.timers.tick(1_000);
    assert.deepEqual(taken.slice(2), ['file:///c']);
  });

  test('a client that is told, and does not ask, is told of every keystroke', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const taken: string[] = [];
    const keystrokes = createKeystrokes(false, (uri) => taken.push(uri));
    keystrokes.typed('file:///a');
    context.mock.timers.tick(1);
    keystrokes.typed('file:///a');
    context.mock.timers.tick(1);
    assert.deepEqual(taken, ['file:///a', 'file:///a']);
  });

  const open = (closedWait: () => number, closedToo = () => true) => {
    const judged: string[] = [];
    const workspace = new Workspace();
    for (const uri of ['file:///open.skill.md', 'file:///closed.skill.md'])
      workspace.apply({ kind: 'text', uri, text: '' });
    const judge = (uri: string) => {
      judged.push(uri);
      return [];
    };
    const opened = new Map([['file:///open.skill.md', { version: 1 }]]);
    const reports = reportsOf(workspace, judge, { closedToo, closedWait, open: () => opened });
    return { judged, reports };
  };

  test('an open file is judged at once, and the others by whoever waits for all', async () => {
    const { judged, reports } = open(() => 10_000);
    reports.mark('all');
    await new Promise(setImmediate);
    assert.deepEqual(judged, ['file:///open.skill.md']);
    await reports.settled();
    assert.deepEqual(judged, ['file:///open.skill.md', 'file:///closed.skill.md']);
  });

  test('the others stay marked until somebody wants to know of them', async () => {
    let isWanted = false;
    const { judged, reports } = open(
      () => 0,
      () => isWanted,
    );
    reports.mark('all');
    await reports.settled();
    assert.deepEqual(judged, ['file:///open.skill.md']);
    assert.equal(reports.said('file:///closed.skill.md'), undefined);
    isWanted = true;
    reports.start();
    await reports.settled();
    assert.deepEqual(judged, ['file:///open.skill.md', 'file:///closed.skill.md']);
  });

  test('those that are marked while the others have their turn wait for the next one', async () => {
    let turns = 0;
    const { judged, reports } = open(() => (turns++ === 0 ? 0 : 10_000));
    reports.mark(new Set(['file:///closed.skill.md']));
    while (judged.length < 1) await new Promise(setImmediate);
    reports.mark('all');
    while (judged.length < 2) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual(judged, ['file:///closed.skill.md', 'file:///open.skill.md']);
    await reports.settled();
    assert.equal(judged.length, 3);
  });

  test('the others are judged by themselves once it is time', async () => {
    let wait = 1;
    const { judged, reports } = open(() => wait--);
    reports.mark('all');
    while (judged.length < 2) await new Promise(setImmediate);
    assert.deepEqual(judged, ['file:///open.skill.md', 'file:///closed.skill.md']);
  });
});
