/**
 * Runs an installed client once with copies of skills, and returns the list and the texts that it sent (docs/observing.md). The model first calls
 * each skill in the list, then ends the conversation.
 */
import { join } from 'node:path';
import { commandsIn, findSelfRunning } from '../../abilities/self-running.ts';
import type { Client } from '../../clients/facts/client.ts';
import type { Delivered } from '../../clients/pipeline/deliver.ts';
import { splitPath } from '../../clients/pipeline/file.ts';
import { pipelineOf } from '../../clients/pipeline/pipelines.ts';
import { endWithThisProcess } from '../../io/processes.ts';
import { makeFolder, makeTemporaryFolder, removeFolder } from '../../io/temporary-folder.ts';
import { messageOf, UserError } from '../../io/user-error.ts';
import { showInvisible } from '../../text.ts';
import { type Comparison, compareList, type DeliveredText } from './compare.ts';
import { type Copies, writeCopies } from './copies.ts';
import { findOnPath, type InstalledClient, versionIn } from './find-client.ts';
import { type RecordedRequest, startModel } from './model/server.ts';
import { CONTEXT, type ObservedClient, type Place, type Run } from './observed-client.ts';
import { type PredictedSkill, predictedList, readWorkspace } from './predicted-list.ts';
import { isSameText, textOf as predictedText, textsFor } from './predicted-texts.ts';
import { type Ended, runClient } from './process.ts';
import { type Entry, type List, newResults, newStrings, tidied } from './read-list.ts';
import { makeRepository } from './repository.ts';
import { listIn, PROMPT, requestAfter, writeSettings } from './run.ts';
import { withoutUser } from './user.ts';

/** The result of a run, beside the prediction. */
export interface Observed {
  readonly version: string | undefined;
  /** The size of the model's context in tokens. */
  readonly context: number;
  /** Undefined if no request has a list. */
  readonly list: List | undefined;
  readonly comparison: Comparison;
  readonly delivered: readonly DeliveredText[];
  /** True if the client did not end by itself. It had asked the model before. */
  readonly isEnded: boolean;
  readonly leftBehind: readonly string[];
}

export interface ObserveRequest extends InstalledClient {
  readonly facts: Client;
  readonly copies: Copies;
  readonly milliseconds: number;
  /** The time that the client has to end after the last answer of the model. */
  readonly endMilliseconds?: number;
  /** Called before each step. */
  readonly onStep: (step: string) => void;
}

/** The time in which a client prints its version. */
const VERSION_MS = 30_000;
/** The default of `endMilliseconds`. */
const END_MS = 20_000;
/** The largest number of skills that the model calls. */
const MAX_CALLS = 100;

/**
 * Runs a client. Everything that it started and wrote is removed at the end, also if this process is ended by a signal.
 * Throws a `UserError` if the client did not ask the model.
 */
export async function observe(request: ObserveRequest): Promise<Observed> {
  const folder = makeTemporaryFolder();
  const release = endWithThisProcess(() => removeFolder(folder));
  try {
    return await observeIn(folder, request);
  } finally {
    removeFolder(folder);
    release();
  }
}

