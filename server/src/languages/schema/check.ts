/** Checks a JSON Schema (docs/format.md, section 3). */
import { closestSlip, closestTypo, didYouMean, nearestNames } from '../../nearest.ts';
import { type Json, stringOf, type YamlEntry, type YamlNode } from '../yaml/node.ts';
import { JSON_TYPES, KEYWORDS, OLD_KEYWORDS, type ValueKind } from './keywords.ts';
import { impliedType } from './label.ts';
import {
  canonical,
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type KeyPath,
  type Origins,
  own,
  type ParseState,
  type SchemaProblem,
  show,
} from './model.ts';
import { entryOf, placeAt } from './origins.ts';
import { printText } from './print.ts';
import { describeValue, duplicates, regexProblems, replaceWith } from './problems.ts';
import { findEmptyRanges } from './ranges.ts';
import { findTypeWord, readTypeExpression } from './shorthand/type-expression.ts';
import { allSchemas, isRemote, refTarget, resolveRef, subSchemasOf } from './walk.ts';

/**
 * Adds the problems and the defaults of a schema to `state` (docs/format.md, section 3). `root` is the schema from
 * which its references are resolved. Never throws.
 */
export function checkJsonSchema(root: JsonObject, schema: JsonObject, dialect: Dialect, state: ParseState): void {
  // `$schema` is already checked, because more spellings are supported than the meta-schemas accept.
  const { $schema: _, ...rest } = schema;
  const refused = explainRefusals(findRejectedValues(rest, dialect), state.origins.get(schema));
  state.problems.push(...refused.map(({ problem }) => problem));
  checkMeaning(root, schema, dialect, state, new Set(refused.map(({ node }) => node)));
}

/** Keywords that only the meta-schema checks. */
const ALWAYS_SOUND: ReadonlySet<string> = new Set(['type', 'title', 'description']);

/** Checks rules that the meta-schema does not contain. Skips the values that the meta-schema rejects. */
function checkMeaning(
  root: JsonObject,
  schema: JsonObject,
  dialect: Dialect,
  state: ParseState,
  refused: ReadonlySet<YamlNode>,
): void {
  const { problems, origins } = state;
  const inPlace = new Set<Json>();
  for (const part of allSchemas(schema)) {
    for (const sub of subSchemasOf(part)) if (sub.inPlace) inPlace.add(sub.schema);
    const node = origins.get(part);
    if (!node || Object.keys(part).every((keyword) => ALWAYS_SOUND.has(keyword))) continue;
    const sound = (keyword: string): YamlEntry | undefined => {
      const entry = Object.hasOwn(part, keyword) ? entryOf(node, keyword) : undefined;
      return entry && !refused.has(entry.value) ? entry : undefined;
    };
    problems.push(
      ...findEmptyRanges(root, part, dialect, (keyword) => {
        const entry = sound(keyword);
        return entry && { name: keyword, span: entry.value.span };
      }),
      ...checkEnum(sound),
      ...checkRegexes(part, sound),
      ...checkRequired(part, sound, inPlace.has(part)),
      ...checkUnknownKeywords(part, node),
    );
    const value = sound('default');
    if (value) state.defaults.push({ schema: part, node: value.value, within: node.span });
  }
  problems.push(...checkReferences(root, schema, origins));
}

type Sound = (keyword: string) => YamlEntry | undefined;

function* checkEnum(sound: Sound): Generator<SchemaProblem> {
  const entry = sound('enum');
  if (entry?.value.kind !== 'list') return;
  if (entry.value.items.length === 0) {
    yield { span: entry.value.span, message: '`enum` is empty, so no value is valid. Add at least one value.' };
  }
  yield* duplicates(entry.value.items);
}

function* checkRegexes(schema: JsonObject, sound: Sound): Generator<SchemaProblem> {
  const entry = sound('pattern');
  const pattern = own(schema, 'pattern');
  if (entry && typeof pattern === 'string') yield* regexProblems(pattern, entry.value.span);
  const patterns = sound('patternProperties');
  if (patterns?.value.kind !== 'map') return;
  for (const { key } of patterns.value.entries) {
    yield* regexProblems(String(key.value), key.span);
  }
}

/** Keywords that can declare properties of the same value, besides `properties`. */
const DECLARES_MORE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'patternProperties'];

