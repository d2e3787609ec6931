/** What the meta-schema refuses, in words, with a fix where there is one. */
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type Json, stringOf, type YamlNode } from '../../yaml/node.ts';
import { JSON_TYPES, KEYWORDS } from '../keywords.ts';
import { isList, isObject, type SchemaProblem, show } from '../model.ts';
import { placeAt } from '../origins.ts';
import { describe, duplicates, replaceWith } from '../problems.ts';
import { readTypeExpression } from '../shorthand/type-expression.ts';
import { findTypeWord } from '../shorthand/type-words.ts';
import type { Refusal } from './meta-schema.ts';

interface RefusedValue {
  readonly node: YamlNode;
  readonly problem: SchemaProblem;
}

/** One problem for each refusal, at its place in the schema's node. */
export const explainRefusals = (refusals: readonly Refusal[], root: YamlNode | undefined): readonly RefusedValue[] =>
  refusals.flatMap((refusal) => {
    const place = root && placeAt(root, refusal.path);
    if (!place) return [];
    const { value: node, key } = place;
    const span = node.span.start === node.span.end ? (key ?? node).span : node.span;
    return [{ node, problem: { span, ...explain(refusal, node) } }];
  });

function explain({ keyword, expected, fault }: Refusal, node: YamlNode): Explanation {
  const value = node.kind === 'scalar' ? node.value : undefined;
  const duplicate = fault === 'duplicate' && node.kind === 'list' ? duplicates(node.items).at(-1) : undefined;
  if (duplicate) return duplicate;
  if (expected === 'schema') return explainNoSchema(node, keyword);
  if (keyword === 'type') return explainType(node);
  if (keyword === 'required' && typeof value === 'boolean') {
    return {
      message:
        'In a JSON Schema `required` is a list of names beside `properties`, `required: [name]`, and not a mark on the property.',
    };
  }
  if (keyword === 'items' && node.kind === 'list') {
    return {
      message:
        'Since draft 2020-12 `items` takes one schema for all items. A list of schemas, one for each, is called `prefixItems`.',
    };
  }
  if ((keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') && typeof value === 'boolean') {
    const bound = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum';
    return { message: `\`${keyword}\` is the bound itself, a number; \`true\` beside \`${bound}\` is draft-04.` };
  }
  if (expected === 'item' && keyword === 'required') {
    return { message: `\`required\` takes a list of property names, and ${describe(node)} is not a text.` };
  }
  const takes = KEYWORDS.get(keyword)?.takes ?? 'another value';
  if (fault === 'empty') return { message: `\`${keyword}\` is empty. It takes ${takes}.` };
  return { message: `\`${keyword}\` takes ${takes}, not ${describe(node)}.` };
}

/** The span is the whole value's where none is said. */
type Explanation = Omit<SchemaProblem, 'span'> & Partial<Pick<SchemaProblem, 'span'>>;

function explainNoSchema(node: YamlNode, keyword: string): Explanation {
  const text = stringOf(node);
  const expression = text === undefined ? undefined : readTypeExpression(text);
  if (expression && 'json' in expression && !expression.optional) {
    const { json, description } = expression;
    const written = { ...json, ...(description !== '' && { description }) };
    const newText = flow(written);
    return {
      message: `${show(text)} is shorthand, and this is a JSON Schema, where a schema is a map: \`${newText}\`.`,
      fix: replaceWith(newText, node.span),
    };
  }
  const where = keyword === '' ? 'A schema' : `A schema under \`${keyword}\``;
  return { message: `${where} is a map such as \`{type: string}\`, not ${describe(node)}.` };
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

function unknownType(node: YamlNode, word: string, near: readonly string[]): Explanation {
  const [best] = near;
  const known = JSON_TYPES.map((name) => `\`${name}\``).join(', ');
  if (best === undefined) return { message: `Unknown type ${show(word)}. JSON Schema has ${known}.` };
  return { message: `Unknown type ${show(word)}.${didYouMean(near)}`, fix: replaceWith(best, node.span) };
}
