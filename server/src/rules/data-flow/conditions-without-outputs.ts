/** The advice and the fix for conditions that name an output, although they are evaluated without outputs. */

import { type Fix, fixHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { listItems } from '../../languages/yaml/node.ts';
import type { Condition } from '../../skill/conditions.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains } from '../../text.ts';

/** Returns the sentence about a condition of an interrupt or an artifact (docs/format.md, section 5, "Metadata"). */
export const adviceOnOutputs = ({ place }: Pick<Condition, 'place'>): string =>
  place === 'interrupt'
    ? 'Use an input, or remove `when`, so that the interrupt always fires.'
    : 'Use an input, or remove `include_when`, so that the artifact is always included.';

/** Returns the fix that removes the `when` of an interrupt, or the `include_when` of an artifact. */
export function removeCondition(file: SkillFile, { place, scalar }: Condition): readonly Fix[] {
  if (place === 'execution') return [];
  const key = place === 'interrupt' ? 'when' : 'include_when';
  const maps =
    place === 'interrupt'
      ? listItems(findSkillEntry(file.frontmatter.tree.root, 'interrupts')?.value)
      : file.metadata.map(({ tree }) => tree.root);
  const owner = maps.find((one) => one && contains(one.span, scalar.span));
  return owner?.kind === 'map' ? fixHere(file, `Remove \`${key}\``, removeEntry(file.text, owner, key)) : [];
}
