/** Finds pairs of mappings with the same target (docs/format.md, section 4, "Mappings"). */
import { stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import type { Span } from '../../text.ts';
import type { ComposesEntry } from '../contract.ts';
import type { SkillFile } from '../skill-file.ts';

/** A pair of a mapping whose target an earlier pair of the same mapping has. */
export interface RepeatedTarget {
  readonly entry: ComposesEntry;
  readonly mapping: YamlMap;
  readonly span: Span;
  /** The name that is mapped. */
  readonly from: string;
  /** The span of the earlier target. */
  readonly first: Span;
  /** A sentence that describes the fault. */
  readonly message: string;
  /** A sentence that describes the fix. */
  readonly advice: string;
}

/**
 * Returns the pairs of mappings with repeated targets, in the order of the file (docs/format.md, section 4,
 * "Mappings"). Never throws.
 */
export const repeatedTargets = (file: SkillFile): readonly RepeatedTarget[] => file.derive(findRepeated);

const findRepeated = ({ contract }: SkillFile): readonly RepeatedTarget[] =>
  contract.composes.flatMap((entry) => [
    ...repeatedIn(entry, entry.inputMapping, (from, first, to) => ({
      message: `\`${first}\` and \`${from}\` are both mapped to the input \`${to}\` of \`${entry.step}\`.`,
      advice: 'Remove one of them.',
    })),
    ...repeatedIn(entry, entry.outputMapping, (from, first, to) => ({
      message: `The outputs \`${first}\` and \`${from}\` of \`${entry.step}\` are both mapped to \`${to}\`.`,
      advice: 'Give them different names.',
    })),
  ]);

function repeatedIn(
  entry: ComposesEntry,
  mapping: YamlMap | undefined,
  tell: (from: string, first: string, to: string) => Pick<RepeatedTarget, 'message' | 'advice'>,
): readonly RepeatedTarget[] {
  const found = new Map<string, { readonly from: string; readonly span: Span }>();
  return (mapping?.entries ?? []).flatMap(({ key, value }) => {
    const to = stringOf(value);
    const from = String(key.value);
    const first = to === undefined ? undefined : found.get(to);
    if (to !== undefined && !first) found.set(to, { from, span: value.span });
    if (!mapping || !first || to === undefined) return [];
    return [{ entry, mapping, span: value.span, from, first: first.span, ...tell(from, first.from, to) }];
  });
}
