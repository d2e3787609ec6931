/** The fallbacks of errors that are constants or fields of the schemas (docs/format.md, section 6, "Contracts"). */
import { allSchemas, type Schema, typeAt } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { SkillFile } from './skill-file.ts';

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
