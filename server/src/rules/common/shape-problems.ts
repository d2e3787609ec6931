/** Findings for `SkillFile.problems`: keys and values that do not match the vocabulary. */
import type { Draft, Fix } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { ShapeFix, ShapeProblem } from '../../vocabulary/check-shape.ts';
import { fixHere } from '../rule.ts';

/**
 * Returns the problems with values that the vocabulary assigns to `rule`; if `rule` is undefined, the problems that the
 * vocabulary assigns to no rule.
 */
export const valueProblems = ({ problems }: SkillFile, rule: string | undefined): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === 'value' && problem.rule === rule);

/**
 * Returns the problems with frontmatter keys. The vocabulary assigns problems with the keys of an artifact's metadata
 * to another rule.
 */
export const keyProblems = ({ problems }: SkillFile, kind: 'unknown-key' | 'missing-key'): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === kind && problem.rule === undefined);

/** Converts the fixes for a problem to fixes for the file. */
export const fixesOf = (file: SkillFile, fixes: readonly ShapeFix[]): readonly Fix[] =>
  fixes.flatMap(({ title, edits, safe }) => fixHere(file, title, edits, safe));

/** Returns the finding for a problem. */
export const draftOf = (file: SkillFile, { span, message, fixes }: ShapeProblem): Draft => ({
  span,
  message,
  fixes: fixesOf(file, fixes),
});
