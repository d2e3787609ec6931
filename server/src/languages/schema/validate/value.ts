/**
 * Validates a value by a JSON Schema and says in words what is wrong, one violation for each defect. It knows every keyword
 * that skills commonly use; where a schema uses another the result is not certain, and ajv is asked (`validator.ts`).
 */
import type { Json } from '../../yaml/node.ts';
import { typeLabel } from '../label.ts';
import {
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  listUnder,
  own,
  type Path,
  show,
} from '../model.ts';
import type { Regex } from '../regex/regex.ts';
import { resolveRef } from '../walk.ts';
import { found, lower, MAX_STEPS, type Run, type Spot, type Violations, violation } from './base.ts';
import { checkItems, checkProperties } from './collections.ts';
import { checkFormat, checkKind, checkNumber, checkText } from './scalars.ts';

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

function check(schema: Json, value: Json, path: Path, run: Run, depth: number): readonly JsonViolation[] {
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
