/** Types, values, numbers, texts and formats: the keywords for one value by itself. */
import type { Json } from '../../yaml/node.ts';
import { typeLabel } from '../label.ts';
import {
  canonical,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  numberUnder,
  own,
  type Path,
  show,
} from '../model.ts';
import { regexOf } from '../walk.ts';
import { hasFormat } from './ajv.ts';
import { checkCount, found, nearName, type Run, violation } from './base.ts';

const hasType = (type: Json, value: Json): boolean => {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'array') return isList(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
};

const TYPE_PHRASES: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: '`true` or `false`',
  object: 'a map',
  array: 'a list',
  null: '`null`',
};

/** The type and the values that are allowed. */
export function checkKind(schema: JsonObject, value: Json, path: Path, { root }: Run): JsonViolation | undefined {
  const type = own(schema, 'type');
  const types = isList(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((name) => hasType(name, value))) {
    const single = types.length === 1 ? TYPE_PHRASES[String(types[0])] : undefined;
    const label = typeLabel(schema, root);
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

export function checkNumber(schema: JsonObject, value: number, path: Path): readonly JsonViolation[] {
  const minimum = numberUnder(schema, 'minimum');
  const maximum = numberUnder(schema, 'maximum');
  const above = numberUnder(schema, 'exclusiveMinimum');
  const below = numberUnder(schema, 'exclusiveMaximum');
  const step = numberUnder(schema, 'multipleOf');
  const range = (expected: string): readonly JsonViolation[] => [
    violation(path, 'range', `Expected ${expected}, found ${show(value)}.`),
  ];
  // Written as refusals of what does not hold, since no comparison with a NaN holds.
  if (minimum !== undefined && !(value >= minimum)) return range(`at least ${minimum}`);
  if (above !== undefined && !(value > above)) return range(`more than ${above}`);
  if (maximum !== undefined && !(value <= maximum)) return range(`at most ${maximum}`);
  if (below !== undefined && !(value < below)) return range(`less than ${below}`);
  if (step !== undefined && !isMultiple(value, step)) return range(`a multiple of ${step}`);
  return [];
}

/** As ajv decides it, so that both agree on numbers that are no exact fractions. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return quotient === Number.parseInt(String(quotient), 10);
}

export function checkText(schema: JsonObject, value: string, path: Path, { regexes }: Run): readonly JsonViolation[] {
  const result: JsonViolation[] = [];
  if (own(schema, 'minLength') !== undefined || own(schema, 'maxLength') !== undefined) {
    const length = [...value].length;
    const is = `${length} in ${show(value)}`;
    for (const item of checkCount(schema, ['minLength', 'maxLength'], 'character', length, path, is))
      result.push(value === '' ? { ...item, message: 'The text must not be empty.' } : item);
  }
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string' && !regexOf(pattern, regexes).test(value)) {
    result.push(violation(path, 'pattern', `Expected a text that matches ${show(pattern)}, found ${show(value)}.`));
  }
  return result;
}

const FORMAT_PHRASES: { readonly [format: string]: string } = {
  date: 'a day such as `2025-03-31`',
  'date-time': 'a moment with its time zone, such as `2025-03-31T12:00:00Z`',
  time: 'a time with its time zone, such as `12:00:00Z`',
  duration: 'a duration such as `P3DT4H`',
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'an absolute address such as `https://example.com/a`',
  'uri-reference': 'an address',
  uuid: 'a UUID',
  regex: 'a regular expression',
};

export function checkFormat(schema: JsonObject, value: string | number, path: Path): readonly JsonViolation[] {
  const format = own(schema, 'format');
  if (typeof format !== 'string' || hasFormat(format, value) !== false) return [];
  const expected = FORMAT_PHRASES[format] ?? `the format ${show(format)}`;
  return [violation(path, 'format', `Expected ${expected}, found ${show(value)}.`)];
}
