/** Finds the order of composed skills in a composite without an `execution` (docs/format.md, section 4, "Execution"). */

import { isObject, type JsonObject, own } from '../languages/schema/model.ts';

/** The fields of an object's schema. */
export interface FieldNames {
  /** The names of the fields; undefined if they are not known. */
  readonly fields: readonly string[] | undefined;
  /** The names of the required fields without a default. */
  readonly required: readonly string[];
  /** True if the schema allows other fields, too. */
  readonly isOpen?: true;
}

const OPEN = ['$ref', 'allOf', 'anyOf', 'oneOf'];
const OPENING = ['patternProperties', '$dynamicRef', 'if', 'not', 'dependentSchemas', 'unevaluatedProperties'];

/** Returns whether one level of a schema allows fields that it does not name. Never throws. */
export const allowsOtherFields = (schema: JsonObject): boolean =>
  OPENING.some((key) => Object.hasOwn(schema, key)) || (own(schema, 'additionalProperties') ?? false) !== false;

/** Returns the fields of a JSON Schema; no fields without a schema. Never throws. */
export function fieldNamesOf(schema: JsonObject | undefined): FieldNames {
  if (!schema) return { fields: [], required: [] };
  if (OPEN.some((key) => Object.hasOwn(schema, key))) return { fields: undefined, required: [] };
  const found = own(schema, 'properties');
  const properties: JsonObject = isObject(found) ? found : {};
  const required = own(schema, 'required');
  const hasDefault = (name: string): boolean => {
    const field = own(properties, name);
    return isObject(field) && Object.hasOwn(field, 'default');
  };
  return {
    fields: Object.keys(properties),
    required: Array.isArray(required) ? required.map(String).filter((name) => !hasDefault(name)) : [],
    ...(allowsOtherFields(schema) && { isOpen: true }),
  };
}

/** The names that a composed skill reads from the flow (`takes`), requires in the flow, and writes to it (`gives`). */
export interface FlowNames {
  readonly takes: readonly string[];
  readonly requires: readonly string[];
  readonly gives: readonly string[];
  /** True if it may also write names that its output schema does not have. */
  readonly isOpen?: true;
}

interface Side extends FieldNames {
  /**
   * Pairs of names. An input has the name in the flow before the name in the skill, and an output has the reverse
   * order.
   */
  readonly mapping: readonly (readonly [string, string])[];
}

/** Returns the names that a composed skill reads and writes; undefined if the fields of a schema are not known. */
export function flowNames(input: Side, output: Side): FlowNames | undefined {
  if (!input.fields || !output.fields) return undefined;
  const sources = new Map(input.mapping.map(([flow, own]) => [own, flow]));
  const targets = new Map(output.mapping);
  const sourceOf = (name: string): string => sources.get(name) ?? name;
  return {
    takes: input.fields.map(sourceOf),
    requires: input.required.map(sourceOf),
    gives: output.fields.map((name) => targets.get(name) ?? name),
    ...(output.isOpen && { isOpen: true }),
  };
}

/** A composed skill (`entry`) that requires a value, and a skill that provides it (`from`), as indices in `composes`. */
export interface DataNeed {
  readonly entry: number;
  /** The name of the value in the flow. */
  readonly name: string;
  readonly from: number;
}

export interface CompositionOrder {
  /** The composed skills in the order in which they run. The skills of a group do not depend on each other. */
  readonly groups: readonly (readonly number[])[];
  /** The cycles of data, each beginning with its first entry, which runs although its value is missing. */
  readonly cycles: readonly (readonly DataNeed[])[];
}

/**
 * Returns the topological order of composed skills by their data; without a preference, the skill that is first in
 * `composes` runs first (docs/format.md, section 4, "Execution"). `inputs` are the names of the composite's inputs;
 * undefined if they are not known. The names of a skill that is not known are undefined. Never throws.
 */
