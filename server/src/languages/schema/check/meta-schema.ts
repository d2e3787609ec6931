/** What the meta-schema of a dialect refuses in a JSON Schema: a check of each keyword's value, by the table of keywords. */
import type { Json } from '../../yaml/node.ts';
import { JSON_TYPES, KEYWORDS, OLD_KEYWORDS, type ValueKind } from '../keywords.ts';
import { canonical, type Dialect, isList, isObject, type Path } from '../model.ts';

/** A value that is refused; where values within one another are, only the innermost is listed. */
export interface Refusal {
  /** From the schema to the value. */
  readonly path: Path;
  /** The keyword whose value it is, or within whose value it stands; empty for the schema as a whole. */
  readonly keyword: string;
  /** What is expected there: a schema, the keyword's value, or an item of that value. */
  readonly expected: 'schema' | 'value' | 'item';
  /** Left out where the value is of the wrong kind. */
  readonly fault?: 'empty' | 'duplicate';
}

type Check = (value: Json, keyword: string, dialect: Dialect) => readonly Refusal[];

/** Total. Keywords that the dialect does not have are passed over. */
export const findRefusals = (schema: Json, dialect: Dialect): readonly Refusal[] => checkSchema(schema, '', dialect);

const NONE: readonly Refusal[] = [];

const refuse = (keyword: string, expected: Refusal['expected'], fault?: Refusal['fault']): readonly Refusal[] => [
  { path: [], keyword, expected, ...(fault !== undefined && { fault }) },
];

/** The refusals within the parts of a value. */
function within<Step extends string | number>(
  parts: Iterable<[Step, Json]>,
  check: (part: Json, step: Step) => readonly Refusal[],
): readonly Refusal[] {
  let result = NONE;
  for (const [step, part] of parts) {
    const refusals = check(part, step);
    if (refusals.length === 0) continue;
    result = [...result, ...refusals.map((refusal) => ({ ...refusal, path: [step, ...refusal.path] }))];
  }
  return result;
}

function checkSchema(schema: Json, keyword: string, dialect: Dialect): readonly Refusal[] {
  if (typeof schema === 'boolean') return NONE;
  if (!isObject(schema)) return refuse(keyword, 'schema');
  return within(Object.entries(schema), (value, name) => {
    const known = KEYWORDS.get(name) ?? OLD_KEYWORDS.get(name);
    const applies = known && (known.only === undefined || known.only === dialect);
    return applies ? CHECKS[known.value](value, name, dialect) : NONE;
  });
}

const accept =
  (accepts: (value: Json) => boolean, expected: Refusal['expected'] = 'value'): Check =>
  (value, keyword) =>
    accepts(value) ? NONE : refuse(keyword, expected);

const mapOf =
  (check: Check): Check =>
  (value, keyword, dialect) =>
    isObject(value)
      ? within(Object.entries(value), (inner) => check(inner, keyword, dialect))
      : refuse(keyword, 'value');

const listOf =
  (check: Check, { nonEmpty = false, unique = false, expected = 'value' as Refusal['expected'] } = {}): Check =>
  (value, keyword, dialect) => {
    if (!isList(value)) return refuse(keyword, expected);
    const inner = within(value.entries(), (item) => check(item, keyword, dialect));
    if (inner.length > 0) return inner;
    if (nonEmpty && value.length === 0) return refuse(keyword, expected, 'empty');
    const isUnique = !unique || new Set(value.map(canonical)).size === value.length;
    return isUnique ? NONE : refuse(keyword, expected, 'duplicate');
  };

const isText = (value: Json): boolean => typeof value === 'string';
const isBoolean = (value: Json): boolean => typeof value === 'boolean';
const isType = (value: Json): boolean => typeof value === 'string' && JSON_TYPES.includes(value);

const names = listOf(accept(isText, 'item'), { unique: true });
const innerNames = listOf(accept(isText, 'item'), { unique: true, expected: 'item' });
const types = listOf(accept(isType, 'item'), { nonEmpty: true, unique: true });
const schemaList = listOf(checkSchema, { nonEmpty: true });
const checkOneSchema: Check = (value, keyword, dialect) =>
  isList(value) ? refuse(keyword, 'value') : checkSchema(value, keyword, dialect);

const CHECKS: { readonly [kind in ValueKind]: Check } = {
  any: () => NONE,
  text: accept(isText),
  flag: accept(isBoolean),
  flags: mapOf(accept(isBoolean, 'item')),
  number: accept((value) => typeof value === 'number'),
  'positive-number': accept((value) => typeof value === 'number' && value > 0),
  // Infinity, which YAML can write, is a whole number to the meta-schemas.
  count: accept((value) => typeof value === 'number' && value >= 0 && Math.floor(value) === value),
  list: accept(isList),
  enum: (value, keyword, dialect) =>
    listOf(CHECKS.any, dialect === 'draft-07' ? { nonEmpty: true, unique: true } : {})(value, keyword, dialect),
  anchor: accept((value) => typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)),
  id: (value, keyword, dialect) =>
    typeof value === 'string' && (dialect === 'draft-07' || /^[^#]*#?$/.test(value)) ? NONE : refuse(keyword, 'value'),
  types: (value, ...rest) => (isList(value) ? types(value, ...rest) : accept(isType)(value, ...rest)),
  names,
  'dependent-names': mapOf(innerNames),
  schema: checkOneSchema,
  'schema-or-list': (value, keyword, dialect) =>
    dialect === 'draft-07' && isList(value) && value.length > 0
      ? schemaList(value, keyword, dialect)
      : checkOneSchema(value, keyword, dialect),
  'schema-list': schemaList,
  'schema-map': mapOf(checkSchema),
  dependencies: mapOf((value, ...rest) => (isList(value) ? innerNames : checkSchema)(value, ...rest)),
};
