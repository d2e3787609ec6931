/** What the parts of judging share: what is known while a value is judged, and the words for what is found. */
import { nearestNames } from '../../nearest.ts';
import type { Json } from '../yaml/node.ts';
import {
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  own,
  type Path,
  show,
  type ViolationKind,
} from './model.ts';
import { parseRegex, type Regex } from './regex/regex.ts';

export interface JudgeContext {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  /** Whether a text or number has a format; undefined for a format that nobody knows. */
  readonly hasFormat?: (format: string, value: string | number) => boolean | undefined;
  /** Regular expressions read so far; read anew where there is none. */
  readonly regexes?: Map<string, Regex>;
}

export interface Judging extends JudgeContext {
  readonly regexes: Map<string, Regex>;
  readonly refs: Map<string, Json | undefined>;
  visits: number;
  sure: boolean;
  exhausted: boolean;
}

/** Judges a part of the value by a part of the schema; without a step the same value. */
export type Deeper = (schema: Json, value: Json, step?: string | number) => readonly JsonViolation[];

export const violation = (path: Path, kind: ViolationKind, message: string, nearest?: string): JsonViolation => ({
  path,
  kind,
  message,
  ...(nearest !== undefined && { nearest }),
});

export const number = (schema: JsonObject, keyword: string): number | undefined => {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
};

/** "the text `ten`", "a list": what stands in the file. */
export function found(value: Json): string {
  if (value === null) return '`null`';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'a map';
  return typeof value === 'string' ? `the text ${show(value)}` : show(value);
}

/** Any two names of one or two letters are near to each other: nothing follows from that. */
export const nearName = (name: string, known: readonly string[]): string | undefined =>
  name.length < 3 ? undefined : nearestNames(name, known, 1)[0];

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

export function regexOf(pattern: string, { regexes }: Judging): Regex {
  const known = regexes.get(pattern);
  if (known) return known;
  const regex = parseRegex(pattern);
  regexes.set(pattern, regex);
  return regex;
}