export function orderByData(
  parts: readonly (FlowNames | undefined)[],
  inputs: readonly string[] | undefined,
): CompositionOrder {
  const providers = providersOf(parts);
  const waits = waitsOf(parts, providers, inputs);
  const run = (kind: 'takes' | 'requires'): SimulatedRun => new SimulatedRun(parts, waits, kind);
  // An optional value that would close a cycle does not arrive.
  const { order, cycles } =
    arrange(run('takes')) ?? arrange(run('requires')) ?? arrangeWithCycles(run('requires'), providers);
  return { groups: groupIndependentSkills(parts, order), cycles };
}

/** The data for which a composed skill waits. */
interface Waits {
  /** The names that the inputs do not provide, and another skill does. */
  readonly takes: readonly string[];
  readonly requires: readonly string[];
  /** The earlier entries that read or write the same names, so that the order of the two matters. */
  readonly entries: readonly number[];
}

function waitsOf(
  parts: readonly (FlowNames | undefined)[],
  providers: Providers,
  inputs: readonly string[] | undefined,
): readonly Waits[] {
  const given = new Set(inputs);
  const before = new EarlierUses();
  let isKnown = inputs !== undefined;
  return parts.map((part, at) => {
    const awaited = (name: string): boolean => {
      if (given.has(name)) return false;
      const own = providers.get(name) ?? [];
      return isKnown ? own.some((one) => one !== at) : own.some((one) => one < at);
    };
    isKnown &&= part !== undefined && !part.isOpen;
    return {
      takes: part?.takes.filter(awaited) ?? [],
      requires: part?.requires.filter(awaited) ?? [],
      entries: before.add(at, part),
    };
  });
}

/** The entries that provide each name. */
type Providers = ReadonlyMap<string, readonly number[]>;

function providersOf(parts: readonly (FlowNames | undefined)[]): Providers {
  const providers = new Map<string, number[]>();
  for (const [at, part] of parts.entries()) for (const name of part?.gives ?? []) addTo(providers, name, at);
  return providers;
}

/** The earlier entries that use a name, so that a later entry with the same name must not run before them. */
class EarlierUses {
  readonly #readers = new Map<string, number[]>();
  readonly #writer = new Map<string, number>();
  /** The entries after the last one whose names are not known. */
  #recent: number[] = [];
  /** The last entry that may write any name. */
  #unknown: number | undefined;

