/** The keywords for single values: types, constants, numbers, texts, formats. */
import type { Json } from '../../yaml/node.ts';
import { typeLabel } from '../label.ts';
import { canonical, isList, isObject, type JsonViolation, numberUnder, own, show } from '../model.ts';
import { regexOf } from '../walk.ts';
import { hasFormat } from './ajv.ts';
import { checkCount, found, nearName, type Spot, type Violations, violation } from './base.ts';

const hasType = (type: Json, value: Json): boolean => {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'array') return isList(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
};

const TYPE_PHRASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
    boolean: '`true` or `false`',
    object: 'a map',
    array: 'a list',
    null: '`null`',
  }),
);

/** The type and the values that are allowed. */
export function checkKind({ schema, path, run }: Spot, value: Json): JsonViolation | undefined {
  const type = own(schema, 'type');
  const types = isList(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((name) => hasType(name, value))) {
    const single = types.length === 1 ? TYPE_PHRASES.get(String(types[0])) : undefined;
    const label = typeLabel(schema, run.root);
    const expected = single ? `${single}${label.endsWith('[]') ? ` (\`${label}\`)` : ''}` : show(label);
    return violation(path, 'type', `Expected ${expected}, found ${found(value)}.`);
  }
  const values = own(schema, 'enum');
  const key = values === undefined ? '' : canonical(value);
  if (isList(values) && !values.some((item) => canonical(item) === key)) {
    const names = values.filter((item) => typeof item === 'string');
    const near = typeof value === 'string' ? nearName(value, names) : undefined;
    const list = values.length > 12 ? `one of ${values.length} values such as ${show(values[0])}` : oneOf(values);
    const advice = near ? ` Did you mean ${show(near)}?` : '';
    return violation(path, 'enum', `Expected ${list}, found ${found(value)}.${advice}`, near);
  }
  const constant = own(schema, 'const');
  if (constant === undefined || canonical(constant) === canonical(value)) return undefined;
  return violation(path, 'enum', `Expected ${show(constant)}, found ${found(value)}.`);
}

function oneOf(values: readonly Json[]): string {
  if (values.length === 1) return show(values[0]);
  return `${values.slice(0, -1).map(show).join(', ')} or ${show(values.at(-1))}`;
}

export function* checkNumber({ schema, path }: Spot, value: number): Violations {
  for (const [keyword, fits, expected] of NUMBER_BOUNDS) {
    const bound = numberUnder(schema, keyword);
    if (bound === undefined || fits(value, bound)) continue;
    yield violation(path, 'range', `Expected ${expected} ${bound}, found ${show(value)}.`);
    return;
  }
}

/** Which numbers fit a bound; a NaN fits none. */
const NUMBER_BOUNDS: readonly [keyword: string, fits: (value: number, bound: number) => boolean, expected: string][] = [
  ['minimum', (value, bound) => value >= bound, 'at least'],
  ['exclusiveMinimum', (value, bound) => value > bound, 'more than'],
  ['maximum', (value, bound) => value <= bound, 'at most'],
  ['exclusiveMaximum', (value, bound) => value < bound, 'less than'],
  ['multipleOf', isMultiple, 'a multiple of'],
];

/** Computed as in ajv, so that both agree on fractions that floating point cannot represent. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return quotient === Number.parseInt(String(quotient), 10);
}

export function* checkText(spot: Spot, value: string): Violations {
  const { schema, path, run } = spot;
  if (own(schema, 'minLength') !== undefined || own(schema, 'maxLength') !== undefined) {
    const length = [...value].length;
    const words = `${length} in ${show(value)}`;
    for (const item of checkCount(spot, ['minLength', 'maxLength'], 'character', length, words))
      yield value === '' ? { ...item, message: 'The text must not be empty.' } : item;
  }
  const pattern = own(schema, 'pattern');
  if (typeof pattern !== 'string') return;
  const regex = regexOf(pattern, run.regexes);
  run.steps += regex.cost(value.length);
  if (!regex.test(value))
    yield violation(path, 'pattern', `Expected a text that matches ${show(pattern)}, found ${show(value)}.`);
}

const FORMAT_PHRASES: ReadonlyMap<string, string> = new Map([
  ['date', 'a day such as `2025-03-31`'],
  ['date-time', 'a moment with its time zone, such as `2025-03-31T12:00:00Z`'],
  ['time', 'a time with its time zone, such as `12:00:00Z`'],
  ['duration', 'a duration such as `P3DT4H`'],
  ['email', 'an e-mail address'],
  ['hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uri', 'an absolute address such as `https://example.com/a`'],
  ['uri-reference', 'an address'],
  ['uuid', 'a UUID'],
  ['regex', 'a regular expression'],
]);

export function* checkFormat({ schema, path }: Spot, value: string | number): Violations {
  const format = own(schema, 'format');
  if (typeof format !== 'string' || hasFormat(format, value) !== false) return;
  const expected = FORMAT_PHRASES.get(format) ?? `the format ${show(format)}`;
  yield violation(path, 'format', `Expected ${expected}, found ${show(value)}.`);
}
