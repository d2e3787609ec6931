import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { withServer } from './server.ts';

test('the server says what it can, and ends when it is told to', async () => {
  await withServer({}, async ({ initialized, stderr }) => {
    assert.ok(initialized.capabilities.textDocumentSync, 'it takes documents');
    assert.equal(stderr(), '');
  });
});
