/** Findings about keys in the standard whose values must be strings. */
import type { Draft } from '../../../finding.ts';
import { quoteScalar } from '../../../languages/yaml/edit.ts';
import { findValue, type YamlNode } from '../../../languages/yaml/node.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { sliceOf } from '../../../text.ts';
import type { ShapeProblem } from '../../../vocabulary/check-shape.ts';
import { fixHere } from '../../rule.ts';
import { draftOf } from '../shape-problems.ts';

/**
 * Returns the finding for a value that is not a string. `why` is added to the message. For a number or a boolean, the
 * finding is only a warning, because the standard's own validator reads every scalar as text.
 */
export function textDraft(file: SkillFile, problem: ShapeProblem, why = ''): Draft {
  const draft = draftOf(file, { ...problem, message: `${problem.message}${why && ` ${why}`}` });
  const value = findValue(file.frontmatter.tree.root, problem.key);
  if (value?.kind === 'scalar' && typeof value.value !== 'string') return { ...draft, severity: 'warning' };
  if (!isBracketed(file, value)) return draft;
  return { ...draft, fixes: fixHere(file, 'Quote it', quoteScalar(file.text, value.span)) };
}

/** Returns whether a value is a list on one line, such as `[file]`, which the author probably intended as a string. */
export const isBracketed = ({ text }: SkillFile, value: YamlNode | undefined): value is YamlNode =>
  value !== undefined && value.kind === 'list' && value.flow && !/[\r\n]/.test(sliceOf(text, value.span));
