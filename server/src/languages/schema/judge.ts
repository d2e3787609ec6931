/**
 * Holds a value against a JSON Schema and says in words what is wrong, one violation for each defect. It knows every
 * keyword that skills commonly use; where a schema uses another it says that it is not sure, and `schema.ts` asks ajv.
 */
import type { Json } from '../yaml/node.ts';
import { type Deeper, found, type JudgeContext, type Judging, lower, violation } from './judge-base.ts';
import { checkItems, checkProperties } from './judge-collection.ts';
import { checkFormat, checkKind, checkNumber, checkText } from './judge-scalar.ts';
import { typeLabel } from './label.ts';
import { type Dialect, isList, isObject, type JsonObject, type JsonViolation, own, type Path, show } from './model.ts';
import { resolveRef } from './walk.ts';

export interface Judgement {
  readonly violations: readonly JsonViolation[];
  /** False where the schema says things that are not judged here. */
  readonly sure: boolean;
  /** True where judging took too long, or went too deep, and was given up. */
  readonly exhausted: boolean;
}

/** Schemas visited for one value at most: references can multiply without bound. */
const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** Keywords whose meaning is left to ajv. */
const UNSURE: { readonly [dialect in Dialect]: readonly string[] } = {
  'draft-07': ['$id', 'dependencies', 'nullable'],
  '2020-12': ['$id', '$dynamicRef', 'dependencies', 'nullable', 'unevaluatedItems', 'unevaluatedProperties'],
};

/** Judges a value by the root schema, or by the sub-schema given. */
export function judge(context: JudgeContext, value: Json, schema: Json = context.root): Judgement {
  const judging: Judging = {
    refs: new Map(),
    ...context,
    regexes: context.regexes ?? new Map(),
    visits: 0,
    sure: true,
    exhausted: false,
  };
  const violations = check(schema, value, [], judging, 0);
  if (judging.exhausted) return { violations: [], sure: false, exhausted: true };
  return { violations: distinct(violations), sure: judging.sure, exhausted: false };
}

/** The same defect, seen by two parts of a schema, counts once. */
function distinct(violations: readonly JsonViolation[]): readonly JsonViolation[] {
  if (violations.length < 2) return violations;
  const seen = new Set<string>();
  return violations.filter((violation) => {
    const key = JSON.stringify([violation.path, violation.kind, violation.message]);
    return !seen.has(key) && seen.add(key);
  });
}

function check(schema: Json, value: Json, path: Path, judging: Judging, depth: number): readonly JsonViolation[] {
  if (++judging.visits > MAX_VISITS || depth > MAX_DEPTH) judging.exhausted = true;
  if (judging.exhausted || schema === true) return [];
  if (schema === false) return [violation(path, 'other', `No value is allowed here, but ${found(value)} stands here.`)];
  if (!isObject(schema)) return [];
  if (UNSURE[judging.dialect].some((keyword) => Object.hasOwn(schema, keyword))) judging.sure = false;
  const wrong = checkKind(schema, value, path, judging);
  // What has the wrong type, or is not among the values, is not also too long: that would be a second word on one defect.
  if (wrong) return [wrong];
  if (isBare(schema)) return NONE;
  const deeper = (sub: Json, inner: Json, step?: string | number): readonly JsonViolation[] =>
    check(sub, inner, step === undefined ? path : [...path, step], judging, depth + 1);
  const result = [...checkReference(schema, judging, (target) => deeper(target, value))];
  if (typeof value === 'number') result.push(...checkNumber(schema, value, path));
  if (typeof value === 'string') result.push(...checkText(schema, value, path, judging));
  if (typeof value === 'string' || typeof value === 'number') result.push(...checkFormat(schema, value, path, judging));
  if (isList(value)) result.push(...checkItems(schema, value, path, judging, deeper));
  if (isObject(value)) result.push(...checkProperties(schema, value, path, judging, deeper));
  result.push(...checkParts(schema, value, path, judging, deeper));
  return result;
}

const NONE: readonly JsonViolation[] = [];

const SAYS_NO_MORE: ReadonlySet<string> = new Set(['type', 'title', 'description', 'enum', 'default']);

/** Whether a schema says no more than what `checkKind` has judged, as most fields do. */
function isBare(schema: JsonObject): boolean {
  for (const keyword in schema) if (!SAYS_NO_MORE.has(keyword)) return false;
  return true;
}

function checkReference(
  schema: JsonObject,
  judging: Judging,
  follow: (target: Json) => readonly JsonViolation[],
): readonly JsonViolation[] {
  const ref = own(schema, '$ref');
  // A dynamic reference is followed as if it were a plain one only to learn how much work the schema makes.
  const dynamic = judging.dialect === '2020-12' ? own(schema, '$dynamicRef') : undefined;
  const result: JsonViolation[] = [];
  for (const name of [ref, dynamic]) {
    if (typeof name !== 'string') continue;
    if (!judging.refs.has(name)) judging.refs.set(name, resolveRef(judging.root, name));
    const target = judging.refs.get(name);
    if (target === undefined) judging.sure = false;
    else {
      const violations = follow(target);
      if (name === ref) result.push(...violations);
    }
  }
  return result;
}

/** Schemas that judge the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
function checkParts(
  schema: JsonObject,
  value: Json,
  path: Path,
  judging: Judging,
  deeper: Deeper,
): readonly JsonViolation[] {
  const result: JsonViolation[] = [];
  const all = own(schema, 'allOf');
  if (isList(all)) for (const part of all) result.push(...deeper(part, value));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = own(schema, keyword);
    if (!isList(alternatives)) continue;
    const failures = alternatives.map((alternative) => deeper(alternative, value));
    const fitting = failures.filter((violations) => violations.length === 0).length;
    if (fitting === 0) result.push(...explainAlternatives(alternatives, failures, value, path, judging));
    else if (keyword === 'oneOf' && fitting > 1) {
      result.push(
        violation(
          path,
          'alternative',
          `Expected to fit exactly one of the alternatives, but ${found(value)} fits ${fitting} of them.`,
        ),
      );
    }
  }
  const not = own(schema, 'not');
  if (not !== undefined && deeper(not, value).length === 0) {
    const label = typeLabel(not, judging.root);
    const what = label === 'any' || label === 'object' ? 'what is excluded here' : show(label);
    result.push(violation(path, 'other', `Expected anything but ${what}, found ${found(value)}.`));
  }
  const condition = own(schema, 'if');
  if (condition !== undefined) {
    const branch = own(schema, deeper(condition, value).length === 0 ? 'then' : 'else');
    if (branch !== undefined) result.push(...deeper(branch, value));
  }
  return result;
}

/** The violations of the alternative that was meant, where that can be told; else one that names the alternatives. */
function explainAlternatives(
  alternatives: readonly Json[],
  failures: readonly (readonly JsonViolation[])[],
  value: Json,
  path: Path,
  { root }: Judging,
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
  const labels = [...new Set(alternatives.map((alternative) => typeLabel(alternative, root)))];
  const allKinds = failures.every((violations) =>
    violations.every((item) => isKind(item) && item.path.length === path.length),
  );
  if (allKinds) return [violation(path, 'type', `Expected ${show(labels.join(' | '))}, found ${found(value)}.`)];
  const fewest = [...(meant.length > 0 ? meant : near)].sort((a, b) => a.length - b.length)[0];
  const hint = fewest?.[0] ? ` For the nearest one: ${lower(fewest[0].message)}` : '';
  return [violation(path, 'alternative', `Fits none of the ${alternatives.length} alternatives.${hint}`)];
}
