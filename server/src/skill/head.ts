/** Where a frontmatter key is shown that is missing. */
import { findEntry } from '../languages/yaml/node.ts';
import { lineAt, lineEnd, type Span, span } from '../text.ts';
import type { SkillFile } from './skill-file.ts';

/** At the `name` entry, else at the opening fence, else at the first line that has a key. */
export function headOf({ frontmatter: { tree, open }, text, lines }: SkillFile): Span {
  const known = findEntry(tree.root, 'name')?.span ?? open;
  if (known) return known;
  const line = lineAt(lines, tree.root?.span.start ?? 0);
  return span(lines[line] ?? 0, lineEnd(text, lines, line));
}