/**
 * Reports names in `required` that `properties` does not declare. If something else may declare the property, such as
 * the enclosing schema of an alternative, reports only forbidden and misspelt names.
 */
function* checkRequired(schema: JsonObject, sound: Sound, isInPlace: boolean): Generator<SchemaProblem> {
  const entry = sound('required');
  const names = own(schema, 'required');
  const properties = own(schema, 'properties');
  if (entry?.value.kind !== 'list' || !isList(names) || !isObject(properties)) return;
  const closed = own(schema, 'additionalProperties') === false && own(schema, 'patternProperties') === undefined;
  const isWhole = !isInPlace && !isObject(own(schema, 'additionalProperties')) && !hasAny(schema, DECLARES_MORE);
  let free: readonly string[] | undefined;
  for (const [index, name] of names.entries()) {
    const item = entry.value.items[index];
    if (!item || typeof name !== 'string' || Object.hasOwn(properties, name)) continue;
    free ??= Object.keys(properties).filter((other) => !names.includes(other));
    const [near] = name.length < 3 ? [] : nearestNames(name, free, 1);
    if (!closed && !isWhole && near === undefined) continue;
    const consequence = closed ? 'and `additionalProperties: false` forbids it' : 'so it has no type';
    const advice = near === undefined ? 'Add it there, or remove it here.' : `Did you mean ${show(near)}?`;
    yield {
      span: item.span,
      severity: 'warning',
      message: `The required property ${show(name)} is not in \`properties\`, ${consequence}. ${advice}`,
      ...(near === undefined ? !closed && { ofWhole: true } : { fix: replaceWith(near, item.span, printText(near)) }),
    };
  }
}

const hasAny = (schema: JsonObject, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => Object.hasOwn(schema, keyword));

/**
 * Reports unknown keywords that are probably misspelt, and fields that should be inside `properties`: unknown keywords
 * of an object with types as values. Other unknown keywords are annotations.
 */
function* checkUnknownKeywords(schema: JsonObject, node: YamlNode): Generator<SchemaProblem> {
  if (node.kind !== 'map') return;
  const type = own(schema, 'type') ?? impliedType(schema);
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (KEYWORDS.has(name) || OLD_KEYWORDS.has(name) || name.startsWith('x-')) continue;
    const text = value.kind === 'scalar' ? value.value : undefined;
    if (type === 'object' && typeof text === 'string' && findTypeWord(text)) {
      const message = `${show(name)} is not a keyword of JSON Schema. Move the field under \`properties\`, or remove \`type: object\` to use the shorthand.`;
      yield { span: key.span, severity: 'hint', message };
      continue;
    }
    const near = nearestKeyword(name, type) ?? keywordForWord(name, value, schema);
    if (near !== undefined) yield misspeltKeyword(name, near, key.span);
  }
}

/** The words of other schema languages for a keyword, with the kind of its value. */
const OTHER_WORDS: readonly (readonly [keyword: string, kind: YamlNode['kind'], words: readonly string[]])[] = [
  ['properties', 'map', ['fields', 'props', 'attributes', 'members', 'parameters']],
  ['items', 'map', ['elements', 'of', 'itemType', 'elementType']],
  ['enum', 'list', ['values', 'options', 'choices', 'allowed', 'oneof']],
];

/** Returns the keyword that a word of another schema language means; undefined if the schema has this keyword. */
const keywordForWord = (name: string, { kind }: YamlNode, schema: JsonObject): string | undefined =>
  OTHER_WORDS.find(
    ([keyword, wanted, words]) => kind === wanted && words.includes(name) && own(schema, keyword) === undefined,
  )?.[0];

/** Returns the problem with an unknown keyword that is a misspelling of `near`. */
const misspeltKeyword = (name: string, near: string, span: SchemaProblem['span']): SchemaProblem => ({
  span,
  severity: 'warning',
  message: `Unknown keyword ${show(name)}. Did you mean ${show(near)}?`,
  meant: near,
  fix: { title: `Rename to ${show(near)}`, span, newText: near },
});

/**
 * Returns the keyword that an unknown keyword misspells, or the keyword for a key of the shorthand, such as `pattern`
 * for `regex`; undefined for a word of its own.
 */
