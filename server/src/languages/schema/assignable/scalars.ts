/** Assignability of what one value is by itself: type, constants, ranges, lengths, patterns, formats. */
import type { Json } from '../../yaml/node.ts';
import { boundedLabel } from '../label.ts';
import { isList, type JsonObject, own } from '../model.ts';
import { validateValue } from '../validate/value.ts';
import { regexOf } from '../walk.ts';
import { type Assignability, type Comparison, clash, every, type Place, UNKNOWN, YES } from './base.ts';
import { atLeast, atMost, under, type Variant } from './combinations.ts';

export function relateType(
  variant: Variant,
  to: JsonObject,
  place: Place,
  { to: { root } }: Comparison,
): Assignability {
  const type = own(to, 'type');
  if (type === undefined) return YES;
  const types = isList(type) ? type : [type];
  if (types.includes(variant.type)) return YES;
  if (variant.type === 'integer' && types.includes('number')) return YES;
  const isPart = variant.type === 'number' && types.includes('integer');
  if (isPart && under(variant.all, 'multipleOf').some(Number.isInteger)) return YES;
  return clash(place, 'type', boundedLabel(to, root), !isPart);
}

/** A type that is not itself a list of values against one that is. */
export function relateValues(
  variant: Variant,
  to: JsonObject,
  place: Place,
  { to: { root } }: Comparison,
): Assignability {
  if (own(to, 'const') === undefined && own(to, 'enum') === undefined) return YES;
  const { all, type } = variant;
  // A range of integers may be a list of values in other words, and so may a pattern.
  const isNarrow =
    type === 'integer' || type === 'number'
      ? lower(variant) > -Infinity && upper(variant) < Infinity
      : type !== 'string' || under(all, 'pattern').length > 0 || atMost(all, 'maxLength') < 2;
  return isNarrow ? UNKNOWN : clash(place, 'value', boundedLabel(to, root));
}

/** The least number that the variant allows; of whole numbers a whole one. */
function lower({ all, type }: Variant): number {
  const [least, above] = [atLeast(all, 'minimum'), atLeast(all, 'exclusiveMinimum')];
  if (type !== 'integer') return Math.max(least, above);
  return Math.max(Math.ceil(least), Math.floor(above) + 1);
}

function upper({ all, type }: Variant): number {
  const [most, below] = [atMost(all, 'maximum'), atMost(all, 'exclusiveMaximum')];
  if (type !== 'integer') return Math.min(most, below);
  return Math.min(Math.floor(most), Math.ceil(below) - 1);
}

export function relateNumber(variant: Variant, to: JsonObject, place: Place, comparison: Comparison): Assignability {
  const { all } = variant;
  const [low, high] = [lower(variant), upper(variant)];
  // Of whole numbers the bounds are whole themselves, so an exclusive one is never met.
  const excludes = (keyword: string, bound: number) => under(all, keyword).includes(bound);
  const bounds: readonly (readonly [string, (bound: number) => boolean])[] = [
    ['minimum', (bound) => low >= bound],
    ['maximum', (bound) => high <= bound],
    ['exclusiveMinimum', (bound) => low > bound || (low === bound && excludes('exclusiveMinimum', bound))],
    ['exclusiveMaximum', (bound) => high < bound || (high === bound && excludes('exclusiveMaximum', bound))],
  ];
  const misses = bounds.some(([keyword, holds]) => {
    const bound = own(to, keyword);
    return typeof bound === 'number' && !holds(bound);
  });
  const range = misses ? clash(place, 'range', boundedLabel(to, comparison.to.root)) : YES;
  const format = own(to, 'format');
  const isSameFormat = format === undefined || under(all, 'format').includes(format);
  return every([range, relateStep(variant, to), isSameFormat ? YES : UNKNOWN]);
}

function relateStep({ all, type }: Variant, to: JsonObject): Assignability {
  const step = own(to, 'multipleOf');
  if (typeof step !== 'number' || (step === 1 && type === 'integer')) return YES;
  const fits = under(all, 'multipleOf').some(
    (own) => own === step || (Number.isInteger(own) && Number.isInteger(step) && (own as number) % step === 0),
  );
  return fits ? YES : UNKNOWN;
}

/** Texts of many kinds: one that the producer allows and the consumer refuses settles a pattern. */
const WITNESSES: readonly string[] = ['', 'a', 'A', '0', ' ', 'ab', 'a b', 'a-b', '_', '.', '\n', '龍', 'x'.repeat(40)];

export function relateText(variant: Variant, to: JsonObject, place: Place, comparison: Comparison): Assignability {
  const { all } = variant;
  const label = () => boundedLabel(to, comparison.to.root);
  const says = (keyword: string) => under(all, keyword).length > 0;
  const verdicts: Assignability[] = [];
  const [least, most] = [own(to, 'minLength'), own(to, 'maxLength')];
  const isShort = typeof least === 'number' && least > 0 && atLeast(all, 'minLength') < least;
  const isLong = typeof most === 'number' && atMost(all, 'maxLength') > most;
  // How long a text of a pattern or a format may be is not worked out.
  if (isShort || isLong) verdicts.push(says('pattern') || says('format') ? UNKNOWN : clash(place, 'range', label()));
  const pattern = own(to, 'pattern');
  if (typeof pattern === 'string' && !under(all, 'pattern').includes(pattern)) {
    const regex = regexOf(pattern, comparison.regexes);
    const refused = WITNESSES.some((text) => !regex.test(text) && accepts(all, text, comparison));
    verdicts.push(refused ? clash(place, 'pattern', label()) : UNKNOWN);
  }
  const format = own(to, 'format');
  if (typeof format === 'string' && !under(all, 'format').some((own) => promises(String(own), format))) {
    verdicts.push(clash(place, 'format', label()));
  }
  return every(verdicts);
}

const accepts = (all: readonly JsonObject[], value: Json, { from, regexes }: Comparison): boolean =>
  all.every((schema) => {
    const { violations, certain } = validateValue({ ...from, regexes }, value, schema);
    return certain && violations.length === 0;
  });

/** Formats whose texts all have another format as well. */
const WIDER: { readonly [format: string]: readonly string[] } = {
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
};

const promises = (own: string, wanted: string): boolean => own === wanted || WIDER[own]?.includes(wanted) === true;
