/**
 * Settings of a client that have one value, or several of which one holds: because it is not known which, because the
 * client varies, or because a user decides (docs/clients.md, "How certain an answer is").
 */

/** A value, or several of which one holds. */
export type Setting<Value> = Value | Choice<Value>;

export interface Choice<Value> {
  readonly oneOf: readonly Value[];
  /**
   * `unknown`: no source says which; `varies`: the client was seen to do both; `setting`: a setting of the client
   * decides; `mode`: the way in which it is started, for example without a person at the terminal.
   */
  readonly because: 'unknown' | 'varies' | 'setting' | 'mode';
}

/** A setting with several values on which a result depends, and the value with which it was computed. */
export interface Pick {
  /** The path of the setting in the client's data, for example `open.closes`. */
  readonly setting: string;
  readonly value: unknown;
  readonly because: Choice<unknown>['because'];
}

/** Returns the value of a setting in the current computation. A step asks only for settings that matter for its input. */
export interface Ask {
  <Value>(setting: string, value: Setting<Value>): Value;
  /** Returns whether the computation has asked for a setting before, or surely asks for it next. */
  readonly isDecided?: (setting: string) => boolean;
}

/** A result, and the choices that lead to it: one list for each combination. All are empty if nothing was chosen. */
export interface Result<Value> {
  readonly value: Value;
  readonly picks: readonly (readonly Pick[])[];
}

/** A result that is not complete. */
export interface MutableResult<Value> extends Result<Value> {
  readonly picks: (readonly Pick[])[];
}

/** The largest number of combinations that are computed. */
export const MOST_COMBINATIONS = 512;

/** The result of a computation that finds that there are more than 512 combinations. */
export const TOO_MANY = Symbol('too many combinations');

/**
 * Computes a value once for each combination of the settings that it asks for.
 *
 * @param compute asks for settings with its parameter, in the same order for equal answers; pure
 * @returns the different values, at least one; undefined if there are more than 512 combinations
 */
export function resultsOf<Value>(compute: (ask: Ask) => Value | typeof TOO_MANY): readonly Result<Value>[] | undefined {
  const results: MutableResult<Value>[] = [];
  // The index of the chosen value of each setting, in the order in which the settings are asked for.
  const path: { readonly setting: string; index: number; readonly of: number }[] = [];
  let picks: Pick[];
  let isTooLong = false;
  const answerOf = (setting: string): Pick | undefined => picks.find((one) => one.setting === setting);
  const ask = <Answer>(setting: string, value: Setting<Answer>): Answer => {
    if (!isChoice(value)) return value;
    const known = answerOf(setting);
    if (known) return known.value as Answer;
    const at = picks.length;
    path[at] ??= { setting, index: 0, of: value.oneOf.length };
    isTooLong ||= value.oneOf.length > MOST_COMBINATIONS;
    const chosen = value.oneOf[path[at].index] as Answer;
    picks.push({ setting, value: chosen, because: value.because });
    return chosen;
  };
  ask.isDecided = (setting: string) => path[picks.length]?.setting === setting || answerOf(setting) !== undefined;
  for (let count = 0; count < MOST_COMBINATIONS; count++) {
    picks = [];
    const value = compute(ask);
    if (value === TOO_MANY || isTooLong) return undefined;
    if (path.length === 0) return [{ value, picks: [picks] }];
    resultFor(results, value).picks.push(picks);
    while (path.length > 0 && (path.at(-1)?.index ?? 0) + 1 === path.at(-1)?.of) path.pop();
    const last = path.at(-1);
    if (!last) return results;
    last.index++;
  }
  return undefined;
}

/**
 * Returns whether two results are equal. The place of a stop, or the skill that is used instead, makes no other result. The
 * order of keys matters.
 */
export function areEqual(a: unknown, b: unknown): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, at) => areEqual(one, b[at]));
  if (a instanceof Map) return b instanceof Map && a.size === b.size && areEqual([...a], [...b]);
  const [keys, others] = [keysOf(a), keysOf(b)];
  return (
    keys.length === others.length &&
    keys.every((key, at) => key === others[at] && areEqual(a[key as never], b[key as never]))
  );
}

const keysOf = (value: object): readonly string[] =>
  'code' in value ? Object.keys(value).filter((key) => key !== 'at' && key !== 'by') : Object.keys(value);

/** Returns the result with an equal value. Adds a result for a new value. */
export function resultFor<Value>(results: MutableResult<Value>[], value: Value): MutableResult<Value> {
  const known = results.find((one) => areEqual(one.value, value));
  if (known) return known;
  const added = { value, picks: [] };
  results.push(added);
  return added;
}

