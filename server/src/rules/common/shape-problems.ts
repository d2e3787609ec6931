/** Findings made of `SkillFile.problems`: where a file does not have the shape of its vocabulary. */
import type { Draft, Fix } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { ShapeFix, ShapeProblem } from '../../vocabulary/check-shape.ts';
import { fixHere } from '../rule.ts';

/** The problems of values that the vocabulary leaves to `rule`; where it is undefined, those that it leaves to none. */
export const valueProblems = ({ problems }: SkillFile, rule: string | undefined): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === 'value' && problem.rule === rule);

/** The problems of keys that are left to no rule: those of the frontmatter, not of an artifact's metadata. */
export const keyProblems = ({ problems }: SkillFile, kind: 'unknown-key' | 'missing-key'): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === kind && problem.rule === undefined);

export const fixesOf = (file: SkillFile, fixes: readonly ShapeFix[]): readonly Fix[] =>
  fixes.flatMap(({ title, edits, safe }) => fixHere(file, title, edits, safe));

export const draftOf = (file: SkillFile, { span, message, fixes }: ShapeProblem): Draft => ({
  span,
  message,
  fixes: fixesOf(file, fixes),
});
