/** What the parts of validating share: the state of one run, and the words for what is found. */
import { nearestNames } from '../../../nearest.ts';
import type { Json } from '../../yaml/node.ts';
import {
  counted,
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  numberUnder,
  type Path,
  show,
  type ViolationKind,
} from '../model.ts';
import type { Regex } from '../regex/regex.ts';

/** One value that is being validated. */
export interface Run {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly regexes: Map<string, Regex>;
  readonly refs: Map<string, Json | undefined>;
  visits: number;
  /** Steps of regular expressions. */
  steps: number;
  certain: boolean;
  exhausted: boolean;
}

/** Steps of regular expressions for one value. */
export const MAX_STEPS = 1e8;

/** A schema, and the place of the value that has to fit it. */
export interface Spot {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly run: Run;
  /** Validates a part of the value by another schema; without a step the same value. */
  readonly check: (schema: Json, value: Json, step?: string | number) => readonly JsonViolation[];
}

export type Violations = Iterable<JsonViolation>;

export const violation = (path: Path, kind: ViolationKind, message: string, nearest?: string): JsonViolation => ({
  path,
  kind,
  message,
  ...(nearest !== undefined && { nearest }),
});

/** A count that is outside of its bounds; `found` is the count in words. */
export function* checkCount(
  { schema, path }: Spot,
  [least, most]: readonly [least: string, most: string],
  noun: string,
  count: number,
  found = `${count}`,
): Violations {
  const [fewest, greatest] = [numberUnder(schema, least), numberUnder(schema, most)];
  if (fewest !== undefined && count < fewest)
    yield violation(path, 'length', `Expected at least ${counted(fewest, noun)}, found ${found}.`);
  if (greatest !== undefined && count > greatest)
    yield violation(path, 'length', `Expected at most ${counted(greatest, noun)}, found ${found}.`);
}

/** "the text `ten`", "a list": what stands in the file. */
export function found(value: Json): string {
  if (value === null) return '`null`';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'a map';
  return typeof value === 'string' ? `the text ${show(value)}` : show(value);
}

/** The name that was likely meant; none for names of one or two letters, which are all near to each other. */
export const nearName = (name: string, known: readonly string[]): string | undefined =>
  name.length < 3 ? undefined : nearestNames(name, known, 1)[0];

export const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
