/** A reading of a text in a form in which those of libraries and of the product can be compared. */
import type { StopAt } from '../../server/src/clients/pipeline/open.ts';
import type { FieldValue } from '../../server/src/clients/pipeline/reading.ts';
import { type ParsedKeys, readYaml, type YamlDialect } from '../../server/src/clients/pipeline/yaml-dialects.ts';
import { parseStrictly } from '../../server/src/languages/yaml/strict.ts';

/** The keys, in alphabetical order; `error` for a text with an error, or that is not a map. */
export type TextReading = 'error' | readonly (readonly [key: string, value: Value])[];

/** A value. Maps are lists of their entries; a date is its day, bytes are an empty list. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly map: readonly (readonly [string, Value])[] }
  | { readonly number: string }
  | { readonly date: string };

/** The libraries of the lab, and the dialects of the product that must be equal to them. */
export const LIBRARIES = {
  yaml: 'yaml',
  'js-yaml-3': 'js-yaml-3',
  'js-yaml-4-1': 'js-yaml-4-1',
  'js-yaml-4': 'js-yaml-4',
  bun: 'bun',
  pyyaml: 'pyyaml',
  libyaml: 'serde',
} as const satisfies Readonly<Record<string, YamlDialect>>;

export type Library = keyof typeof LIBRARIES;

/** The libraries that report a key twice as an error. Codex and Copilot CLI do so with libyaml. */
const REFUSES_DUPLICATES: ReadonlySet<Library> = new Set(['yaml', 'js-yaml-3', 'js-yaml-4-1', 'js-yaml-4']);

/** Returns how the product reads a text as a library. */
export function productReading(text: string, library: Library): TextReading {
  const duplicates = REFUSES_DUPLICATES.has(library) ? 'error' : 'last';
  const place = { start: 0, end: text.length };
  return ofParsed(readYaml(text, place, LIBRARIES[library], duplicates, parseStrictly));
}

function ofParsed(parsed: ParsedKeys | StopAt): TextReading {
  if ('code' in parsed) return 'error';
  return sorted(
    [...parsed.keys].map(([key, { value, isDate }]) => [key, isDate ? { date: dayOf(value) } : ofValue(value)]),
  );
}

const dayOf = (value: unknown): string => String(value).slice(0, 10);

const sorted = <Entry extends readonly [string, unknown]>(entries: readonly Entry[]): readonly Entry[] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

function ofValue(value: FieldValue): Value {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ofValue);
  return { map: sorted(Object.entries(value).map(([key, one]) => [key, ofValue(one as FieldValue)] as const)) };
}

/** Libraries may differ in the last digit. */
const ofNumber = (value: number): Value =>
  Number.isFinite(value) ? Number(value.toPrecision(15)) + 0 : { number: String(value) };

/** The output of the programs in `programs/` for a text. */
export type Printed = { readonly error: string } | { readonly value: PrintedValue };
type PrintedValue =
  | string
  | number
  | boolean
  | null
  | readonly PrintedValue[]
  | { readonly map: readonly (readonly [string, PrintedValue])[] }
  | { readonly number: string }
  | { readonly date: string }
  | { readonly bytes: readonly number[] };

export function libraryReading(printed: Printed): TextReading {
  if ('error' in printed) return 'error';
  const { value } = printed;
  if (value === null) return [];
  if (typeof value !== 'object' || !('map' in value) || !Array.isArray(value.map)) return 'error';
  return sorted(value.map.map(([key, one]) => [key, ofPrinted(one, true)] as const));
}

function ofPrinted(value: PrintedValue, isTop = false): Value {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if ('date' in value) return isTop ? { date: dayOf(value.date) } : value.date;
  if ('bytes' in value) return [];
  if ('number' in value) return value;
  if ('map' in value && Array.isArray(value.map))
    return { map: sorted(value.map.map(([key, one]) => [key, ofPrinted(one)] as const)) };
  return (value as readonly PrintedValue[]).map((one) => ofPrinted(one));
}

/** Returns whether readings are equal. Every scalar of libyaml is a text, so that only texts can be compared. */
export function isEqual(library: Library, seen: TextReading, own: TextReading): boolean {
  if (library !== 'libyaml' || seen === 'error' || own === 'error') return JSON.stringify(seen) === JSON.stringify(own);
  return isSameText({ map: seen }, { map: own });
}

function isSameText(seen: Value, own: Value): boolean {
  if (typeof seen === 'string') return typeof own === 'string' ? seen === own : !isPart(own) || seen === '';
  if (!isPart(seen)) return !isPart(own);
  if (!isPart(own)) return false;
  if (Array.isArray(seen) || Array.isArray(own))
    return (
      Array.isArray(seen) &&
      Array.isArray(own) &&
      seen.length === own.length &&
      seen.every((one, i) => isSameText(one, own[i] as Value))
    );
  const [left, right] = [
    seen as { map: readonly (readonly [string, Value])[] },
    own as { map: readonly (readonly [string, Value])[] },
  ];
  return (
    left.map.length === right.map.length &&
    left.map.every(([key, one], i) => key === right.map[i]?.[0] && isSameText(one, right.map[i]?.[1] as Value))
  );
}

const isPart = (value: Value): value is Exclude<Value, string | number | boolean | null> =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && 'map' in value);
