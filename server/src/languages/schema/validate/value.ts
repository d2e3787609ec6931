/**
 * Validates a value against a JSON Schema, with one message for each defect. Supports only the common keywords. If a
 * schema has another keyword, the result is not certain and `validate.ts` uses ajv.
 */

import type { FormatName } from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { inWords, nearestNames } from '../../../nearest.ts';
import type { Json } from '../../yaml/node.ts';
import { typeLabel } from '../label.ts';
import {
  canonical,
  counted,
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  type KeyPath,
  listUnder,
  lowerFirst,
  numberUnder,
  objectUnder,
  own,
  show,
  type ViolationKind,
} from '../model.ts';
import type { Regex } from '../regex/regex.ts';
import { firstItemSchemasOf, otherItemsSchemaOf, propertySchemas, regexOf, resolveRef } from '../walk.ts';

interface Validation {
  readonly violations: readonly JsonViolation[];
  /** False if the schema has keywords that are not supported here. */
  readonly certain: boolean;
  /** True if validation stopped at a limit for steps or depth. In this case, the result has no violations. */
  readonly exhausted: boolean;
}

/** The document that contains a schema, with its dialect. */
export interface SchemaContext {
  /** The schema from which references are resolved. */
  readonly root: JsonObject;
  readonly dialect: Dialect;
  /** The cache of parsed regular expressions. */
  readonly regexes?: Map<string, Regex>;
}

/** The maximum number of schemas that are visited for one value. References can multiply this number without limit. */
const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** Keywords that only ajv supports. */
const LEFT_TO_AJV: { readonly [dialect in Dialect]: readonly string[] } = {
  'draft-07': ['$id', 'dependencies', 'nullable'],
  '2020-12': ['$id', '$dynamicRef', 'dependencies', 'nullable', 'unevaluatedItems', 'unevaluatedProperties'],
};

/**
 * Validates a value against the root schema, or against `schema` inside it (docs/format.md, section 3). Never throws.
 */
export function validateValue(
  { root, dialect, regexes = new Map() }: SchemaContext,
  value: Json,
  schema: Json = root,
): Validation {
  const run: ValidationState = {
    root,
    dialect,
    regexes,
    refs: new Map(),
    visits: 0,
    steps: 0,
    certain: true,
    exhausted: false,
  };
  const violations = check(schema, value, [], run, 0);
  const { certain, exhausted } = run;
  return exhausted
    ? { violations: [], certain: false, exhausted }
    : { violations: distinct(violations), certain, exhausted };
}

/** Removes duplicate violations, which occur if several parts of a schema reject the same value. */
function distinct(violations: readonly JsonViolation[]): readonly JsonViolation[] {
  if (violations.length < 2) return violations;
  const byText = new Map<string, JsonViolation>();
  for (const item of violations) {
    const key = JSON.stringify([item.path, item.kind, item.message]);
    if (!byText.has(key)) byText.set(key, item);
  }
  return [...byText.values()];
}

function check(
  schema: Json,
  value: Json,
  path: KeyPath,
  run: ValidationState,
  depth: number,
): readonly JsonViolation[] {
  if (++run.visits > MAX_VISITS || run.steps > MAX_STEPS || depth > MAX_DEPTH) run.exhausted = true;
  if (run.exhausted || schema === true) return [];
  if (schema === false) return [violation(path, 'other', `Expected no value here, found ${found(value)}.`)];
  if (!isObject(schema)) return [];
  if (LEFT_TO_AJV[run.dialect].some((keyword) => Object.hasOwn(schema, keyword))) run.certain = false;
  const spot: SchemaAtPath = {
    schema,
    path,
    run,
    check: (sub, inner, step) => check(sub, inner, step === undefined ? path : [...path, step], run, depth + 1),
  };
  const wrong = checkKind(spot, value);
  // A value of the wrong type has no other violations.
  return wrong ? [wrong] : [...checkReference(spot, value), ...checkValue(spot, value), ...checkParts(spot, value)];
}

