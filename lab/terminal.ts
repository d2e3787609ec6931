/** Questions about a session with a person at a terminal: the list, calls by name, and questions for permission. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../server/src/services/observing/observed-client.ts';
import type { Ended } from '../server/src/services/observing/process.ts';
import { type Entry, tidied } from '../server/src/services/observing/read-list.ts';
import { PROMPT, requestAfter } from '../server/src/services/observing/run.ts';
import { ARGUMENTS, calledGroup, deliveryOf, invocationOf, skillOf } from './delivery.ts';
import { laterIn, writeLater } from './later.ts';
import { belongsTo } from './messages.ts';
import type { Delivery, TerminalCall, TerminalObservation } from './observation.ts';
import type { Runner } from './runner.ts';
import { Session } from './session.ts';
import { LATER } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';

/** The situations whose skills are called, each in a session of its own. */
const INVOKED: readonly string[] = ['s01-plain', 's13-no-model', 's14-no-user'];
const LOADED: readonly string[] = ['s01-plain', 's25-tools'];
/** The time in which the model must be asked after a text was typed, in milliseconds. */
const MAX_TURN = 20_000;
/** A client that sends no result in this time has a question. */
const MAX_RESULT = 8_000;
/** The time that a client has to show an answer. */
const SHOWN = 2_000;
/** The length and the number of the lines of the screen that are kept. */
const MAX_LINE = 160;
const MAX_LINES = 12;

/** Returns undefined if it is not known how the client is driven at a terminal. */
export async function askAtTerminal(runner: Runner): Promise<TerminalObservation | undefined> {
  if (!runner.client.terminal) return undefined;
  const calledByPerson: Record<string, Delivery> = {};
  const calledByModel: Record<string, TerminalCall> = {};
  const list = await inSession(runner, (one) => askForList(one));
  for (const situation of calledGroup()) {
    if (INVOKED.includes(situation.id) && runner.client.invoke) {
      calledByPerson[situation.id] = await inSession(runner, (one) => callAsPerson(one, situation));
      runner.print(`at a terminal, called by a person: ${situation.id}`);
    }
    if (LOADED.includes(situation.id) && runner.client.load) {
      calledByModel[situation.id] = await inSession(runner, (one) => callAsModel(one, situation));
      runner.print(`at a terminal, called by the model: ${situation.id}`);
    }
  }
  return { ...list, calledByPerson, calledByModel };
}

/** A client that accepts input. */
interface Open {
  readonly runner: Runner;
  readonly session: Session;
  readonly place: Place;
  /** The questions that it asked at its start. */
  readonly asked: readonly string[];
}

/** Starts the client in a workspace with the skills that are called, and ends it after the question. */
async function inSession<Value>(runner: Runner, ask: (open: Open) => Promise<Value>): Promise<Value> {
  const { client, model } = runner;
  if (!client.terminal) throw new Error(`It is not known how ${client.name} is driven at a terminal.`);
  const place = runner.write(calledGroup());
  model.follow([]);
  const run = await runner.prepare(place, { isApproved: false });
  const session = new Session(run, client.terminal);
  try {
    return await ask({ runner, session, place, asked: await session.start() });
  } finally {
    await session.end();
  }
}

/** Asks for the list, then writes a skill, and asks again. */
async function askForList({ runner, session, place, asked }: Open) {
  const { client, model } = runner;
  const calls = client.listWith ? [client.listWith] : [];
  const ended: Ended = { status: 0, output: '' };
  const screen = session.screen;
  model.follow(calls);
  await session.type(PROMPT);
  await session.until(() => requestAfter(model.requests, calls.length) !== undefined, MAX_TURN);
  await sleep(SHOWN);
  const list = runner.listIn(model.requests, ended, place);
  runner.print(`at a terminal: ${list ? `${list.entries.length} entries` : 'no list'}`);
  await writeLater(runner, place);
  model.follow([]);
  await session.type('hello again');
  await session.until(() => model.requests.some(({ tools }) => tools.length > 0), MAX_TURN);
  await sleep(SHOWN);
  const next = model.requests.find(({ tools }) => tools.length > 0);
  const later = next ? laterIn(runner, next, place) : [];
  const entries = (list?.entries ?? []).filter(({ name, text }) =>
    calledGroup().some((one) => belongsTo(`${name} ${text}`, one)),
  );
  return {
    asked,
    said: saidAtStart(screen, place, list?.entries ?? []),
    ...(list && { place: list.place }),
    entries: entries.map(({ text }) => text),
    later,
    ...(client.invoke && { laterCalled: await callAsPerson({ runner, session, place, asked }, LATER) }),
  };
}

