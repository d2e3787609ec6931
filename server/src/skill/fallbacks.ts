/** The fallbacks of errors (docs/format.md, section 6, "Fallbacks"). */
import { allSchemas, type Schema, typeAt } from '../languages/schema/schema.ts';
import { type Json, jsonOf, type YamlNode } from '../languages/yaml/node.ts';
import { referencesInValue } from './execution/execution.ts';
import { isName } from './kebab-name.ts';
import type { SkillFile } from './skill-file.ts';

/** The replacement for the result of a failed run (docs/format.md, section 6, "Fallbacks"). */
export type Fallback =
  | { readonly kind: 'value'; readonly value: Json }
  /** A value with references to the inputs. */
  | { readonly kind: 'mapping'; readonly mapping: Json }
  | { readonly kind: 'skill'; readonly name: string }
  /** A field of the output, which has no value after a failure. */
  | { readonly kind: 'output'; readonly path: readonly string[] };

/**
 * Reads the fallback of an error. `isSkill` returns whether a skill has a name. A value that is not a map becomes the
 * only required output. Never throws. Implements docs/format.md, section 6, "Fallbacks".
 */
export function readFallback(file: SkillFile, node: YamlNode, isSkill: (name: string) => boolean): Fallback {
  const value = jsonOf(node);
  const schema = file.contract.output?.schema;
  const fitted = (own: Json): Json => {
    const required = schema?.fields.filter((field) => field.required) ?? [];
    const [only, ...others] = required.length > 0 ? required : (schema?.fields ?? []);
    const isMap = typeof own === 'object' && own !== null && !Array.isArray(own);
    return isMap || !only || others.length > 0 ? own : { [only.name]: own };
  };
  if (typeof value === 'string' && isWord(value)) {
    if (!value.startsWith('$') && fallbackSchemas(file).some(({ json }) => constantsIn(json).includes(value)))
      return { kind: 'value', value: fitted(value) };
    const field = findFallbackField(file, value);
    if (field?.side === 'output') return { kind: 'output', path: field.path };
    if (field) return { kind: 'mapping', mapping: fitted(`$input.${field.path.join('.')}`) };
    if (isName(value) && isSkill(value)) return { kind: 'skill', name: value };
  }
  const isMapping = inputReferences(value).length > 0;
  return isMapping ? { kind: 'mapping', mapping: fitted(value) } : { kind: 'value', value: fitted(value) };
}

/** Returns whether a string may be a name: of a constant, a field or a skill. */
export const isWord = (text: string): boolean => /^[\w$.:/-]+$/.test(text);

/** Returns the paths of the references to inputs in a value. Never throws. */
export function inputReferences(value: Json): readonly (readonly string[])[] {
  if (typeof value === 'string')
    return referencesInValue(value).flatMap(({ source, rest }) =>
      source === 'input' && rest !== '' ? [rest.split('.').slice(1)] : [],
    );
  return typeof value === 'object' && value !== null ? Object.values<Json>(value).flatMap(inputReferences) : [];
}

/** Returns the schemas of a skill whose constants and fields a fallback may name. Never throws. */
export const fallbackSchemas = ({ contract }: SkillFile): readonly Schema[] =>
  [contract.input, contract.output].flatMap((side) => side?.schema ?? []);

/** Returns the strings in a schema: constants, values of enumerations, defaults. Never throws. */
export const constantsIn = (schema: Json): readonly string[] =>
  [...allSchemas(schema)].flatMap((part) =>
    [part.const, part.default, ...(Array.isArray(part.enum) ? part.enum : [])].filter(
      (value): value is string => typeof value === 'string',
    ),
  );

/**
 * Returns the field that a fallback such as `locale`, `title.name` or `$input.locale` names; undefined for a name that
 * is not a field, and for a constant of the schemas.
 */
export function findFallbackField(
  file: SkillFile,
  name: string,
): { readonly side: 'input' | 'output'; readonly path: readonly string[] } | undefined {
  const [, prefix, rest = name] = /^\$(input|output)\.(.*)$/.exec(name) ?? [];
  if (prefix === undefined && fallbackSchemas(file).some(({ json }) => constantsIn(json).includes(name)))
    return undefined;
  const path = rest.split('.');
  const sides = prefix === 'input' ? (['input', 'output'] as const) : (['output', 'input'] as const);
  const side = sides.find((one) => {
    const schema = file.contract[one]?.schema;
    return schema !== undefined && typeAt(schema, path) !== undefined;
  });
  return side && { side, path };
}
