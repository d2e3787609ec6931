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
export type Ask = <Value>(setting: string, value: Setting<Value>) => Value;

/** A result, and the choices that lead to it: one list for each combination. All are empty if nothing was chosen. */
export interface Result<Value> {
  readonly value: Value;
  readonly picks: readonly (readonly Pick[])[];
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
  const results = new Map<string, { readonly value: Value; readonly picks: (readonly Pick[])[] }>();
  // The index of the chosen value of each setting, in the order in which the settings are asked for.
  const path: { index: number; readonly of: number }[] = [];
  for (let count = 0; count < MOST_COMBINATIONS; count++) {
    const picks: Pick[] = [];
    let answers: Map<string, unknown> | undefined;
    const ask: Ask = <Answer>(setting: string, value: Setting<Answer>): Answer => {
      if (!isChoice(value)) return value;
      answers ??= new Map();
      if (answers.has(setting)) return answers.get(setting) as Answer;
      const at = picks.length;
      path[at] ??= { index: 0, of: value.oneOf.length };
      const chosen = value.oneOf[path[at].index] as Answer;
      answers.set(setting, chosen);
      picks.push({ setting, value: chosen, because: value.because });
      return chosen;
    };
    const value = compute(ask);
    if (value === TOO_MANY) return undefined;
    if (path.length === 0) return [{ value, picks: [picks] }];
    const key = keyOf(value);
    const known = results.get(key);
    if (known) known.picks.push(picks);
    else results.set(key, { value, picks: [picks] });
    while (path.length > 0 && (path.at(-1)?.index ?? 0) + 1 === path.at(-1)?.of) path.pop();
    const last = path.at(-1);
    if (!last) return [...results.values()];
    last.index++;
  }
  return undefined;
}

/** Returns a text that is equal for equal results. JSON alone has no maps and no `Infinity`. */
export const keyOf = (value: unknown): string =>
  JSON.stringify(value, function (this: object, key, part: unknown) {
    // The place of a stop, or the skill that is used instead, makes no other result.
    if ((key === 'at' || key === 'by') && 'code' in this) return undefined;
    if (part instanceof Map) return { map: [...part] };
    return typeof part === 'number' && !Number.isFinite(part) ? { number: String(part) } : part;
  }) ?? '';

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
  const outputs = value.oneOf.map(compute);
  if (areEqual(outputs)) return outputs[0] as Output;
  return outputs[value.oneOf.indexOf(ask(setting, value))] as Output;
}

/** Returns whether all results are equal. */
function areEqual([first, ...others]: readonly unknown[]): boolean {
  if (others.every((other) => Object.is(other, first))) return true;
  if (typeof first !== 'object' || first === null) return false;
  const key = keyOf(first);
  return others.every((other) => keyOf(other) === key);
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
