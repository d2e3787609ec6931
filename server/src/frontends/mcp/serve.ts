/**
 * The authoring server on standard input and output, in both generations of the protocol. The server is a separate
 * script; `load` loads the tools on the first call. Only this file and `serve-skills.ts` import the protocol's package.
 */
import { type Readable, Transform, type Writable } from 'node:stream';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  type JSONRPCMessage,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../../io/environment.ts';
import type { Authoring, AuthoringResult, ToolCall } from './call.ts';
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
  // Each reply that waits for a slow reader adds a listener.
  output.setMaxListeners(0);
  const valid = input.pipe(onlyValid(output, maxMessageBytes));
  const transport = new StdioServerTransport(valid, output, { maxBufferSize: maxMessageBytes });
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => send(withInvalidParams(message), ...rest);
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
  valid.destroy();
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

function toResult(result: AuthoringResult): CallToolResult {
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

// The package does not reply to a message that is not valid, so its sender would wait forever.

/**
 * Returns a stream that passes the lines with valid messages, and writes an error reply to `output` for each other line
 * (JSON-RPC 2.0, sections 4 to 6). Passes a line of more than `most` bytes without reading it.
 */
function onlyValid(output: Writable, most: number): Transform {
  let pending: Buffer[] = [];
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        const line = Buffer.concat([...pending, chunk.subarray(start, end + 1)]);
        const { pass, replies } = length > most ? { pass: line, replies: [] } : checkedLine(line);
        for (const reply of replies) output.write(`${JSON.stringify(reply)}\n`);
        if (pass !== undefined) this.push(pass);
        pending = [];
        length = 0;
        start = end + 1;
      }
      pending.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > most) {
        // In one piece, because the transport copies all that it has for each piece.
        this.push(Buffer.concat(pending));
        pending = [];
      }
      done();
    },
  });
}

const LINE_FEED = 0x0a;

interface CheckedLine {
  readonly pass?: Buffer | string;
  readonly replies: readonly object[];
}

const refused = (id: unknown, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || Number.isFinite(id) ? id : null,
  error: { code, message },
});

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;

function checkedLine(line: Buffer): CheckedLine {
  const text = line.toString('utf8').trim();
  if (text === '') return { replies: [] };
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { replies: [refused(null, PARSE_ERROR, 'The line is not valid JSON. Write each message on one line.')] };
  }
  if (Array.isArray(message)) {
    const ids = message.flatMap((one: unknown) => (isObject(one) && 'method' in one && 'id' in one ? [one.id] : []));
    const why = 'Batches are not supported. Write each message on its own line.';
    return { replies: (ids.length > 0 ? ids : [null]).map((id) => refused(id, INVALID_REQUEST, why)) };
  }
  if (!isObject(message)) return { replies: [refused(null, INVALID_REQUEST, 'The message must be an object.')] };
  const given = withoutNulls(message);
  const [code, why] = problemOf(given) ?? [];
  if (code === undefined) return { pass: given === message ? line : `${JSON.stringify(given)}\n`, replies: [] };
  const isNotification = typeof message.method === 'string' && !('id' in message);
  return { replies: isNotification ? [] : [refused(message.id, code, why ?? '')] };
}

type Fields = Readonly<Record<string, unknown>>;

/** Removes null from the parameters and their `_meta`, because many clients write null for a value that is absent. */
function withoutNulls(message: Fields): Fields {
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params)) return message;
  const kept = definedFields(params);
  const meta = isObject(kept._meta) ? definedFields(kept._meta) : kept._meta;
  return kept === params && meta === params._meta
    ? message
    : { ...rest, params: { ...kept, ...(isObject(meta) && { _meta: meta }) } };
}

function definedFields(fields: Fields): Fields {
  const entries = Object.entries(fields);
  const defined = entries.filter(([, value]) => value !== null);
  return defined.length === entries.length ? fields : Object.fromEntries(defined);
}

/** Returns the code and the reason if a message is not valid. */
function problemOf(message: Fields): readonly [number, string] | undefined {
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0') return [INVALID_REQUEST, '`jsonrpc` must be "2.0".'];
  if ('id' in message && typeof id !== 'string' && !Number.isSafeInteger(id))
    return [INVALID_REQUEST, '`id` must be a string or an integer.'];
  if (!('method' in message) && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string') return [INVALID_REQUEST, '`method` must be a string.'];
  if (params === undefined) return undefined;
  if (!isObject(params)) return [INVALID_PARAMS, '`params` must be an object.'];
  const meta = params._meta ?? {};
  if (!isObject(meta)) return [INVALID_PARAMS, '`params._meta` must be an object.'];
  const { progressToken: token = '', [TASK]: task = { taskId: '' } } = meta;
  if (typeof token !== 'string' && !Number.isSafeInteger(token))
    return [INVALID_PARAMS, '`params._meta.progressToken` must be a string or an integer.'];
  if (!isObject(task) || typeof task.taskId !== 'string')
    return [INVALID_PARAMS, `\`params._meta["${TASK}"].taskId\` must be a string.`];
  return undefined;
}

const TASK = 'io.modelcontextprotocol/related-task';

/**
 * Returns the reply, as an error about the parameters if the package reports them as an internal error. The message of
 * such an error is the list of the problems, in JSON.
 */
function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== INTERNAL_ERROR) return message;
  let problems: unknown;
  try {
    problems = JSON.parse(message.error.message);
  } catch {
    return message;
  }
  if (!Array.isArray(problems) || problems.length === 0 || !problems.every(isAboutParams)) return message;
  const text = problems.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`).join('; ');
  return { ...message, error: { ...message.error, code: INVALID_PARAMS, message: text } };
}

const isAboutParams = (problem: unknown): problem is { readonly path: readonly string[]; readonly message: string } =>
  isObject(problem) &&
  Array.isArray(problem.path) &&
  problem.path[0] === 'params' &&
  typeof problem.message === 'string';

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
