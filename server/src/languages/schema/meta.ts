/** What the meta-schema refuses, one problem for each value, in words (rule `invalid-schema`). */
import { didYouMean, nearestNames } from '../../nearest.ts';
import { type Json, jsonOf, stringOf, type YamlNode } from '../yaml/node.ts';
import { isList, type JsonObject, type Origins, own, type SchemaProblem, show } from './model.ts';
import { originAt } from './source.ts';
import { readTypeExpression } from './type-expression.ts';
import { holds } from './walk.ts';
import { findTypeWord, JSON_TYPES, KEYWORDS } from './words.ts';

/** An error of ajv, as far as it is needed. */
export interface MetaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
}

export interface MetaProblem extends SchemaProblem {
  /** The value that is refused; nothing else is said about it. */
  readonly node: YamlNode;
}

/**
 * The one true cause of each cascade: a value whose part is refused is refused for that part alone, and of several
 * alternatives that one value fails only the value is told.
 */
export function explainMetaErrors(
  errors: readonly MetaError[],
  root: JsonObject,
  origins: Origins,
): readonly MetaProblem[] {
  const byPath = new Map<string, MetaError>();
  const above = new Set<string>();
  for (const error of errors) {
    const known = byPath.get(error.instancePath);
    if (!known || error.keyword === 'uniqueItems') byPath.set(error.instancePath, error);
    for (let at = error.instancePath.lastIndexOf('/'); at >= 0; at = error.instancePath.lastIndexOf('/', at - 1)) {
      above.add(error.instancePath.slice(0, at));
      if (at === 0) break;
    }
  }
  const problems: MetaProblem[] = [];
  for (const [path, error] of byPath) {
    if (above.has(path)) continue;
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const place = originAt(origins, root, steps);
    if (place) problems.push({ ...explain(error, steps, root, place), node: place.value });
  }
  return problems.sort((a, b) => a.span.start - b.span.start);
}

interface Place {
  readonly value: YamlNode;
  readonly key?: YamlNode;
}

function explain(
  error: MetaError,
  steps: readonly string[],
  root: JsonObject,
  { value: node, key }: Place,
): SchemaProblem {
  const { keyword, as } = roleOf(root, steps);
  const span = node.span.start === node.span.end ? (key ?? node).span : node.span;
  const found = describe(node);
  if (error.keyword === 'uniqueItems' && node.kind === 'list') {
    const last = node.items[Math.max(Number(error.params.i), Number(error.params.j))] ?? node;
    return { span: last.span, message: `${show(jsonOf(last))} stands in this list already. Remove one of the two.` };
  }
  if (as === 'schema') return { span, ...explainNoSchema(node, keyword) };
  if (keyword === 'type') return { span, ...explainType(node) };
  if (keyword === 'required' && node.kind === 'scalar' && typeof node.value === 'boolean') {
    return {
      span,
      message:
        'In a JSON Schema `required` is a list of names beside `properties`, `required: [name]`, and not a mark on the property.',
    };
  }
  if (keyword === 'items' && node.kind === 'list') {
    return {
      span,
      message:
        'Since draft 2020-12 `items` takes one schema for all items. A list of schemas, one for each, is called `prefixItems`.',
    };
  }
  if (
    (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') &&
    node.kind === 'scalar' &&
    typeof node.value === 'boolean'
  ) {
    return {
      span,
      message: `\`${keyword}\` is the bound itself, a number; \`true\` beside \`${keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'}\` is draft-04.`,
    };
  }
  if (as === 'item' && keyword === 'required')
    return { span, message: `\`required\` takes a list of property names, and ${found} is not a text.` };
  if (error.keyword === 'minItems')
    return { span, message: `\`${keyword}\` is empty. It takes ${KEYWORDS.get(keyword) ?? 'at least one item'}.` };
  const takes = KEYWORDS.get(keyword);
  return { span, message: `\`${keyword}\` takes ${takes ?? 'another value'}, not ${found}.` };
}

/** Which keyword a path ends at or within, and whether a schema is expected there. */
function roleOf(root: JsonObject, steps: readonly string[]): { keyword: string; as: 'schema' | 'value' | 'item' } {
  let schema: Json = root;
  let keyword = '';
  for (let i = 0; i < steps.length; ) {
    keyword = steps[i] as string;
    const value: Json | undefined =
      typeof schema === 'object' && schema !== null ? own(schema as JsonObject, keyword) : undefined;
    const held = holds(keyword, value);
    i++;
    if (!held) return { keyword, as: i < steps.length ? 'item' : 'value' };
    if (held === 'one') {
      if (isList(value) || i === steps.length) return { keyword, as: isList(value) ? 'value' : 'schema' };
      schema = value as Json;
      continue;
    }
    if (i === steps.length) return { keyword, as: 'value' };
    const step = steps[i++] as string;
    schema = (isList(value) ? value[Number(step)] : own(value as JsonObject, step)) as Json;
  }
  return { keyword, as: 'schema' };
}

function explainNoSchema(node: YamlNode, keyword: string): Omit<SchemaProblem, 'span'> {
  const text = stringOf(node);
  const expression = text === undefined ? undefined : readTypeExpression(text);
  if (expression && 'json' in expression && !expression.optional) {
    const { json, description } = expression;
    const written = { ...json, ...(description !== '' && { description }) };
    const newText = flow(written);
    return {
      message: `${show(text)} is shorthand, and this is a JSON Schema, where a schema is a map: \`${newText}\`.`,
      fix: { title: `Replace with \`${newText}\``, span: node.span, newText },
    };
  }
  const where = keyword === '' ? 'A schema' : `A schema under \`${keyword}\``;
  return { message: `${where} is a map such as \`{type: string}\`, not ${describe(node)}.` };
}

function flow(json: Json): string {
  if (isList(json)) return `[${json.map(flow).join(', ')}]`;
  if (typeof json === 'object' && json !== null) {
    return `{${Object.entries(json)
      .map(([key, value]) => `${key}: ${flow(value)}`)
      .join(', ')}}`;
  }
  return typeof json === 'string' && /^[a-z][a-z-]*$/.test(json) ? json : JSON.stringify(json);
}

function explainType(node: YamlNode): Omit<SchemaProblem, 'span'> {
  const word = node.kind === 'scalar' ? String(node.value) : undefined;
  if (word === undefined) return { message: `\`type\` takes a type or a list of types, not ${describe(node)}.` };
  const { type, format } = findTypeWord(word)?.json ?? {};
  if (type === undefined && word === 'any') return { message: 'JSON Schema has no type `any`. Leave `type` out.' };
  if (type !== undefined && format === undefined) return unknownType(node, word, [String(type)]);
  if (type !== undefined)
    return {
      message: `JSON Schema has no type ${show(word)}. Write \`type: string\` and \`format: ${String(format)}\`.`,
    };
  return unknownType(node, word, nearestNames(word, JSON_TYPES));
}

function unknownType(node: YamlNode, word: string, near: readonly string[]): Omit<SchemaProblem, 'span'> {
  const [best] = near;
  const known = JSON_TYPES.map((name) => `\`${name}\``).join(', ');
  if (best === undefined) return { message: `Unknown type ${show(word)}. JSON Schema has ${known}.` };
  const fix = { title: `Replace with \`${best}\``, span: node.span, newText: best };
  return { message: `Unknown type ${show(word)}.${didYouMean(near)}`, fix };
}

function describe(node: YamlNode): string {
  if (node.kind === 'map') return 'a map';
  if (node.kind === 'list') return 'a list';
  return node.value === null ? 'nothing' : show(node.value);
}
