/** Panel and page trust nothing that they receive: each kind of message is taken in its shape, and in no other. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { isToPage, isToPanel } from '../../../client/src/panels/preview/messages-checks.ts';

const at = { line: 3, character: 0 };
const place = { uri: 'file:///skills-here/a.skill.md', range: { start: at, end: at } };

test('a page may say where it was scrolled to, and which fix was pressed', () => {
  assert.ok(isToPanel({ type: 'scrolled', place }));
  assert.ok(isToPanel({ type: 'fix', serial: 4, error: 0 }));
  for (const wrong of [
    { type: 'scrolled', place: { uri: place.uri } },
    { type: 'scrolled', place: { ...place, range: { start: at, end: { line: -1, character: 0 } } } },
    { type: 'fix', serial: 4, error: 0.5 },
    { type: 'fix', serial: '4', error: 0 },
    { type: 'constructor' },
    ['fix'],
  ]) {
    assert.equal(isToPanel(wrong), false, JSON.stringify(wrong));
  }
});

test('a panel may say what an editor shows, and what could be mended', () => {
  assert.ok(isToPage({ type: 'visible', place }));
  assert.ok(isToPage({ type: 'fixes', serial: 4, fixes: [{ error: 1, title: 'Close the tag' }] }));
  assert.ok(isToPage({ type: 'copied' }));
  for (const wrong of [
    { type: 'visible', place: null },
    { type: 'fixes', serial: 4, fixes: [{ error: 1 }] },
    { type: 'fixes', serial: 4, fixes: {} },
  ]) {
    assert.equal(isToPage(wrong), false, JSON.stringify(wrong));
  }
});
