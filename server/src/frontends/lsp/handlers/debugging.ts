/** Handles the messages of debug sessions in an editor (docs/debugging.md). */
import * as v from 'valibot';
import { CancellationTokenSource, type Connection } from 'vscode-languageserver';
import type { Files } from '../../../io/files.ts';
import { UserError } from '../../../io/user-error.ts';
import {
  AskModelRequest,
  DebugNotification,
  DebugProgressNotification,
  DebugRequest,
  sendNotification,
  sendRequest,
  type Trace,
} from '../../../protocol.ts';
import { shownRun } from '../../../reports/run.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import type { SkillDebugSession as DebugSession } from '../../../services/debugging/adapter.ts';
import { oneAfterAnother } from '../../../services/one-after-another.ts';
import type { Session } from '../../../services/session/session.ts';
import { keptReaderOf, runRequestFor } from '../../../services/testing/run-request.ts';
import { onRequest } from './guard.ts';
import { runnableAt } from './skill-at.ts';

/** The form of a `RunReply`. */
const runReply = v.variant('kind', [
  v.looseObject({ kind: v.literal('call'), tool: v.string(), input: v.record(v.string(), v.unknown()) }),
  v.looseObject({ kind: v.literal('output'), text: v.string() }),
  v.looseObject({ kind: v.literal('result'), value: v.unknown() }),
  v.looseObject({ kind: v.literal('failure'), code: v.string(), message: v.string() }),
]);

/** Registers the request that delivers a message to a debug session. The adapter is loaded for the first session. */
export function handleDebugging(connection: Connection, session: Session, composing: Composing, files: Files): void {
  const readKept = keptReaderOf(files);
  const debugSessions = new Map<string, DebugSession>();
  const open = async (id: string): Promise<DebugSession> => {
    const { SkillDebugSession } = await import('../../../services/debugging/adapter.ts');
    const { uriOf } = await import('../../../services/debugging/launch.ts');
    const { packagesOf } = await import('../../../services/debugging/replay.ts');
    /** The trace that the client has received. */
    let sent: Trace | undefined;
    const opened = new SkillDebugSession({
      async prepare(launch) {
        const uri = uriOf(launch.program);
        const file = await runnableAt(session, uri);
        if (!file) throw new UserError(`\`${launch.program}\` is not a skill that can run. Name a skill file.`);
        const { analysis } = session;
        const target = await runRequestFor(analysis, { ...launch, uri }, readKept);
        return { ...target, text: (of) => analysis.index.files.get(of)?.text };
      },
      run: (request) => composing.run(`debug ${id}`, request),
      evaluate: (questions) => composing.evaluate(questions),
      async ask(query, signal) {
        const cancelling = new CancellationTokenSource();
        signal.addEventListener('abort', () => cancelling.cancel(), { once: true });
        const reply = await sendRequest(connection, AskModelRequest, { session: id, query }, cancelling.token);
        if (!v.is(runReply, reply)) throw new UserError('The editor sent an invalid reply for the model.');
        return reply;
      },
      moved: ({ request: { compose }, sample, trace }, past) => {
        const { skillPackage } = compose;
        const named = sample === undefined ? {} : { sample };
        const run = sent === trace ? undefined : shownRun(skillPackage.uri, { ok: true, ...trace });
        sent = trace;
        const progress = run ? { ...named, files: [...packagesOf(skillPackage).keys()], run, past } : { past };
        sendNotification(connection, DebugProgressNotification, { session: id, progress });
      },
      ended: () => {
        debugSessions.delete(id);
        sendNotification(connection, DebugProgressNotification, { session: id, progress: null });
      },
    });
    opened.onDidSendMessage((message) => sendNotification(connection, DebugNotification, { session: id, message }));
    return opened;
  };
  /** Messages are delivered in their order, although the first one loads the adapter. */
  const inTurn = oneAfterAnother();
  onRequest(connection, DebugRequest, ({ session: id, message }) =>
    inTurn(async () => {
      const known = debugSessions.get(id);
      if (message) {
        const receiver = known ?? (await open(id));
        debugSessions.set(id, receiver);
        receiver.handleMessage(message as Parameters<DebugSession['handleMessage']>[0]);
      } else known?.end();
      return null;
    }),
  );
}
