import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import type { Named } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { modelsNamedIn } from './common/mentions.ts';
import { addToCatalog, replaceName } from './common/name-fixes.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports a model that is not in the catalog's `models`, if the catalog has that list. */
export const unknownModel: Rule = {
  name: 'unknown-model',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { models } = analysis.parsedCatalogOf(file.uri);
    if (!models) return;
    for (const model of modelsNamedIn(file)) {
      if (!models.has(model.name)) yield draftOf(analysis, file, model, [...models.keys()]);
    }
  },
};

function draftOf(analysis: Analysis, file: SkillFile, { name, span }: Named, known: readonly string[]): Draft {
  const near = nearestNames(name, known);
  const catalog = analysis.catalogOf(file.uri);
  return {
    span,
    message: `Unknown model \`${name}\`.${didYouMean(near) || ' Add it to `models` in the catalog.'}`,
    fixes: [
      ...replaceName(file, [span], near),
      ...addToCatalog(analysis, catalog, 'models', name, `Add \`${name}\` to the catalog's \`models\``),
    ],
  };
}
