/** Small things that several rules need to place and to mend. */

import { findEntry } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt, lineEnd, type Span, span } from '../../text.ts';

/** Where a missing frontmatter key is reported: at the `name` entry, else at the opening fence, else at the first line that has a key. */
export function placeOfMissingKey({ frontmatter, text, lines }: SkillFile): Span {
  const name = findEntry(frontmatter.tree.root, 'name');
  const line = lineAt(lines, frontmatter.tree.root?.span.start ?? 0);
  return name?.span ?? frontmatter.open ?? span(lines[line] ?? 0, lineEnd(text, lines, line));
}
