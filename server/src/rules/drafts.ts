/** Small things that several rules need to place and to mend. */
import type { SkillDocument } from '../skill/document.ts';
import { findEntry } from '../skill/yaml-node.ts';
import { lineEnd, type Span, span } from '../text.ts';

/** Where a missing frontmatter key is reported: at the `name` entry, else at the opening fence, else at the first line. */
export function placeOfMissingKey({ frontmatter, text, lines }: SkillDocument): Span {
  const name = findEntry(frontmatter.tree.root, 'name');
  return name?.span ?? frontmatter.open ?? span(0, lineEnd(text, lines, 0));
}
