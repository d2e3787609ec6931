/** An MCP server with one tool, which requires a key. */
import { createInterface } from 'node:readline';

const inputSchema = { type: 'object', properties: { slug: { type: 'string' } }, required: ['slug'] };
const read = {
  name: 'read_page',
  description: 'Reads a page of the wiki.',
  inputSchema,
  annotations: { readOnlyHint: true },
};
/** @type {Record<string, (params: {protocolVersion?: string}) => object>} */
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'wiki', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [read] }),
};

if (process.env.WIKI_KEY !== 'open-sesame') process.exit(1);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} }));
});
