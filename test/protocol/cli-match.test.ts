/** `match`: the skills that match a request, on the command line and over the protocol. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MatchReply } from '../../server/src/protocol.ts';
import { assertUsageError, folderWith, run } from './cli.ts';
import { withServer } from './server.ts';

const skill = (name: string, ...lines: readonly string[]): string =>
  ['---', `name: ${name}`, ...lines, '---', '', 'Do it.', ''].join('\n');

const FILES = {
  'skills.config.yaml': 'roles: {reader: [], editor: []}\nprofiles: [{name: guest, role: reader}]\n',
  'skills/merge-files.skill.md': skill('merge-files', 'version: 1.2.0', 'description: Joins documents.'),
  'skills/join.skill.md': skill('join', 'description: Makes one file of several.', 'trigger_phrases: [all in one]'),
  'skills/close.skill.md': skill('close-files', 'description: Closes files.', 'allowed_roles: [editor]'),
  'notes/SKILL.md': skill('notes', 'description: 会議の議事録を作成します。'),
};

interface MatchJson {
  readonly version: number;
  readonly request: string;
  readonly weak: boolean;
  readonly matches: readonly {
    readonly name: string;
    readonly version: string | null;
    readonly file: string;
    readonly score: number;
    readonly ambiguous: boolean;
    readonly reasons: readonly { readonly field: string; readonly text: string }[];
  }[];
  readonly excluded: readonly { readonly name: string; readonly file: string; readonly reason: string }[];
}

async function matchJson(cwd: string, ...words: string[]): Promise<MatchJson> {
  const { status, stdout, stderr } = await run(cwd, ['match', '--format', 'json', ...words]);
  assert.deepEqual([status, stderr], [0, '']);
  return JSON.parse(stdout) as MatchJson;
}

describe('skill-composer match', () => {
  const folder = folderWith(FILES);

  it('prints the ranking as JSON', async () => {
    const found = await matchJson(folder, 'merge the documents');
    assert.deepEqual(Object.keys(found), ['version', 'request', 'weak', 'matches', 'excluded']);
    assert.deepEqual([found.version, found.request, found.excluded], [1, 'merge the documents', []]);
    const [first] = found.matches;
    assert.deepEqual(first, {
      ...{ name: 'merge-files', version: '1.2.0', file: 'skills/merge-files.skill.md' },
      ...{ score: first?.score, ambiguous: false },
      reasons: [
        { field: 'name', text: 'merge' },
        { field: 'description', text: 'documents' },
      ],
    });
    assert.ok((first?.score ?? 0) > 0.3 && (first?.score ?? 0) <= 1);
  });

  it('prints a ranking as text, with the excluded skills and the reasons', async () => {
    const { status, stdout } = await run(folder, ['match', 'close files', '--profile', 'guest']);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^merge-files {2,4}\d{1,2} % █+░+ {2}ambiguous {2}1\.2\.0 {2}skills\/merge-files\.skill\.md\n {4}name: files\n/,
    );
    assert.match(
      stdout,
      /\nExcluded:\n {2}close-files: `guest` has the role `reader`.* {2}skills\/close\.skill\.md\n$/,
    );
  });

  it('ranks only the skills in PATH, and prints at most as many as `--top`', async () => {
    const named = await matchJson(folder, 'files 議事録', 'notes');
    assert.deepEqual(
      named.matches.map(({ name, file, version }) => [name, file, version]),
      [['notes', 'notes/SKILL.md', null]],
    );
    assert.equal((await matchJson(folder, 'files', '--top', '1')).matches.length, 1);
  });

  it('exits with 0 if no skill matches', async () => {
    assert.deepEqual((await matchJson(folder, 'zzz qqq')).matches, []);
    const { status, stdout } = await run(folder, ['match', '?!']);
    assert.deepEqual([status, stdout], [0, 'No skill matches this request.\n']);
  });

  it('says that no skill matches well, and names the nearest', async () => {
    const request = 'merge the old oak table, the zebra, seven blue kites, rain, bread, a clock, chalk and honey';
    const { stdout } = await run(folder, ['match', request]);
    assert.match(stdout, /^No skill matches this request well\. The nearest:\nmerge-files {4}1 % ░{10} {2}/);
    assert.equal((await matchJson(folder, request)).weak, true);
    assert.equal((await matchJson(folder, 'merge the documents')).weak, false);
  });

  it('escapes control characters in a request, and accepts a long request', async () => {
    const { request } = await matchJson(folder, 'merge\u001b[31m\u0007 files');
    assert.equal(request, 'merge\u001b[31m\u0007 files');
    const { stdout } = await run(folder, ['match', '--format', 'json', 'merge\u001b[31m\u0007']);
    assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u0007'));
    assert.equal((await matchJson(folder, `merge ${'other words '.repeat(8_500)}`)).matches[0]?.name, 'merge-files');
  });

  it('refuses an empty request, and unknown options', async () => {
    assertUsageError(await run(folder, ['match', ' ']), /The request is empty\. Write/);
    assertUsageError(await run(folder, ['match']), /REQUEST/);
    assertUsageError(await run(folder, ['match', 'x', '--top', '0']), /`--top` must be a positive integer, but is `0`/);
    assertUsageError(await run(folder, ['match', 'x', '--source', 'agent']), /`--source` does not support `agent`/);
    assertUsageError(
      await run(folder, ['match', 'x', '--profile', 'gest']),
      /unknown profile `gest`\. Did you mean `guest`\?/,
    );
  });

  it('returns the same ranking as `skill/match`', async () => {
    const queries = [
      { request: 'put it all in one file' },
      { request: 'close files', profile: 'guest', top: 2 },
      { request: '会議の議事録', source: 'scheduled' as const },
    ];
    await withServer(FILES, async ({ connection, uri }) => {
      for (const query of queries) {
        const reply = await connection.sendRequest<MatchReply>('skill/match', query);
        const { request, ...options } = query;
        const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
        const { version: _, ...printed } = await matchJson(folder, request, ...words);
        const file = (of: string): string => of.slice(uri('').length).replace(/^\//, '');
        assert.deepEqual(
          {
            ...reply,
            matches: reply.matches.map(({ uri: of, ...rest }) => ({ ...rest, file: file(of) })),
            excluded: reply.excluded.map(({ uri: of, ...rest }) => ({ ...rest, file: file(of) })),
          },
          printed,
        );
        assert.ok(reply.matches.length > 0);
      }
      assert.deepEqual(await connection.sendRequest('skill/match', { request: ' ' }), {
        ...{ request: ' ', weak: true, matches: [], excluded: [] },
      });
    });
  });
});
