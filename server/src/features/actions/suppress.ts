/** The comment that suppresses one finding (docs/format.md, section 6), in the syntax that fits the place. */
import type { Finding, Fix } from '../../finding.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import { findRule } from '../../rules/index.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, findTouching, lineAt, lineBreakOf, span, spanOf } from '../../text.ts';

/**
 * Undefined where a comment above the line is not possible or would mean something else: above the frontmatter, in code
 * and templates, within a scalar of several lines.
 */
export function suppressionFix(file: SkillFile, { rule, span: place }: Finding): Fix | undefined {
  const { text, lines, uri, body, frontmatter } = file;
  if (findRule(rule)?.isSuppressible === false) return undefined;
  const start = Math.max(lines[lineAt(lines, place.start)] ?? 0, text.startsWith('\uFEFF') ? 1 : 0);
  const trees = [frontmatter.tree, ...file.metadata.map(({ tree }) => tree)];
  const tree = trees.find((candidate) => contains(candidate.span, place));
  if (tree ? tree.root && isInText(tree.root, start) : start < frontmatter.bodyStart) return undefined;
  if (!tree && body?.fences.some(({ contentSpan }) => contentSpan.start <= start && start < contentSpan.end))
    return undefined;
  // A suppression does not apply to a blank line.
  if (/^[ \t]*(?:[\r\n]|$)/.test(text.slice(start, start + 1000))) return undefined;
  const indent = /^[ \t]*/.exec(text.slice(start, place.start))?.[0] ?? '';
  const directive = `skill-disable-next-line ${rule}`;
  const comment = tree ? `# ${directive}` : `<!-- ${directive} -->`;
  return {
    title: `Silence \`${rule}\` here`,
    safe: false,
    edits: [{ uri, edits: [{ span: span(start, start), newText: indent + comment + lineBreakOf(text) }] }],
  };
}

/** Whether an offset is within a scalar, where a comment would be part of its text. */
function isInText(node: YamlNode, offset: number): boolean {
  if (offset <= node.span.start || offset >= node.span.end) return false;
  if (node.kind === 'scalar') return true;
  if (node.kind === 'list') {
    const item = findTouching(node.items, offset, spanOf);
    return item !== undefined && isInText(item, offset);
  }
  const entry = findTouching(node.entries, offset, spanOf);
  return entry !== undefined && (isInText(entry.key, offset) || isInText(entry.value, offset));
}
