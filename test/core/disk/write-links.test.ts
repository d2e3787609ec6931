/** Creates either all links or none, and leaves no folder that it created (docs/sharing.md). */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type LinkToWrite, writeLinks } from '../../../server/src/io/write-links.ts';
import { inTurn } from '../../../server/src/io/write-tree.ts';
import { temporaryFolder } from '../../temporary.mjs';

const linksTo = (...paths: readonly string[]): readonly LinkToWrite[] =>
  paths.map((path) => ({ path, target: '../../.claude/skills/a' }));

function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.claude/skills/a'), { recursive: true });
  mkdirSync(join(folder, '.codex'));
  return folder;
}

const write = (folder: string, links: readonly LinkToWrite[]) =>
  inTurn(
    folder,
    () => {},
    (turn) => writeLinks(turn, links),
  );

const skip = process.platform === 'win32';

it('removes the links and the new folders after an error, and keeps folders that were empty', { skip }, async () => {
  const folder = project();
  writeFileSync(join(folder, '.codex/skills'), '');
  await assert.rejects(write(folder, linksTo('.agents/skills/a', '.codex/skills/a')));
  assert.deepEqual(readdirSync(folder).sort(), ['.claude', '.codex']);
  mkdirSync(join(folder, '.agents'));
  await assert.rejects(write(folder, linksTo('.agents/skills/a', '.agents/skills/a')));
  assert.deepEqual(readdirSync(join(folder, '.agents')), []);
});

it('returns a function that removes them', { skip }, async () => {
  const folder = project();
  const undo = await write(folder, linksTo('.agents/skills/a'));
  assert.equal(readlinkSync(join(folder, '.agents/skills/a')), '../../.claude/skills/a');
  await inTurn(folder, () => {}, undo);
  assert.deepEqual(readdirSync(folder).sort(), ['.claude', '.codex']);
});
