/** The pairs of `input_mapping` and `output_mapping`. */

import { stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import type { Span } from '../../text.ts';
import { findField, type Side } from './fields.ts';

export type MappingKey = 'input_mapping' | 'output_mapping';

/** Returns the pairs of a mapping, without those whose value is not a string. */
export const pairsOf = (
  mapping: YamlMap | undefined,
): readonly { readonly from: string; readonly to: string; readonly fromSpan: Span; readonly toSpan: Span }[] =>
  (mapping?.entries ?? []).flatMap(({ key, value }) => {
    const to = stringOf(value);
    return to === undefined ? [] : [{ from: String(key.value), to, fromSpan: key.span, toSpan: value.span }];
  });

/** A pair of a mapping. */
export type Pair = ReturnType<typeof pairsOf>[number];

/**
 * Returns whether a pair has its two names in the wrong order. `own` is the input or the output of the step, which the
 * pair names on one side.
 */
export const isReversed = (own: Side, { from, to }: Pair, key: MappingKey): boolean => {
  const [right, wrong] = key === 'input_mapping' ? [from, to] : [to, from];
  return !own.isOpen && findField(own, right) !== undefined && findField(own, wrong) === undefined;
};
