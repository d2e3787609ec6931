import type { Draft } from '../finding.ts';
import { findValue } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import type { MisplacedMetadata } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { artifactKeys } from '../vocabulary/artifact-keys.ts';
import type { ShapeProblem } from '../vocabulary/check-shape.ts';
import { findKey } from '../vocabulary/shape.ts';
import { checkAssertions } from './common/assertions.ts';
import { draftOf } from './common/shape-problems.ts';
import { fixHere, type Rule } from './rule.ts';

/** An artifact's metadata that cannot be read, is in the wrong place, or does not fit its kind. */
export const invalidArtifactMetadata: Rule = {
  name: 'invalid-artifact-metadata',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsBroken: true,
  *check(file) {
    for (const misplaced of file.body?.misplacedMetadata ?? []) yield draftOfMisplaced(misplaced);
    for (const metadata of file.metadata) {
      for (const { span, message, fix } of metadata.tree.problems) {
        yield { span, message, fixes: fix ? fixHere(file, fix.title, fix.edits) : [] };
      }
      if (metadata.tree.broken) continue;
      yield* checkAssertions(file, findValue(metadata.tree.root, 'assertions'));
    }
    for (const problem of file.problems) {
      if (problem.rule === 'invalid-artifact-metadata') yield draftOfProblem(file, problem);
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

/** A key that another kind of artifact has is in the wrong place. */
function draftOfProblem(file: SkillFile, problem: ShapeProblem): Draft {
  if (problem.kind !== 'unknown-key') return draftOf(file, problem);
  const kinds = Object.entries(artifactKeys).flatMap(([kind, table]) => (findKey(table, problem.key) ? [kind] : []));
  if (kinds.length === 0) return { ...draftOf(file, problem), severity: 'hint' };
  return {
    span: problem.span,
    message: `\`${problem.key}\` is metadata of ${inWords(kinds, 'and')}; here it does nothing. Remove it.`,
  };
}
