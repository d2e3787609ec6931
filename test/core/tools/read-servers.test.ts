/** The reader of all clients' server configurations. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenServers, readServers, type ServerFile } from '../../../server/src/tools/read-servers.ts';

const file = (text: string): ServerFile => {
  const read = readServers(text);
  assert.ok(typeof read !== 'string', String(read));
  return read;
};

const names = (text: string) => file(text).servers.map(({ name, transport }) => `${name} ${transport.kind}`);

describe('readServers', () => {
  it('reads the file formats of all clients', () => {
    assert.deepEqual(names('{"servers": {"a": {"command": "x"}, "b": {"type": "http", "url": "https://b"}}}'), [
      'a stdio',
      'b http',
    ]);
    assert.deepEqual(
      names('{"mcpServers": {"a": {"type": "sse", "url": "https://a"}, "b": {"serverUrl": "https://b"}}}'),
      ['a sse', 'b http'],
    );
    assert.deepEqual(names('{"mcp": {"servers": {"a": {"command": "x"}}}}'), ['a stdio']);
    assert.deepEqual(names('{"context_servers": {"a": {"command": "x"}}}'), ['a stdio']);
  });

  it('reads opencode servers, with commands as lists and variables without dollar signs', () => {
    const { servers, unusable } = file(`{"mcp": {
      "local": {"type": "local", "command": ["npx", "-y", "wiki"], "environment": {"KEY": "{env:WIKI_KEY}"}},
      "remote": {"type": "remote", "url": "https://wiki.test/mcp", "headers": {"Authorization": "Bearer {env:WIKI_KEY}"}},
      "off": {"type": "local", "command": ["x"], "enabled": false}}}`);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the clients.
    const key = '${env:WIKI_KEY}';
    const [local, remote] = servers.map(({ transport }) => transport);
    assert.ok(local?.kind === 'stdio' && remote?.kind === 'http');
    assert.deepEqual([local.command, local.args, local.env.get('KEY')], ['npx', ['-y', 'wiki'], key]);
    assert.equal(remote.headers.get('Authorization'), `Bearer ${key}`);
    assert.deepEqual(
      unusable.map(({ name }) => name),
      ['off'],
    );
  });

  it('ignores comments and trailing commas, but not within strings', () => {
    const text = `\ufeff{ // one
      /* "servers": {}, */
      "servers": {"a": {"command": "x//y", "args": ["/*", ",]", "\\"//",], "env": {"N": 1, "B": true, "GONE": null,},}, /* , */ },
    }`;
    const [server] = file(text).servers;
    assert.ok(server?.transport.kind === 'stdio');
    assert.equal(server.transport.command, 'x//y');
    assert.deepEqual(server.transport.args, ['/*', ',]', '"//']);
    assert.deepEqual(
      [...server.transport.env],
      [
        ['N', '1'],
        ['B', 'true'],
        ['GONE', null],
      ],
    );
  });

  it('reads inputs with their prompts', () => {
    const { inputs } = file(`{"servers": {}, "inputs": [
      {"id": "key", "type": "promptString", "description": "A key", "password": true},
      {"id": "where", "type": "pickString", "options": ["eu", {"label": "US", "value": "us"}], "default": "eu"}, {}, 5]}`);
    assert.deepEqual(inputs, [
      { id: 'key', description: 'A key', initial: undefined, isPassword: true, options: undefined },
      { id: 'where', description: undefined, initial: 'eu', isPassword: false, options: ['eu', 'us'] },
    ]);
  });

  it('keeps servers with unusual names and skips invalid ones', () => {
    const { servers, unusable } = file(
      '{"servers": {"__proto__": {"command": "x"}, "constructor": 5, "off": {"command": "x", "disabled": true}, "args": {"command": "x", "args": "y"}}}',
    );
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['__proto__'],
    );
    assert.deepEqual(
      unusable.map(({ name, isOff }) => `${name} ${isOff ?? false}`),
      ['constructor false', 'off true', 'args false'],
    );
  });

  it('reports an invalid file without quoting its contents', () => {
    for (const text of ['{"servers": {"a": tok_secret}}', '', '[', `{"a": "${'['.repeat(9)}`]) {
      assert.match(String(readServers(text)), /^is not valid JSON/);
      assert.doesNotMatch(String(readServers(text)), /secret/);
    }
    for (const text of ['[]', '5', '"x"', 'null', '{"servers": []}', '{"mcp": {"mcp": {"servers": {}}}}']) {
      assert.match(String(readServers(text)), /has no servers|must contain a JSON object/);
    }
  });

  it('uses the servers that the catalog names, and reports missing ones', () => {
    const all = file('{"servers": {"wiki": {"command": "x"}, "off": {"command": "x", "disabled": true}}}');
    assert.deepEqual(chosenServers(all, ['off']), { ...all, servers: [] });
    assert.equal(chosenServers(all, ['wikki']), 'has no server `wikki`. Did you mean `wiki`?');
  });
});
