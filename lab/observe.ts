/** Runs a client in situations, each at least twice, and returns what was seen. */
import { join } from 'node:path';
import { startModel } from '../server/src/services/observing/model/server.ts';
import type { Place } from '../server/src/services/observing/observed-client.ts';
import { type Entry, type List, tidied } from '../server/src/services/observing/read-list.ts';
import { type LabClient, NODE } from './client.ts';
import { CALLED, callByModel, callByPerson, callUnapproved, INVOKED, LONG_CALLED, UNAPPROVED } from './delivery.ts';
import { diagnose } from './diagnose.ts';
import { install } from './install.ts';
import { askLater } from './later.ts';
import { belongsTo, messagesOf } from './messages.ts';
import {
  type Delivery,
  type DiagnosisObservation,
  type LaterObservation,
  type ListObservation,
  type ManyObservation,
  type Observation,
  type Seen,
  type SituationObservation,
  seenIn,
  seenTwice,
  type TerminalObservation,
} from './observation.ts';
import { digestOf, FORMAT } from './outdated.ts';
import { Runner } from './runner.ts';
import { ALONE, LATER, MANY, MANY_LENGTH, READING, SITUATIONS } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';
import { askAtTerminal } from './terminal.ts';

/** The number of skills that share a workspace, and the characters of their files, unless the client says otherwise. */
const BATCH = 30;
const CHARACTERS_OF_A_SKILL = 600;

/** The number of runs of a question whose answer may be random. All others are asked twice. */
const RUNS = 5;

export interface ObserveOptions {
  /** The folder for installed packages and for workspaces. */
  readonly folder: string;
  /** The folder of `programs/`. */
  readonly programs: string;
  /** ISO date. */
  readonly today: string;
  /** Only these situations, and no calls; all if empty. */
  readonly only: readonly string[];
  /** True to ask no situations. */
  readonly calls?: boolean;
  /** An earlier observation of the same version: only what it lacks is asked, and added to it. */
  readonly earlier?: Observation;
  readonly print: (line: string) => void;
}

/** Observes a client. Throws an Error if it cannot be installed or started, or never asks the model. */
export async function observe(client: LabClient, options: ObserveOptions): Promise<Observation> {
  const { folder, programs, today, only, calls = false, earlier, print } = options;
  const installed = install(client, join(folder, 'installed'), programs);
  const model = await startModel();
  try {
    const runner = new Runner(client, model, installed, join(folder, 'runs'), print);
    const all = questionsOf(only, earlier);
    const questions = calls ? { ...all, reading: [], alone: [], many: false } : all;
    const first = await ask(runner, questions, earlier);
    const second = await ask(runner, questions, earlier);
    const again: Sight[] = [];
    while (again.length < RUNS - 2) again.push(await ask(runner, repeatedOf(questions, client), earlier));
    const { lists, situations, many, ...rest } = merged(first, second, again);
    const allLists = [...(earlier?.lists ?? []), ...lists];
    return {
      client: client.id,
      package: client.package.name,
      version: client.package.version,
      observed: today,
      format: Math.min(earlier ? (earlier.format ?? 1) : FORMAT, FORMAT),
      platform: `${process.platform} ${process.arch}, Node.js ${nodeOf(client)}`,
      ...(allLists.some(({ order }) => 'varies' in order) && { orderVaries: true as const }),
      lists: allLists,
      situations: inOrder({ ...earlier?.situations, ...situations }),
      many: earlier?.many.length ? earlier.many : many,
      calledByModel: { ...earlier?.calledByModel, ...rest.calledByModel },
      calledUnapproved: { ...earlier?.calledUnapproved, ...rest.calledUnapproved },
      calledByPerson: { ...earlier?.calledByPerson, ...rest.calledByPerson },
      later: rest.later ?? earlier?.later ?? 'not asked',
      diagnosis: rest.diagnosis ?? earlier?.diagnosis ?? 'not asked',
      atTerminal: rest.atTerminal ?? earlier?.atTerminal ?? 'not asked',
    };
  } finally {
    await model.close();
  }
}

/** Returns the version of the Node.js in the `PATH` of a run, if the client is not a program of its own. */
const nodeOf = ({ with: others = [] }: LabClient): string =>
  others.find(({ name }) => name === NODE.name)?.version ?? process.versions.node;