function* checkReference({ schema, run, check }: SchemaAtPath, value: Json): Violations {
  const ref = own(schema, '$ref');
  // A dynamic reference is followed only to count its visits. ajv validates it.
  const dynamic = run.dialect === '2020-12' ? own(schema, '$dynamicRef') : undefined;
  for (const name of [ref, dynamic]) {
    if (typeof name !== 'string') continue;
    if (!run.refs.has(name)) run.refs.set(name, resolveRef(run.root, name));
    const target = run.refs.get(name);
    if (target === undefined) run.certain = false;
    const violations = target === undefined ? [] : check(target, value);
    if (name === ref) yield* violations;
  }
}

function* checkValue(spot: SchemaAtPath, value: Json): Violations {
  if (typeof value === 'number') yield* checkNumber(spot, value);
  if (typeof value === 'string') yield* checkText(spot, value);
  if (typeof value === 'string' || typeof value === 'number') yield* checkFormat(spot, value);
  if (isList(value)) yield* checkItems(spot, value);
  if (isObject(value)) yield* checkProperties(spot, value);
}

/** Validates a value with the sub-schemas that apply to the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
function* checkParts(spot: SchemaAtPath, value: Json): Violations {
  const { schema, path, run, check } = spot;
  for (const part of listUnder(schema, 'allOf')) yield* check(part, value);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = own(schema, keyword);
    if (!isList(alternatives)) continue;
    const failures = alternatives.map((alternative) => check(alternative, value));
    const fitting = failures.filter((violations) => violations.length === 0).length;
    if (fitting === 0) yield* explainAlternatives(spot, value, alternatives, failures);
    else if (keyword === 'oneOf' && fitting > 1) {
      const message = `Expected a value that matches exactly one alternative, but ${found(value)} matches ${fitting}.`;
      yield violation(path, 'alternative', message);
    }
  }
  const not = own(schema, 'not');
  if (not !== undefined && check(not, value).length === 0) {
    const label = typeLabel(not, run.root);
    const excluded = label === 'any' || label === 'object' ? 'the values that `not` excludes' : show(label);
    yield violation(path, 'other', `Expected a value other than ${excluded}, found ${found(value)}.`);
  }
  const condition = own(schema, 'if');
  if (condition === undefined) return;
  const branch = own(schema, check(condition, value).length === 0 ? 'then' : 'else');
  if (branch !== undefined) yield* check(branch, value);
}

/** Returns the violations of the probably intended alternative, or one violation that lists the alternatives. */
function explainAlternatives(
  { path, run }: SchemaAtPath,
  value: Json,
  alternatives: readonly Json[],
  failures: readonly (readonly JsonViolation[])[],
): readonly JsonViolation[] {
  const isKind = ({ kind }: JsonViolation): boolean => kind === 'type' || kind === 'enum';
  const near = failures.filter(
    (violations) => !violations.some((item) => isKind(item) && item.path.length === path.length),
  );
  // An alternative with a different constant (`kind: circle`) is not the intended one.
  const meant = near.filter(
    (violations) => !violations.some((item) => item.kind === 'enum' && item.path.length === path.length + 1),
  );
  const [best, ...others] = meant.length > 0 ? meant : near;
  if (best && others.length === 0) return best;
  const labels = [...new Set(alternatives.map((alternative) => typeLabel(alternative, run.root)))];
  const allKinds = failures.every((violations) =>
    violations.every((item) => isKind(item) && item.path.length === path.length),
  );
  if (allKinds) return [violation(path, 'type', `Expected ${show(labels.join(' | '))}, found ${found(value)}.`)];
  const fewest = [...(meant.length > 0 ? meant : near)].sort((a, b) => a.length - b.length)[0];
  const hint = fewest?.[0] ? ` The closest alternative: ${lowerFirst(fewest[0].message)}` : '';
  return [
    violation(
      path,
      'alternative',
      `The value does not match ${alternatives.length === 1 ? 'the only alternative' : `any of the ${alternatives.length} alternatives`}.${hint}`,
    ),
  ];
}

