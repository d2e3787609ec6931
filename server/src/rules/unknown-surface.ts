import { undeclaredInCatalog } from './common/unknown-names.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a surface that is not in the catalog's `surfaces`, if the catalog has that list. */
export const unknownSurface: Rule = {
  name: 'unknown-surface',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    yield* undeclaredInCatalog(analysis, file, 'surface', file.contract.surfaces);
  },
};