export function nearestKeyword(name: string, type: Json | undefined): string | undefined {
  // `_comment` and `$$description` are conventions for notes.
  if (WORDS_OF_OTHERS.has(name) || /^(?:_|\$\$)/.test(name)) return undefined;
  const suffix = SUFFIXES.get(String(type));
  if (name === 'regex') return 'pattern';
  if (name === 'min' || name === 'max') return suffix === undefined ? `${name}imum` : `${name}${suffix}`;
  return closestTypo(name, NAMES) ?? closestSlip(name, NAMES);
}

const NAMES: readonly string[] = [...KEYWORDS.keys()];

/** The endings of the keywords for bounds of types that are not numbers. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['string', 'Length'],
  ['array', 'Items'],
  ['object', 'Properties'],
]);

/** Keywords of OpenAPI and of draft-04 that resemble a keyword with another meaning. */
const WORDS_OF_OTHERS: ReadonlySet<string> = new Set(['example', 'id', 'extends', 'disallow']);

// The rules of the meta-schemas. The value of each keyword is checked with the check that `keywords.ts` specifies.

/** A rejected value. If a rejected value contains another rejected value, only the inner value is listed. */
interface RejectedValue {
  /** The path from the schema to the value. */
  readonly path: KeyPath;
  /** The keyword whose value is the rejected value or contains it. Empty for the whole schema. */
  readonly keyword: string;
  /** The expected kind: a schema, the keyword's value, or an item of the keyword's value. */
  readonly expected: 'schema' | 'value' | 'item';
  /** Undefined if the value has the wrong kind. */
  readonly fault?: 'empty' | 'duplicate';
}

type Check = (value: Json, keyword: string, dialect: Dialect) => readonly RejectedValue[];

/**
 * Returns the values in a schema that the dialect's meta-schema rejects. Skips keywords that the dialect does not
 * have. Never throws.
 */
export const findRejectedValues = (schema: Json, dialect: Dialect): readonly RejectedValue[] =>
  checkSchema(schema, '', dialect);

const NONE: readonly RejectedValue[] = [];

const refuse = (
  keyword: string,
  expected: RejectedValue['expected'],
  fault?: RejectedValue['fault'],
): readonly RejectedValue[] => [{ path: [], keyword, expected, ...(fault !== undefined && { fault }) }];

/** Returns the rejected values among the parts of a value, with their paths. */
function within<Step extends string | number>(
  parts: Iterable<[Step, Json]>,
  check: (part: Json, step: Step) => readonly RejectedValue[],
): readonly RejectedValue[] {
  let result = NONE;
  for (const [step, part] of parts) {
    const refusals = check(part, step);
    if (refusals.length === 0) continue;
    result = [...result, ...refusals.map((refusal) => ({ ...refusal, path: [step, ...refusal.path] }))];
  }
  return result;
}

function checkSchema(schema: Json, keyword: string, dialect: Dialect): readonly RejectedValue[] {
  if (typeof schema === 'boolean') return NONE;
  if (!isObject(schema)) return refuse(keyword, 'schema');
  return within(Object.entries(schema), (value, name) => {
    const known = KEYWORDS.get(name) ?? OLD_KEYWORDS.get(name);
    const applies = known && (known.only === undefined || known.only === dialect);
    return applies ? CHECKS[known.value](value, name, dialect) : NONE;
  });
}

const accept =
  (accepts: (value: Json) => boolean, expected: RejectedValue['expected'] = 'value'): Check =>
  (value, keyword) =>
    accepts(value) ? NONE : refuse(keyword, expected);

const mapOf =
  (check: Check): Check =>
  (value, keyword, dialect) =>
    isObject(value)
      ? within(Object.entries(value), (inner) => check(inner, keyword, dialect))
      : refuse(keyword, 'value');

const listOf =
  (check: Check, { nonEmpty = false, unique = false, expected = 'value' as RejectedValue['expected'] } = {}): Check =>
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
  // YAML can express infinity, which the meta-schemas accept as a whole number.
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