// The state of one validation, and helpers for messages.

/** The state of the validation of one value. */
interface ValidationState {
  readonly root: JsonObject;
  readonly dialect: Dialect;
  readonly regexes: Map<string, Regex>;
  readonly refs: Map<string, Json | undefined>;
  visits: number;
  /** The number of steps that regular expressions have taken so far. */
  steps: number;
  certain: boolean;
  exhausted: boolean;
}

/** The maximum number of steps that regular expressions may take for one value. */
const MAX_STEPS = 1e8;

/** A schema, and the path of the value that it applies to. */
interface SchemaAtPath {
  readonly schema: JsonObject;
  readonly path: KeyPath;
  readonly run: ValidationState;
  /** Validates a part of the value against another schema, or the whole value if `step` is undefined. */
  readonly check: (schema: Json, value: Json, step?: string | number) => readonly JsonViolation[];
}

type Violations = Iterable<JsonViolation>;

const violation = (path: KeyPath, kind: ViolationKind, message: string, nearest?: string): JsonViolation => ({
  path,
  kind,
  message,
  ...(nearest !== undefined && { nearest }),
});

/** Reports a count outside its bounds. `found` is the count in words. */
function* checkCount(
  { schema, path }: SchemaAtPath,
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

/** Returns a value for a message: "the string `ten`", "a list". */
function found(value: Json): string {
  if (value === null) return '`null`';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'a map';
  return typeof value === 'string' ? `the string ${show(value)}` : show(value);
}

/**
 * Returns the probable correction of a name. A name of one or two letters has no correction, because all short names
 * are similar.
 */
const nearName = (name: string, known: readonly string[]): string | undefined =>
  name.length < 3 ? undefined : nearestNames(name, known, 1)[0];

// The keywords for lists and maps.

function* checkItems(spot: SchemaAtPath, value: readonly Json[]): Violations {
  const { schema, path, run, check } = spot;
  yield* checkCount(spot, ['minItems', 'maxItems'], 'item', value.length);
  const heads = firstItemSchemasOf(schema, run.dialect);
  const rest = otherItemsSchemaOf(schema, run.dialect);
  for (const [index, item] of value.entries()) {
    const sub = heads[index] ?? rest;
    if (sub !== undefined) yield* check(sub, item, index);
  }
  if (own(schema, 'uniqueItems') === true) yield* checkUnique(spot, value);
  const wanted = own(schema, 'contains');
  if (wanted === undefined) return;
  const isModern = run.dialect === '2020-12';
  const least = (isModern ? numberUnder(schema, 'minContains') : undefined) ?? 1;
  const most = (isModern ? numberUnder(schema, 'maxContains') : undefined) ?? Number.POSITIVE_INFINITY;
  const hits = value.filter((item, index) => check(wanted, item, index).length === 0).length;
  if (hits >= least && hits <= most) return;
  const bound = hits < least ? `least ${counted(least, 'item')}` : `most ${counted(most, 'item')}`;
  const label = show(typeLabel(wanted, run.root));
  yield violation(path, 'other', `Expected at ${bound} matching ${label}, found ${hits}.`);
}

function* checkUnique({ path }: SchemaAtPath, list: readonly Json[]): Violations {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const key = canonical(item);
    const message = `Duplicate item ${show(item)}. The items of this list must be unique.`;
    if (seen.has(key)) yield violation([...path, index], 'duplicate', message);
    seen.add(key);
  }
}

