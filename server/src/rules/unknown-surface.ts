import { undeclaredInCatalog } from './common/unknown-names.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A surface that the catalog's `surfaces` do not list. Without that list, surfaces are not checked. */
export const unknownSurface: Rule = {
  name: 'unknown-surface',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    yield* undeclaredInCatalog(analysis, file, 'surface', file.contract.surfaces, 'the skill is offered nowhere by it');
  },
};
