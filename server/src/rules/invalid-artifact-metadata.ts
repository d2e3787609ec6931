import type { Draft } from '../finding.ts';
import { findValue } from '../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../nearest.ts';
import type { ArtifactMetadata } from '../skill/artifact-data.ts';
import type { MisplacedMetadata } from '../skill/body.ts';
import { namedOf } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { artifactKeys } from '../vocabulary/artifact-keys.ts';
import { findKey } from '../vocabulary/shape.ts';
import type { ShapeProblem } from '../vocabulary/shape-problem.ts';
import { settledCatalogOf, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { checkAssertions } from './common/assertions.ts';
import { replaceName } from './common/naming-fixes.ts';
import { draftOf } from './common/shape-drafts.ts';
import { fixHere, type Rule } from './rule.ts';

/** An artifact's metadata that cannot be read, stands in the wrong place, or says what its kind does not know. */
export const invalidArtifactMetadata: Rule = {
  name: 'invalid-artifact-metadata',
  code: 'invalid-artifact-metadata',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 5' },
  dialects: ['composer'],
  readsBroken: true,
  *check(index, document) {
    for (const misplaced of document.body?.misplacedMetadata ?? []) yield draftOfMisplaced(misplaced);
    for (const metadata of document.metadata) {
      for (const { span, message, fix } of metadata.tree.problems) {
        yield { span, message, fixes: fix ? [fixHere(document, fix.title, fix.edits)] : [] };
      }
      if (metadata.tree.broken) continue;
      yield* unknownModel(index, document, metadata);
      yield* checkAssertions(metadata);
    }
    for (const problem of document.problems) {
      if (problem.rule === 'invalid-artifact-metadata') yield draftOfProblem(document, problem);
    }
  },
};

const WHY = {
  'not-first': 'it must be the first block of its section. Move it up, right under the heading',
  'not-yaml': 'it must be marked as YAML too. Begin it with three backticks and `yaml artifact`',
  'no-artifact':
    'it must stand in an artifact: under `## Description`, `## Approach`, `## PromptTemplate` or `## Example`',
} as const;

const draftOfMisplaced = ({ fence, reason }: MisplacedMetadata): Draft => ({
  span: fence.infoSpan,
  message: `This fence is marked as an artifact's metadata, but it is not read: ${WHY[reason]}.`,
});

/** A key that another kind of artifact knows is not unknown, it is in the wrong place. */
function draftOfProblem(document: SkillDocument, problem: ShapeProblem): Draft {
  if (problem.kind !== 'unknown-key') return draftOf(document, problem);
  const kinds = Object.entries(artifactKeys).flatMap(([kind, table]) => (findKey(table, problem.key) ? [kind] : []));
  if (kinds.length === 0) return { ...draftOf(document, problem), severity: 'hint' };
  return {
    span: problem.span,
    message: `\`${problem.key}\` is metadata of ${inWords(kinds, 'and')}; here it does nothing. Remove it.`,
  };
}

/** A template variant for a model family that the catalog does not list is never chosen. */
function* unknownModel(
  index: WorkspaceIndex,
  document: SkillDocument,
  { artifact, tree }: ArtifactMetadata,
): Iterable<Draft> {
  const variant = artifact.kind === 'PromptTemplate' ? namedOf(findValue(tree.root, 'model_variant')) : undefined;
  const { models } = settledCatalogOf(index, document.uri);
  if (!variant || !models || models.has(variant.name)) return;
  const near = nearestNames(variant.name, models.keys());
  yield {
    span: variant.span,
    message: `The catalog's \`models\` do not list \`${variant.name}\`, so this variant is never chosen by name.${didYouMean(near)}`,
    severity: 'warning',
    fixes: replaceName(document, [variant.span], near),
  };
}
