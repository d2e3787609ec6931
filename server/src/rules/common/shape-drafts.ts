/** Findings made of what the vocabularies see (`SkillFile.problems`). */
import type { Draft, Fix } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { ShapeFix, ShapeProblem } from '../../vocabulary/shape-problem.ts';
import { fixHere } from '../rule.ts';

/** The problems of values whose key names `rule` as their judge; of the rest where it is undefined. */
export const valueProblems = ({ problems }: SkillFile, rule: string | undefined): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === 'value' && problem.rule === rule);

/** The problems of keys in a file's own vocabulary; what is wrong in an artifact's metadata names a rule. */
export const keyProblems = ({ problems }: SkillFile, kind: 'unknown-key' | 'missing-key'): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === kind && problem.rule === undefined);

export const fixesOf = (file: SkillFile, mends: readonly ShapeFix[]): readonly Fix[] =>
  mends.map(({ title, edits, safe }) => fixHere(file, title, edits, safe));

export const draftOf = (file: SkillFile, { span, message, mends }: ShapeProblem): Draft => ({
  span,
  message,
  fixes: fixesOf(file, mends),
});
