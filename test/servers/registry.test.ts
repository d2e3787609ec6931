/**
 * `skill-composer tools pull` from servers of the package registry, started as users start them. `npm test` does not
 * run this test, because it requires the registry; `test/protocol` tests the command with servers of this repository.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type RunResult, run } from '../protocol/cli.ts';
import { pullFolder } from '../protocol/tools-pull.ts';

const EVERYTHING = '@modelcontextprotocol/server-everything';
const FILES = '@modelcontextprotocol/server-filesystem';

const npx = (...args: string[]): object => ({ command: 'npx', args: ['-y', ...args] });
const pull = (folder: string, ...words: string[]): Promise<RunResult> =>
  run(folder, ['tools', 'pull', '--yes', ...words]);

interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: { readonly type?: string };
  readonly operation: string;
  readonly server: string;
}
const read = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'skills.tools.json'), 'utf8')) as {
    readonly servers: readonly { readonly name: string; readonly version?: string }[];
    readonly tools: readonly Tool[];
  };

describe('skill-composer tools pull, from the registry', () => {
  it('reads the tools of two servers over stdio, with the same result the second time', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the clients.
    const folder = pullFolder({ everything: npx(EVERYTHING), files: npx(FILES, '${workspaceFolder}') });
    const { status, stdout, stderr } = await pull(folder);
    assert.equal(status, 0, stdout + stderr);
    const { servers, tools } = read(folder);
    assert.deepEqual(
      servers.map(({ name, version }) => [name, /^\d/.test(version ?? '')]),
      [
        ['everything', true],
        ['files', true],
      ],
    );
    const find = (server: string, name: string) => tools.find((tool) => tool.server === server && tool.name === name);
    assert.equal(find('everything', 'echo')?.inputSchema?.type, 'object');
    assert.equal(find('files', 'write_file')?.operation, 'WRITE');
    assert.equal(find('files', 'list_directory')?.operation, 'READ');
    assert.ok(tools.every(({ description = '' }) => description.length > 0));
    const again = await pull(folder, '--check');
    assert.equal(again.status, 0, again.stdout);
  });

  const running: ChildProcess[] = [];
  after(() => {
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  });

  /** Starts the server on a free port, and waits until it listens. */
  async function listen(how: 'streamableHttp' | 'sse'): Promise<number> {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as { port: number };
    free.close();
    await once(free, 'close');
    const env = { ...process.env, PORT: String(port) };
    const child = spawn('npx', ['-y', EVERYTHING, how], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    await new Promise<void>((resolve, fail) => {
      let said = '';
      const take = (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(String(port))) resolve();
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('close', () => fail(new Error(`The server ended: ${said}`)));
    });
    return port;
  }

  for (const [how, path, entry] of [
    ['streamableHttp', 'mcp', { type: 'http' }],
    ['sse', 'sse', { type: 'sse' }],
    ['sse', 'sse', {}],
  ] as const) {
    it(`reads the tools of a server over HTTP (${how}, ${'type' in entry ? `type ${entry.type}` : 'no type'})`, async () => {
      const port = await listen(how);
      const folder = pullFolder({ everything: { ...entry, url: `http://127.0.0.1:${port}/${path}` } });
      const { status, stdout, stderr } = await pull(folder);
      assert.equal(status, 0, stdout + stderr);
      assert.ok(read(folder).tools.some(({ name }) => name === 'echo'));
    });
  }
});
