/** The composer decides on an artifact of every kind: nothing that an author wrote is left out in silence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARTIFACT_KINDS } from '../../../server/src/vocabulary/artifact-keys.ts';
import { composed } from './composing.ts';

const HEAD = '---\nname: test\ndescription: A test.\nversion: 1.0.0\ninput_schema: {}\n---\n\nTell it.\n';

for (const kind of ARTIFACT_KINDS) {
  test(`of ${kind} it is said whether it is taken, and why`, () => {
    const { decisions } = composed(`${HEAD}\n## ${kind}: doors\n\nEvery door leads out.\n`);
    assert.ok(decisions.some(({ name }) => name === 'doors'));
  });
}
