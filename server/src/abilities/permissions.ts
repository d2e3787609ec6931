/** Reads `allowed-tools`: the tools that a skill can use without confirmation (docs/format.md, section 9). */
import { findValue, listItems, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { readToolWords } from '../skill/tool-words.ts';
import { type Span, span } from '../text.ts';

export interface AllowedTool {
  readonly name: string;
  /** The text in parentheses; undefined if the tool is not restricted. */
  readonly pattern: string | undefined;
  /** The name and the brackets as in the value. */
  readonly text: string;
  readonly span: Span;
}

/** The maximum number of tools that are read. */
const MAX_TOOLS = 500;

export const allowedTools = (file: SkillFile): readonly AllowedTool[] => toolsUnder(file, 'allowed-tools');

/** Returns the tools in the value of a frontmatter key. Never throws. Implements docs/format.md, section 9. */
export function toolsUnder({ text, frontmatter }: SkillFile, key: string): readonly AllowedTool[] {
  const value = findValue(frontmatter.tree.root, key);
  const nodes = value?.kind === 'list' ? listItems(value) : value ? [value] : [];
  return nodes
    .slice(0, MAX_TOOLS)
    .flatMap((node) => toolsIn(text, node))
    .slice(0, MAX_TOOLS);
}

/**
 * Returns the tools in a string value, with the span of each tool. If a word cannot be found in the text because of an
 * escape, its span is the whole value.
 */
function toolsIn(text: string, node: YamlNode): readonly AllowedTool[] {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const written = text.slice(node.span.start, node.span.end);
  let from = 0;
  return readToolWords(node.value)
    .words.slice(0, MAX_TOOLS)
    .map((word) => {
      const at = written.indexOf(word, from);
      if (at >= 0) from = at + word.length;
      const place = at < 0 ? node.span : span(node.span.start + at, node.span.start + from);
      const bracket = word.indexOf('(');
      const isScoped = bracket > 0 && word.endsWith(')');
      const pattern = isScoped ? word.slice(bracket + 1, -1).trim() : undefined;
      return {
        name: bracket > 0 ? word.slice(0, bracket) : word,
        pattern: pattern && /[^*:\s]/.test(pattern) ? pattern : undefined,
        text: word,
        span: place,
      };
    });
}

/** The tools that run any shell command. */
const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Shell', 'shell', 'bash', 'run_shell_command']);

export const isShell = (name: string): boolean => SHELLS.has(name);

export const isAnyCommand = ({ name, pattern }: AllowedTool): boolean => isShell(name) && pattern === undefined;
