/** Which form a schema is written in: JSON Schema of a dialect, or shorthand (docs/format.md, section 3). */
import { findValue, jsonOf, stringOf, type YamlMap } from '../yaml/node.ts';
import { type Dialect, type SchemaProblem, show } from './model.ts';
import { entryOf } from './origins.ts';
import type { ParseState } from './parse-state.ts';

/**
 * `type: object`, `properties`, `$ref`, `allOf`/`anyOf`/`oneOf` or `$schema` at the top. Their values have to be what JSON
 * Schema takes, so that a field may be called `properties` or `type`: `{type: string}` is a field.
 */
export function isJsonSchemaMap(map: YamlMap): boolean {
  if (stringOf(findValue(map, 'type')) === 'object') return true;
  if (stringOf(findValue(map, '$ref')) !== undefined || stringOf(findValue(map, '$schema')) !== undefined) return true;
  if (['allOf', 'anyOf', 'oneOf'].some((key) => findValue(map, key)?.kind === 'list')) return true;
  const properties = findValue(map, 'properties');
  return properties?.kind === 'map' && stringOf(findValue(properties, 'type')) === undefined;
}

/** `{type: array, items: …}` is read as two fields, which is unlikely to be meant. */
export function* hintAtJsonSchema(map: YamlMap): Generator<SchemaProblem> {
  const type = entryOf(map, 'type');
  if (stringOf(type?.value) !== 'array' || !findValue(map, 'items') || map.entries.length > 4) return;
  const message =
    'This is read as a map with the fields `type` and `items`. For a list give it a name, `result: {type: array, items: …}`; for a JSON Schema add `$schema`.';
  yield { span: type?.key.span ?? map.span, severity: 'hint', message };
}

const DIALECTS: readonly { readonly pattern: RegExp; readonly dialect: Dialect }[] = [
  { pattern: /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, dialect: '2020-12' },
  { pattern: /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, dialect: 'draft-07' },
];

/** Undefined where `$schema` names a dialect that is not known, which is not checked then. */
export function readDialect(map: YamlMap, { problems }: ParseState): Dialect | undefined {
  const node = findValue(map, '$schema');
  if (!node) return '2020-12';
  const address = stringOf(node);
  const known = DIALECTS.find(({ pattern }) => pattern.test(address ?? ''));
  if (known) return known.dialect;
  const message = `The dialect ${show(jsonOf(node))} is not supported. Write \`https://json-schema.org/draft/2020-12/schema\` or \`http://json-schema.org/draft-07/schema#\`, or leave \`$schema\` out.`;
  problems.push({ span: node.span, message });
  return undefined;
}
