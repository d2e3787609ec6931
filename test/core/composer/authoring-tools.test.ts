/** The tool names of the authoring server that the composer knows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolsFor } from '../../../server/src/frontends/mcp/tools.ts';
import { AUTHORING_READERS, AUTHORING_TOOLS } from '../../../server/src/vocabulary/known-names.ts';

const namesOf = (isReadOnly: boolean): string[] => toolsFor(isReadOnly).map(({ name }) => name);

test('the composer knows all tools of the authoring server, and which of them are read-only', () => {
  assert.deepEqual(namesOf(false).sort(), [...AUTHORING_TOOLS].sort());
  assert.deepEqual(namesOf(true).sort(), [...AUTHORING_READERS].sort());
});
