/** The composer records a decision about every kind of artifact, so that no authored text is silently left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARTIFACT_KINDS } from '../../../server/src/vocabulary/artifact-keys.ts';
import { composed } from './composing.ts';

const HEAD = '---\nname: test\ndescription: A test.\nversion: 1.0.0\ninput_schema: {}\n---\n\nTell it.\n';

for (const kind of ARTIFACT_KINDS) {
  test(`records a decision with a reason for ${kind}`, () => {
    const { decisions } = composed(`${HEAD}\n## ${kind}: doors\n\nEvery door leads out.\n`);
    assert.ok(decisions.some(({ name }) => name === 'doors'));
  });
}
