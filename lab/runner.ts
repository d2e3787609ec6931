/** Runs a client in workspaces of situations, with the model on loopback. */
import { join } from 'node:path';
import { stringsIn } from '../server/src/services/observing/model/json-values.ts';
import type { ModelToolCall } from '../server/src/services/observing/model/protocol.ts';
import type { Meanwhile, Model, RecordedRequest } from '../server/src/services/observing/model/server.ts';
import { CONTEXT, type Place } from '../server/src/services/observing/observed-client.ts';
import { type Ended, runClient } from '../server/src/services/observing/process.ts';
import { type List, readList } from '../server/src/services/observing/read-list.ts';
import { makeRepository } from '../server/src/services/observing/repository.ts';
import { listIn, PROMPT, writeSettings } from '../server/src/services/observing/run.ts';
import { type LabClient, type LabRun, programsOf } from './client.ts';
import { belongsTo } from './messages.ts';
import type { Situation } from './situations/situation.ts';
import { writeWorkspace } from './workspace.ts';

export interface RunOptions {
  /** The size of the model's context in tokens. */
  readonly context?: number;
  /** The calls that the model makes, one in each turn. */
  readonly calls?: readonly ModelToolCall[];
  readonly prompt?: string;
  /** False if no permission is given before. */
  readonly isApproved?: boolean;
  /** Runs before the model answers. */
  readonly meanwhile?: Meanwhile;
}

/** The requests and the output of one run. */
export interface Result {
  readonly requests: readonly RecordedRequest[];
  readonly ended: Ended;
  /** Reasons not to trust that something is absent. */
  readonly faults: readonly string[];
}

/** A client that asks the model nothing in its first runs cannot be observed. */
const MAX_SILENT = 3;

export class Runner {
  readonly client: LabClient;
  readonly model: Model;
  readonly print: (line: string) => void;
  readonly #installed: string;
  readonly #folder: string;
  /** The number of runs without a request; undefined after a run with one. */
  #silent: number | undefined = 0;

  /**
   * @param installed the folder that has the packages in `node_modules`
   * @param folder the folder for workspaces
   */
  constructor(client: LabClient, model: Model, installed: string, folder: string, print: (line: string) => void) {
    this.client = client;
    this.model = model;
    this.print = print;
    this.#installed = installed;
    this.#folder = folder;
  }

  get context(): number {
    return this.client.context ?? CONTEXT;
  }

  /** Writes a workspace with these situations, in place of the last one. */
  write(group: readonly Situation[]): Place {
    const place = writeWorkspace(join(this.#folder, this.client.id), group, this.client.skills);
    makeRepository(place.workspace);
    return { ...place, installed: this.#installed };
  }

  /** Returns the run that a client gets, and writes its settings. */
  async prepare(
    place: Place,
    { context = this.context, prompt = PROMPT, isApproved = true }: RunOptions = {},
  ): Promise<LabRun> {
    await this.model.renew();
    const installed = this.#installed;
    const programs = programsOf(this.client, installed);
    const run = { ...place, ...programs, installed, model: this.model.url, context, prompt, isApproved };
    await writeSettings(this.client, run);
    return run;
  }

  /** Runs the client once. Throws an Error if it asked the model nothing in each of its first runs. */
  async run(place: Place, options: RunOptions = {}): Promise<Result> {
    const run = await this.prepare(place, options);
    this.model.follow(options.calls ?? [], options.meanwhile);
    const ended = await runClient(run, this.client.start(run));
    const requests = [...this.model.requests];
    if (requests.length > 0 || this.client.source === 'output') this.#silent = undefined;
    else if (this.#silent !== undefined) this.#silent += 1;
    if (this.#silent === MAX_SILENT) {
      throw new Error(
        `${this.client.name} asked the model nothing (status ${ended.status ?? 'none'}; unknown paths: ${this.model.unknown.join(', ') || 'none'}):\n${ended.output.slice(-2_000)}`,
      );
    }
    const faults = [...faultsOf(ended), ...(this.client.source === 'output' ? [] : faultsIn(requests))];
    const { faults: unreadable } = this.model;
    if (unreadable.length > 0) throw new Error(`Requests could not be read: ${unreadable.join('; ')}`);
    for (const command of ended.leftBehind ?? []) this.print(`! left behind, and ended: ${command.slice(0, 160)}`);
    for (const fault of faults) this.print(`! ${fault}`);
    return { requests, ended, faults };
  }

  /** Returns the list of skills in a workspace of these situations. */
  async list(group: readonly Situation[], context = this.context) {
    const place = this.write(group);
    const { listWith } = this.client;
    const { ended, requests, faults } = await this.run(place, { context, calls: listWith ? [listWith] : [] });
    const list = this.listIn(requests, ended, place);
    const title = group.length === 1 ? group[0]?.id : `${group[0]?.id} … ${group.at(-1)?.id}`;
    this.print(`${title}: ${list ? `${list.entries.length} entries` : 'no list'}`);
    return { list, output: ended.output, place, faults, otherPlaces: otherPlacesIn(requests, group, list) };
  }

  /** Returns the longest list in requests, or in the output of a client that asks no model. */
  listIn(requests: readonly RecordedRequest[], { output }: Ended, place: Place): List | undefined {
    if (this.client.source !== 'output') return listIn(this.client, requests, place);
    return readList(this.client, [{ path: this.client.source, text: output }], place);
  }
}

/** Returns how a client ended, unless with the status 0. */
function faultsOf({ status }: Ended): readonly string[] {
  if (status === 0) return [];
  return [status === undefined ? 'ended by a signal or the time limit' : `ended with status ${status}`];
}

/** Returns why requests cannot show what is absent from a list. */
function faultsIn(requests: readonly RecordedRequest[]): readonly string[] {
  if (requests.length === 0) return ['no request'];
  return requests.some(({ tools }) => tools.length > 0) ? [] : ['no request offers tools'];
}

/** Returns the paths of the strings, except for the list, that have a word of a situation. */
function otherPlacesIn(
  requests: readonly RecordedRequest[],
  group: readonly Situation[],
  list: List | undefined,
): readonly string[] {
  const paths = requests
    .flatMap(({ body }) => stringsIn(body))
    .filter(({ path, text }) => path !== list?.place && group.some((one) => belongsTo(text, one)))
    .map(({ path }) => path);
  return [...new Set(paths)].sort();
}
