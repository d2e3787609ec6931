/** `skill/fixAll`: what “Skill: Fix All” applies, and what it leaves. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { CancellationTokenSource } from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type FixAllReply, FixAllRequest } from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';

const skill = (name: string, description: string, ...lines: readonly string[]): string =>
  [
    '---',
    `name: ${name}`,
    `description: ${description}`,
    'version: 1.0.0',
    'input_schema: {}',
    ...lines,
    '---',
    'Do it.',
    '',
  ].join('\n');

const CATALOG = 'tools:\n  - {name: read_page, description: "Reads a page", operation: READ}\n';
const colon = 'Use it for: pages.';
const quoted = `"${colon}"`;

const fixAll = (server: Server, path?: string) =>
  server.connection.sendRequest<FixAllReply>(FixAllRequest.method, path === undefined ? {} : { uri: server.uri(path) });

/** The texts after the edits, by path. */
const textsOf = ({ files }: FixAllReply, { uri }: Server): Record<string, string> =>
  Object.fromEntries(
    files.map((file) => {
      const document = TextDocument.create(file.uri, 'skillmd', 1, file.before);
      return [file.uri.replace(uri(''), ''), TextDocument.applyEdits(document, [...file.edits])];
    }),
  );

test('every safe fix of the workspace is in one answer, with what is left and why', async () => {
  const files = {
    'skills.config.yaml': CATALOG,
    'a.skill.md': skill('a', colon),
    'b.skill.md': skill('b', colon, 'tools: [red_page]'),
    'c.skill.md': skill('c', 'Fine.', 'tools: [no_such_tool_at_all]'),
  };
  await withServer(files, async (server) => {
    const reply = await fixAll(server);
    assert.deepEqual(textsOf(reply, server), {
      '/a.skill.md': skill('a', quoted),
      '/b.skill.md': skill('b', quoted, 'tools: [red_page]'),
    });
    assert.equal(reply.fixes, 2);
    // Which tool was meant, a person must say.
    assert.deepEqual(reply.left, { undecided: 2, unfixable: 0 });
  });
});

test('the safe fixes of one file leave the others alone, and are those of its buffer', async () => {
  const files = { 'skills.config.yaml': CATALOG, 'a.skill.md': skill('a', colon), 'b.skill.md': skill('b', colon) };
  await withServer(files, async (server) => {
    await server.open('a.skill.md', skill('a', 'Another: one.'));
    const reply = await fixAll(server, 'a.skill.md');
    assert.deepEqual(textsOf(reply, server), { '/a.skill.md': skill('a', '"Another: one."') });
    assert.equal(reply.files[0]?.before, skill('a', 'Another: one.'));
    assert.deepEqual(reply.left, { undecided: 0, unfixable: 0 });
  });
});

test('a fix that another one makes possible is in the same answer, and each change is an edit of its own', async () => {
  const text = skill('a', colon, 'license: MIT', 'tags: page');
  await withServer({ 'a.skill.md': text }, async (server) => {
    const reply = await fixAll(server);
    // What the rules say of the frontmatter is known only when it parses.
    assert.deepEqual(textsOf(reply, server), { '/a.skill.md': skill('a', quoted, 'license: MIT', 'tags: [page]') });
    assert.deepEqual(
      reply.files[0]?.edits.map(({ range }) => [range.start.line, range.end.line]),
      [
        [2, 2],
        [6, 6],
      ],
    );
  });
});

test('the mark at the beginning of a file is no part of the text that is edited', async () => {
  await withServer({ 'a.skill.md': `\ufeff${skill('a', colon)}` }, async (server) => {
    const reply = await fixAll(server);
    assert.equal(reply.files[0]?.before, skill('a', colon));
    assert.deepEqual(textsOf(reply, server), { '/a.skill.md': skill('a', quoted) });
  });
});

test('fixing everything is cancelled', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`s${at}.skill.md`, skill(`s${at}`, colon)] as const),
  );
  await withServer(files, async (server) => {
    const token = new CancellationTokenSource();
    const reply = server.connection.sendRequest<FixAllReply>(FixAllRequest.method, {}, token.token);
    token.cancel();
    await assert.rejects(reply, /[Cc]ancel/);
    assert.equal((await fixAll(server)).fixes, 100);
  });
});
