/**
 * Validates a value by a JSON Schema and says in words what is wrong, one violation for each defect. It knows every keyword
 * that skills commonly use; where a schema uses another the result is not certain, and ajv is asked (`validate.ts`).
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
  numberUnder,
  objectUnder,
  own,
  show,
  type ViolationKind,
} from '../model.ts';
import type { Regex } from '../regex/regex.ts';
import { headsOf, propertySchemas, regexOf, resolveRef, restOf } from '../walk.ts';

interface Validation {
  readonly violations: readonly JsonViolation[];
  /** False where the schema has keywords that are not known here. */
  readonly certain: boolean;
  /** True where validating took too many steps, or went too deep, and was given up; there are no violations then. */
  readonly exhausted: boolean;
}

/** What a schema is read within. */
export interface SchemaContext {
  /** Where references start from. */
  readonly root: JsonObject;
  readonly dialect: Dialect;
  /** Regular expressions read so far, to which others are added. */
  readonly regexes?: Map<string, Regex>;
}

/** Schemas visited for one value at most: references can multiply without bound. */
const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** Keywords whose meaning is left to ajv. */
const LEFT_TO_AJV: { readonly [dialect in Dialect]: readonly string[] } = {
  'draft-07': ['$id', 'dependencies', 'nullable'],
  '2020-12': ['$id', '$dynamicRef', 'dependencies', 'nullable', 'unevaluatedItems', 'unevaluatedProperties'],
};

/** Validates a value by the root schema, or by the sub-schema given. */
export function validateValue(
  { root, dialect, regexes = new Map() }: SchemaContext,
  value: Json,
  schema: Json = root,
): Validation {
  const run: Run = { root, dialect, regexes, refs: new Map(), visits: 0, steps: 0, certain: true, exhausted: false };
  const violations = check(schema, value, [], run, 0);
  const { certain, exhausted } = run;
  return exhausted
    ? { violations: [], certain: false, exhausted }
    : { violations: distinct(violations), certain, exhausted };
}

/** The same defect, found by two parts of a schema, counts once. */
function distinct(violations: readonly JsonViolation[]): readonly JsonViolation[] {
  if (violations.length < 2) return violations;
  const byText = new Map<string, JsonViolation>();
  for (const item of violations) {
    const key = JSON.stringify([item.path, item.kind, item.message]);
    if (!byText.has(key)) byText.set(key, item);
  }
  return [...byText.values()];
}

function check(schema: Json, value: Json, path: KeyPath, run: Run, depth: number): readonly JsonViolation[] {
  if (++run.visits > MAX_VISITS || run.steps > MAX_STEPS || depth > MAX_DEPTH) run.exhausted = true;
  if (run.exhausted || schema === true) return [];
  if (schema === false) return [violation(path, 'other', `No value is allowed here, but ${found(value)} stands here.`)];
  if (!isObject(schema)) return [];
  if (LEFT_TO_AJV[run.dialect].some((keyword) => Object.hasOwn(schema, keyword))) run.certain = false;
  const spot: Spot = {
    schema,
    path,
    run,
    check: (sub, inner, step) => check(sub, inner, step === undefined ? path : [...path, step], run, depth + 1),
  };
  const wrong = checkKind(spot, value);
  // A value of the wrong type is not also reported as too long.
  return wrong ? [wrong] : [...checkReference(spot, value), ...checkValue(spot, value), ...checkParts(spot, value)];
}

