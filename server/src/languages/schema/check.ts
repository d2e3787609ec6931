/** What is wrong with a JSON Schema as it is written (rule `invalid-schema`; skill-format.md, section 3). */
import { nearestNames } from '../../nearest.ts';
import type { YamlEntry, YamlNode } from '../yaml/node.ts';
import { checkReferences } from './check-refs.ts';
import { impliedType } from './label.ts';
import { canonical, isList, isObject, type JsonObject, own, type SchemaProblem, show } from './model.ts';
import { printText } from './print.ts';
import type { Reading } from './reading.ts';
import { parseRegex } from './regex/regex.ts';
import { entryOf } from './source.ts';
import { allSchemas } from './walk.ts';
import { findTypeWord, KEYWORDS } from './words.ts';

/** Keywords with which nothing here can be wrong. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['type', 'title', 'description']);

/** Checks a JSON Schema that the meta-schema accepts, as far as `wrong` says: values that it refuses are left out. */
export function checkJsonSchema(
  root: JsonObject,
  schema: JsonObject,
  reading: Reading,
  wrong: ReadonlySet<YamlNode>,
): void {
  let refers = false;
  for (const part of allSchemas(schema)) {
    // Most parts are fields that say no more than their type.
    const keywords = Object.keys(part);
    if (keywords.every((keyword) => SAYS_NOTHING.has(keyword))) continue;
    refers ||= keywords.includes('$ref');
    const node = reading.origins.get(part);
    if (!node) continue;
    const sound = (keyword: string): YamlEntry | undefined => {
      const entry = entryOf(node, keyword);
      return entry && !wrong.has(entry.value) ? entry : undefined;
    };
    // Each looks at keywords that most schemas do not have; asking all of them was half of this walk.
    const { problems } = reading;
    if (keywords.some((keyword) => BOUNDS.has(keyword))) problems.push(...checkBounds(part, sound));
    if (keywords.includes('enum')) problems.push(...checkEnum(part, sound));
    if (keywords.some((keyword) => PATTERNS.has(keyword))) problems.push(...checkRegexes(part, sound));
    if (keywords.includes('required')) problems.push(...checkRequired(part, sound));
    if (!keywords.every((keyword) => KEYWORDS.has(keyword))) problems.push(...checkStrayFields(part, node));
    const value = keywords.includes('default') ? sound('default') : undefined;
    if (value) reading.defaults.push({ schema: part, node: value.value, within: node.span });
  }
  if (refers) reading.problems.push(...checkReferences(root, schema, reading.origins));
}

const PATTERNS: ReadonlySet<string> = new Set(['pattern', 'patternProperties']);

type Sound = (keyword: string) => YamlEntry | undefined;

const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
] as const;

const STRICT_PAIRS = [
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
] as const;

const BOUNDS: ReadonlySet<string> = new Set([...PAIRS, ...STRICT_PAIRS].flat());

function* checkBounds(schema: JsonObject, sound: Sound): Generator<SchemaProblem> {
  for (const [low, high] of PAIRS) {
    const min = own(schema, low);
    const max = own(schema, high);
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) continue;
    const entry = sound(low);
    if (!entry || !sound(high)) continue;
    yield {
      span: entry.value.span,
      message: `\`${low}\` ${show(min)} is above \`${high}\` ${show(max)}, so no value fits. Swap the two, or change one.`,
    };
  }
  for (const [low, high] of STRICT_PAIRS) {
    const min = own(schema, low);
    const max = own(schema, high);
    if (typeof min !== 'number' || typeof max !== 'number' || min < max) continue;
    const entry = sound(low);
    if (!entry || !sound(high)) continue;
    yield {
      span: entry.value.span,
      message: `No value lies between \`${low}\` ${show(min)} and \`${high}\` ${show(max)}. Change one of them.`,
    };
  }
}

function* checkEnum(schema: JsonObject, sound: Sound): Generator<SchemaProblem> {
  const entry = sound('enum');
  const values = own(schema, 'enum');
  if (entry?.value.kind !== 'list' || !isList(values)) return;
  if (values.length === 0) {
    yield { span: entry.value.span, message: '`enum` is empty, so no value fits. Name at least one value.' };
    return;
  }
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const key = canonical(value);
    const item = entry.value.items[index];
    if (seen.has(key) && item)
      yield { span: item.span, message: `${show(value)} stands in this list already. Remove one of the two.` };
    seen.add(key);
  }
}

function* checkRegexes(schema: JsonObject, sound: Sound): Generator<SchemaProblem> {
  const entry = sound('pattern');
  const pattern = own(schema, 'pattern');
  const fault = entry && typeof pattern === 'string' ? parseRegex(pattern).fault : undefined;
  if (entry && fault) yield { span: entry.value.span, message: fault.message };
  const patterns = sound('patternProperties');
  if (patterns?.value.kind !== 'map') return;
  for (const { key } of patterns.value.entries) {
    const keyFault = parseRegex(String(key.value)).fault;
    if (keyFault) yield { span: key.span, message: keyFault.message };
  }
}

/** `required` may name what `properties` does not; only what can never hold, or is a misspelling, is worth a word. */
function* checkRequired(schema: JsonObject, sound: Sound): Generator<SchemaProblem> {
  const entry = sound('required');
  const names = own(schema, 'required');
  const properties = own(schema, 'properties');
  if (entry?.value.kind !== 'list' || !isList(names) || !isObject(properties)) return;
  const closed = own(schema, 'additionalProperties') === false && own(schema, 'patternProperties') === undefined;
  let free: readonly string[] | undefined;
  for (const [index, name] of names.entries()) {
    const item = entry.value.items[index];
    if (!item || typeof name !== 'string' || Object.hasOwn(properties, name)) continue;
    free ??= Object.keys(properties).filter((other) => !names.includes(other));
    const [near] = name.length < 3 ? [] : nearestNames(name, free, 1);
    if (!closed && near === undefined) continue;
    const why = closed
      ? 'and `additionalProperties: false` forbids it, so no value fits'
      : 'so its type is not declared';
    const fix =
      near === undefined
        ? {}
        : { fix: { title: `Replace with \`${near}\``, span: item.span, newText: printText(near) } };
    const advice = near === undefined ? 'Declare it, or remove it here.' : `Did you mean ${show(near)}?`;
    yield {
      span: item.span,
      severity: 'hint',
      message: `${show(name)} is required, but \`properties\` has no such property, ${why}. ${advice}`,
      ...fix,
    };
  }
}

/** Fields that were written beside `properties` instead of within: unknown keywords whose values are types. */
function* checkStrayFields(schema: JsonObject, node: YamlNode): Generator<SchemaProblem> {
  if (node.kind !== 'map' || impliedTypeOf(schema) !== 'object') return;
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (KEYWORDS.has(name) || name.startsWith('x-') || name.startsWith('$')) continue;
    const type = value.kind === 'scalar' ? value.value : undefined;
    if (typeof type !== 'string' || !findTypeWord(type)) continue;
    const message = `${show(name)} is not a keyword of JSON Schema, so it has no effect. A field stands under \`properties\`; without \`type: object\` the shorthand takes it here.`;
    yield { span: key.span, severity: 'hint', message };
  }
}

const impliedTypeOf = (schema: JsonObject): string => String(own(schema, 'type') ?? impliedType(schema));
