/** Findings about an unknown name in a mapping, in `inputs` or in a reference. */

import { replaceName } from '../../analysis/name-fixes.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { FlowProblem } from './flow-problem.ts';

/**
 * Returns the finding for an unknown name. `says` is the message without a period; `known` are the names to suggest.
 */
export function unknownName(
  file: SkillFile,
  span: Span,
  says: string,
  name: string,
  known: readonly string[],
): FlowProblem {
  const near = nearestNames(name, known);
  const advice = didYouMean(near) || (known.length > 0 ? ` Use ${inWords(known.slice(0, 8), 'or')}.` : ' It has none.');
  return {
    rule: 'type-mismatch',
    draft: { span, message: `${says}.${advice}`, fixes: replaceName(file, [span], near) },
  };
}
