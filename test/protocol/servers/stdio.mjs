/**
 * A server of the protocol on standard input and output, without any library: correct, or hostile in one way.
 *
 *   node stdio.mjs WAY [FILE]     FILE is written when the server starts, to show that it started
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [way = 'good', marker] = process.argv.slice(2);
if (marker) writeFileSync(marker, `${process.pid}\n`);

const MEGABYTE = 1024 * 1024;
/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
/** @param {string} name @param {object} [more] */
const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { slug: { type: 'string' } }, required: ['slug'] },
  ...more,
});
/** A tool with a schema that is nested too deeply. */
const bottomless = () => {
  /** @type {object} */
  let schema = { type: 'string' };
  for (let depth = 0; depth < 500; depth++) schema = { type: 'object', properties: { next: schema } };
  return tool('deep', { inputSchema: schema });
};
const changed = () => send({ method: 'notifications/tools/list_changed' });

/** @type {Record<string, (cursor: string | undefined) => object | undefined>} */
const lists = {
  good: () => ({ tools: [tool('write_page'), tool('read_page', { annotations: { readOnlyHint: true } })] }),
  pages: (cursor = '0') => ({
    tools: [tool(`page_${cursor}`)],
    ...(Number(cursor) < 99 && { nextCursor: String(Number(cursor) + 1) }),
  }),
  shuffled: () => {
    const both = [tool('b', { inputSchema: { required: [], properties: {}, type: 'object' } }), tool('a')];
    return { tools: Math.random() < 0.5 ? both : both.reverse() };
  },
  twice: () => ({ tools: [tool('same', { description: 'First.' }), tool('same', { description: 'Second.' })] }),
  leaking: () => {
    const secret = process.env.DB_PASSWORD ?? '';
    const inputSchema = { type: 'object', properties: { [secret]: { enum: [secret] } }, required: [secret] };
    return { tools: [tool(`leak_${secret}`, { description: `Connects with ${secret}.`, inputSchema })] };
  },
  silent: () => undefined,
  'changes-once': (() => {
    let count = 0;
    return () => {
      if (count++ === 0) changed();
      return { tools: [tool(`reading_${count}`)] };
    };
  })(),
  changes: () => {
    changed();
    return { tools: [tool('restless')] };
  },
  endless: (cursor = '0') => ({ tools: [], nextCursor: String(Number(cursor) + 1) }),
  circle: () => ({ tools: [tool('round')], nextCursor: 'again' }),
  crowd: () => ({
    tools: Array.from({ length: 10_001 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } })),
  }),
  rubble: () => ({ tools: Array(1_000_000).fill(1) }),
  huge: () => ({ tools: [tool('huge', { description: 'x'.repeat(11 * MEGABYTE) })] }),
  deep: () => ({ tools: [bottomless()] }),
  wrong: () => ({ tools: [{ name: 5, inputSchema: 'none' }] }),
  unlisted: () => ({ tool: [] }),
  mixed: () => ({ tools: [{ name: 'bare' }, tool('read_page'), null, bottomless()] }),
  odd: () => ({
    tools: [
      tool('read_page'),
      tool('find', { inputSchema: { type: 'object', properties: { 'filter[name]': { type: 'string' } } } }),
      tool('list', { outputSchema: { type: 'array', items: { type: 'string' } } }),
      tool('untyped', { inputSchema: { anyOf: [{ type: 'object' }] } }),
    ],
  }),
  'dies-late': () => process.exit(3),
};

/** @param {{id?: number, method?: string, params?: {cursor?: string, protocolVersion?: string}}} message */
function answer({ id, method, params }) {
  if (method === 'initialize') {
    if (way === 'modern') return send({ id, error: { code: -32022, message: 'Unsupported protocol version' } });
    if (way === 'refuses') return send({ id, error: { code: -32000, message: 'No licence: sk-secret-value' } });
    return send({
      id,
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: way === 'toolless' ? {} : { tools: { listChanged: true } },
        serverInfo: { name: way, version: way === 'leaking' ? process.env.DB_PASSWORD : '1.2.3' },
      },
    });
  }
  if (method === 'tools/list') {
    const result = (lists[way] ?? lists.good)?.(params?.cursor);
    return result && send({ id, result });
  }
  if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
}

/** @param {() => boolean} write */
const forever = (write) => {
  const go = () => {
    while (write());
    process.stdout.once('drain', go);
  };
  go();
};

switch (way) {
  case 'dies':
    console.error(`Cannot reach the database at ${process.env.DB_PASSWORD}`);
    process.exit(1);
    break;
  case 'dies-at-length':
    console.error(`Cannot reach ${process.env.DB_PASSWORD}${'.'.repeat(490)}`);
    process.exit(1);
    break;
  case 'leaves':
    // The child process keeps the output open, and is in another process group.
    writeFileSync(
      `${marker}.left`,
      `${spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 120_000)'], { detached: true, stdio: 'inherit' }).pid}`,
    );
    setInterval(() => undefined, 1000);
    break;
  case 'hangs':
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 1000);
    break;
  case 'nonsense':
    console.log('Welcome!\n<html>\n{"jsonrpc": 1}\n[]');
    setInterval(() => undefined, 1000);
    break;
  case 'floods':
    forever(() => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })}\n`));
    break;
  case 'one-line':
    forever(() => process.stdout.write('x'.repeat(65536)));
    break;
  case 'complains':
    complain();
    break;
  default:
    createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
}

/** Waits for the previous write, because buffered output would fill the memory of this process. */
function complain() {
  process.stderr.write('x'.repeat(MEGABYTE), () => setImmediate(complain));
}