/** A reason follows the line with the name. */
function saidAtStart(screen: string, place: Place, entries: readonly Entry[]): TerminalObservation['said'] {
  const lines = tidied(screen, place)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const pairs = lines.map((line, at) => `${line} | ${lines[at + 1] ?? ''}`);
  const isListed = (one: Situation): boolean => entries.some(({ name, text }) => belongsTo(`${name} ${text}`, one));
  const said = calledGroup().map((one) => {
    const own = pairs.filter((pair, at) => belongsTo(lines[at] ?? '', one) && !isListed(one) && pair !== '');
    return [one.id, shortened(own)] as const;
  });
  return Object.fromEntries(said.filter(([, { length }]) => length > 0));
}

/** Types the call of a skill. */
async function callAsPerson({ runner, session, place }: Open, situation: Situation): Promise<Delivery> {
  const { client, model } = runner;
  const prompt = client.invoke?.(skillOf(situation, place, client), ARGUMENTS) ?? '';
  model.follow([]);
  await session.type(prompt);
  const isAsked = (): boolean => model.requests.some(({ tools }) => tools.length > 0);
  // In some clients, the first Enter accepts a proposal of their menu.
  if (!(await session.until(isAsked, MAX_TURN / 4))) await session.press(['\r']);
  await session.until(isAsked, MAX_TURN / 4);
  await sleep(SHOWN);
  const requests = [...model.requests];
  const { delivered, instead } = invocationOf(situation, prompt, requests, place, {
    status: 0,
    output: session.screen,
  });
  return {
    delivered,
    ...(instead && { instead: shortened(instead.filter((line) => requests.length > 0 || !isEcho(line, prompt))) }),
  };
}

/** Returns true for a line of the screen with the typed text, its start, or a proposal for it. */
function isEcho(line: string, prompt: string): boolean {
  const text = line.replace(/^[^/$\w]+/, '');
  return prompt.startsWith(text) || text.startsWith(prompt.split(' ')[0] ?? prompt);
}

/** Lets the model call a skill, and accepts the first answer to a question. */
async function callAsModel({ runner, session, place }: Open, situation: Situation): Promise<TerminalCall> {
  const { client, model } = runner;
  const call = client.load?.(skillOf(situation, place, client), ARGUMENTS);
  model.follow(call ? [call] : []);
  await session.type(PROMPT);
  await session.until(() => requestAfter(model.requests, 0) !== undefined, MAX_TURN);
  const isSent = await session.until(() => requestAfter(model.requests, 1) !== undefined, MAX_RESULT);
  const question = isSent ? [] : linesOf(session.screen, place);
  if (!isSent) {
    await session.press(['\r']);
    await session.until(() => requestAfter(model.requests, 1) !== undefined, MAX_RESULT);
  }
  const [request, before] = [requestAfter(model.requests, 1), requestAfter(model.requests, 0)];
  const delivery = deliveryOf(situation, request, before, place, { status: 0, output: session.screen });
  return { ...(question.length > 0 && { question }), ...delivery };
}

/** A question, and its numbered answers. */
const QUESTION = /allow|permission|approve|proceed|enable|deny|\?$|^\W*\d\. /i;

/** Returns the last lines of the screen with words of a question. */
function linesOf(screen: string, place: Place): readonly string[] {
  const lines = tidied(screen, place)
    .split('\n')
    .map((line) =>
      line
        .replace(/[│┃╭╮╰╯─━▌▐█]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  const questions = lines.filter((line) => QUESTION.test(line));
  return shortened(questions).slice(-MAX_LINES);
}

const shortened = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.map((line) => line.slice(0, MAX_LINE))),
];
