/** The authoring server over HTTP, only for the conformance suite of the protocol, which supports only HTTP. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { makeServer } from '../../server/src/frontends/mcp/serve.ts';
import { openSkillFolders } from '../../server/src/frontends/mcp/serve-skills.ts';

const noTool = () => Promise.reject(new Error('The suite knows none of these tools.'));

/** Serves the skills of a folder on a free port. */
export async function serveOverHttp(folder: string): Promise<{ readonly url: string; readonly server: Server }> {
  const skills = await openSkillFolders(folder);
  await skills.refresh();
  const handler = createMcpHandler(() => makeServer(false, noTool, skills));
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers, headersDistinct } = request;
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: await buffer(request) };
    const named = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [name, values.join()]);
    const answer = await handler.fetch(
      new Request(`http://${headers.host}${url}`, { method, headers: named, ...body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) response.write(chunk);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
}
