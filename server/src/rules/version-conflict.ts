import type { RelatedPlace } from '../finding.ts';
import { type Requirement, rangeConflictsOf } from '../workspace/shared-parts.ts';
import type { IndexedSkill, WorkspaceIndex } from '../workspace/workspace-index.ts';
import { nameOf, placeIn, settledSkill } from './common/composition-places.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Two ranges in one closure that no version can satisfy; reported at the entry of `composes` that brings the second. */
export const versionConflict: Rule = {
  name: 'version-conflict',
  code: 'E017',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 4, "Versions"' },
  dialects: SKILLS,
  *check(index, document) {
    const root = settledSkill(index, document);
    if (!root) return;
    for (const { skill, first, second } of rangeConflictsOf(index.graph, root)) {
      const own = document.contract.requires.filter(
        ({ name, version }) => name === skill && version?.name === second.range,
      );
      const place = second.entry === undefined ? own.at(-1)?.version : document.contract.composes[second.entry];
      if (!place) continue;
      yield {
        span: place.span,
        message: `No version of \`${skill}\` satisfies both ${told(first, root)} and ${told(second, root)}. Change one of the ranges so that they have a version in common.`,
        related: [first, second].flatMap((one) => placeOfRange(index, one, skill)),
      };
    }
  },
};

const told = ({ by, range }: Requirement, root: IndexedSkill): string =>
  `\`${range}\` (required ${by === root ? 'here' : `by \`${nameOf(by)}\``})`;

const placeOfRange = (index: WorkspaceIndex, { by, range }: Requirement, skill: string): RelatedPlace[] =>
  placeIn(
    index,
    by,
    ({ requires }) => requires.find(({ name, version }) => name === skill && version?.name === range)?.version,
    `\`${nameOf(by)}\` requires \`${skill}\` in \`${range}\``,
  );
