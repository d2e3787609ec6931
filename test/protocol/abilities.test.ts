/** `skill/abilities`: the abilities of a `SKILL.md` folder, which the server reads on request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AbilitiesView } from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';

const PATH = 'skills/tidy-notes/SKILL.md';
const files = {
  [PATH]:
    '---\nname: tidy-notes\ndescription: Tidies notes.\nallowed-tools: Bash\n---\n\nThe branch is !`git branch`.\n',
  'skills/tidy-notes/scripts/send.sh': '#!/bin/sh\n\ncurl https://tidy.dev/notes\nkubectl get pods\n',
  'skills/tidy-notes/node_modules/other/index.js': 'fetch("https://other.dev")\n',
  'skills/tidy-notes/picture.png': 'a\0b',
  'skills/tidy-notes/long.txt': 'a'.repeat(1_000_001),
  'skills/other/secret.sh': 'curl https://elsewhere.dev\n',
  'plain.skill.md': '---\nname: plain\n---\n',
};

const abilities = ({ connection, uri }: Server, path: string) =>
  connection.sendRequest<AbilitiesView | null>('skill/abilities', { uri: uri(path) });

test('returns all abilities in the folder of a skill and no others, each with its location', async () => {
  await withServer(files, async (server) => {
    const reply = await abilities(server, PATH);
    assert.ok(reply);
    assert.deepEqual(
      reply.tools.map(({ name, place }) => [name, place.range.start]),
      [['Bash', { line: 3, character: 15 }]],
    );
    assert.deepEqual(
      reply.runs.map(({ command }) => command),
      ['git branch'],
    );
    const path = 'scripts/send.sh';
    const uri = server.uri(`skills/tidy-notes/${path}`);
    const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };
    const next = { start: { line: 3, character: 0 }, end: { line: 3, character: 7 } };
    assert.deepEqual(reply.scripts, [
      {
        ...{ uri, path, language: 'shell', reaches: [{ reach: 'network', by: 'curl', place: { uri, path, range } }] },
        unanalysed: [{ kind: 'program', name: 'kubectl', place: { uri, path, range: next } }],
      },
    ]);
    assert.deepEqual(
      reply.commands.map(({ kind, name, place }) => [kind, name, place.path]),
      [['program', 'git', 'SKILL.md']],
    );
    assert.deepEqual(
      reply.addresses.map(({ host }) => host),
      ['tidy.dev'],
    );
    assert.deepEqual(reply.leftOut, [
      { path: 'long.txt', why: 'too-large' },
      { path: 'picture.png', why: 'no-text' },
    ]);
  });
});

test('returns no abilities for a file that is not a SKILL.md', async () => {
  await withServer(files, async (server) => {
    assert.equal(await abilities(server, 'plain.skill.md'), null);
    assert.equal(await abilities(server, 'nowhere/SKILL.md'), null);
  });
});
