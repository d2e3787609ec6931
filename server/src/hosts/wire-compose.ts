/** The requests of the preview, and the samples that are composed in the background. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { prepareRequest } from '../composer/prepare.ts';
import { samplesOf } from '../features/preview/samples.ts';
import { saveSample } from '../features/preview/save-sample.ts';
import { onWire } from '../features/preview/with-places.ts';
import {
  ComposableChangedNotification,
  type ComposeParams,
  type ComposeReply,
  ComposeRequest,
  type Invocation,
  type SamplesParams,
  type SamplesReply,
  SamplesRequest,
  type SaveSampleParams,
  type SaveSampleReply,
  SaveSampleRequest,
} from '../protocol.ts';
import { dependentsOf } from '../workspace/composing.ts';
import { packageOf, surroundingsOf } from '../workspace/package-of.ts';
import { withText } from '../workspace/with-text.ts';
import { createBackground } from './composing/background.ts';
import type { Composing } from './composing/composing.ts';
import type { Session } from './session.ts';

export function wireCompose(connection: Connection, session: Session, composing: Composing): void {
  const { locate } = session;
  // A client that has asked for no composition wants no news of any.
  let isAsked = false;

  connection.onRequest<ComposeReply | null, void>(ComposeRequest, async (params: ComposeParams) => {
    const { uri, text, key = '', sample, invocation = {}, memory = [], without = [] } = params;
    isAsked = true;
    await session.governed(uri);
    const index = text === undefined ? session.index() : withText(session.index(), uri, text);
    const version = text === undefined ? session.version(uri) : null;
    const skillPackage = packageOf(index, uri);
    if (!skillPackage) return null;
    const surroundings = surroundingsOf(index, uri);
    const { request, gates } = prepareRequest(skillPackage, surroundings, sample, { ...invocation, memory, without });
    const composed = await composing.compose(`panel ${key}`, request).catch((error: Error) => {
      throw new ResponseError(LSPErrorCodes.RequestFailed, error.message);
    });
    if (composed === 'superseded') return null;
    const chosen = skillPackage.samples.find(({ name }) => name === sample);
    return {
      uri,
      version,
      name: skillPackage.name?.name ?? '',
      skillVersion: skillPackage.version ?? '',
      result: onWire(index, locate, composed.result),
      gates: onWire(index, locate, gates),
      invocation: {
        ...chosen?.invocation,
        ...invocation,
        request: request.userRequest,
        parameters: request.parameters,
        source: request.invocationSource,
        ...(request.model === undefined ? {} : { model: request.model }),
      } satisfies Invocation,
      milliseconds: composed.milliseconds,
      toolsKnown: surroundings.toolsKnown,
    };
  });

  connection.onRequest<SamplesReply | null, void>(SamplesRequest, async ({ uri }: SamplesParams) => {
    isAsked = true;
    await session.governed(uri);
    return samplesOf(session.index(), uri, locate) ?? null;
  });

  connection.onRequest<SaveSampleReply, void>(SaveSampleRequest, ({ uri, name, invocation }: SaveSampleParams) => {
    const document = session.document(uri);
    if (!document?.isSkill) return { problem: 'This file is no skill, so it can hold no samples.' };
    const saved = saveSample(document, name, invocation);
    if ('problem' in saved) return saved;
    const edits = saved.edits.map(({ span, newText }) => ({ range: locate.range(document, span), newText }));
    return { version: session.version(uri), edits };
  });

  const background = createBackground({
    composing,
    index: () => session.index(),
    snapshot: () => session.snapshot(),
    isOpen: (uri) => session.version(uri) !== null,
    isWanted: session.isWanted,
    idle: () => session.checked(),
    take: (uri, failures) => session.setSamples(uri, failures),
    onRefused: (message) => connection.console.warn(`samples are not composed: ${message}`),
  });
  session.onWanted(() => background.touch([]));
  const tell = atMostEvery(100, () => {
    if (isAsked) void connection.sendNotification(ComposableChangedNotification);
  });
  /** Of a skill that others compose, the body counts as well, which no summary tells of: files whose composers are to be told. */
  const bodies = new Set<string>();
  // A keystroke adds a name; who composes the skill, which may be thousands, is looked for once they have ended.
  const tellComposers = afterLast(200, () => {
    const { graph } = session.snapshot();
    const names = [...bodies].flatMap((uri) => graph.skills.get(uri)?.summary.name ?? []);
    const composers = dependentsOf(graph, names);
    const hasOthers = [...composers].some((uri) => !bodies.has(uri));
    bodies.clear();
    background.touch(composers);
    if (hasOthers) tell();
  });

  session.onText((uri, affected) => {
    if (affected === 'all') {
      background.touch(session.snapshot().documents.keys());
      tell();
      return;
    }
    background.touch(affected);
    bodies.add(uri);
    tellComposers();
    if (affected.size > (affected.has(uri) ? 1 : 0)) tell();
  });
  // What was composed before all was read lacked what was not.
  void session.checked().then(tell);
  connection.onShutdown(() => {
    background.dispose();
    composing.dispose();
  });
}

/** Calls of a burst become one, made after it began. */
function atMostEvery(milliseconds: number, work: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      work();
    }, milliseconds);
  };
}

/** Calls become one, made when none has come for a while. */
function afterLast(milliseconds: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