async function observeIn(folder: string, request: ObserveRequest): Promise<Observed> {
  const { client, facts, program, copies, milliseconds, endMilliseconds = END_MS, onStep } = request;
  const workspace = makeFolder(join(folder, 'work'));
  const place: Place = { workspace, start: workspace, home: makeFolder(join(folder, 'home')) };
  writeCopies(workspace, copies);
  const context = client.context ?? CONTEXT;
  const predicted = predictedList(facts, await readWorkspace(workspace), place, context);
  try {
    makeRepository(workspace);
  } catch (error) {
    throw new UserError(`\`git\` is needed for a copy of the workspace, and failed: ${messageOf(error)}.`);
  }
  const isComplete = client.needs === undefined || (await findOnPath(client.needs)) !== undefined;
  const model = await startModel();
  const late = AbortSignal.timeout(milliseconds);
  const said = new AbortController();
  const until = AbortSignal.any([late, said.signal]);
  try {
    const run: Run = { ...place, program, path: [], model: model.url, context, prompt: PROMPT, isApproved: true };
    const start = (args: Parameters<typeof runClient>[1], limit: AbortSignal) =>
      runClient(run, args, limit).catch((error: unknown) => {
        throw new UserError(`${client.name} cannot be started: ${messageOf(error)}.`);
      });
    let { version } = request;
    if (version === undefined) {
      onStep('asking for the version');
      version = versionIn((await start({ args: ['--version'] }, AbortSignal.timeout(VERSION_MS))).output);
    }
    onStep('running the client');
    await writeSettings(client, run, until).catch((error: unknown) => {
      throw new UserError(
        `${client.name} did not save the address of the model. ${lastLines(messageOf(error), place)}`,
      );
    });
    let calls: readonly Called[] | undefined;
    model.follow((requests) => {
      const list = listIn(client, requests, place);
      if (!calls && list) calls = isComplete ? callsFor(request, list.entries, predicted, place) : [];
      if (calls && requestAfter(requests, calls.length)) {
        AbortSignal.timeout(endMilliseconds).addEventListener('abort', () => said.abort());
      }
      return (calls ?? []).map(({ call }) => call);
    });
    const ended = await start(client.start(run), until);
    const requests = [...model.requests];
    if (requests.length === 0)
      throw new UserError(whyNoRequest(client, ended, place, late.aborted, milliseconds, model));
    const list = listIn(client, requests, place);
    return {
      version,
      context,
      list,
      comparison: compareList(list, predicted),
      delivered: deliveredIn(request, requests, calls ?? [], isComplete, predicted, place),
      isEnded: until.aborted,
      leftBehind: ended.leftBehind ?? [],
    };
  } finally {
    await model.close();
  }
}

/** A skill that the model calls. */
interface Called {
  readonly skill: PredictedSkill;
  readonly call: ReturnType<NonNullable<ObservedClient['load']>>;
}

/** Returns the calls of the skills in a list, without those that the client would run commands for. */
function callsFor(
  { client, facts }: ObserveRequest,
  entries: readonly Entry[],
  predicted: readonly PredictedSkill[],
  { workspace }: Place,
): readonly Called[] {
  return entries.slice(0, MAX_CALLS).flatMap((entry) => {
    const name = entry.name.trim();
    const skill =
      predicted.find(({ text }) => text.trim() !== '' && text.trim() === entry.text.trim()) ??
      predicted.find(({ row }) => row.name === name);
    if (!skill || isRunning(skill, facts)) return [];
    // The list may add a label to the name.
    const call = client.load?.({ name: skill.row.name, path: join(workspace, skill.path), workspace }, '');
    return call ? [{ skill, call }] : [];
  });
}

/** Returns whether a client may run commands when it loads a skill. */
function isRunning({ file }: PredictedSkill, { commands }: Client): boolean {
  const own = commands?.value ?? undefined;
  return findSelfRunning(file).length > 0 || (own !== undefined && commandsIn(file.text, own).length > 0);
}

/** Returns the text that arrived after each call, and why other skills were not called. */
function deliveredIn(
  { client, facts, copies }: ObserveRequest,
  requests: readonly RecordedRequest[],
  calls: readonly Called[],
  isComplete: boolean,
  predicted: readonly PredictedSkill[],
  place: Place,
): readonly DeliveredText[] {
  const texts = calls.map(({ skill }, at): DeliveredText => {
    const [before, after] = [requestAfter(requests, at), requestAfter(requests, at + 1)];
    const expected = expectedTexts(facts, skill, copies).map((one) => one && tidiedText(one, place));
    const path = skill.path;
    if (!after) return { path, verdict: 'unknown', predicted: undefined, seen: undefined, note: 'no request followed' };
    const added = newStrings(after, before, place).map(({ text }) => text);
    const isPredicted = (text: string): boolean => expected.some((one) => one && isSameText(one, text));
    const seen =
      added.find(isPredicted) ?? withMostLines(added, skill.file.text) ?? newResults(after, before, place)[0];
    const isKnown = expected.length > 0 && expected.every((one) => one !== undefined);
    const verdict = seen !== undefined && isPredicted(seen) ? 'same' : isKnown ? 'different' : 'unknown';
    const first = expected.find((one) => one !== undefined);
    const note = verdict !== 'unknown' || first ? undefined : whyNoText(facts);
    return { path, verdict, predicted: first && predictedText(first), seen, note };
  });
  const called = new Set(calls.map(({ skill }) => skill));
  const others = predicted.flatMap((skill): readonly DeliveredText[] => {
    if (called.has(skill) || !isRunning(skill, facts)) return [];
    const note = 'not called, because the client may run commands or hooks of this skill';
    return [{ path: skill.path, verdict: 'unknown', predicted: undefined, seen: undefined, note }];
  });
  const why = !client.load
    ? 'the model reads files itself'
    : isComplete
      ? undefined
      : `not called, because the client needs \`${client.needs}\` for it, and \`PATH\` does not have it`;
  const none: readonly DeliveredText[] =
    why === undefined ? [] : [{ path: '', verdict: 'unknown', predicted: undefined, seen: undefined, note: why }];
  return [...texts, ...others, ...none];
}

