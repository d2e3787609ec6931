/** `skill-composer tools pull` over HTTP, from servers of the official package, with both versions of the protocol. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { run } from './cli.ts';
import { pullFolder } from './tools-pull.ts';

const makeServer = (): McpServer => {
  const server = new McpServer({ name: 'wiki', version: '4.5.6' });
  const inputSchema = fromJsonSchema<{ slug: string }>({ type: 'object', properties: { slug: { type: 'string' } } });
  const annotations = { readOnlyHint: true };
  server.registerTool('read_page', { description: 'Reads a page.', inputSchema, annotations }, () => ({ content: [] }));
  return server;
};

describe('skill-composer tools pull, over HTTP', () => {
  const servers: Server[] = [];
  const listen = async (legacy: 'stateless' | 'reject'): Promise<string> => {
    const handler = createMcpHandler(makeServer, { legacy });
    const server = createServer(async (request, response) => {
      if (request.headers.authorization !== 'Bearer my-token') return void response.writeHead(401).end();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/' } = request;
      const headers = Object.entries(request.headers).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value] as [string, string]] : [],
      );
      const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
      const answer = await handler.fetch(new Request(`http://127.0.0.1${url}`, { method, headers, ...body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  };
  const addresses: Record<string, string> = {};
  before(async () => {
    addresses.both = await listen('stateless');
    addresses.modern = await listen('reject');
  });
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('reports that a server that is not running cannot be reached', async () => {
    const url = await listen('stateless');
    const server = servers.at(-1);
    await new Promise((closed) => server?.close(closed));
    for (const host of ['127.0.0.1', 'localhost']) {
      const folder = pullFolder({ wiki: { url: url.replace('127.0.0.1', host) } });
      const { status, stdout } = await run(folder, ['tools', 'pull', '--yes']);
      assert.match(stdout, /wiki \(.*\) cannot be reached: .*ECONNREFUSED.*\. Start it, or correct its address\.\n/);
      assert.equal(status, 1);
    }
  });

  for (const era of ['both', 'modern']) {
    it(`reads the tools of a server with ${era === 'both' ? 'both protocol versions' : 'only the newer protocol version'}`, async () => {
      const folder = pullFolder({ wiki: { url: addresses[era], headers: { Authorization: 'Bearer my-token' } } });
      const { status, stdout, stderr } = await run(folder, ['tools', 'pull', '--yes']);
      assert.equal(status, 0, stdout + stderr);
      assert.deepEqual(JSON.parse(readFileSync(join(folder, 'skills.tools.json'), 'utf8')), {
        servers: [{ name: 'wiki', version: '4.5.6' }],
        tools: [
          {
            name: 'read_page',
            description: 'Reads a page.',
            inputSchema: { properties: { slug: { type: 'string' } }, type: 'object' },
            operation: 'READ',
            server: 'wiki',
          },
        ],
      });
    });
  }
});
