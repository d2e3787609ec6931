/** Assignability of single values: type, constants, ranges, lengths, patterns, formats. */
import type { Json } from '../../yaml/node.ts';
import { isList, type JsonObject, numberUnder, own } from '../model.ts';
import { validateValue } from '../validate/value.ts';
import { regexOf } from '../walk.ts';
import { type Assignability, type Comparison, clashOf, type Pair, UNKNOWN, YES } from './base.ts';
import { atLeast, atMost, mayExceed, under } from './combinations.ts';

export function relateType(pair: Pair): Assignability {
  const { all, type, to } = pair;
  const wanted = own(to, 'type');
  const types = wanted === undefined ? [type] : isList(wanted) ? wanted : [wanted];
  if (types.includes(type) || (type === 'integer' && types.includes('number'))) return YES;
  const isPart = type === 'number' && types.includes('integer');
  if (isPart && under(all, 'multipleOf').some(Number.isInteger)) return YES;
  return clashOf(pair, 'type', !isPart);
}

/** A type that is not itself a list of values against one that is. */
export function relateValues(pair: Pair): Assignability {
  const { all, type, to } = pair;
  if (own(to, 'const') === undefined && own(to, 'enum') === undefined) return YES;
  // A range of integers, or a pattern, may allow just the values of a list.
  const isNarrow =
    type === 'integer' || type === 'number'
      ? lower(pair) > -Infinity && upper(pair) < Infinity
      : type !== 'string' || under(all, 'pattern').length > 0 || atMost(all, 'maxLength') < 2;
  return isNarrow ? UNKNOWN : clashOf(pair, 'value');
}

/** The least number that the producer allows; of whole numbers a whole one. */
function lower({ all, type }: Pair): number {
  const [least, above] = [atLeast(all, 'minimum'), atLeast(all, 'exclusiveMinimum')];
  return type === 'integer' ? Math.max(Math.ceil(least), Math.floor(above) + 1) : Math.max(least, above);
}

function upper({ all, type }: Pair): number {
  const [most, below] = [atMost(all, 'maximum'), atMost(all, 'exclusiveMaximum')];
  return type === 'integer' ? Math.min(Math.floor(most), Math.ceil(below) - 1) : Math.min(most, below);
}

export function* relateNumber(pair: Pair): Iterable<Assignability> {
  const { all, to } = pair;
  const [low, high] = [lower(pair), upper(pair)];
  // The bounds of whole numbers are whole and inclusive, so an exclusive one is never met exactly.
  const excludes = (keyword: string, bound: number) => under(all, keyword).includes(bound);
  const bounds: readonly (readonly [string, (bound: number) => boolean])[] = [
    ['minimum', (bound) => low >= bound],
    ['maximum', (bound) => high <= bound],
    ['exclusiveMinimum', (bound) => low > bound || (low === bound && excludes('exclusiveMinimum', bound))],
    ['exclusiveMaximum', (bound) => high < bound || (high === bound && excludes('exclusiveMaximum', bound))],
  ];
  const misses = bounds.some(([keyword, holds]) => {
    const bound = numberUnder(to, keyword);
    return bound !== undefined && !holds(bound);
  });
  if (misses) yield clashOf(pair, 'range');
  const format = own(to, 'format');
  if (format !== undefined && !under(all, 'format').includes(format)) yield UNKNOWN;
  const step = numberUnder(to, 'multipleOf');
  if (step !== undefined && !isStepped(pair, step)) yield UNKNOWN;
}

/** Whether the producer's numbers certainly are multiples of a step. */
const isStepped = ({ all, type }: Pair, step: number): boolean =>
  (step === 1 && type === 'integer') ||
  under(all, 'multipleOf').some(
    (own) => own === step || (Number.isInteger(own) && Number.isInteger(step) && (own as number) % step === 0),
  );

/** Texts of many kinds, to find one that the producer allows and the consumer's pattern refuses. */
const WITNESSES: readonly string[] = ['', 'a', 'A', '0', ' ', 'ab', 'a b', 'a-b', '_', '.', '\n', '龍', 'x'.repeat(40)];

export function* relateText(pair: Pair): Iterable<Assignability> {
  const { all, to, comparison } = pair;
  const says = (keyword: string) => under(all, keyword).length > 0;
  // How long a text of a pattern or a format may be is not worked out.
  if (mayExceed(all, to, 'minLength', 'maxLength'))
    yield says('pattern') || says('format') ? UNKNOWN : clashOf(pair, 'range');
  const pattern = own(to, 'pattern');
  if (typeof pattern === 'string' && !under(all, 'pattern').includes(pattern)) {
    const regex = regexOf(pattern, comparison.regexes);
    const refused = WITNESSES.some((text) => !regex.test(text) && accepts(all, text, comparison));
    yield refused ? clashOf(pair, 'pattern') : UNKNOWN;
  }
  const format = own(to, 'format');
  if (typeof format === 'string' && !under(all, 'format').some((own) => promises(String(own), format)))
    yield clashOf(pair, 'format');
}

const accepts = (all: readonly JsonObject[], value: Json, { from, regexes }: Comparison): boolean =>
  all.every((schema) => {
    const { violations, certain } = validateValue({ ...from, regexes }, value, schema);
    return certain && violations.length === 0;
  });

/** Formats whose texts all have another format as well. */
const WIDER: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    uri: ['uri-reference', 'iri', 'iri-reference'],
    'uri-reference': ['iri-reference'],
    iri: ['iri-reference'],
    email: ['idn-email'],
    hostname: ['idn-hostname'],
  }),
);

const promises = (own: string, wanted: string): boolean => own === wanted || WIDER.get(own)?.includes(wanted) === true;
