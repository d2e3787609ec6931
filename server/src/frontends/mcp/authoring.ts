/** Runs the tools of the authoring server. Loaded after the first reply to the client. */
import { shortened } from '../../authoring/shortened.ts';
import { isTooDeep } from '../../composer/json.ts';
import { parseSchema, toNode, validateJson } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { MAX_FILE_BYTES } from '../../protocol/files.ts';
import { type Composing, createComposing } from '../../services/composing/composing.ts';
import { startNodeWorker } from '../../services/composing/node-worker.ts';
import { type Authoring, type AuthoringResult, Refused, type Reply, refuse, type ToolCall } from './call.ts';
import { Checking } from './drafts.ts';
import { runCheckSkill, runComposeSkill, runGetSkill, runListSkills, runMatchSkill, runTestSkill } from './reads.ts';
import { ServedFolders } from './served-folders.ts';
import type { ToolContext, WriteCall } from './subject.ts';
import { toolsFor } from './tools.ts';
import {
  questionOfDelete,
  runAddArtifact,
  runApplyFix,
  runCreateSkill,
  runDeleteSkill,
  runRemoveArtifact,
  runUpdateArtifact,
  runUpdateSkill,
} from './writes.ts';

export interface AuthoringOptions {
  /** An absolute path. `account` is an absolute path, too. */
  readonly root: string;
  readonly account: string | undefined;
  readonly readOnly: boolean;
  /** The maximum size of a file, in bytes. The default is the limit for all files. */
  readonly maxFileBytes?: number;
}

type Read = (
  tools: ToolContext,
  given: ToolCall['arguments'],
  signal: AbortSignal,
) => AuthoringResult | Promise<AuthoringResult>;
type Write = (call: WriteCall) => Promise<AuthoringResult>;

const READS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['list_skills', runListSkills],
  ['get_skill', runGetSkill],
  ['check_skill', runCheckSkill],
  ['compose_skill', runComposeSkill],
  ['match_skill', runMatchSkill],
  ['test_skill', runTestSkill],
]);

const WRITES: ReadonlyMap<string, Write> = new Map([
  ['create_skill', runCreateSkill],
  ['update_skill', runUpdateSkill],
  ['add_artifact', runAddArtifact],
  ['update_artifact', runUpdateArtifact],
  ['remove_artifact', runRemoveArtifact],
  ['delete_skill', runDeleteSkill],
  ['apply_fix', runApplyFix],
]);

/** The maximum nesting of arguments, because the code that writes values is recursive and slow for deep values. */
const MAX_NESTING = 100;

export function openAuthoring(
  { root, account, readOnly, maxFileBytes = MAX_FILE_BYTES }: AuthoringOptions,
  composing: Composing = createComposing(startNodeWorker()),
): Authoring {
  const folders = new ServedFolders(root, account);
  const schemas = new Map(toolsFor(readOnly).map(({ name, input }) => [name, parseSchema(toNode(input))]));
  let calls = 0;
  /** The last call that writes. Calls that write run one after another. */
  let writing: Promise<unknown> = Promise.resolve();

  const run = async (call: ToolCall): Promise<Reply> => {
    const { name, signal, arguments: given } = call;
    if (isTooDeep(given as Json, MAX_NESTING)) {
      refuse('invalid-argument', `The arguments are nested deeper than ${MAX_NESTING} levels. Flatten them.`);
    }
    const schema = schemas.get(name);
    const [violation] = schema ? validateJson(schema, given as Json) : [];
    if (violation) {
      const { path, kind, message } = violation;
      // The message about a missing or unknown field contains the name of the field.
      const isNamed = path.length === 0 || (path.length === 1 && (kind === 'missing' || kind === 'additional'));
      refuse('invalid-argument', isNamed ? message : `\`${path.join('.')}\`: ${message}`);
    }
    const own = ownKeys(composing, calls++);
    const tools: ToolContext = { folders, composing: own, checking: new Checking(folders, own), maxFileBytes };
    const [read, write] = [READS.get(name), WRITES.get(name)];
    if (read) {
      await folders.refresh();
      assertNotCancelled(signal);
      const result = shortened(await read(tools, given, signal));
      if (isLarge(result)) {
        const advice = 'Request one skill or fewer kinds of artifacts, or read the file itself.';
        refuse('too-large', `The result is larger than 3 MB, the limit for clients. ${advice}`);
      }
      return { kind: 'result', result };
    }
    if (!write || readOnly) throw new Error(`Unknown tool \`${name}\`.`);
    const turn = writing.then(async (): Promise<Reply> => {
      assertNotCancelled(signal);
      await folders.refresh();
      const writeCall = { tools, given, signal };
      if (name === 'delete_skill' && call.canAsk) {
        if (call.answer === undefined) return { kind: 'ask', question: questionOfDelete(writeCall) };
        if (call.answer === 'declined') refuse('declined', 'Not deleted: the user declined.');
      }
      return { kind: 'result', result: shortened(await write(writeCall)) };
    });
    writing = turn.catch(() => {});
    return turn;
  };

  return {
    call: (call) => run(call).catch(refusedReply),
    dispose: () => composing.dispose(),
  };
}

function refusedReply(error: unknown): Reply {
  if (!(error instanceof Refused)) throw error;
  const { reason, message, details } = error;
  const result = shortened({ ok: false, reason, message, ...details });
  return { kind: 'result', result: isLarge(result) ? { ok: false, reason, message } : result };
}

/**
 * The maximum size of a result. A message contains the result twice, and clients close the connection after a message
 * that is too large.
 */
const MAX_RESULT_BYTES = 3 * 1024 * 1024;

const isLarge = (result: AuthoringResult): boolean => Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES;

function assertNotCancelled(signal: AbortSignal): void {
  if (signal.aborted) refuse('cancelled', 'The call was cancelled. Nothing was written.');
}

/** Prefixes keys with the number of the call, so that simultaneous calls on one skill do not supersede each other. */
const ownKeys = (composing: Composing, call: number): Composing => ({
  compose: (key, request, urgency) => composing.compose(`${call} ${key}`, request, urgency),
  run: (key, request, signal) => composing.run(`${call} ${key}`, request, signal),
  count: (texts) => composing.count(texts),
  evaluate: (questions) => composing.evaluate(questions),
  warm: (work) => composing.warm(work),
  dispose: () => {},
});