/** The questions of a run. */
export interface Questions {
  readonly reading: readonly Situation[];
  readonly alone: readonly Situation[];
  readonly many: boolean;
  /** The IDs of the situations whose skills are called. */
  readonly calledByModel: readonly string[];
  readonly calledUnapproved: readonly string[];
  readonly calledByPerson: readonly string[];
  readonly later: boolean;
  readonly diagnosis: boolean;
  readonly atTerminal: boolean;
}

/** Returns all questions, only some situations, or what an earlier observation lacks or has with other files. */
export function questionsOf(only: readonly string[], earlier: Observation | undefined): Questions {
  const isAsked = (one: Situation): boolean => {
    if (only.length > 0) return only.includes(one.id);
    const known = earlier?.situations[one.id];
    return known === undefined || (known.files !== undefined && known.files !== digestOf(one));
  };
  const calls = (ids: readonly string[], of: 'calledByModel' | 'calledUnapproved' | 'calledByPerson') =>
    only.length > 0 ? [] : ids.filter((id) => earlier?.[of][id] === undefined);
  const lacks = (of: 'later' | 'diagnosis' | 'atTerminal'): boolean =>
    only.length === 0 && [undefined, 'not asked'].includes(earlier?.[of] as string | undefined);
  return {
    reading: READING.filter(isAsked),
    alone: ALONE.filter(isAsked),
    many: only.length > 0 ? only.includes(MANY.id) : !earlier?.many.length,
    calledByModel: calls([...CALLED, ...LONG_CALLED], 'calledByModel'),
    calledUnapproved: calls(UNAPPROVED, 'calledUnapproved'),
    calledByPerson: calls(INVOKED, 'calledByPerson'),
    later: only.includes(LATER.id) || lacks('later'),
    diagnosis: lacks('diagnosis'),
    atTerminal: lacks('atTerminal'),
  };
}

/** Returns the questions whose answers may be random: the order of a list, and the winner among equal names. */
const repeatedOf = ({ reading, alone }: Questions, { batch = BATCH }: LabClient): Questions => ({
  reading: batchesOf(reading, batch)[0] ?? [],
  alone: alone.filter(({ id }) => /^n\d/.test(id)),
  many: false,
  calledByModel: [],
  calledUnapproved: [],
  calledByPerson: [],
  later: false,
  diagnosis: false,
  atTerminal: false,
});

/** The results of one run over all questions. */
export interface Sight {
  readonly lists: readonly {
    readonly situations: readonly string[];
    readonly list: List | undefined;
    readonly builtIn: readonly { readonly name: string; readonly characters: number }[];
    readonly otherPlaces: readonly string[];
    readonly faults: readonly string[];
  }[];
  readonly situations: Readonly<
    Record<string, { readonly entries: readonly string[]; readonly messages: readonly string[] }>
  >;
  readonly many: readonly {
    readonly context: number;
    readonly shown: readonly (readonly [number, number])[];
    readonly characters: number;
    readonly forms: readonly string[];
    readonly after: string | undefined;
    readonly faults: readonly string[];
  }[];
  readonly calledByModel: Readonly<Record<string, Delivery>>;
  readonly calledUnapproved: Readonly<Record<string, Delivery>>;
  readonly calledByPerson: Readonly<Record<string, Delivery>>;
  readonly later: LaterObservation | undefined;
  readonly diagnosis: DiagnosisObservation | undefined;
  readonly atTerminal: TerminalObservation | undefined;
}

async function ask(runner: Runner, questions: Questions, earlier: Observation | undefined): Promise<Sight> {
  const { batch = BATCH, contexts = [runner.context] } = runner.client;
  // First, because a screen that is not understood ends the observation.
  const atTerminal = questions.atTerminal ? await askAtTerminal(runner) : undefined;
  const lists: Sight['lists'][number][] = [];
  const situations: Record<string, Sight['situations'][string]> = {};
  for (const group of [...batchesOf(questions.reading, batch), ...questions.alone.map((one) => [one])]) {
    const { list, output, place, otherPlaces, faults } = await runner.list(group);
    const owned = new Set<string>();
    for (const situation of group) {
      const entries = (list?.entries ?? []).filter(({ name, text }) => belongsTo(`${name} ${text}`, situation));
      for (const { text } of entries) owned.add(text);
      const messages = messagesOf(withoutList(output, list, place), situation);
      situations[situation.id] = { entries: entries.map(({ text }) => text), messages };
    }
    const builtIn = builtInOf(
      (list?.entries ?? []).filter(({ text }) => !owned.has(text)),
      group,
    );
    lists.push({ situations: group.map(({ id }) => id), list, builtIn, otherPlaces, faults });
  }
  const listed = Object.entries({ ...earlier?.situations, ...situations }).flatMap(([id, { entries }]) =>
    'varies' in entries || entries.length > 0 ? [id] : [],
  );
  const many: Sight['many'][number][] = [];
  if (questions.many) for (const context of contexts) many.push(await askMany(runner, context));
  return {
    lists,
    situations,
    many,
    calledByModel: await callByModel(runner, questions.calledByModel),
    calledUnapproved: await callUnapproved(runner, questions.calledUnapproved),
    calledByPerson: await callByPerson(runner, questions.calledByPerson),
    later: questions.later ? await askLater(runner) : undefined,
    diagnosis: questions.diagnosis ? await diagnose(runner, new Set(listed)) : undefined,
    atTerminal,
  };
}

