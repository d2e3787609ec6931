/** What the engine is told: an error of its own amid a user's output is worse than a slower program. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { flagsToCompileLess } from '../../../server/src/hosts/engine.ts';

test('an engine is told to compile less in its own words, and one that nobody looked at is told nothing', () => {
  const wordOf = (version: string) => flagsToCompileLess(version)[0]?.split('=')[0];
  assert.equal(wordOf('10.2.154.26-node.39'), undefined);
  assert.equal(wordOf('11.3.244.8-node.38'), '--interrupt-budget');
  for (const version of ['12.4.254.21', '13.2.152.41-electron.0', '14.6.202.34']) {
    assert.equal(wordOf(version), '--invocation-count-for-turbofan');
  }
  for (const version of ['15.0.1', '', 'none']) assert.equal(wordOf(version), undefined);
});

test('the engine that runs knows its words', () => {
  const flags = flagsToCompileLess(process.versions.v8);
  const { stderr, status } = spawnSync(process.execPath, [...flags, '-e', '0'], { encoding: 'utf8' });
  assert.deepEqual({ stderr, status }, { stderr: '', status: 0 });
});
