/** Findings about the standard's keys whose values are texts. */
import type { Draft } from '../../../finding.ts';
import { quoteScalar } from '../../../languages/yaml/edit.ts';
import { findValue, type YamlNode } from '../../../languages/yaml/node.ts';
import type { SkillDocument } from '../../../skill/document.ts';
import { sliceOf } from '../../../text.ts';
import type { ShapeProblem } from '../../../vocabulary/shape-problem.ts';
import { fixHere } from '../../rule.ts';
import { draftOf } from '../shape-drafts.ts';

/**
 * What is wrong with the value, and why that matters. A number or a truth value is at most a warning: the standard's
 * own validator reads every scalar as text, although many clients do not.
 */
export function textDraft(document: SkillDocument, problem: ShapeProblem, why = ''): Draft {
  const draft = draftOf(document, { ...problem, message: `${problem.message}${why && ` ${why}`}` });
  const value = findValue(document.frontmatter.tree.root, problem.key);
  if (value?.kind === 'scalar' && typeof value.value !== 'string') return { ...draft, severity: 'warning' };
  if (!isBracketed(document, value)) return draft;
  return { ...draft, fixes: [fixHere(document, 'Quote it', quoteScalar(document.text, value.span))] };
}

/** `[file]` without quotes on one line, which its author sees as text. */
export const isBracketed = ({ text }: SkillDocument, value: YamlNode | undefined): value is YamlNode =>
  value !== undefined && value.kind === 'list' && value.flow && !/[\r\n]/.test(sliceOf(text, value.span));
