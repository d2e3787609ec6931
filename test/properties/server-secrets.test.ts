/** A hostile server repeats the secrets of its configuration; neither the output nor the snapshot contains them. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { askServer } from '../../server/src/services/tools/ask-server.ts';
import { pullTools } from '../../server/src/services/tools/pull.ts';
import { expandServer, type ReadyServer } from '../../server/src/tools/expand.ts';
import { maskOf } from '../../server/src/tools/mask.ts';
import { readServers } from '../../server/src/tools/read-servers.ts';
import { maskTools } from '../../server/src/tools/snapshot.ts';
import { cases } from '../random.ts';

const letters = fc.constantFrom(...'abzABZ079+/=-_.~%&"\\ \'');
const ascii = fc
  .array(letters, { minLength: 8, maxLength: 20 })
  .map((units) => `k${units.join('').trim()}9x`)
  .filter((secret) => secret.length >= 8);
const secret = fc.oneof(
  ascii,
  fc.array(fc.constantFrom('é', '🐉', 'ß', '密', 'a', '7'), { minLength: 6 }).map((units) => units.join('')),
);

/** The spellings of a secret that a server can easily make. */
const SPELLINGS: readonly ((secret: string) => string)[] = [
  (one) => one,
  (one) => `x_${one}_y`,
  (one) => encodeURIComponent(one),
  (one) => new URLSearchParams({ q: one }).toString(),
  (one) => JSON.stringify({ one }),
  (one) => one.toUpperCase().toLowerCase(),
  (one) => Buffer.from(one).toString('base64'),
  (one) => Buffer.from(`u:${one}`).toString('base64'),
  (one) => Buffer.from(`x${one}`).toString('base64url'),
  (one) => Buffer.from(one).toString('hex'),
];
const spelling = fc.constantFrom(...SPELLINGS);

/** Asserts that a text contains no secret, not even encoded. Reads every word as base64 and as hexadecimal digits. */
function assertWithout(text: string, secret: string): void {
  const words = text.match(/[\w+/-]{4,}/g) ?? [];
  const read = words.flatMap((word) =>
    [0, 1, 2, 3].flatMap((skipped) => [
      Buffer.from(word.slice(skipped), 'base64').toString(),
      Buffer.from(word, 'hex').toString(),
    ]),
  );
  const percent = text.replace(/(?:%[0-9a-f]{2})+/gi, (all) => Buffer.from(all.replaceAll('%', ''), 'hex').toString());
  const forms = [text, ...read, percent, percent.replaceAll('+', ' '), JSON.parse(`[${JSON.stringify(text)}]`)[0]];
  for (const form of forms) {
    assert.ok(!form.toLowerCase().includes(secret.toLowerCase()), `${JSON.stringify(secret)} in ${text}`);
  }
}

/** All strings in JSON data, keys included. */
function stringsIn(json: unknown): readonly string[] {
  if (typeof json !== 'object' || json === null) return [String(json)];
  return Object.entries(json).flatMap(([key, value]) => [key, ...stringsIn(value)]);
}

/** A schema whose keys and values are the texts in turn. */
function schemaOf(text: () => string) {
  const [first, second] = [text(), `${text()}2`];
  return {
    type: 'object',
    title: text(),
    properties: {
      [first]: { $ref: `#/$defs/${encodeURIComponent(first).replaceAll('~', '~0')}` },
      [second]: { default: text() },
    },
    required: [first, second],
    $defs: { [first]: { enum: [text(), { [text()]: [text()] }], pattern: text(), $comment: text() } },
    dependentRequired: { [first]: [second] },
    [text()]: text(),
  };
}

function inTurn(secret: string, how: readonly ((secret: string) => string)[]): () => string {
  let next = 0;
  return () => how[next++ % how.length]?.(secret) ?? '';
}

