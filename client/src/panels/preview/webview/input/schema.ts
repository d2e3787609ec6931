/** Derives the fields of a form from a JSON Schema. A schema comes from a file, so any key can have any value. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type Field =
  | (FieldBase & { readonly kind: 'choice'; readonly choices: readonly Json[] })
  | (FieldBase & { readonly kind: 'check' })
  | (FieldBase & {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly min: number | undefined;
      readonly max: number | undefined;
      /** The value must be a multiple of this number. */
      readonly step: number | undefined;
    })
  | (FieldBase & { readonly kind: 'text'; readonly maxLength: number | undefined; readonly isDate: boolean })
  | (FieldBase & { readonly kind: 'list'; readonly item: Field; readonly maxItems: number | undefined })
  | (FieldBase & { readonly kind: 'object'; readonly members: readonly Member[] })
  /** A value without its own control, written as JSON. */
  | (FieldBase & { readonly kind: 'json' });

interface FieldBase {
  readonly description: string | undefined;
  readonly fallback: Json | undefined;
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly field: Field;
}

type Keys = Readonly<Record<string, unknown>>;

/** The maximum depth of fields; deeper values are written as JSON. A schema can be recursive. */
const MAX_DEPTH = 6;

export function fieldOf(schema: unknown, depth = 0): Field {
  const keys: Keys = isKeys(schema) ? schema : {};
  const { description, type, properties, items } = keys;
  const common: FieldBase = {
    description: typeof description === 'string' ? description : undefined,
    fallback: keys.default as Json | undefined,
  };
  if (Array.isArray(keys.enum) && keys.enum.length > 0)
    return { ...common, kind: 'choice', choices: keys.enum as Json[] };
  if (type === 'boolean') return { ...common, kind: 'check' };
  if (type === 'number' || type === 'integer') {
    const integer = type === 'integer';
    const [min, max, step] = [keys.minimum, keys.maximum, keys.multipleOf].map(numberOf);
    return { ...common, kind: 'number', integer, min, max, step };
  }
  if (type === 'string') {
    return { ...common, kind: 'text', maxLength: numberOf(keys.maxLength), isDate: keys.format === 'date' };
  }
  if (type === 'array' && isKeys(items) && depth < MAX_DEPTH) {
    return { ...common, kind: 'list', item: fieldOf(items, depth + 1), maxItems: numberOf(keys.maxItems) };
  }
  if ((type === 'object' || type === undefined) && isKeys(properties) && depth < MAX_DEPTH) {
    const required = Array.isArray(keys.required) ? keys.required : [];
    const members = Object.entries(properties).map(([name, member]) => ({
      name,
      required: required.includes(name),
      field: fieldOf(member, depth + 1),
    }));
    return { ...common, kind: 'object', members };
  }
  return { ...common, kind: 'json' };
}

export const isKeys = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true if the values are equal. */
export const same = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Returns a value in one line, as a placeholder or a summary. `most` is the maximum length. */
export const brief = (value: Json | undefined, maxLength = 40): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // Only the beginning of a long value is processed.
  const line = text
    .slice(0, maxLength * 8)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > maxLength || text.length > maxLength * 8 ? `${line.slice(0, maxLength - 1)}…` : line;
};