async function askMany(runner: Runner, context: number): Promise<Sight['many'][number]> {
  const { list, faults } = await runner.list([MANY], context);
  const files = Object.entries(MANY.files);
  const shown = files.map(([path, text]) => {
    const name = path.replace('/SKILL.md', '');
    const description = /^description: (.*)$/m.exec(String(text))?.[1] ?? '';
    const entry = list?.entries.find((one) => one.name === name);
    if (!entry) return list && [list.text, list.rest].some((one) => one.includes(name)) ? 0 : -1;
    return sharedLength(entry.text, description);
  });
  const kinds = shown.map(formOf);
  const firsts = kinds.flatMap((kind, index) => (kinds.indexOf(kind) === index ? [index] : []));
  const forms = firsts.flatMap((index) => {
    const name = files[index]?.[0].replace('/SKILL.md', '');
    return list?.entries.find((one) => one.name === name)?.text ?? [];
  });
  return { context, shown: runsOf(shown), characters: list?.text.length ?? 0, forms, after: list?.after, faults };
}

/**
 * Returns the names and lengths of entries that belong to no situation.
 *
 * @throws Error if one of them is a skill of the lab, whose situation lacks a word
 */
export function builtInOf(entries: readonly Entry[], group: readonly Situation[]): Sight['lists'][number]['builtIn'] {
  const names = new Set(group.flatMap(namesIn));
  for (const { name, text } of entries) {
    if (names.has(name.trim()) || text.includes('{workspace}')) {
      throw new Error(`The entry \`${name}\` is a skill of the lab. Add its name to the words of its situation.`);
    }
  }
  return entries.map(({ name, text }) => ({ name, characters: text.length }));
}

/** Returns the names of the skills of a situation: those in frontmatters, and the folders of `SKILL.md` files. */
export const namesIn = ({ files }: Situation): readonly string[] =>
  Object.entries(files).flatMap(([path, content]) => {
    const folder = /([^/]+)\/SKILL\.md$/i.exec(path)?.[1] ?? [];
    const name = typeof content === 'string' ? (/^name: "?([^"\r\n]+?)"?\r?$/m.exec(content)?.[1] ?? []) : [];
    return [folder, name].flat().filter((one) => one.trim() !== '');
  });

/** The output of a program that prints its list is that list, and messages. */
const withoutList = (output: string, list: List | undefined, place: Place): string =>
  list?.place === 'output' ? tidied(output, place).replace(list.text, '') : tidied(output, place);

/** Divides situations into groups that fit in a list: so many skills, or so many characters in their files. */
export function batchesOf(situations: readonly Situation[], size: number): readonly (readonly Situation[])[] {
  const batches: Situation[][] = [];
  let room = 0;
  for (const situation of situations) {
    const length = Object.values(situation.files).join('').length;
    const last = batches.at(-1);
    if (last && last.length < size && length <= room) last.push(situation);
    else {
      batches.push([situation]);
      room = size * CHARACTERS_OF_A_SKILL;
    }
    room -= length;
  }
  return batches;
}

/** Sorts the results of situations as the situations are declared. */
const inOrder = (results: Observation['situations']): Observation['situations'] =>
  Object.fromEntries(
    [...SITUATIONS.keys()].flatMap((id) => (results[id] === undefined ? [] : [[id, results[id]] as const])),
  );

