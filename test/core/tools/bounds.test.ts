/** The limits and cancellations that end a connection to a server early. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { it } from 'node:test';
import { Bounds } from '../../../server/src/services/tools/process-transport.ts';

it('does not accumulate listeners while reading pages from a server', async () => {
  const bounds = new Bounds(1);
  const before = getEventListeners(bounds.signal, 'abort').length;
  for (let page = 0; page < 20; page++) assert.equal(await bounds.race(Promise.resolve(page)), page);
  assert.equal(getEventListeners(bounds.signal, 'abort').length, before);
});

it('rejects pending and later work with the first reason', async () => {
  const bounds = new Bounds(1);
  const hangs = bounds.race(new Promise(() => {}));
  bounds.take(2 * 1024 * 1024);
  bounds.stop('is told too late.');
  await assert.rejects(hangs, /sent more than/);
  await assert.rejects(bounds.race(new Promise(() => {})), /sent more than/);
});