/** Returns the texts that the product predicts for a call by the model; undefined for one that is not known. */
function expectedTexts({ id, arguments: filling }: Client, { file, path }: PredictedSkill, { copies }: Copies) {
  const pipeline = pipelineOf(id);
  if (!pipeline) return [];
  const folder = `${splitPath(path).folder}/`;
  const files = copies.flatMap(({ path: one }) =>
    one !== path && one.startsWith(folder) ? [one.slice(folder.length)] : [],
  );
  const called = { path: `{workspace}/${path}`, text: file.text, files, arguments: '' };
  const place = { start: '{workspace}', repository: '{workspace}', home: '{home}' };
  // A model that reads the file itself gets what its tool for files returns.
  return textsFor(pipeline, 'model', called, place, filling?.value ?? undefined).map(({ value }) =>
    value?.gives === 'nothing' ? undefined : value,
  );
}

const whyNoText = ({ id }: Client): string =>
  pipelineOf(id)?.deliver?.model.gives === 'nothing'
    ? 'the model reads the file itself, so no text is predicted'
    : 'the exact text is not known';

/** Replaces in a prediction what is replaced in a text that was sent. */
const tidiedText = (text: Delivered, place: Place): Delivered => ({
  ...text,
  before: tidied(text.before, place),
  content: tidied(text.content, place),
  after: tidied(text.after, place),
});

/** Returns the text that has the most lines of a body; undefined if none has one. */
function withMostLines(texts: readonly string[], file: string): string | undefined {
  const body = file.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '');
  const lines = body.split(/\r?\n/).flatMap((line) => (line.trim().length < MIN_LINE ? [] : [line.trim()]));
  let best: { readonly text: string; readonly count: number } | undefined;
  for (const text of texts) {
    const count = lines.filter((line) => text.includes(line)).length;
    if (count > (best?.count ?? 0)) best = { text, count };
  }
  return best?.text;
}

/** Shorter lines may be in other texts, too. */
const MIN_LINE = 8;

/** Words of a client that needs an account. */
const LOGIN =
  /\b(?:log ?in|login|sign ?in|authenticat\w*|unauthori[sz]ed|api[ _-]?key|credentials|subscription|auth)\b/i;

/** Returns why a client asked the model nothing. */
function whyNoRequest(
  { name }: ObservedClient,
  ended: Ended,
  place: Place,
  isLate: boolean,
  milliseconds: number,
  { unknown, faults }: { readonly unknown: readonly string[]; readonly faults: readonly string[] },
): string {
  const said = lastLines(ended.output, place);
  if (faults.length > 0) return `${name} sent a request that cannot be read: ${faults.slice(0, 3).join('; ')}. ${said}`;
  if (isLate) {
    return `${name} sent no request to the model in ${milliseconds / 1_000} seconds, and was ended with its processes. Try \`--timeout\`. ${said}`;
  }
  if (unknown.length > 0) {
    return `${name} sent only requests that are not to a model: ${unknown.slice(0, 3).join('; ')}. ${said}`;
  }
  const how = ended.status === undefined ? 'was ended by a signal' : `ended with status ${ended.status}`;
  if (LOGIN.test(ended.output)) return `${name} ${how} and wants a login. It gets no account and no key. ${said}`;
  return `${name} ${how} and sent no request to the model. ${said}`;
}

/** Returns the end of an output on one line, without paths of the run and of the user. */
function lastLines(output: string, place: Place): string {
  const lines = withoutUser(tidied(output, place))
    .split(/[\r\n]+/)
    .map((line) => showInvisible(line.trim()))
    .filter((line) => line !== '');
  const last = lines.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE));
  return last.length === 0 ? 'It printed nothing.' : `Its last lines: ${last.join(' | ')}`;
}

const MAX_LINES = 8;
const MAX_LINE = 200;
