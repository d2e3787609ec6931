/** The bundled authoring server with the official client of the protocol. */
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI } from './cli.ts';
import { runInProcess } from './in-process.ts';

/** The protocol version: 2025 begins with `initialize`, 2026 with `server/discover`. */
export const ERAS = ['2025', '2026'] as const;
export type Era = (typeof ERAS)[number];

/** The result of a tool; its keys depend on the tool. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read results of different shapes.
export type Answer = Record<string, any> & { readonly ok: boolean };

export interface Agent {
  readonly client: Client;
  /** Calls a tool, and returns the structured content, which is also in the text as JSON. */
  call(tool: string, given?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface AgentOptions {
  readonly era?: Era;
  readonly words?: readonly string[];
  /** True if the server has its own process; otherwise the server runs in the process of the test. */
  readonly apart?: boolean;
  /** The user's answer to a question from the server; if it is missing, the client does not support questions. */
  readonly says?: (question: string) => 'accept' | 'decline';
}

const open = new Set<Agent>();

after(async () => {
  for (const agent of open) await agent.close();
});

/** Starts a client of the authoring server in a folder. */
export async function agentIn(
  cwd: string,
  { era = '2026', words = [], says, apart = false }: AgentOptions = {},
): Promise<Agent> {
  const args = ['mcp', ...words];
  const transport = apart
    ? new StdioClientTransport({ command: process.execPath, args: [CLI, ...args], cwd, stderr: 'ignore' })
    : inProcess(cwd, args);
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: era === '2025' ? 'legacy' : 'auto' },
      capabilities: says ? { elicitation: { form: {} } } : {},
    },
  );
  if (says) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const action = says(params.message);
      return action === 'accept' ? { action, content: {} } : { action };
    });
  }
  await client.connect(transport);
  const agent: Agent = {
    client,
    async call(tool, given = {}, signal) {
      const result = await client.callTool({ name: tool, arguments: given }, signal ? { signal } : {});
      const answer = result.structuredContent as Answer;
      const [content] = result.content;
      assert.deepEqual(JSON.parse(content?.type === 'text' ? content.text : ''), answer);
      assert.equal(result.isError === true, !answer.ok);
      if (!answer.ok) assert.match(`${answer.reason} ${answer.message}`, /^[a-z-]+ [A-Z`].+[.!?]$/s);
      return answer;
    },
    async close() {
      open.delete(agent);
      await client.close();
    },
  };
  open.add(agent);
  return agent;
}

/** A transport to the command line in this process, with one message on each line. */
function inProcess(cwd: string, words: readonly string[]): Transport {
  const script = runInProcess(CLI, words, { cwd });
  script.stderr.resume();
  const transport: Transport = {
    start: async () => {
      createInterface(script.stdout)
        .on('line', (line) => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage))
        .on('close', () => transport.onclose?.());
    },
    send: async (message) => void script.stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      script.stdin.end();
      await script.ended;
      await script.dispose();
      transport.onclose?.();
    },
  };
  return transport;
}
