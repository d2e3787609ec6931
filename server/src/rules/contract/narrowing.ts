/**
 * Checks that a JSON Schema fragment narrows a schema: its fields exist, and its keywords allow no more than the
 * schema.
 */

import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import {
  boundedLabel,
  compareTypes,
  isObject,
  type JsonObject,
  KEYWORDS,
  type Schema,
  type SchemaPart,
} from '../../languages/schema/schema.ts';
import {
  findValue,
  type Json,
  jsonOf,
  listItems,
  mapEntries,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** The part of the schema that corresponds to a part of the fragment. */
interface Narrowing {
  readonly file: SkillFile;
  readonly tool: string;
  readonly root: Schema;
  /** The names from the top of the schema to this part. */
  readonly path: readonly string[];
  readonly json: JsonObject;
  /** The constraints on this part. */
  readonly map: YamlMap;
}

/** Reports each part of `fragment`, a tool's constraints, that does not narrow the tool's input schema. */
export function checkNarrowing(file: SkillFile, tool: string, fragment: YamlMap, schema: Schema): Iterable<Draft> {
  return checkPart({ file, tool, root: schema, path: [], json: schema.json, map: fragment });
}

/**
 * The keywords of schemas that combine other schemas or allow additional fields. Unknown fields in such schemas are not
 * reported.
 */
const OPEN = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'additionalProperties'];

/** Returns the inputs that a tool's schema defines; undefined if the tool may have other inputs, too. */
export const inputsOf = (schema: Schema): JsonObject | undefined =>
  schema.form === 'empty' ? {} : closedFields(schema.json);

const fieldsOf = ({ json, root, path }: Narrowing): JsonObject | undefined =>
  path.length === 0 ? inputsOf(root) : closedFields(json);

function closedFields(json: JsonObject): JsonObject | undefined {
  const isOpen = OPEN.some((key) => Object.hasOwn(json, key) && json[key] !== false);
  return !isOpen && isObject(json.properties) ? json.properties : undefined;
}

function* checkPart(part: Narrowing): Iterable<Draft> {
  const { json, path, map } = part;
  const fields = fieldsOf(part);
  for (const entry of map.entries) {
    const keyword = String(entry.key.value);
    if (keyword === 'properties') yield* checkFields(part, fields, entry.value);
    else if (keyword === 'required') yield* checkRequired(part, fields, entry.value);
    else if (keyword === 'items' && isObject(json.items)) yield* checkInner(part, 'items', json.items, entry.value);
    else if (path.length > 0) yield* checkKeyword(part, entry, keyword);
  }
}

function* checkFields(part: Narrowing, fields: JsonObject | undefined, node: YamlNode): Iterable<Draft> {
  for (const { key, value } of mapEntries(node)) {
    const name = String(key.value);
    if (fields && !Object.hasOwn(fields, name)) yield unknownField(part, fields, name, key);
    else if (fields) yield* checkInner(part, name, fields[name] as Json, value);
  }
}

function* checkRequired(part: Narrowing, fields: JsonObject | undefined, node: YamlNode): Iterable<Draft> {
  for (const item of listItems(node)) {
    const name = stringOf(item);
    if (fields && name !== undefined && !Object.hasOwn(fields, name)) yield unknownField(part, fields, name, item);
  }
}

function* checkInner(part: Narrowing, name: string, json: Json, node: YamlNode): Iterable<Draft> {
  if (isObject(json) && node.kind === 'map') yield* checkPart({ ...part, json, path: [...part.path, name], map: node });
}

function unknownField({ file, tool }: Narrowing, fields: JsonObject, name: string, { span }: YamlNode): Draft {
  const near = nearestNames(name, Object.keys(fields));
  return {
    span,
    message: `\`${tool}\` has no input \`${name}\`.${didYouMean(near) || ' Remove it, or use an input of the tool.'}`,
    fixes: replaceName(file, [span], near),
  };
}

/**
 * Replaces the keyword in a copy of the tool's schema, and reports a result that allows values that the tool does not
 * accept.
 */
function* checkKeyword(part: Narrowing, { key, value }: YamlEntry, keyword: string): Iterable<Draft> {
  const known = KEYWORDS.get(keyword);
  if (!known || known.isAnnotation || known.schemaForm) return;
  if (keyword === 'enum') {
    for (const item of listItems(value)) yield* checkAgainst(part, { const: jsonOf(item) }, item, 'enum');
    return;
  }
  const written = jsonOf(value);
  const json = keyword === 'const' ? { const: written } : { ...part.json, [keyword]: written };
  yield* checkAgainst(part, json, value, keyword);
  yield* checkEmptyRange(part, { key, value }, keyword);
}

function* checkAgainst(part: Narrowing, json: JsonObject, node: YamlNode, keyword: string): Iterable<Draft> {
  const { root, tool, path } = part;
  const at = (one: Json): SchemaPart => ({ json: one, root: root.json, dialect: root.dialect });
  const verdict = compareTypes(at(json), at(part.json), 'any-value');
  if (verdict.kind !== 'clash') return;
  const name = path.join('.');
  const taken = boundedLabel(part.json, root.json);
  const { source } = node.kind === 'scalar' ? node : { source: '' };
  const consequence = keyword === 'enum' ? 'it is never allowed' : 'no call is allowed';
  const isApart = verdict.clashes.some(({ isDisjoint }) => isDisjoint);
  yield {
    span: node.span,
    message: isApart
      ? `This value does not match \`${name}\` of \`${tool}\` (\`${taken}\`), so ${consequence}. Use a value that the tool accepts.`
      : `\`${source || keyword}\` allows more than \`${name}\` of \`${tool}\` (\`${taken}\`), so it has no effect. Narrow it, or remove it.`,
    fixes: isApart ? [] : ownBound(part, node, keyword),
  };
}

/** Returns the fix that replaces a bound with the tool's own bound, unless another bound of the map excludes it. */
function ownBound({ file, json, map }: Narrowing, { span }: YamlNode, keyword: string): readonly Fix[] {
  const own = json[keyword];
  const opposite = OPPOSITE.get(keyword);
  const other = opposite === undefined ? undefined : jsonOf(findValue(map, opposite));
  if (typeof own !== 'number') return [];
  if (typeof other === 'number' && (keyword.startsWith('min') ? own > other : own < other)) return [];
  return fixHere(file, `Replace with \`${own}\``, [{ span, newText: String(own) }]);
}

/** The opposite bound for each keyword. */
const OPPOSITE: ReadonlyMap<string, string> = new Map([
  ['minimum', 'maximum'],
  ['maximum', 'minimum'],
  ['minLength', 'maxLength'],
  ['maxLength', 'minLength'],
  ['minItems', 'maxItems'],
  ['maxItems', 'minItems'],
]);

/** Reports a bound that is beyond the tool's opposite bound, so that no value is allowed. */
function* checkEmptyRange(
  { json, tool, path }: Narrowing,
  { value }: Pick<YamlEntry, 'key' | 'value'>,
  keyword: string,
): Iterable<Draft> {
  const opposite = OPPOSITE.get(keyword);
  const bound = jsonOf(value);
  const other = opposite === undefined ? undefined : json[opposite];
  if (typeof bound !== 'number' || typeof other !== 'number') return;
  if (keyword.startsWith('min') ? bound <= other : bound >= other) return;
  yield {
    span: value.span,
    message: `\`${keyword}: ${bound}\` allows no value, because \`${opposite}\` of \`${path.join('.')}\` in \`${tool}\` is ${other}. Use a bound that the tool accepts.`,
  };
}
