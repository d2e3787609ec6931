/** `skill/fixAll`: the edits of “Skill: Fix All”, and the remaining findings. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { CancellationTokenSource } from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type FixAllReply, FixAllRequest, FixesRequest, type OfferedFix } from '../../server/src/protocol.ts';
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

/** Returns the files after the edits, by path. */
const textsOf = ({ files }: FixAllReply, { uri }: Server): Record<string, string> =>
  Object.fromEntries(
    files.map((file) => {
      const document = TextDocument.create(file.uri, 'skillmd', 1, file.before);
      return [file.uri.replace(uri(''), ''), TextDocument.applyEdits(document, [...file.edits])];
    }),
  );

test('returns every safe fix in the workspace, and the number of remaining findings for each reason', async () => {
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
    // Only the author knows the intended tool.
    assert.deepEqual(reply.left, { undecided: 2, unfixable: 0 });
  });
});

test('returns the safe fixes for the buffer of one file, and no edits in other files', async () => {
  const files = { 'skills.config.yaml': CATALOG, 'a.skill.md': skill('a', colon), 'b.skill.md': skill('b', colon) };
  await withServer(files, async (server) => {
    await server.open('a.skill.md', skill('a', 'Another: one.'));
    const reply = await fixAll(server, 'a.skill.md');
    assert.deepEqual(textsOf(reply, server), { '/a.skill.md': skill('a', '"Another: one."') });
    assert.equal(reply.files[0]?.before, skill('a', 'Another: one.'));
    assert.deepEqual(reply.left, { undecided: 0, unfixable: 0 });
  });
});

test('includes fixes that other fixes make possible, and returns each change as a separate edit', async () => {
  const text = skill('a', colon, 'license: MIT', 'tags: page');
  await withServer({ 'a.skill.md': text }, async (server) => {
    const reply = await fixAll(server);
    // The rules check the frontmatter only if it is valid.
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

test('does not count the byte order mark in the edited text', async () => {
  await withServer({ 'a.skill.md': `\ufeff${skill('a', colon)}` }, async (server) => {
    const reply = await fixAll(server);
    assert.equal(reply.files[0]?.before, skill('a', colon));
    assert.deepEqual(textsOf(reply, server), { '/a.skill.md': skill('a', quoted) });
  });
});

test('offers the safe fixes and those without an alternative, and applies what the user selects', async () => {
  const files = {
    'skills.config.yaml': CATALOG,
    'a.skill.md': skill('a', colon, 'tols: [read_page]'),
    'b.skill.md': skill('b', colon),
  };
  await withServer(files, async (server) => {
    const offered = await server.connection.sendRequest<readonly OfferedFix[]>(FixesRequest.method, {});
    const shown = offered.map(({ uri, title, isSafe }) => [uri.replace(server.uri(''), ''), title, isSafe]);
    assert.deepEqual(shown, [
      ['/a.skill.md', 'Put the value in quotes', true],
      ['/a.skill.md', 'Rename to ‘tools’', false],
      ['/b.skill.md', 'Put the value in quotes', true],
    ]);
    const [first] = offered;
    const reply = await server.connection.sendRequest<FixAllReply>(FixAllRequest.method, { leave: [first?.id] });
    assert.deepEqual(textsOf(reply, server), { '/b.skill.md': skill('b', quoted) });
  });
  const misspelt = {
    'skills.config.yaml': CATALOG,
    'a.skill.md': skill('a', 'Fine.', 'tols: [read_page]', 'tags: page'),
  };
  await withServer(misspelt, async (server) => {
    const offered = await server.connection.sendRequest<readonly OfferedFix[]>(FixesRequest.method, {});
    const unsafe = offered.filter(({ isSafe }) => !isSafe);
    assert.deepEqual(
      unsafe.map(({ title }) => title),
      ['Rename to ‘tools’'],
    );
    const reply = await server.connection.sendRequest<FixAllReply>(FixAllRequest.method, {
      also: unsafe.map(({ id }) => id),
    });
    assert.deepEqual(textsOf(reply, server), {
      '/a.skill.md': skill('a', 'Fine.', 'tools: [read_page]', 'tags: [page]'),
    });
  });
});

test('can be cancelled', async () => {
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
