/** What is wrong with a JSON Schema as it is written (docs/format.md, section 3). */
import { nearestNames } from '../../../nearest.ts';
import type { YamlEntry, YamlNode } from '../../yaml/node.ts';
import { KEYWORDS } from '../keywords.ts';
import { impliedType } from '../label.ts';
import { type Dialect, isList, isObject, type JsonObject, own, type SchemaProblem, show } from '../model.ts';
import { entryOf } from '../origins.ts';
import type { ParseState } from '../parse-state.ts';
import { printText } from '../print.ts';
import { crossedBounds, duplicates, regexProblems, replaceWith } from '../problems.ts';
import { findTypeWord } from '../shorthand/type-words.ts';
import { allSchemas } from '../walk.ts';
import { findRefusals } from './meta-schema.ts';
import { checkReferences } from './references.ts';
import { explainRefusals } from './refusals.ts';

/** Adds the problems of a schema, and the defaults within it, to the state; references start from `root`. */
export function checkJsonSchema(root: JsonObject, schema: JsonObject, dialect: Dialect, state: ParseState): void {
  // The dialect has been read from `$schema`, in more spellings than the meta-schemas accept.
  const { $schema: _, ...rest } = schema;
  const refused = explainRefusals(findRefusals(rest, dialect), state.origins.get(schema));
  state.problems.push(...refused.map(({ problem }) => problem));
  checkMeaning(root, schema, state, new Set(refused.map(({ node }) => node)));
}

/** Keywords with which nothing more can be wrong. */
const ALWAYS_SOUND: ReadonlySet<string> = new Set(['type', 'title', 'description']);

/** What the meta-schema cannot see; the values that it refuses are left out. */
function checkMeaning(root: JsonObject, schema: JsonObject, state: ParseState, refused: ReadonlySet<YamlNode>): void {
  const { problems, origins } = state;
  for (const part of allSchemas(schema)) {
    const node = origins.get(part);
    if (!node || Object.keys(part).every((keyword) => ALWAYS_SOUND.has(keyword))) continue;
    const sound = (keyword: string): YamlEntry | undefined => {
      const entry = Object.hasOwn(part, keyword) ? entryOf(node, keyword) : undefined;
      return entry && !refused.has(entry.value) ? entry : undefined;
    };
    problems.push(
      ...checkBounds(part, sound),
      ...checkEnum(sound),
      ...checkRegexes(part, sound),
      ...checkRequired(part, sound),
      ...checkStrayFields(part, node),
    );
    const value = sound('default');
    if (value) state.defaults.push({ schema: part, node: value.value, within: node.span });
  }
  problems.push(...checkReferences(root, schema, origins));
}

type Sound = (keyword: string) => YamlEntry | undefined;

/** Bounds that must not cross, and for an exclusive one not meet either. */
const BOUNDS: readonly (readonly [low: string, high: string, strict?: true])[] = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
  ['exclusiveMinimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', true],
  ['exclusiveMinimum', 'exclusiveMaximum', true],
];

function* checkBounds(schema: JsonObject, sound: Sound): Generator<SchemaProblem> {
  for (const [low, high, strict] of BOUNDS) {
    const min = own(schema, low);
    const max = own(schema, high);
    if (typeof min !== 'number' || typeof max !== 'number' || (strict ? min < max : min <= max)) continue;
    const entry = sound(low);
    if (!entry || !sound(high)) continue;
    const message = `No value lies between \`${low}\` ${show(min)} and \`${high}\` ${show(max)}. Change one of them.`;
    yield strict ? { span: entry.value.span, message } : crossedBounds(low, min, high, max, entry.value.span);
  }
}

function* checkEnum(sound: Sound): Generator<SchemaProblem> {
  const entry = sound('enum');
  if (entry?.value.kind !== 'list') return;
  if (entry.value.items.length === 0) {
    yield { span: entry.value.span, message: '`enum` is empty, so no value fits. Name at least one value.' };
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

/** Names that `properties` does not declare are allowed; reported are those that can never hold, and likely misspellings. */
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
    const advice = near === undefined ? 'Declare it, or remove it here.' : `Did you mean ${show(near)}?`;
    yield {
      span: item.span,
      severity: 'hint',
      message: `${show(name)} is required, but \`properties\` has no such property, ${why}. ${advice}`,
      ...(near !== undefined && { fix: replaceWith(near, item.span, printText(near)) }),
    };
  }
}

/** Fields that were written beside `properties` instead of within: unknown keywords whose values are types. */
function* checkStrayFields(schema: JsonObject, node: YamlNode): Generator<SchemaProblem> {
  if (node.kind !== 'map' || (own(schema, 'type') ?? impliedType(schema)) !== 'object') return;
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (KEYWORDS.has(name) || name.startsWith('x-') || name.startsWith('$')) continue;
    const type = value.kind === 'scalar' ? value.value : undefined;
    if (typeof type !== 'string' || !findTypeWord(type)) continue;
    const message = `${show(name)} is not a keyword of JSON Schema, so it has no effect. A field stands under \`properties\`; without \`type: object\` the shorthand takes it here.`;
    yield { span: key.span, severity: 'hint', message };
  }
}
