/** The frontmatter around a cursor, also while it is being typed: without a closing fence or a first whole key. */
import type { YamlTree } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt, lineEnd, span } from '../../text.ts';

/** A line that YAML can have, a word that may become a key included. */
const YAML_LINE = /^(?:[ \t]|["']?[\w$][^:]*:(?:[ \t]|$)|["']?[\w-]*$|-(?:[ \t]|$)|#|[\]}])/;

const MAX_LINES = 2_000;

export function findFrontmatter(file: SkillFile, offset: number): YamlTree | undefined {
  const { frontmatter, text, lines, dialect } = file;
  const { open, close, content, tree } = frontmatter;
  // On the line of the closing fence nothing is completed.
  if ((open && close) || dialect === 'contract' || dialect === 'catalog') {
    return content.start <= offset && (close ? offset < content.end : offset <= content.end) ? tree : undefined;
  }
  if (!/^\uFEFF?---[ \t]*(?:\r|\n|$)/.test(text.slice(0, 200)) || offset < (lines[1] ?? Number.POSITIVE_INFINITY)) {
    return undefined;
  }
  const at = lineAt(lines, offset);
  if (at > MAX_LINES) return undefined;
  const isYaml = (line: number): boolean =>
    YAML_LINE.test(text.slice(lines[line], Math.min(lineEnd(text, lines, line), (lines[line] ?? 0) + 500)));
  for (let line = 1; line <= at; line++) if (!isYaml(line)) return undefined;
  let last = at;
  while (last + 1 < lines.length && last < MAX_LINES && isYaml(last + 1) && !isBlank(text, lines, last + 1)) last++;
  return { ...tree, span: span(lines[1] ?? 0, lineEnd(text, lines, last)) };
}

const isBlank = (text: string, lines: readonly number[], line: number): boolean =>
  text.slice(lines[line], lineEnd(text, lines, line)).trim() === '';