/** Returns the length of the longest start of `description` that `text` contains. */
function sharedLength(text: string, description: string): number {
  let [low, high] = [0, description.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (text.includes(description.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns equal numbers in a row as pairs of the number and their count. */
function runsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[0] === number) last[1] += 1;
    else runs.push([number, 1]);
  }
  return runs;
}

const formOf = (length: number): string =>
  length < 0 ? 'absent' : length === 0 ? 'name' : length < MANY_LENGTH ? 'cut' : 'whole';

/** The parts of an observation that a run may give; an undefined one was not asked. */
type Asked = Pick<
  Observation,
  'lists' | 'situations' | 'many' | 'calledByModel' | 'calledUnapproved' | 'calledByPerson'
> &
  Partial<Pick<Observation, 'later' | 'diagnosis' | 'atTerminal'>>;

/**
 * Combines runs over the same questions.
 *
 * @param again further runs over some of the questions
 */
export function merged(first: Sight, second: Sight, again: readonly Pick<Sight, 'lists' | 'situations'>[] = []): Asked {
  const sights = [second, ...again];
  return {
    lists: first.lists.map((one): ListObservation => {
      const key = one.situations.join();
      const others = sights.flatMap(({ lists }) => lists.filter(({ situations }) => situations.join() === key));
      const all = [one, ...others] as const;
      const [place, before, after] = [
        seenWhereThere(all.map(({ list }) => list?.place)),
        seenWhereThere(all.map(({ list }) => list?.before)),
        seenWhereThere(all.map(({ list }) => list?.after)),
      ];
      const both = <Value>(read: (of: Sight['lists'][number]) => Value): Seen<Value> =>
        seenIn([read(one), ...others.map(read)]);
      return {
        situations: one.situations,
        ...(place !== undefined && { place }),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        order: both(({ list }) => (list?.entries ?? []).map(({ name }) => name)),
        builtIn: both(({ builtIn }) => builtIn),
        ...(all.some(({ otherPlaces }) => otherPlaces.length > 0) && {
          otherPlaces: both(({ otherPlaces }) => otherPlaces),
        }),
        ...(all.some(({ faults }) => faults.length > 0) && { faults: both(({ faults }) => faults) }),
      };
    }),
    situations: Object.fromEntries(
      Object.entries(first.situations).map(([id, one]): [string, SituationObservation] => {
        const others = sights.flatMap(({ situations }) => situations[id] ?? []);
        const messages = seenIn([one.messages, ...others.map((other) => other.messages)]);
        return [
          id,
          {
            files: digestOf(SITUATIONS.get(id)),
            entries: seenIn([one.entries, ...others.map(({ entries }) => entries)]),
            ...(!(Array.isArray(messages) && messages.length === 0) && { messages }),
          },
        ];
      }),
    ),
    many: first.many.map((one, index): ManyObservation => {
      const other = theOther(second.many[index], MANY.id);
      return {
        context: one.context,
        shown: seenTwice(one.shown, other.shown),
        characters: seenTwice(one.characters, other.characters),
        forms: seenTwice(one.forms, other.forms),
        ...(one.after !== undefined && other.after !== undefined && { after: seenTwice(one.after, other.after) }),
        ...([...one.faults, ...other.faults].length > 0 && { faults: seenTwice(one.faults, other.faults) }),
      };
    }),
    calledByModel: deliveriesOf(first.calledByModel, second.calledByModel),
    calledUnapproved: deliveriesOf(first.calledUnapproved, second.calledUnapproved),
    calledByPerson: deliveriesOf(first.calledByPerson, second.calledByPerson),
    ...(first.later && second.later && { later: seenTwice(first.later, second.later) }),
    ...(first.diagnosis && second.diagnosis && { diagnosis: seenTwice(first.diagnosis, second.diagnosis) }),
    ...(first.atTerminal && second.atTerminal && { atTerminal: seenTwice(first.atTerminal, second.atTerminal) }),
  };
}

/** Returns what the runs with a list have in common; undefined if none has one. */
function seenWhereThere(values: readonly (string | undefined)[]): Seen<string> | undefined {
  const [first, ...rest] = values.filter((value) => value !== undefined);
  return first === undefined ? undefined : seenIn([first, ...rest]);
}

/** Returns the result of the second run. Throws an Error if it is missing. */
function theOther<Value>(value: Value | undefined, of: string): Value {
  if (value === undefined) throw new Error(`The second run has no result of ${of}.`);
  return value;
}

const deliveriesOf = (
  first: Readonly<Record<string, Delivery>>,
  second: Readonly<Record<string, Delivery>>,
): Readonly<Record<string, Seen<Delivery>>> =>
  Object.fromEntries(Object.entries(first).map(([id, one]) => [id, seenTwice(one, theOther(second[id], id))]));