/** Reports references with an unknown target and circular references. */
function checkReferences(root: JsonObject, schema: JsonObject, origins: Origins): readonly SchemaProblem[] {
  const referring = [...allSchemas(schema)].filter((part) => typeof own(part, '$ref') === 'string');
  if (referring.length === 0) return [];
  const problems: SchemaProblem[] = [];
  // In a schema with its own `$id`, references are resolved differently, which is not supported.
  const hasOwnAddresses = [...allSchemas(root)].some((part) => part !== root && typeof own(part, '$id') === 'string');
  const circular = circularRefs(root, schema);
  for (const part of referring) {
    const ref = own(part, '$ref');
    const place = entryOf(origins.get(part), '$ref')?.value.span;
    if (typeof ref !== 'string' || !place) continue;
    if (resolveRef(root, ref) !== undefined) {
      if (!circular.has(part)) continue;
      const message =
        'This reference is circular and applies to the same value each time. Remove it, or put it under `properties` or `items`.';
      problems.push({ span: place, message });
    } else if (hasOwnAddresses || ref === own(root, '$id')) {
    } else if (isRemote(ref)) {
      problems.push({
        span: place,
        message: `${show(ref)} is in another document, which is not fetched. Copy the schema to \`$defs\` and write \`#/$defs/name\`.`,
      });
    } else problems.push({ span: place, ...explain(root, ref, place) });
  }
  return problems;
}

