/** Runs a client in all situations, twice, and returns what was seen. */
import { join } from 'node:path';
import type { LabClient, Run } from './client.ts';
import { install } from './install.ts';
import { stringsIn } from './model/json.ts';
import type { ToolCall } from './model/protocol.ts';
import { type Model, type RecordedRequest, startModel } from './model/server.ts';
import {
  type Delivery,
  type ListObservation,
  type ManyObservation,
  type Observation,
  type Seen,
  type SituationObservation,
  seenTwice,
} from './observation.ts';
import { type Ended, runClient } from './process.ts';
import { belongsTo, type List, messagesOf, newStrings, readList, tidied } from './read-list.ts';
import { ALONE, MANY, READING } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';
import { commit, type Place, writeWorkspace } from './workspace.ts';

/** The situations whose skills are called by the model. */
const CALLED: readonly string[] = [
  's01-plain',
  's03-folder',
  's04-no-description',
  's05-title-name',
  's13-no-model',
  's14-no-user',
  's15-crlf',
  's20-blank-first',
  's25-tools',
  's27-dots',
  's35-empty-body',
  's39-body-rule',
  's101-no-model-yes',
  's104-nobody',
];

/** The situations whose skills are called by a person, each in a run of its own. */
const INVOKED: readonly string[] = ['s01-plain', 's03-folder', 's13-no-model', 's14-no-user', 's25-tools'];

const ARGUMENTS = 'red blue';
const PROMPT = 'hello my friend';
const CONTEXT = 200_000;
const BATCH = 30;
/** A text that came instead of a body is kept up to this length. */
const MAX_INSTEAD = 600;

export interface ObserveOptions {
  /** The folder for installed packages and for workspaces. */
  readonly folder: string;
  /** The folder of `programs/`. */
  readonly programs: string;
  /** ISO date. */
  readonly today: string;
  /** Only these situations, and no calls; all if empty. */
  readonly only: readonly string[];
  readonly print: (line: string) => void;
}

/** Observes a client. Throws an Error if it cannot be installed or started, or never asks the model. */
export async function observe(client: LabClient, options: ObserveOptions): Promise<Observation> {
  const installed = install(client, join(options.folder, 'installed'), options.programs);
  const model = await startModel();
  try {
    const lab = new Lab(client, installed, model, options);
    const first = await lab.runAll();
    const second = await lab.runAll();
    return {
      client: client.id,
      package: client.package.name,
      version: client.package.version,
      observed: options.today,
      platform: `${process.platform} ${process.arch}, Node.js ${process.versions.node}`,
      ...merged(first, second),
    };
  } finally {
    await model.close();
  }
}

/** The results of one run over all situations. */
interface Sight {
  readonly lists: readonly {
    readonly situations: readonly string[];
    readonly list: List | undefined;
    readonly builtIn: ListObservation['builtIn'];
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
  }[];
  readonly calledByModel: Readonly<Record<string, Delivery>>;
  readonly calledUnapproved: Readonly<Record<string, Delivery>>;
  readonly calledByPerson: Readonly<Record<string, Delivery>>;
}

class Lab {
  readonly #client: LabClient;
  readonly #installed: string;
  readonly #model: Model;
  readonly #options: ObserveOptions;

  constructor(client: LabClient, installed: string, model: Model, options: ObserveOptions) {
    this.#client = client;
    this.#installed = installed;
    this.#model = model;
    this.#options = options;
  }

