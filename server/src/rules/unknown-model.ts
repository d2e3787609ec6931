import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { findValue } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { findSkillEntry, type Named, namedOf, namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
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
    for (const model of modelsIn(file)) {
      if (!models.has(model.name)) yield draftOf(analysis, file, model, [...models.keys()]);
    }
  },
};

/** Returns the models that are named in the preference, the samples and the templates of a skill. */
function* modelsIn(file: SkillFile): Iterable<Named> {
  const { frontmatter, contract, metadata } = file;
  yield* namesOf(findSkillEntry(frontmatter.tree.root, 'model_preference')?.value);
  for (const { value } of contract.samples) {
    const named = namedOf(findValue(value, 'model'));
    if (named) yield named;
  }
  for (const { artifact, tree } of metadata) {
    const named = artifact.kind === 'PromptTemplate' ? namedOf(findValue(tree.root, 'model_variant')) : undefined;
    if (named && !tree.broken) yield named;
  }
}

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
