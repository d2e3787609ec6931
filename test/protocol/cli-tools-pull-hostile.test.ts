/** `tools pull` with servers that hang, die, flood, send invalid data or require a login. Only these servers fail. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runAsProcess as run } from './cli.ts';
import { type PullJson, pullFolder, stdio } from './tools-pull.ts';

const toolsOf = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'skills.tools.json'), 'utf8')) as { tools: { name: string; server: string }[] })
    .tools;

async function reasons(servers: object, ...words: string[]) {
  const folder = pullFolder(servers);
  const { status, stdout } = await run(folder, ['tools', 'pull', '--yes', '--format', 'json', ...words]);
  const [catalog] = (JSON.parse(stdout) as PullJson).catalogs;
  return { folder, status, reasons: new Map(catalog?.servers.map(({ name, reason }) => [name, reason])) };
}

describe('skill-composer tools pull, with a hostile server', () => {
  const quick: readonly (readonly [string, RegExp])[] = [
    ['dies', /^ended with status 1 before it answered\. Error output: Cannot reach/],
    ['dies-late', /^ended with status 3 before it answered/],
    ['refuses', /^refused the request: .*No licence/],
    ['endless', /^has a list of tools with more than 1000 pages/],
    ['circle', /^returned the same page of its list of tools twice/],
    ['changes', /^changed its list of tools 3 times/],
    ['crowd', /^has more than 10000 tools/],
    ['rubble', /^has more than 10000 tools/],
    ['huge', /^sent (?:more than 10 MB|a message that is too large)/],
    ['floods', /^sent more than 10 MB/],
    ['one-line', /^sent (?:more than 10 MB|a message that is too large)/],
    ['complains', /^sent more than 10 MB/],
    ['deep', /^has 1 invalid tool: `deep`: its schema is nested deeper than 100 levels\.$/],
    ['wrong', /^has 1 invalid tool: a tool without a name: `name`: .*expected string/],
    ['unlisted', /^returned no list of tools for `tools\/list`\.$/],
  ];
  let answer: Awaited<ReturnType<typeof reasons>>;
  before(async () => {
    const hostile = Object.fromEntries(quick.map(([way]) => [way, stdio(way)]));
    // Each of these servers fails because of its output, not because of the timeout, even on a slow machine.
    answer = await reasons({ good: stdio('good'), ...hostile }, '--timeout', '600');
  });

  for (const [way, reason] of quick) {
    it(`reports on one line what is wrong in the mode \`${way}\``, () => {
      assert.match(answer.reasons.get(way) ?? '', reason);
      assert.doesNotMatch(answer.reasons.get(way) ?? '', /\n/);
    });
  }

  it('writes the tools of the other servers, and exits with 1', () => {
    assert.equal(answer.status, 1);
    assert.equal(answer.reasons.get('good'), null);
    assert.deepEqual(
      toolsOf(answer.folder).map(({ name, server }) => `${name} ${server}`),
      ['read_page good', 'write_page good'],
    );
  });

  it('reads the valid tools in a list that also contains invalid tools', async () => {
    const { folder, status, reasons: told } = await reasons({ mixed: stdio('mixed') });
    assert.equal(status, 0);
    assert.deepEqual(
      toolsOf(folder).map(({ name }) => name),
      ['read_page'],
    );
    assert.match(
      told.get('mixed') ?? '',
      /^has 3 invalid tools: `bare`: `inputSchema`: .+; a tool without a name: .+; `deep`: its schema is nested/,
    );
  });

  // Slow, because a loaded machine needs seconds to start the servers: a shorter `--timeout` would stop them before.
  it('after `--timeout`, stops a server that hangs or prints something that is not a message', async () => {
    const servers = { hangs: stdio('hangs'), silent: stdio('silent'), nonsense: stdio('nonsense') };
    const { reasons: told } = await reasons(servers, '--timeout', '3');
    assert.match(told.get('hangs') ?? '', /^did not (?:connect|list all its tools) within 3 s/);
    assert.match(told.get('silent') ?? '', /^did not (?:connect|list all its tools) within 3 s/);
    assert.match(told.get('nonsense') ?? '', /within 3 s\. Its output contains lines that are not protocol messages/);
  });

  it('hides a whole secret even in a truncated error message', async () => {
    const { reasons: told } = await reasons({
      long: stdio('dies-at-length', { env: { DB_PASSWORD: 'over-the-hills' } }),
    });
    assert.match(told.get('long') ?? '', /^ended with status 1 .* Error output: .*reach \*{3}\.+$/);
  });

  it('stops a server that does not end by itself', async () => {
    const { folder } = await reasons({ hangs: stdio('hangs', {}, 'pid') }, '--timeout', '3');
    // Under load, the server may be stopped before it has started.
    if (!existsSync(join(folder, 'pid'))) return;
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it("stops waiting if a child process keeps a hanging server's output open", async () => {
    const began = performance.now();
    const { folder, reasons: told } = await reasons({ leaves: stdio('leaves', {}, 'pid') }, '--timeout', '3');
    const left = join(folder, 'pid.left');
    if (existsSync(left)) process.kill(Number(readFileSync(left, 'utf8')), 'SIGKILL');
    assert.match(told.get('leaves') ?? '', /^did not (?:connect|list all its tools) within 3 s/);
    // The child process lives for two minutes.
    assert.ok(performance.now() - began < 60_000);
  });

  it('reports why a server cannot be started or has no supported transport', async () => {
    const { reasons: told } = await reasons({
      gone: { command: 'no-such-program-of-ours' },
      none: {},
      ws: { type: 'ws', url: 'ws://x' },
    });
    assert.match(
      told.get('gone') ?? '',
      /^cannot be started: the command `no-such-program-of-ours` or the folder `.*` does not exist/,
    );
    assert.match(told.get('none') ?? '', /neither a `command` nor a `url`/);
    assert.match(told.get('ws') ?? '', /WebSocket/);
  });
});

describe('skill-composer tools pull, with a hostile HTTP server', () => {
  let address = '';
  const seen: string[] = [];
  const server = createServer((request, response) => void handle(request, response));

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push(`${request.url} ${request.headers.authorization ?? ''}`);
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65536)));
      if (!response.destroyed) response.once('drain', write);
    };
    switch (request.url) {
      case '/login':
        return void response
          .writeHead(401, { 'www-authenticate': 'Bearer realm="x"' })
          .end('token top-secret is refused');
      case '/hangs':
        return;
      case '/elsewhere':
        return void response.writeHead(307, { location: `${address.replace('127.0.0.1', 'localhost')}/taken` }).end();
      case '/floods':
        response.writeHead(200, { 'content-type': 'application/json' });
        return write();
      case '/page':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hello</html>');
      default:
        return void response.writeHead(500).end('broken');
    }
  };

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('reports on one line that a server requires a login, floods, redirects, fails or returns a page', async () => {
    const headers = { Authorization: 'Bearer top-secret' };
    const at = (path: string) => ({ type: 'http', url: `${address}/${path}`, headers });
    const all = Object.fromEntries(['login', 'elsewhere', 'floods', 'page', 'fails'].map((path) => [path, at(path)]));
    const {
      status,
      folder,
      reasons: told,
    } = await reasons({
      ...{ ...all, good: stdio('good') },
      tls: { type: 'http', url: address.replace('http:', 'https:') },
    });
    assert.equal(status, 1);
    assert.match(told.get('login') ?? '', /^requires a login \(401\)\. Add the header `Authorization`/);
    assert.match(told.get('floods') ?? '', /^sent more than 10 MB/);
    assert.match(told.get('tls') ?? '', /wrong version number/);
    for (const name of ['elsewhere', 'page', 'fails', 'tls'])
      assert.match(told.get(name) ?? '', /^did not list its tools: ./);
    assert.doesNotMatch([...told.values()].join(), /top-secret|\n/);
    assert.ok(!seen.some((line) => line.startsWith('/taken')), 'a token goes nowhere else');
    assert.equal(toolsOf(folder).length, 2);
  });

  it('stops waiting for a hanging server after `--timeout`', async () => {
    const { reasons: told } = await reasons({ hangs: { type: 'http', url: `${address}/hangs` } }, '--timeout', '2');
    assert.match(told.get('hangs') ?? '', /^did not (?:connect|list all its tools) within 2 s/);
  });

  it('refuses an invalid address', async () => {
    const { reasons: told } = await reasons({ file: { type: 'http', url: 'file:///etc/passwd' } });
    assert.match(told.get('file') ?? '', /^has an invalid address/);
  });
});
