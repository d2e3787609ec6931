/**
 * The authoring server on standard input and output, in both generations of the protocol. The server is a separate
 * script; `load` loads the tools on the first call. Only this file and `serve-skills.ts` import the protocol's package.
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
  /** The folder whose `SKILL.md` folders are also served. */
  readonly skillsOf?: string | undefined;
  readonly input?: Readable;
  readonly output?: Writable;
  /** The maximum size of a message in bytes. A larger message ends the connection. */
  readonly maxMessageBytes?: number;
}

/** Enough for a file of the maximum size, even if JSON escapes much of the text. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Serves until the connection ends. Resolves to the reason, or to undefined if the client closed it. */
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
  // The transport also closes after an error, for example a message that is too large.
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

/** Returns a server for one connection, with any transport. */
export function makeServer(readOnly: boolean, load: Serving['load'], skills: SkillFolders | undefined): McpServer {
  const server = new McpServer({ name: 'skill-composer', title: 'Skill Composer', version: VERSION }, { instructions });
  for (const tool of toolsFor(readOnly)) register(server, tool, async (call) => (await load()).call(call));
  skills?.attach(server);
  return server;
}

const instructions =
  'Skills are Markdown files with a contract. Before you create a skill, search for existing ones with `list_skills` and `match_skill`. Tools that write check the new text first. If a call is refused, fix the errors in `findings` and call again. Set the version to `sinceHead.demandedVersion`, which compares with the last commit; if that is null, to `contract.demandedVersion`.';

async function openSkills(root: string): Promise<SkillFolders> {
  const { openSkillFolders } = await import('./serve-skills.ts');
  return openSkillFolders(root);
}

/** Refreshes the skills before messages about skills are handled, so that replies match the files on disk. */
function readBeforehand(transport: StdioServerTransport, refresh: () => Promise<void>): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    const isAboutSkills = 'method' in message && /^(?:skills|resources)\//.test(message.method);
    if (!isAboutSkills) deliver?.(message);
    // If the folders cannot be read, the last known skills are served.
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

/**
 * Wraps a schema for clients without validating. The tools validate arguments themselves, with more helpful messages.
 */
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

/**
 * Returns whether the client can ask the user. Clients of the newer protocol send their capabilities with each request.
 */
function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
