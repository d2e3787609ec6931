/**
 * The authoring server on standard input and output, in both eras of the protocol. A script of its own, which nothing else
 * loads; the tools come from `load` with the first call. With `serve-skills.ts` the only importer of the protocol's package.
 */
import type { Readable, Writable } from 'node:stream';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../environment.ts';
import type { Authoring, Result, ToolCall } from './call.ts';
import type { SkillFolders } from './serve-skills.ts';
import { OUTPUT, type Tool, toolsFor } from './tools.ts';

export interface Serving {
  readonly readOnly: boolean;
  readonly load: () => Promise<Authoring>;
  /** The folder whose `SKILL.md` folders are served as well. */
  readonly skillsOf?: string | undefined;
  readonly input?: Readable;
  readonly output?: Writable;
  /** The largest message in bytes; a larger one ends the connection. */
  readonly maxMessageBytes?: number;
}

/** Room for a file of the largest size, also with much that JSON escapes. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Resolves when the connection has ended: with the reason, unless the client has closed it. */
export async function serve({ readOnly, load, skillsOf, ...streams }: Serving): Promise<string | undefined> {
  const { input = process.stdin, output = process.stdout, maxMessageBytes = MAX_MESSAGE_BYTES } = streams;
  let authoring: Promise<Authoring> | undefined;
  const loadOnce = (): Promise<Authoring> => {
    authoring ??= load();
    return authoring;
  };
  const skills = skillsOf === undefined ? undefined : await openSkills(skillsOf);
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes });
  let lastError: Error | undefined;
  const onerror = (error: Error): void => {
    lastError = error;
  };
  const handle = serveStdio(() => makeServer(readOnly, loadOnce, skills), { transport, onerror });
  if (skills) readBeforehand(transport, () => skills.refresh());
  await closed(transport);
  // The transport also closes where it cannot go on, as after a message that is too large.
  const reason = input.readableEnded || input.destroyed ? undefined : lastError?.message;
  input.destroy();
  await handle.close();
  (await authoring?.catch(() => undefined))?.dispose();
  return reason;
}

const closed = (transport: StdioServerTransport): Promise<void> =>
  new Promise((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });

/** A server for one connection, on whatever transport. */
export function makeServer(readOnly: boolean, load: Serving['load'], skills: SkillFolders | undefined): McpServer {
  const server = new McpServer({ name: 'skill-composer', title: 'Skill Composer', version: VERSION }, { instructions });
  for (const tool of toolsFor(readOnly)) register(server, tool, async (call) => (await load()).call(call));
  skills?.attach(server);
  return server;
}

const instructions =
  'Skills are Markdown files with a contract. Look with `list_skills` and `match_skill` before you create one. Writing tools check first: where they refuse, fix what `findings` says and call again. Raise the version as `sinceHead.demandedVersion` asks, which counts from the last commit, or as `contract.demandedVersion` where that is null.';

async function openSkills(root: string): Promise<SkillFolders> {
  const { openSkillFolders } = await import('./serve-skills.ts');
  return openSkillFolders(root);
}

/** What asks about skills or their files is answered for what is on the disk now. */
function readBeforehand(transport: StdioServerTransport, refresh: () => Promise<void>): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    const isAboutSkills = 'method' in message && /^(?:skills|resources)\//.test(message.method);
    if (!isAboutSkills) deliver?.(message);
    // Where the folders cannot be read, those that were read last are served.
    else
      void refresh().then(
        () => deliver?.(message),
        () => deliver?.(message),
      );
  };
}

const QUESTION = 'confirm';

function register(server: McpServer, tool: Tool, call: Authoring['call']): void {
  const { name, title, description, annotations, input } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: asGiven(input),
      outputSchema: asGiven(OUTPUT),
    },
    async (given, context) => {
      const reply = await call({
        name,
        arguments: given as ToolCall['arguments'],
        signal: context.mcpReq.signal,
        answer: answerOf(context),
        canAsk: canAsk(server, context),
      });
      if (reply.kind === 'result') return toResult(reply.result);
      const requestedSchema = { type: 'object' as const, properties: {} };
      const question = inputRequired.elicit({ message: reply.question, requestedSchema });
      return inputRequired({ inputRequests: { [QUESTION]: question } });
    },
  );
}

function toResult(result: Result): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(result) }];
  return { content, structuredContent: result, ...(result.ok ? {} : { isError: true }) };
}

/** A schema that is told to clients; the tools hold values against it themselves, with answers that say what to do. */
const asGiven = (schema: Tool['input']): StandardSchemaWithJSON<Record<string, unknown>> => ({
  '~standard': {
    version: 1,
    vendor: 'skill-composer',
    validate: (value) => ({ value: value as Record<string, unknown> }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

function answerOf({ mcpReq }: ServerContext): ToolCall['answer'] {
  const view = inputResponse(mcpReq.inputResponses, QUESTION);
  if (view.kind !== 'elicit') return undefined;
  return view.action === 'accept' ? 'accepted' : 'declined';
}

/** A client of the newer era tells with each request what it can do. */
function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