function* checkProperties(spot: SchemaAtPath, value: JsonObject): Violations {
  const { schema, path, run, check } = spot;
  const names = Object.keys(value);
  const missing = [...checkRequired(spot, value)];
  yield* missing;
  const mistaken = new Set(missing.map(({ nearest }) => nearest));
  for (const name of names) {
    const item = value[name] as Json;
    const { declared, patterned, additional, cost } = propertySchemas(schema, name, run.regexes);
    run.steps += cost;
    if (run.steps > MAX_STEPS) {
      run.exhausted = true;
      return;
    }
    if (declared !== undefined) yield* check(declared, item, name);
    for (const sub of patterned) yield* check(sub, item, name);
    if (additional === false && !mistaken.has(name))
      yield notAllowed(spot, value, name, Object.keys(objectUnder(schema, 'properties')));
    else if (additional !== undefined && additional !== false) yield* check(additional, item, name);
  }
  yield* checkCount(spot, ['minProperties', 'maxProperties'], 'field', names.length);
  const naming = own(schema, 'propertyNames');
  for (const name of naming === undefined ? [] : names) {
    const [bad] = check(naming as Json, name, name);
    if (!bad) continue;
    const allowed = isObject(naming) ? listUnder(naming, 'enum').filter((one) => typeof one === 'string') : [];
    if (allowed.length > 0) yield notAllowed(spot, value, name, allowed);
    else yield violation([...path, name], 'other', `Invalid name ${show(name)}: ${lowerFirst(bad.message)}`);
  }
  if (run.dialect === '2020-12') yield* checkDependents(spot, value);
}

function* checkRequired({ schema, path, run }: SchemaAtPath, value: JsonObject): Violations {
  const properties = objectUnder(schema, 'properties');
  // An undeclared name is treated as a misspelling of a similar missing name, but of only one such name.
  let strangers: readonly string[] | undefined;
  for (const name of new Set(listUnder(schema, 'required').map(String))) {
    if (Object.hasOwn(value, name)) continue;
    strangers ??= Object.keys(value).filter((other) => !Object.hasOwn(properties, other));
    const near = nearName(name, strangers);
    strangers = strangers.filter((stranger) => stranger !== near);
    const sub = own(properties, name);
    const type = sub === undefined ? '' : ` (${typeLabel(sub, run.root)})`;
    const advice = near === undefined ? 'Add it.' : `Is ${show(near)} a misspelling of it?`;
    const message = `Missing required field ${show(name)}${type}. ${advice}`;
    yield violation([...path, name], 'missing', message, near);
  }
}

function notAllowed(
  { path }: SchemaAtPath,
  value: JsonObject,
  name: string,
  allowed: readonly string[],
): JsonViolation {
  const free = allowed.filter((other) => !Object.hasOwn(value, other));
  const near = nearName(name, free);
  const known =
    allowed.length === 0 ? 'Remove it.' : allowed.length > 12 ? '' : `Known fields: ${inWords(allowed, 'and')}.`;
  const advice = near ? `Did you mean ${show(near)}?` : known;
  return violation([...path, name], 'additional', `Unknown field ${show(name)}. ${advice}`.trim(), near);
}

/** Validates `dependentRequired` and `dependentSchemas`. */
function* checkDependents({ schema, path, check }: SchemaAtPath, value: JsonObject): Violations {
  const dependent = objectUnder(schema, 'dependentRequired');
  for (const name of Object.keys(dependent).filter((key) => Object.hasOwn(value, key))) {
    for (const need of listUnder(dependent, name).map(String)) {
      if (Object.hasOwn(value, need)) continue;
      const message = `Missing field ${show(need)}, which ${show(name)} requires. Add it.`;
      yield violation([...path, need], 'missing', message);
    }
  }
  for (const [name, sub] of Object.entries(objectUnder(schema, 'dependentSchemas'))) {
    if (Object.hasOwn(value, name)) yield* check(sub, value);
  }
}

// The keywords for single values: types, constants, numbers, strings, formats.

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
    string: 'a string',
    number: 'a number',
    integer: 'a whole number',
    boolean: '`true` or `false`',
    object: 'a map',
    array: 'a list',
    null: '`null`',
  }),
);

