/** Values that a vocabulary knows: choices, booleans, versions, licences, and names by what they name. */

import { sliceOf } from '../../text.ts';
import { alternatives, type Shape } from '../../vocabulary/shape.ts';
import { licenceProposals } from './licences.ts';
import { nameProposals } from './names.ts';
import { Kind, type Proposal } from './proposal.ts';
import { type SkillProposals, skillProposals } from './skills.ts';
import { rangeProposals, versionProposals } from './versions.ts';
import { namesBeside, written, type YamlCursor } from './yaml-place.ts';

const NOTHING: SkillProposals = { proposals: [], isIncomplete: false };

/** What a shape offers at the cursor, each as it has to be written there. */
export function valueProposals(cursor: YamlCursor, shapes: readonly Shape[]): SkillProposals {
  const [first, ...others] = shapes;
  // Most places have one shape.
  if (first && others.length === 0) return ofShape(cursor, first);
  const offers = shapes.map((shape) => ofShape(cursor, shape));
  return {
    proposals: offers.flatMap(({ proposals }) => proposals),
    isIncomplete: offers.some(({ isIncomplete }) => isIncomplete),
  };
}

function ofShape(cursor: YamlCursor, shape: Shape): SkillProposals {
  const only = (proposals: readonly Proposal[]): SkillProposals => ({ proposals, isIncomplete: false });
  switch (shape.kind) {
    case 'choice': {
      const beside = namesBeside(cursor);
      return only(
        shape.choices
          .filter(({ value }) => !beside.has(String(value)))
          .map(({ value, docs }) => ({ label: String(value), kind: Kind.EnumMember, docs })),
      );
    }
    case 'boolean':
      return only([true, false].map((value) => ({ label: String(value), kind: Kind.Keyword })));
    case 'string':
      if (shape.format === 'semver') return only(versionProposals(cursor));
      if (shape.format === 'semver-range') return only(rangeProposals(cursor));
      if (shape.format === 'spdx') return only(licenceProposals());
      return shape.domain === undefined ? only(errorCodes(cursor)) : names(cursor, shape.domain);
    case 'list':
      return inBrackets(cursor, (within) => valueProposals(within, alternatives(shape.items)));
    default:
      return NOTHING;
  }
}

function names(cursor: YamlCursor, domain: NonNullable<(Shape & { kind: 'string' })['domain']>): SkillProposals {
  const { file, place, artifact } = cursor;
  const beside =
    place.role === 'item' || place.role === 'key' || place.path.at(-1) === 'name' ? namesDeclared(cursor) : new Set();
  const composable = place.path[0] === 'composes';
  const { proposals, isIncomplete } =
    domain === 'skill'
      ? skillProposals(cursor, sliceOf(file.text, place.span).slice(0, cursor.offset - place.span.start), composable)
      : { proposals: nameProposals(cursor, domain), isIncomplete: false };
  // An approach takes a subset of what the skill declares.
  const surface =
    artifact === 'Approach' && domain === 'tool' ? new Set(file.contract.tools.map(({ name }) => name)) : undefined;
  return {
    proposals: proposals
      .filter(({ label }) => !beside.has(label) && (surface === undefined || surface.has(label)))
      .map((proposal) => ({ ...proposal, insert: written(cursor, proposal.insert ?? proposal.label) })),
    isIncomplete,
  };
}

/** The other names in the list, also from within one of its maps: `tools: [{name: |}]`. */
function namesDeclared(cursor: YamlCursor): ReadonlySet<string> {
  const { place } = cursor;
  if (place.role !== 'value') return namesBeside(cursor);
  const path = place.path.slice(0, -1);
  return namesBeside({ ...cursor, place: { ...place, role: 'item', path } });
}

/** `retry_on` names errors that the skill itself declares. */
function errorCodes({ tree, place }: YamlCursor): Proposal[] {
  const { root } = tree;
  if (place.path.at(-2) !== 'retry_on' || root?.kind !== 'map') return [];
  const errors = root.entries.find(({ key }) => key.value === 'errors')?.value;
  const items = errors?.kind === 'list' ? errors.items : [];
  return items.flatMap((item) => {
    const code = item.kind === 'map' ? item.entries.find(({ key }) => key.value === 'code')?.value : undefined;
    return code?.kind === 'scalar' ? [{ label: String(code.value), kind: Kind.EnumMember }] : [];
  });
}

/** A list that is begun with one of its values, where nothing stands behind the colon yet. */
function inBrackets(cursor: YamlCursor, propose: (within: YamlCursor) => SkillProposals): SkillProposals {
  const { place, quote } = cursor;
  if (place.role !== 'value' || quote !== '') return NOTHING;
  const { proposals, isIncomplete } = propose({ ...cursor, place: { ...place, flow: true } });
  return {
    proposals: proposals.map((proposal) => ({ ...proposal, insert: `[${proposal.insert ?? proposal.label}]` })),
    isIncomplete,
  };
}
