/** Findings made of what the vocabularies see (`SkillDocument.problems`). */
import type { Draft, Fix } from '../../finding.ts';
import type { SkillDocument } from '../../skill/document.ts';
import type { ShapeMend, ShapeProblem } from '../../vocabulary/shape-problem.ts';
import { fixHere } from '../rule.ts';

/** The problems of values whose key names `rule` as their judge; of the rest where it is undefined. */
export const valueProblems = ({ problems }: SkillDocument, rule: string | undefined): readonly ShapeProblem[] =>
  problems.filter((problem) => problem.kind === 'value' && problem.rule === rule);

/** The problems of keys in a file's own vocabulary; what is wrong in an artifact's metadata names a rule. */
export const keyProblems = (
  { problems }: SkillDocument,
  kind: 'unknown-key' | 'missing-key',
): readonly ShapeProblem[] => problems.filter((problem) => problem.kind === kind && problem.rule === undefined);

export const fixesOf = (document: SkillDocument, mends: readonly ShapeMend[]): readonly Fix[] =>
  mends.map(({ title, edits, safe }) => fixHere(document, title, edits, safe));

export const draftOf = (document: SkillDocument, { span, message, mends }: ShapeProblem): Draft => ({
  span,
  message,
  fixes: fixesOf(document, mends),
});