/** Validates `type`, `enum` and `const`. */
function checkKind({ schema, path, run }: SchemaAtPath, value: Json): JsonViolation | undefined {
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

function* checkNumber({ schema, path }: SchemaAtPath, value: number): Violations {
  for (const [keyword, fits, expected] of NUMBER_BOUNDS) {
    const bound = numberUnder(schema, keyword);
    if (bound === undefined || fits(value, bound)) continue;
    yield violation(path, 'range', `Expected ${expected} ${bound}, found ${show(value)}.`);
    return;
  }
}

/** The comparisons of a number with each bound. NaN fits no bound. */
const NUMBER_BOUNDS: readonly [keyword: string, fits: (value: number, bound: number) => boolean, expected: string][] = [
  ['minimum', (value, bound) => value >= bound, 'at least'],
  ['exclusiveMinimum', (value, bound) => value > bound, 'more than'],
  ['maximum', (value, bound) => value <= bound, 'at most'],
  ['exclusiveMaximum', (value, bound) => value < bound, 'less than'],
  ['multipleOf', isMultiple, 'a multiple of'],
];

/**
 * Returns true for a multiple of a step. Uses the same calculation as ajv, so that both have the same results for
 * fractions.
 */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return quotient === Number.parseInt(String(quotient), 10);
}

function* checkText(spot: SchemaAtPath, value: string): Violations {
  const { schema, path, run } = spot;
  if (own(schema, 'minLength') !== undefined || own(schema, 'maxLength') !== undefined) {
    const length = [...value].length;
    const words = `${length} in ${show(value)}`;
    for (const item of checkCount(spot, ['minLength', 'maxLength'], 'character', length, words))
      yield value === '' ? { ...item, message: 'The string must not be empty.' } : item;
  }
  const pattern = own(schema, 'pattern');
  if (typeof pattern !== 'string') return;
  const regex = regexOf(pattern, run.regexes);
  run.steps += regex.cost(value.length);
  if (!regex.test(value))
    yield violation(path, 'pattern', `Expected a string that matches ${show(pattern)}, found ${show(value)}.`);
}

const FORMAT_PHRASES: ReadonlyMap<string, string> = new Map([
  ['date', 'a date such as `2025-03-31`'],
  ['date-time', 'a date and time with a time zone, such as `2025-03-31T12:00:00Z`'],
  ['time', 'a time with a time zone, such as `12:00:00Z`'],
  ['duration', 'a duration such as `P3DT4H`'],
  ['email', 'an email address'],
  ['hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uri', 'an absolute URI such as `https://example.com/a`'],
  ['uri-reference', 'a URI reference'],
  ['uuid', 'a UUID'],
  ['regex', 'a regular expression'],
]);

function* checkFormat({ schema, path }: SchemaAtPath, value: string | number): Violations {
  const format = own(schema, 'format');
  if (typeof format !== 'string' || hasFormat(format, value) !== false) return;
  const expected = FORMAT_PHRASES.get(format) ?? `the format ${show(format)}`;
  yield violation(path, 'format', `Expected ${expected}, found ${show(value)}.`);
}

/**
 * The maximum length of a string that is checked against a format, because the format's expression can take quadratic
 * time.
 */
const MAX_FORMATTED = 2_000;

/**
 * Returns true if a string or number conforms to a JSON Schema format, or undefined if the format is unknown or the
 * string is too long.
 */
export function hasFormat(name: string, value: string | number): boolean | undefined {
  const { type, validate } = formatOf(name);
  if (typeof value !== type || (typeof value === 'string' && value.length > MAX_FORMATTED)) return undefined;
  if (validate instanceof RegExp) return validate.test(String(value));
  return typeof validate === 'function' ? validate(value) === true : undefined;
}

/** Returns the definition of a format. For an unknown format, `validate` is `true` instead of a check. */
export function formatOf(name: string): { readonly type: 'string' | 'number'; readonly validate?: unknown } {
  const format = Object.hasOwn(fullFormats, name) ? fullFormats[name as FormatName] : true;
  const isDefinition = typeof format === 'object' && !(format instanceof RegExp);
  return isDefinition
    ? { type: format.type ?? 'string', validate: format.validate }
    : { type: 'string', validate: format };
}
