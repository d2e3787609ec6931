import type { Analysis } from '../analysis/analysis.ts';
import type { Fix, RelatedPlace } from '../finding.ts';
import { allows, byVersion } from '../workspace/resolve-skill.ts';
import { type RangeConflict, type Requirement, rangeConflictsOf, requirementsOf } from '../workspace/shared-parts.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

import { nameOf, placeIn, settledSkill } from './common/composition-places.ts';
import { requirementsOf as entriesFor, setRange, versionOf, widened } from './common/ranges.ts';
import { fixIn, type Rule, SKILLS } from './rule.ts';

/** Two ranges in one closure that no version can satisfy; reported at the entry of `composes` that brings the second. */
export const versionConflict: Rule = {
  name: 'version-conflict',
  code: 'E017',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Versions"' },
  dialects: SKILLS,
  *check(file, analysis) {
    const root = settledSkill(analysis, file);
    if (!root) return;
    for (const conflict of rangeConflictsOf(analysis.graph, root)) {
      const { skill, first, second } = conflict;
      const own = file.contract.requires.filter(
        ({ name, version }) => name === skill && version?.name === second.range,
      );
      const place = second.entry === undefined ? own.at(-1)?.version : file.contract.composes[second.entry];
      if (!place) continue;
      yield {
        span: place.span,
        message: `No version of \`${skill}\` satisfies both ${told(first, root)} and ${told(second, root)}. Change one of the ranges so that they have a version in common.`,
        related: [first, second].flatMap((one) => placeOfRange(analysis, one, skill)),
        fixes: fixesOf(analysis, root, conflict),
      };
    }
  },
};

const told = ({ by, range }: Requirement, root: IndexedSkill): string =>
  `\`${range}\` (required ${by === root ? 'here' : `by \`${nameOf(by)}\``})`;

const placeOfRange = (analysis: Analysis, { by, range }: Requirement, skill: string): RelatedPlace[] =>
  placeIn(
    analysis,
    by,
    ({ requires }) => requires.find(({ name, version }) => name === skill && version?.name === range)?.version,
    `\`${nameOf(by)}\` requires \`${skill}\` in \`${range}\``,
  );

/** Widening leaves what was allowed; pinning, for who wants one version and no other, comes after. */
function fixesOf(analysis: Analysis, root: IndexedSkill, conflict: RangeConflict): readonly Fix[] {
  const both = [conflict.second, conflict.first];
  return [
    ...both.flatMap((one) => change(analysis, root, conflict, one, 'Widen')),
    ...both.flatMap((one) => change(analysis, root, conflict, one, 'Pin')),
  ];
}

/**
 * Widens one of the ranges by a version that there is, or pins it to that, if all other ranges of the closure allow that version: then the
 * closure can run with it.
 */
function change(
  analysis: Analysis,
  root: IndexedSkill,
  { skill }: RangeConflict,
  one: Requirement,
  how: 'Widen' | 'Pin',
): readonly Fix[] {
  const { by, range } = one;
  const isOne = (other: Requirement) => other.by.uri === by.uri && other.range === range;
  const others = [...requirementsOf(analysis.graph, root)].filter(([name, other]) => name === skill && !isOne(other));
  const fitting = analysis
    .skillsNamed(skill)
    .filter(({ summary }) => others.every(([, other]) => allows(other.range, summary.version)))
    .sort(byVersion)
    .find(({ summary }) => !summary.broken && !summary.deprecated);
  const version = versionOf(fitting?.summary.version);
  const file = analysis.file(by.uri);
  const entry = file && entriesFor(file, skill).find((candidate) => candidate.version.name === range);
  if (version === undefined || !file || !entry) return [];
  const changed = how === 'Widen' ? widened(range, version) : version;
  const edits = setRange(file, entry.version, changed);
  const where = by === root ? '' : ` in \`${nameOf(by)}\``;
  return edits.length === 0 ? [] : [fixIn(`${how} \`${range}\`${where} to \`${changed}\``, [{ uri: by.uri, edits }])];
}