function* checkReference({ schema, run, check }: Spot, value: Json): Violations {
  const ref = own(schema, '$ref');
  // A dynamic reference is followed only so that its visits count; ajv says what it means.
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

function* checkValue(spot: Spot, value: Json): Violations {
  if (typeof value === 'number') yield* checkNumber(spot, value);
  if (typeof value === 'string') yield* checkText(spot, value);
  if (typeof value === 'string' || typeof value === 'number') yield* checkFormat(spot, value);
  if (isList(value)) yield* checkItems(spot, value);
  if (isObject(value)) yield* checkProperties(spot, value);
}

/** Schemas that apply to the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
function* checkParts(spot: Spot, value: Json): Violations {
  const { schema, path, run, check } = spot;
  for (const part of listUnder(schema, 'allOf')) yield* check(part, value);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = own(schema, keyword);
    if (!isList(alternatives)) continue;
    const failures = alternatives.map((alternative) => check(alternative, value));
    const fitting = failures.filter((violations) => violations.length === 0).length;
    if (fitting === 0) yield* explainAlternatives(spot, value, alternatives, failures);
    else if (keyword === 'oneOf' && fitting > 1) {
      const message = `Expected to fit exactly one of the alternatives, but ${found(value)} fits ${fitting} of them.`;
      yield violation(path, 'alternative', message);
    }
  }
  const not = own(schema, 'not');
  if (not !== undefined && check(not, value).length === 0) {
    const label = typeLabel(not, run.root);
    const what = label === 'any' || label === 'object' ? 'what is excluded here' : show(label);
    yield violation(path, 'other', `Expected anything but ${what}, found ${found(value)}.`);
  }
  const condition = own(schema, 'if');
  if (condition === undefined) return;
  const branch = own(schema, check(condition, value).length === 0 ? 'then' : 'else');
  if (branch !== undefined) yield* check(branch, value);
}

/** The violations of the alternative that was meant, where that can be told; else one that names the alternatives. */
function explainAlternatives(
  { path, run }: Spot,
  value: Json,
  alternatives: readonly Json[],
  failures: readonly (readonly JsonViolation[])[],
): readonly JsonViolation[] {
  const isKind = ({ kind }: JsonViolation): boolean => kind === 'type' || kind === 'enum';
  const near = failures.filter(
    (violations) => !violations.some((item) => isKind(item) && item.path.length === path.length),
  );
  // An alternative whose constant names another variant (`kind: circle`) is not the one that was meant.
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
  const hint = fewest?.[0] ? ` For the nearest one: ${lower(fewest[0].message)}` : '';
  return [
    violation(
      path,
      'alternative',
      `Fits ${alternatives.length === 1 ? 'not the one alternative' : `none of the ${alternatives.length} alternatives`}.${hint}`,
    ),
  ];
}

// What the parts of validating share: the state of one run, and the words for what is found.

/** One value that is being validated. */
interface Run {
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
const MAX_STEPS = 1e8;

/** A schema, and the place of the value that has to fit it. */
interface Spot {
  readonly schema: JsonObject;
  readonly path: KeyPath;
  readonly run: Run;
  /** Validates a part of the value by another schema; without a step the same value. */
  readonly check: (schema: Json, value: Json, step?: string | number) => readonly JsonViolation[];
}

type Violations = Iterable<JsonViolation>;

const violation = (path: KeyPath, kind: ViolationKind, message: string, nearest?: string): JsonViolation => ({
  path,
  kind,
  message,
  ...(nearest !== undefined && { nearest }),
});

/** A count that is outside of its bounds; `found` is the count in words. */
function* checkCount(
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
function found(value: Json): string {
  if (value === null) return '`null`';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'a map';
  return typeof value === 'string' ? `the text ${show(value)}` : show(value);
}

/** The name that was likely meant; none for names of one or two letters, which are all near to each other. */
const nearName = (name: string, known: readonly string[]): string | undefined =>
  name.length < 3 ? undefined : nearestNames(name, known, 1)[0];

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** The keywords for lists and maps. */
function* checkItems(spot: Spot, value: readonly Json[]): Violations {
  const { schema, path, run, check } = spot;
  yield* checkCount(spot, ['minItems', 'maxItems'], 'item', value.length);
  const heads = headsOf(schema, run.dialect);
  const rest = restOf(schema, run.dialect);
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
  yield violation(path, 'other', `Expected at ${bound} of ${label}, found ${hits}.`);
}

function* checkUnique({ path }: Spot, list: readonly Json[]): Violations {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const key = canonical(item);
    const message = `${show(item)} stands in this list already; its items must differ.`;
    if (seen.has(key)) yield violation([...path, index], 'duplicate', message);
    seen.add(key);
  }
}

function* checkProperties(spot: Spot, value: JsonObject): Violations {
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
    else yield violation([...path, name], 'other', `The name ${show(name)} is not allowed here: ${lower(bad.message)}`);
  }
  if (run.dialect === '2020-12') yield* checkDependents(spot, value);
}

function* checkRequired({ schema, path, run }: Spot, value: JsonObject): Violations {
  const properties = objectUnder(schema, 'properties');
  // An undeclared name that is near to a missing one is taken for a misspelling of it, once.
  let strangers: readonly string[] | undefined;
  for (const name of new Set(listUnder(schema, 'required').map(String))) {
    if (Object.hasOwn(value, name)) continue;
    strangers ??= Object.keys(value).filter((other) => !Object.hasOwn(properties, other));
    const near = nearName(name, strangers);
    strangers = strangers.filter((stranger) => stranger !== near);
    const sub = own(properties, name);
    const type = sub === undefined ? '' : ` (${typeLabel(sub, run.root)})`;
    const advice = near === undefined ? 'Add it.' : `Is ${show(near)} meant to be it?`;
    const message = `The required field ${show(name)}${type} is missing. ${advice}`;
    yield violation([...path, name], 'missing', message, near);
  }
}

function notAllowed({ path }: Spot, value: JsonObject, name: string, allowed: readonly string[]): JsonViolation {
  const free = allowed.filter((other) => !Object.hasOwn(value, other));
  const near = nearName(name, free);
  const known = allowed.length === 0 ? 'None is.' : allowed.length > 12 ? '' : `Known: ${inWords(allowed, 'and')}.`;
  const advice = near ? `Did you mean ${show(near)}?` : known;
  return violation([...path, name], 'additional', `${show(name)} is not allowed here. ${advice}`.trim(), near);
}

/** `dependentRequired` and `dependentSchemas`. */
function* checkDependents({ schema, path, check }: Spot, value: JsonObject): Violations {
  const dependent = objectUnder(schema, 'dependentRequired');
  for (const name of Object.keys(dependent).filter((key) => Object.hasOwn(value, key))) {
    for (const need of listUnder(dependent, name).map(String)) {
      if (Object.hasOwn(value, need)) continue;
      const message = `${show(need)} is missing; it has to stand beside ${show(name)}.`;
      yield violation([...path, need], 'missing', message);
    }
  }
  for (const [name, sub] of Object.entries(objectUnder(schema, 'dependentSchemas'))) {
    if (Object.hasOwn(value, name)) yield* check(sub, value);
  }
}

// The keywords for single values: types, constants, numbers, texts, formats.

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
function checkKind({ schema, path, run }: Spot, value: Json): JsonViolation | undefined {
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

function* checkNumber({ schema, path }: Spot, value: number): Violations {
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

function* checkText(spot: Spot, value: string): Violations {
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

function* checkFormat({ schema, path }: Spot, value: string | number): Violations {
  const format = own(schema, 'format');
  if (typeof format !== 'string' || hasFormat(format, value) !== false) return;
  const expected = FORMAT_PHRASES.get(format) ?? `the format ${show(format)}`;
  yield violation(path, 'format', `Expected ${expected}, found ${show(value)}.`);
}

/** Longer texts are not judged by a format: its expression backtracks, and may take the square of the length. */
const MAX_FORMATTED = 2_000;

/** Whether a text or number has a format that JSON Schema names; undefined where the format is not known, or cannot tell. */
export function hasFormat(name: string, value: string | number): boolean | undefined {
  const { type, validate } = formatOf(name);
  if (typeof value !== type || (typeof value === 'string' && value.length > MAX_FORMATTED)) return undefined;
  if (validate instanceof RegExp) return validate.test(String(value));
  return typeof validate === 'function' ? validate(value) === true : undefined;
}

export function formatOf(name: string): { readonly type: 'string' | 'number'; readonly validate?: unknown } {
  const format = Object.hasOwn(fullFormats, name) ? fullFormats[name as FormatName] : true;
  const isDefinition = typeof format === 'object' && !(format instanceof RegExp);
  return isDefinition
    ? { type: format.type ?? 'string', validate: format.validate }
    : { type: 'string', validate: format };
}
