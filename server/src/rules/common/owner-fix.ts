/** The fix for a skill that nobody answers for: whoever wrote it. */
import type { Fix } from '../../finding.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { namedOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { addKey } from './insert-key.ts';

/** None where the skill names no author. */
export function addOwner(file: SkillFile): readonly Fix[] {
  const author = namedOf(findValue(file.frontmatter.tree.root, 'author'))?.name;
  return author ? addKey(file, 'owner', formatScalar(author, true)) : [];
}
