/** Findings about the standard's keys whose values are texts. */
import type { Draft } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { ShapeProblem } from '../skill/vocabulary/check-shape.ts';
import { findValue } from '../skill/yaml-node.ts';
import { draftOf } from './shape-drafts.ts';

/**
 * What is wrong with the value, and why that matters. A number or a truth value is at most a warning: the standard's
 * own validator reads every scalar as text, although many clients do not.
 */
export function textDraft(document: SkillDocument, problem: ShapeProblem, why = ''): Draft {
  const draft = draftOf(document, { ...problem, message: `${problem.message}${why && ` ${why}`}` });
  const value = findValue(document.frontmatter.tree.root, problem.key);
  const isScalar = value?.kind === 'scalar' && typeof value.value !== 'string';
  return isScalar ? { ...draft, severity: 'warning' } : draft;
}