function explain(root: JsonObject, ref: string, place: SchemaProblem['span']): Omit<SchemaProblem, 'span'> {
  const targets: string[] = [];
  for (const holder of ['$defs', 'definitions']) {
    const definitions = own(root, holder);
    if (isObject(definitions)) targets.push(...Object.keys(definitions).map((name) => `#/${holder}/${name}`));
  }
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const same = targets.find((target) => target.endsWith(`/${name}`));
  const near =
    same ??
    nearestNames(ref, targets, 1)[0] ??
    targets.find(
      (target) => nearestNames(name.replace(/^#/, ''), [target.slice(target.lastIndexOf('/') + 1)]).length > 0,
    );
  const message = `Unknown reference ${show(ref)}.`;
  if (near !== undefined) {
    return {
      message: `${message} Did you mean ${show(near)}?`,
      fix: replaceWith(near, place, `'${near}'`),
    };
  }
  const advice =
    targets.length === 0
      ? 'Add the schema under `$defs` at the top level, or write it here.'
      : `Known references: ${targets.slice(0, 5).map(show).join(', ')}.`;
  return { message: `${message} ${advice}` };
}

/**
 * Finds the reference cycles in which every schema applies to the same value. For each cycle, returns the first schema
 * that has a `$ref`.
 */
function circularRefs(root: JsonObject, start: JsonObject): ReadonlySet<Json> {
  const result = new Set<Json>();
  const state = new Map<Json, 'open' | 'done'>();
  const inPlace = (schema: JsonObject): Json[] => {
    const next = subSchemasOf(schema)
      .filter((sub) => sub.inPlace)
      .map((sub) => sub.schema);
    const target = refTarget(root, schema);
    return target === undefined ? next : [...next, target];
  };
  for (const first of allSchemas(start)) {
    if (state.has(first)) continue;
    const walk: { schema: JsonObject; next: Json[] }[] = [{ schema: first, next: inPlace(first) }];
    state.set(first, 'open');
    for (let top = walk.at(-1); top; top = walk.at(-1)) {
      const target = top.next.shift();
      if (target === undefined) {
        state.set(top.schema, 'done');
        walk.pop();
      } else if (isObject(target) && !state.has(target)) {
        state.set(target, 'open');
        walk.push({ schema: target, next: inPlace(target) });
      } else if (isObject(target) && state.get(target) === 'open') {
        const cycle = walk.slice(walk.findIndex(({ schema }) => schema === target)).map(({ schema }) => schema);
        const closing = cycle.find((schema) => typeof own(schema, '$ref') === 'string');
        if (closing) result.add(closing);
      }
    }
  }
  return result;
}

// The messages and fixes for values that the meta-schema rejects.

interface RefusedValue {
  readonly node: YamlNode;
  readonly problem: SchemaProblem;
}

/** Returns one problem for each rejected value, at the value's span in the schema's YAML. */
const explainRefusals = (refusals: readonly RejectedValue[], root: YamlNode | undefined): readonly RefusedValue[] =>
  refusals.flatMap((refusal) => {
    const place = root && placeAt(root, refusal.path);
    if (!place) return [];
    const { value: node, key } = place;
    const span = node.span.start === node.span.end ? (key ?? node).span : node.span;
    return [{ node, problem: { span, ...explainRefusal(refusal, node) } }];
  });

function explainRefusal({ keyword, expected, fault }: RejectedValue, node: YamlNode): Explanation {
  const value = node.kind === 'scalar' ? node.value : undefined;
  const duplicate = fault === 'duplicate' && node.kind === 'list' ? duplicates(node.items).at(-1) : undefined;
  if (duplicate) return duplicate;
  if (expected === 'schema') return explainNoSchema(node, keyword);
  if (keyword === 'type') return explainType(node);
  if (keyword === 'required' && typeof value === 'boolean') {
    return {
      message:
        'In JSON Schema, `required` is a list of names next to `properties`. Write `required: [name]` there and remove this key.',
    };
  }
  if (keyword === 'items' && node.kind === 'list') {
    return {
      message:
        'In draft 2020-12, `items` must be one schema for all items. For one schema per item, write `prefixItems`.',
    };
  }
  if ((keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') && typeof value === 'boolean') {
    const bound = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum';
    const advice = value ? `Move the value of \`${bound}\` here` : 'Remove it';
    return { message: `\`${keyword}\` must be a number. ${advice}.` };
  }
  if (expected === 'item' && keyword === 'required') {
    return { message: `\`required\` must be a list of property names, but this item is ${describeValue(node)}.` };
  }
  const takes = KEYWORDS.get(keyword)?.takes ?? 'another value';
  if (fault === 'empty') return { message: `\`${keyword}\` must be ${takes}, but is empty.` };
  return { message: `\`${keyword}\` must be ${takes}, but is ${describeValue(node)}.` };
}

/** A problem. Without a span, the whole value is marked. */
type Explanation = Omit<SchemaProblem, 'span'> & Partial<Pick<SchemaProblem, 'span'>>;

function explainNoSchema(node: YamlNode, keyword: string): Explanation {
  const text = stringOf(node);
  const expression = text === undefined ? undefined : readTypeExpression(text);
  if (expression && 'json' in expression && !expression.optional) {
    const { json, description } = expression;
    const written = { ...json, ...(description !== '' && { description }) };
    const newText = flow(written);
    return {
      message: `${show(text)} is shorthand, which is not allowed in a JSON Schema. Write \`${newText}\`.`,
      fix: replaceWith(newText, node.span),
    };
  }
  const where = keyword === '' ? 'A schema' : `A schema under \`${keyword}\``;
  return { message: `${where} must be a map such as \`{type: string}\`, but is ${describeValue(node)}.` };
}

function flow(json: Json): string {
  if (isList(json)) return `[${json.map(flow).join(', ')}]`;
  if (isObject(json))
    return `{${Object.entries(json)
      .map(([key, value]) => `${key}: ${flow(value)}`)
      .join(', ')}}`;
  return typeof json === 'string' && /^[a-z][a-z-]*$/.test(json) ? json : JSON.stringify(json);
}

function explainType(node: YamlNode): Explanation {
  const word = node.kind === 'scalar' ? String(node.value) : undefined;
  if (word === undefined)
    return { message: `\`type\` must be a type or a list of types, but is ${describeValue(node)}.` };
  const { type, format } = findTypeWord(word)?.json ?? {};
  if (type === undefined && word === 'any') return { message: 'JSON Schema has no type `any`. Remove `type`.' };
  if (type !== undefined && format === undefined) return unknownType(node, word, [String(type)]);
  if (type !== undefined)
    return {
      message: `JSON Schema has no type ${show(word)}. Write \`type: string\` and \`format: ${String(format)}\`.`,
    };
  return unknownType(node, word, nearestNames(word, JSON_TYPES));
}

function unknownType(node: YamlNode, word: string, near: readonly string[]): Explanation {
  const [best] = near;
  const known = JSON_TYPES.map((name) => `\`${name}\``).join(', ');
  if (best === undefined) return { message: `Unknown type ${show(word)}. Known types: ${known}.` };
  return { message: `Unknown type ${show(word)}.${didYouMean(near)}`, fix: replaceWith(best, node.span) };
}