/**
 * Returns the result for the value of a setting, and asks for that value only if another one leads to another result.
 *
 * @param compute pure
 */
export function resultWith<Value, Output>(
  ask: Ask,
  setting: string,
  value: Setting<Value>,
  compute: (value: Value) => Output,
): Output {
  if (!isChoice(value)) return compute(value);
  if (ask.isDecided?.(setting)) return compute(ask(setting, value));
  const outputs = value.oneOf.map(compute);
  const [first] = outputs;
  if (outputs.every((output) => areEqual(output, first))) return first as Output;
  return outputs[value.oneOf.indexOf(ask(setting, value))] as Output;
}

/**
 * Returns the results of a step for each result of the step before it, which asks for other settings.
 *
 * @returns the different values; undefined if there are more than 512 combinations
 */
export function followedBy<Before, Value>(
  results: readonly Result<Before>[] | undefined,
  next: (value: Before) => readonly Result<Value>[] | undefined,
): readonly Result<Value>[] | undefined {
  const [only] = results ?? [];
  if (results?.length === 1 && only && hasNoPicks(only)) return next(only.value);
  const found: MutableResult<Value>[] = [];
  let combinations = 0;
  for (const { value, picks } of results ?? []) {
    const after = next(value);
    if (!after) return undefined;
    for (const one of after) {
      combinations += picks.length * one.picks.length;
      if (combinations > MOST_COMBINATIONS) return undefined;
      const both = picks.flatMap((first) => one.picks.map((last) => (last.length === 0 ? first : [...first, ...last])));
      resultFor(found, one.value).picks.push(...both);
    }
  }
  return results && found;
}

/** Returns the result of a step that asks for no setting. */
export const sure = <Value>(value: Value): readonly Result<Value>[] => [{ value, picks: NO_PICKS }];

/** The only combination of no choices. */
export const NO_PICKS: readonly (readonly Pick[])[] = [[]];

export const hasNoPicks = ({ picks }: Result<unknown>): boolean => picks.every((one) => one.length === 0);

/** A computation that asks for settings. It runs once for each combination of answers. */
export class Decisions<Value> {
  #known: Decision<Value> | undefined;

  /** Returns the result for the answers of `ask`. `compute` is pure, and the same in each call. */
  get(ask: Ask, compute: (ask: Ask) => Value): Value {
    let known = this.#known;
    while (known && 'choice' in known) known = known.after.get(ask(known.setting, known.choice));
    if (known) return known.value;
    const asked: Asked[] = [];
    const value = compute((setting, choice) => {
      const answer = ask(setting, choice);
      if (isChoice(choice) && !asked.some((one) => one.setting === setting))
        asked.push({ setting, choice: choice as Choice<unknown>, answer });
      return answer;
    });
    this.#remember(asked, value);
    return value;
  }

  #remember(asked: readonly Asked[], value: Value): void {
    let put = (decision: Decision<Value>): void => {
      this.#known = decision;
    };
    let known = this.#known;
    for (const { setting, choice, answer } of asked) {
      const after = known && 'choice' in known ? known.after : new Map<unknown, Decision<Value>>();
      if (!known) put({ setting, choice, after });
      put = (one) => after.set(answer, one);
      known = after.get(answer);
    }
    put({ value });
  }
}

/** A setting that a computation asks for, with the consequence of each answer, or its result. */
type Decision<Value> =
  | { readonly setting: string; readonly choice: Choice<unknown>; readonly after: Map<unknown, Decision<Value>> }
  | { readonly value: Value };

interface Asked {
  readonly setting: string;
  readonly choice: Choice<unknown>;
  readonly answer: unknown;
}

/** Returns whether a setting has several values. */
export const isChoice = <Value>(value: Setting<Value>): value is Choice<Value> =>
  typeof value === 'object' && value !== null && 'oneOf' in value;

/** Returns why results differ. */
export function reasonsOf(results: readonly Result<unknown>[]): ReadonlySet<Pick['because']> {
  const reasons = new Set<Pick['because']>();
  for (const { picks } of results) for (const one of picks) for (const { because } of one) reasons.add(because);
  return reasons;
}

/** Answers with the first value of every setting. */
export const firstOf: Ask = <Value>(_: string, value: Setting<Value>): Value =>
  isChoice(value) ? (value.oneOf[0] as Value) : value;
