/** Completion of the `fallback` of an error (docs/format.md, section 6, "Fallbacks"). */
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import { constantsIn } from '../../skill/fallbacks.ts';
import { dataProposals } from './data.ts';
import { fieldReferences, offerReferences } from './flow.ts';
import { skillProposals } from './names.ts';
import { Kind, type Offer, Rank } from './proposal.ts';
import { offerAt, wordBefore, written, type YamlCursor } from './yaml-place.ts';

/**
 * Offers the fields of the output as keys; as values, the constants of the output, references to the inputs and, for
 * the whole result, skills.
 */
export function offerFallback(cursor: YamlCursor, _: KeyPath, rest: KeyPath): Offer | undefined {
  const { contract } = cursor.file;
  const { input, output } = contract;
  if (cursor.place.role === 'key') return output && offerAt(cursor, dataProposals(cursor, output.schema, rest));
  const references = offerReferences(cursor, (typed) =>
    fieldReferences('$input', input?.schema.fields ?? [], { typed }).map((one) => ({ ...one, rank: Rank.near })),
  );
  if (references.span.start !== cursor.place.span.start) return references;
  const isWhole = rest.length === 0;
  const constants = isWhole
    ? [...new Set(constantsIn(output?.schema.json ?? {}))].map((label) => ({
        label,
        kind: Kind.EnumMember,
        insert: written(cursor, label),
        rank: Rank.own,
      }))
    : output
      ? dataProposals(cursor, output.schema, rest).map((one) => ({ ...one, rank: Rank.own }))
      : [];
  const { proposals, isIncomplete } = isWhole ? skillProposals(cursor, wordBefore(cursor)) : { proposals: [] };
  const skills = proposals.map((one) => ({ ...one, insert: written(cursor, one.label), rank: Rank.rest }));
  return { ...references, proposals: [...constants, ...references.proposals, ...skills], isIncomplete };
}
