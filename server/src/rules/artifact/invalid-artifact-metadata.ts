import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, findValue } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { Fence, MisplacedMetadata } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, span } from '../../text.ts';
import { artifactKeys } from '../../vocabulary/artifact-keys.ts';
import type { ShapeProblem } from '../../vocabulary/check-shape.ts';
import { findKey } from '../../vocabulary/shape.ts';
import { draftOf } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { checkAssertions } from './assertions.ts';

/**
 * Reports artifact metadata that cannot be read, is in the wrong place, or has keys that belong to another artifact
 * kind.
 */
export const invalidArtifactMetadata: Rule = {
  name: 'invalid-artifact-metadata',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  readsTests: true,
  readsBroken: true,
  *check(file) {
    for (const misplaced of file.body?.misplacedMetadata ?? []) yield draftOfMisplaced(file, misplaced);
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

const MISPLACEMENTS = {
  'not-first': 'it is not the first block of its section. Move it up, directly below the heading',
  'not-yaml': 'it is not marked as YAML. Begin it with three backticks and `yaml artifact`',
  'not-marked': 'it is not marked. Begin it with three backticks and `yaml artifact`',
  'no-artifact':
    'it is not in an artifact. Move it below `## Description`, `## Approach`, `## PromptTemplate` or `## Example`',
} as const;

function draftOfMisplaced(file: SkillFile, { fence, reason }: MisplacedMetadata): Draft {
  const { infoSpan } = fence;
  const isUnmarked = reason === 'not-marked';
  const edits = isUnmarked || reason === 'not-yaml' ? [{ span: infoSpan, newText: 'yaml artifact' }] : [];
  return {
    span: isUnmarked && infoSpan.start === infoSpan.end ? openingOf(fence) : infoSpan,
    message: `This metadata has no effect, because ${MISPLACEMENTS[reason]}.`,
    fixes: fixHere(file, 'Mark it with `yaml artifact`', edits),
    // An author may want to show YAML to the model.
    ...(isUnmarked && { severity: 'warning' }),
  };
}

const openingOf = ({ span: { start }, infoSpan: { end } }: Fence): Span => span(start, end);

/**
 * Reports a problem of the metadata. The message for an unknown key names the other kinds of artifact that have this
 * key.
 */
function draftOfProblem(file: SkillFile, problem: ShapeProblem): Draft {
  if (problem.kind !== 'unknown-key') return draftOf(file, problem);
  const kinds = Object.entries(artifactKeys).flatMap(([kind, table]) => (findKey(table, problem.key) ? [kind] : []));
  // A misspelt key is a warning, because the author expects it to have an effect, and so is every key in an assertion.
  if (kinds.length === 0 || problem.depth > 0) {
    const isExpected = problem.fixes.length > 0 || problem.depth > 0;
    return { ...draftOf(file, problem), severity: isExpected ? 'warning' : 'hint' };
  }
  const root = file.metadata.find(({ tree }) => contains(tree.span, problem.span))?.tree.root;
  return {
    span: problem.span,
    message: `\`${problem.key}\` is a metadata key for ${inWords(kinds, 'and')} and has no effect here. Remove it.`,
    fixes:
      root?.kind === 'map' && findEntry(root, problem.key)?.key.span.start === problem.span.start
        ? fixHere(file, `Remove \`${problem.key}\``, removeEntry(file.text, root, problem.key))
        : [],
  };
}