describe('the tools of a server that repeats a secret', () => {
  const given = fc.tuple(secret, fc.array(spelling, { minLength: 1, maxLength: 4 }));

  it('do not contain it in any spelling, in values, names and keys', () => {
    fc.assert(
      fc.property(given, ([secret, how]) => {
        const text = inTurn(secret, how);
        const tools = [1, 2].map((nth) => ({
          name: `${text()}${nth}`,
          description: text(),
          inputSchema: schemaOf(text),
          outputSchema: schemaOf(text),
        }));
        for (const said of stringsIn(maskTools(tools, maskOf([secret])))) assertWithout(said, secret);
      }),
      cases(100),
    );
  });

  it('keep all tools and keys, and `required` and `$ref` name the same keys as before', () => {
    fc.assert(
      fc.property(given, ([secret, how]) => {
        const text = inTurn(secret, how);
        const tools = [secret, `${secret}2`, '***'].map((name) => ({ name, inputSchema: schemaOf(text) }));
        const masked = maskTools(tools, maskOf([secret, `${secret}2`]));
        assert.equal(new Set(masked.map(({ name }) => name)).size, tools.length);
        for (const [at, { inputSchema }] of masked.entries()) {
          const before = tools[at]?.inputSchema as ReturnType<typeof schemaOf>;
          assert.deepEqual(
            inputSchema.required.map((key) => Object.keys(inputSchema.properties).indexOf(key)),
            before.required.map((key) => Object.keys(before.properties).indexOf(key)),
          );
          assert.equal(Object.keys(inputSchema).length, Object.keys(before).length);
          const [, name = ''] = /^#\/\$defs\/(.*)$/.exec(Object.values(inputSchema.properties)[0]?.$ref ?? '') ?? [];
          const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
          assert.deepEqual(Object.keys(inputSchema.$defs), [key]);
        }
      }),
      cases(100),
    );
  });

  it('do not change without a secret in them', () => {
    const tools = [{ name: 'read_page', description: 'Reads.', inputSchema: schemaOf(() => 'slug') }];
    assert.deepEqual(maskTools(tools, maskOf(['another-secret'])), tools);
  });
});

describe('a pull from a server that repeats a secret', () => {
  /** The replies by method, as the next case sets them. */
  const replies = new Map<string, object>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (body.id === undefined) return void response.writeHead(202).end();
    const reply = replies.get(body.method) ?? { error: { code: -32601, message: 'Unknown method.' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...reply }));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const ready = (url: string, secret: string): ReadyServer => {
    /* biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the clients. */
    const entry = { type: 'http', url, headers: { Authorization: 'Bearer ${input:token}' } };
    const file = readServers(JSON.stringify({ servers: { wiki: entry } }));
    assert.ok(typeof file !== 'string' && file.servers[0]);
    const user = { environment: () => undefined, isPassword: () => true, home: '/h', separator: '/' };
    const values = { inputs: new Map([['token', secret]]), folder: '/w', ...user };
    const expanded = expandServer(file.servers[0], values);
    assert.ok('hidden' in expanded);
    return expanded;
  };

  it('contains the secret neither in its report nor in the snapshot, wherever the server writes it', async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const limits = { connectSeconds: 600, seconds: 600, tools: 100, pages: 10, bytes: 1_000_000 };
    const shape = fc.record({
      secret: ascii,
      how: fc.array(spelling, { minLength: 1, maxLength: 4 }),
      fault: fc.constantFrom('none', 'error', 'invalid tool', 'invalid list', 'invalid answer'),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ secret, how, fault }) => {
        const text = inTurn(secret, how);
        replies.set('initialize', {
          result: {
            protocolVersion: fault === 'invalid answer' ? text() : '2025-06-18',
            capabilities: { tools: {}, [text()]: { [text()]: text() } },
            serverInfo: { name: text(), version: text(), title: text() },
            instructions: text(),
          },
        });
        const error = { code: -32000, message: `${text()} ${text()}`, data: { [text()]: text() } };
        const tool = {
          name: text(),
          title: text(),
          description: text(),
          inputSchema: schemaOf(text),
          outputSchema: schemaOf(text),
        };
        const invalid = { name: text(), inputSchema: { type: text(), required: text() } };
        const tools = [tool, { ...tool, name: `${text()}3` }, ...(fault === 'invalid tool' ? [invalid] : [])];
        replies.set(
          'tools/list',
          fault === 'error' ? { error } : { result: { tools: fault === 'invalid list' ? text() : tools } },
        );
        const plan = {
          servers: [{ name: 'wiki', file: '.mcp.json', ready: ready(url, secret), program: undefined }],
          ...{ skipped: [], configured: ['wiki'], inputs: [] },
        };
        const old = JSON.stringify({
          servers: [{ name: 'wiki', version: text() }],
          tools: [{ ...tool, server: 'wiki' }],
        });
        const pull = await pullTools(plan, old, askServer, limits, () => undefined);
        assert.equal(pull.servers[0]?.status, fault === 'none' || fault === 'invalid tool' ? 'pulled' : 'failed');
        for (const said of stringsIn([pull.servers, pull.before, pull.snapshot])) assertWithout(said, secret);
      }),
      cases(100),
    );
  });
});
