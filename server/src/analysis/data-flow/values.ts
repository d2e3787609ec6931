/** The values that flow between the steps of a composite, with their sources. */

import type { ComposesEntry } from '../../skill/contract.ts';
import type { Doubt, Guards } from './doubts.ts';
import { type Field, isAlwaysSet } from './fields.ts';
import { isGuarded, isProven } from './narrowing.ts';

/** A field as a value in the flow. */
export interface FlowValue {
  /** The name of the value in the flow. */
  readonly name: string;
  readonly field: Field;
  /** The source of the value, for messages: "the inputs", or a step such as "`find-page`". */
  readonly source: string;
  /** The entry whose step provides the value; undefined for an input of the composite. */
  readonly entry: ComposesEntry | undefined;
  /** The reason why the step might not run; undefined if it certainly runs. */
  readonly doubt: Doubt | undefined;
  /** True if a parallel step may write another value with this name in the same run. */
  readonly isRaced?: true;
}

/**
 * Returns whether a value is certain enough to provide a required field of a step that runs under the conditions in
 * `guards`.
 */
export const isAvailable = (
  { name, field, entry, doubt }: Pick<FlowValue, 'name' | 'field' | 'entry' | 'doubt'>,
  guards: Guards,
): boolean =>
  (isAlwaysSet(field) ||
    isProven(entry ? { source: entry.step, fields: [field.name] } : { source: 'input', fields: [name] }, guards)) &&
  (!doubt || isGuarded(doubt, guards));

/** Returns text such as "`slug` of `find-page`". */
export const inFlow = ({ name, source }: FlowValue): string => `\`${name}\` of ${source}`;