  get #context(): number {
    return this.#client.context ?? CONTEXT;
  }

  async runAll(): Promise<Sight> {
    const { only } = this.#options;
    const isAsked = ({ id }: Situation): boolean => only.length === 0 || only.includes(id);
    const lists: Sight['lists'][number][] = [];
    const situations: Record<string, Sight['situations'][string]> = {};
    const workspaces = [
      ...batchesOf(READING.filter(isAsked), this.#client.batch ?? BATCH),
      ...ALONE.filter(isAsked).map((one) => [one]),
    ];
    for (const group of workspaces) {
      const { list, output, place } = await this.#list(group);
      const owned = new Set<string>();
      for (const situation of group) {
        const entries = (list?.entries ?? []).filter(({ name, text }) => belongsTo(`${name} ${text}`, situation));
        for (const { text } of entries) owned.add(text);
        const messages = messagesOf(withoutList(output, list, place), situation);
        situations[situation.id] = { entries: entries.map(({ text }) => text), messages };
      }
      const others = (list?.entries ?? []).filter(({ text }) => !owned.has(text));
      const builtIn = others.map(({ name, text }) => ({ name, characters: text.length }));
      lists.push({ situations: group.map(({ id }) => id), list, builtIn });
    }
    const many: Sight['many'][number][] = [];
    if (isAsked(MANY)) {
      for (const context of this.#client.contexts ?? [this.#context]) many.push(await this.#many(context));
    }
    const isWhole = only.length === 0;
    return {
      lists,
      situations,
      many,
      calledByModel: isWhole ? await this.#callByModel(true) : {},
      calledUnapproved: isWhole ? await this.#callByModel(false) : {},
      calledByPerson: isWhole ? await this.#callByPerson() : {},
    };
  }

  async #list(group: readonly Situation[], context = this.#context) {
    const place = this.#write(group);
    const { source, listWith } = this.#client;
    const { output, requests } = await this.#run(place, { context, calls: listWith ? [listWith] : [] });
    const strings = requests.flatMap(({ body }) => stringsIn(body));
    const list = readList(this.#client, source === 'output' ? [{ path: source, text: output }] : strings, place);
    const title = group.length === 1 ? group[0]?.id : `${group[0]?.id} … ${group.at(-1)?.id}`;
    this.#options.print(`${title}: ${list ? `${list.entries.length} entries` : 'no list'}`);
    return { list, output, place };
  }

  async #many(context: number): Promise<Sight['many'][number]> {
    const { list } = await this.#list([MANY], context);
    const files = Object.entries(MANY.files);
    const shown = files.map(([path, text]) => {
      const name = path.replace('/SKILL.md', '');
      const description = /^description: (.*)$/m.exec(String(text))?.[1] ?? '';
      const entry = list?.entries.find((one) => one.name === name);
      if (!entry) return list && [list.text, list.after].some((one) => one.includes(name)) ? 0 : -1;
      return sharedLength(entry.text, description);
    });
    const forms = [...new Map(shown.map((length, index) => [formOf(length), index])).values()].flatMap((index) => {
      const name = files[index]?.[0].replace('/SKILL.md', '');
      return list?.entries.find((one) => one.name === name)?.text ?? [];
    });
    return { context, shown: runsOf(shown), characters: list?.text.length ?? 0, forms, after: list?.after };
  }

  async #callByModel(isApproved: boolean): Promise<Readonly<Record<string, Delivery>>> {
    const { load } = this.#client;
    if (!load) return {};
    const group = CALLED.flatMap((id) => READING.find((one) => one.id === id) ?? []);
    const results: Record<string, Delivery> = {};
    // Without approval, a client may end at the first refusal, so that each call has a run of its own.
    const runs = isApproved
      ? [group]
      : group.filter(({ id }) => ['s01-plain', 's25-tools'].includes(id)).map((one) => [one]);
    for (const called of runs) {
      const place = this.#write(group);
      const calls = called.map((one) => load(skillOf(one, place, this.#client), ARGUMENTS));
      const { requests, ended } = await this.#run(place, { calls, isApproved });
      for (const [index, situation] of called.entries()) {
        const request = requests.find(({ results: made, tools }) => made === index + 1 && tools.length > 0);
        const before = requests.find(({ results: made, tools }) => made === index && tools.length > 0);
        results[situation.id] = deliveryOf(situation, request, before, place, ended);
      }
      this.#options.print(
        `${isApproved ? 'called by the model' : 'without approval'}: ${called.map(({ id }) => id).join(', ')}`,
      );
    }
    return results;
  }

  async #callByPerson(): Promise<Readonly<Record<string, Delivery>>> {
    const { invoke } = this.#client;
    if (!invoke) return {};
    const group = CALLED.flatMap((id) => READING.find((one) => one.id === id) ?? []);
    const results: Record<string, Delivery> = {};
    for (const situation of group.filter(({ id }) => INVOKED.includes(id))) {
      const place = this.#write(group);
      const prompt = invoke(skillOf(situation, place, this.#client), ARGUMENTS);
      const { requests, ended } = await this.#run(place, { prompt });
      const request = requests.find(({ tools }) => tools.length > 0) ?? requests[0];
      const delivery = deliveryOf(situation, request, undefined, place, ended);
      const isUnchanged =
        delivery.delivered.length === 0 &&
        request &&
        newStrings(request, undefined, place).some(({ text }) => text.includes(prompt));
      results[situation.id] = {
        ...(delivery.status !== undefined && { status: delivery.status }),
        delivered: delivery.delivered,
        ...(delivery.delivered.length === 0 && {
          instead: isUnchanged ? [prompt] : messagesOf(tidied(ended.output, place), situation),
        }),
      };
      this.#options.print(`called by a person: ${situation.id}`);
    }
    return results;
  }

  #write(group: readonly Situation[]): Place {
    const place = writeWorkspace(join(this.#options.folder, 'runs', this.#client.id), group, this.#client.skills);
    commit(place);
    return place;
  }

  async #run(
    place: Place,
    {
      context = this.#context,
      calls = [],
      prompt = PROMPT,
      isApproved = true,
    }: { context?: number; calls?: readonly ToolCall[]; prompt?: string; isApproved?: boolean },
  ): Promise<{ readonly requests: readonly RecordedRequest[]; readonly output: string; readonly ended: Ended }> {
    const run: Run = { ...place, installed: this.#installed, model: this.#model.url, context, prompt, isApproved };
    this.#model.follow(calls);
    this.#client.configure?.(run);
    const ended = await runClient(run, this.#client.start(run));
    const requests = [...this.#model.requests];
    if (requests.length === 0 && prompt === PROMPT && this.#client.source !== 'output') {
      throw new Error(
        `${this.#client.name} asked the model nothing (status ${ended.status ?? 'none'}; unknown paths: ${this.#model.unknown.join(', ') || 'none'}):\n${ended.output.slice(-2_000)}`,
      );
    }
    return { requests, output: ended.output, ended };
  }
}

/** Returns what reached the model in a request: texts with the situation's secret, else short texts. */
function deliveryOf(
  situation: Situation,
  request: RecordedRequest | undefined,
  before: RecordedRequest | undefined,
  place: Place,
  { status, output }: Ended,
): Delivery {
  const texts = request ? newStrings(request, before, place) : [];
  const delivered = texts.filter(({ text }) => text.includes(situation.secret));
  const instead = request
    ? texts.map(({ text }) => text).filter((text) => isAnswer(text, situation))
    : messagesOf(tidied(output, place), situation);
  return {
    delivered,
    ...(delivered.length === 0 && { instead }),
    ...(status !== 0 && { status: status ?? ('ended' as const) }),
  };
}

/** The output of a program that prints its list is that list, and messages. */
const withoutList = (output: string, list: List | undefined, place: Place): string =>
  list?.place === 'output' ? tidied(output, place).replace(list.text, '') : tidied(output, place);

/** Returns true for a short text about a call: it names the skill, and is more than that name. */
const isAnswer = (text: string, situation: Situation): boolean =>
  text.length <= MAX_INSTEAD &&
  /\s/.test(text) &&
  (belongsTo(text, situation) || /skill|failed|denied|permission/i.test(text));

function skillOf({ id, files }: Situation, { workspace }: Place, { skills }: LabClient) {
  const [path = '', content] = Object.entries(files)[0] ?? [];
  const name = /^name: (.*)$/m.exec(String(content))?.[1] ?? id;
  return { name, path: join(workspace, skills.project, path), workspace };
}

const batchesOf = (situations: readonly Situation[], size: number): readonly (readonly Situation[])[] =>
  Array.from({ length: Math.ceil(situations.length / size) }, (_, index) =>
    situations.slice(index * size, (index + 1) * size),
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
  length < 0 ? 'absent' : length === 0 ? 'name' : length < 590 ? 'cut' : 'whole';

function merged(
  first: Sight,
  second: Sight,
): Pick<Observation, 'lists' | 'situations' | 'many' | 'calledByModel' | 'calledUnapproved' | 'calledByPerson'> {
  return {
    lists: first.lists.map(({ situations, list, builtIn }, index): ListObservation => {
      const other = second.lists[index];
      const both = <Value>(read: (list: List) => Value): Seen<Value> | undefined =>
        list && other?.list ? seenTwice(read(list), read(other.list)) : undefined;
      const [place, before, after] = [both((one) => one.place), both((one) => one.before), both((one) => one.after)];
      const namesOf = (one: List | undefined) => (one?.entries ?? []).map(({ name }) => name);
      return {
        situations,
        ...(place !== undefined && { place }),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        order: seenTwice(namesOf(list), namesOf(other?.list)),
        builtIn: seenTwice(builtIn, other?.builtIn ?? []) as ListObservation['builtIn'],
      };
    }),
    situations: Object.fromEntries(
      Object.entries(first.situations).map(([id, one]): [string, SituationObservation] => {
        const other = second.situations[id];
        const messages = seenTwice(one.messages, other?.messages ?? []);
        return [
          id,
          {
            entries: seenTwice(one.entries, other?.entries ?? []),
            ...(!(Array.isArray(messages) && messages.length === 0) && { messages }),
          },
        ];
      }),
    ),
    many: first.many.map((one, index): ManyObservation => {
      const other = second.many[index] ?? one;
      return {
        context: one.context,
        shown: seenTwice(one.shown, other.shown),
        characters: seenTwice(one.characters, other.characters),
        forms: seenTwice(one.forms, other.forms),
        ...(one.after !== undefined && other.after !== undefined && { after: seenTwice(one.after, other.after) }),
      };
    }),
    calledByModel: deliveriesOf(first.calledByModel, second.calledByModel),
    calledUnapproved: deliveriesOf(first.calledUnapproved, second.calledUnapproved),
    calledByPerson: deliveriesOf(first.calledByPerson, second.calledByPerson),
  };
}

const deliveriesOf = (
  first: Readonly<Record<string, Delivery>>,
  second: Readonly<Record<string, Delivery>>,
): Readonly<Record<string, Seen<Delivery>>> =>
  Object.fromEntries(Object.entries(first).map(([id, one]) => [id, seenTwice(one, second[id] ?? one)]));
