import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { findValue } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { findSkillEntry, type Named, namedOf, namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { addToCatalog, replaceName } from './common/name-fixes.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A model that the catalog's `models` do not list. Without that list, models are not checked. */
export const unknownModel: Rule = {
  name: 'unknown-model',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { models } = analysis.settledCatalogOf(file.uri);
    if (!models) return;
    for (const { named, effect } of modelsIn(file)) {
      if (!models.has(named.name)) yield draftOf(analysis, file, named, effect, [...models.keys()]);
    }
  },
};

interface UsedModel {
  readonly named: Named;
  /** What follows from a name that nothing has. */
  readonly effect: string;
}

function* modelsIn(file: SkillFile): Iterable<UsedModel> {
  const { frontmatter, contract, metadata } = file;
  const preferred = namesOf(findSkillEntry(frontmatter.tree.root, 'model_preference')?.value);
  for (const named of preferred) yield { named, effect: 'it cannot be preferred' };
  for (const { value } of contract.samples) {
    const named = namedOf(findValue(value, 'model'));
    if (named) yield { named, effect: 'no template is chosen for it' };
  }
  for (const { artifact, tree } of metadata) {
    const named = artifact.kind === 'PromptTemplate' ? namedOf(findValue(tree.root, 'model_variant')) : undefined;
    if (named && !tree.broken) yield { named, effect: 'this variant is never chosen by name' };
  }
}

function draftOf(
  analysis: Analysis,
  file: SkillFile,
  { name, span }: Named,
  effect: string,
  known: readonly string[],
): Draft {
  const near = nearestNames(name, known);
  const catalog = analysis.catalogOf(file.uri);
  return {
    span,
    message: `The catalog's \`models\` do not list \`${name}\`, so ${effect}.${didYouMean(near)}`,
    fixes: [
      ...replaceName(file, [span], near),
      ...addToCatalog(analysis, catalog, 'models', name, `Add \`${name}\` to the catalog's \`models\``),
    ],
  };
}
