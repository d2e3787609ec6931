/** The comment that silences one finding (interfaces.md, "Severities"), in the syntax that fits the place. */
import type { Finding, Fix } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import { contains, lineAt, lineBreakOf, span } from '../text.ts';

export function silence(document: SkillDocument, { rule, span: place }: Finding): Fix {
  const { text, lines, uri } = document;
  const start = lines[lineAt(lines, place.start)] ?? 0;
  const indent = /^[ \t]*/.exec(text.slice(start, place.start))?.[0] ?? '';
  const yaml = [document.frontmatter.tree, ...document.metadata.map(({ tree }) => tree)];
  const directive = `skill-disable-next-line ${rule}`;
  const comment = yaml.some((tree) => contains(tree.span, place)) ? `# ${directive}` : `<!-- ${directive} -->`;
  return {
    title: `Silence \`${rule}\` here`,
    safe: false,
    edits: [{ uri, edits: [{ span: span(start, start), newText: indent + comment + lineBreakOf(text) }] }],
  };
}
