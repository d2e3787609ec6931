/** The names of values in conditions: `$input.x`, `parameters.x` and `x` are one value. */
import type { Expression } from '../../languages/minijinja/ast.ts';
import { type AttributePath, keyOf, pathOf } from '../../languages/minijinja/defined-names.ts';
import { plainName } from '../../skill/conditions.ts';

/** A value that a reference names: an input of the composite, or an output of a step, with the fields after it. */
export interface ValuePath {
  /** `input`, or the name of a step. */
  readonly source: string;
  /** The names after `$input`, or after `$step.output`. */
  readonly fields: readonly string[];
}

/** Returns the keys of the names that a value has in conditions. `$input.x`, `parameters.x` and `x` are one value. */
export function keysOf({ source, fields }: ValuePath): readonly string[] {
  const paths =
    source === 'input'
      ? [fields, ['parameters', ...fields], [plainName('input'), ...fields]]
      : [[plainName(source), 'output', ...fields]];
  return paths.map((path) => path.join('\0'));
}

/** Returns the path of the value with a key (see `keyOf`); undefined if the key names another value. */
export function valuePathOf(key: string): ValuePath | undefined {
  const [root = '', ...fields] = key.split('\0');
  if (root === 'parameters' || root === plainName('input'))
    return fields.length > 0 ? { source: 'input', fields } : undefined;
  // The name of a step is not certain, because a hyphen becomes an underscore.
  if (root.startsWith('_'))
    return fields[0] === 'output' ? { source: root.slice(1), fields: fields.slice(1) } : undefined;
  return { source: 'input', fields: [root, ...fields] };
}

/** Returns the path of an expression that is only a value; undefined for other expressions. */
export const valuePathIn = (expression: Expression): ValuePath | undefined => valueAtPath(pathOf(expression));

/** Returns the path of the value that an attribute path reads. */
export function valueAtPath({ base, segments }: AttributePath): ValuePath | undefined {
  const key = base.kind === 'name' ? keyOf(base.name, segments) : undefined;
  return key === undefined ? undefined : valuePathOf(key);
}

/** Returns whether an expression is only the value with one of these keys, or a field of it. */
export function isPathWithin(expression: Expression, keys: readonly string[]): boolean {
  const { base, segments } = pathOf(expression);
  const own = base.kind === 'name' ? keyOf(base.name, segments) : undefined;
  return own !== undefined && keys.some((key) => own === key || own.startsWith(`${key}\0`));
}

/** Returns whether an expression is only the value with one of these keys. */
export const isPathWith = (expression: Expression, keys: readonly string[]): boolean => {
  const { base, segments } = pathOf(expression);
  return base.kind === 'name' && keys.includes(keyOf(base.name, segments) ?? '');
};