  /** Adds an entry, and returns the earlier entries that it follows. */
  add(at: number, part: FlowNames | undefined): readonly number[] {
    const earlier = new Set(this.#unknown === undefined ? [] : [this.#unknown]);
    if (!part) {
      for (const entry of this.#recent) earlier.add(entry);
      this.#recent = [];
      this.#unknown = at;
      return [...earlier];
    }
    this.#recent.push(at);
    for (const name of part.takes) {
      const writer = this.#writer.get(name);
      if (writer !== undefined) earlier.add(writer);
    }
    for (const name of part.gives) {
      for (const entry of [this.#writer.get(name), ...(this.#readers.get(name) ?? [])]) {
        if (entry !== undefined) earlier.add(entry);
      }
      this.#writer.set(name, at);
      this.#readers.set(name, []);
    }
    for (const name of part.takes) addTo(this.#readers, name, at);
    if (part.isOpen) this.#unknown = at;
    return [...earlier];
  }
}

type Arranged = Omit<CompositionOrder, 'groups'> & { readonly order: readonly number[] };

/** The entries that have run so far. `kind` is the data that each entry waits for. */
class SimulatedRun {
  readonly order: number[] = [];
  readonly pending: number[];
  readonly #given = new Set<string>();
  readonly #parts: readonly (FlowNames | undefined)[];
  readonly #names: readonly (readonly string[])[];
  /** The numbers of the names and of the earlier entries that each entry still waits for. */
  readonly #missing: number[];
  readonly #ahead: number[];
  readonly #readers = new Map<string, number[]>();
  readonly #followers = new Map<number, number[]>();

  constructor(parts: readonly (FlowNames | undefined)[], waits: readonly Waits[], kind: 'takes' | 'requires') {
    this.#parts = parts;
    this.pending = [...parts.keys()];
    this.#names = waits.map((wait) => [...new Set(wait[kind])]);
    this.#missing = this.#names.map((names) => names.length);
    this.#ahead = waits.map(({ entries }) => entries.length);
    for (const [at, names] of this.#names.entries()) for (const name of names) addTo(this.#readers, name, at);
    for (const [at, { entries }] of waits.entries()) for (const entry of entries) addTo(this.#followers, entry, at);
  }

  /** Returns the first name that an entry waits for. */
  missing(entry: number): string | undefined {
    return this.#names[entry]?.find((name) => !this.#given.has(name));
  }

  /** Returns the first entry that can run; undefined if each remaining entry waits for data. */
  next(): number | undefined {
    const isReady = (entry: number): boolean => this.#missing[entry] === 0;
    return this.pending.find((entry) => isReady(entry) && this.#ahead[entry] === 0) ?? this.pending.find(isReady);
  }

  add(entry: number): void {
    this.order.push(entry);
    this.pending.splice(this.pending.indexOf(entry), 1);
    countDown(this.#ahead, this.#followers.get(entry));
    for (const name of this.#parts[entry]?.gives ?? []) {
      if (this.#given.has(name)) continue;
      this.#given.add(name);
      countDown(this.#missing, this.#readers.get(name));
    }
  }
}

function addTo<Key>(lists: Map<Key, number[]>, key: Key, entry: number): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}

function countDown(counts: number[], entries: readonly number[] | undefined): void {
  for (const entry of entries ?? []) counts[entry] = (counts[entry] ?? 0) - 1;
}

/** Returns an order in which every entry runs after its data; otherwise undefined. */
function arrange(run: SimulatedRun): Arranged | undefined {
  while (run.pending.length > 0) {
    const next = run.next();
    if (next === undefined) return undefined;
    run.add(next);
  }
  return { order: run.order, cycles: [] };
}

/** Returns an order that runs the first entry of each cycle without its data. */
function arrangeWithCycles(run: SimulatedRun, providers: Providers): Arranged {
  const cycles: (readonly DataNeed[])[] = [];
  while (run.pending.length > 0) {
    let next = run.next();
    if (next === undefined) {
      const cycle = findCycle(run, providers);
      cycles.push(cycle);
      next = cycle[0]?.entry ?? run.pending[0] ?? 0;
    }
    run.add(next);
  }
  return { order: run.order, cycles };
}

/** Returns the cycle that the first waiting entry leads to; every waiting entry waits for another one. */
function findCycle(run: SimulatedRun, providers: Providers): readonly DataNeed[] {
  const waiting = new Set(run.pending);
  const way = new Map<number, DataNeed>();
  let entry = run.pending[0] ?? 0;
  while (!way.has(entry)) {
    const name = run.missing(entry) ?? '';
    const from = providers.get(name)?.find((one) => one !== entry && waiting.has(one)) ?? entry;
    way.set(entry, { entry, name, from });
    entry = from;
  }
  const cycle = [...way.values()].slice([...way.keys()].indexOf(entry));
  const first = cycle.reduce((least, need, at) => (need.entry < (cycle[least]?.entry ?? 0) ? at : least), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

/**
 * Returns the entries of an order in groups, so that the skills of a group do not depend on each other
 * (docs/format.md, section 4, "Execution"). A skill whose names are not known is a group of its own, and a skill that may
 * write any name ends its group.
 */
function groupIndependentSkills(
  parts: readonly (FlowNames | undefined)[],
  order: readonly number[],
): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let taken = new Set<string>();
  let given = new Set<string>();
  let isClosed = true;
  for (const at of order) {
    const part = parts[at];
    const clashes =
      !part ||
      part.takes.some((name) => given.has(name)) ||
      part.gives.some((name) => given.has(name) || taken.has(name));
    if (isClosed || clashes) {
      groups.push([]);
      taken = new Set();
      given = new Set();
    }
    isClosed = !part || part.isOpen === true;
    groups.at(-1)?.push(at);
    for (const name of part?.takes ?? []) taken.add(name);
    for (const name of part?.gives ?? []) given.add(name);
  }
  return groups;
}
