/** Locates findings about a missing key of the frontmatter. */
import { findEntry } from '../languages/yaml/node.ts';
import { lineAt, lineEnd, type Span, span } from '../text.ts';
import type { SkillFile } from './skill-file.ts';

/**
 * Returns the span to report for a missing key: the `name` entry or the `id` that replaces it, else the opening fence,
 * else the first line with a key.
 */
export function missingKeySpan({ frontmatter: { tree, open }, contract, text, lines }: SkillFile): Span {
  const key = contract.isNamedById ? 'id' : 'name';
  const known = findEntry(tree.root, key)?.span ?? open;
  if (known) return known;
  const line = lineAt(lines, tree.root?.span.start ?? 0);
  return span(lines[line] ?? 0, lineEnd(text, lines, line));
}
