/** The quotes that clients add before they read a frontmatter with an error again. */

export type QuotingRepair =
  | 'quote-claude'
  | 'quote-codex'
  | 'quote-opencode'
  | 'quote-kilo'
  | 'quote-openclaw'
  | 'quote-strands';

/**
 * Returns the text of a frontmatter with quotes around the values that a client puts in quotes. Linear time.
 *
 * @param isList returns whether the client's library reads a value as a list
 */
export function withQuotes(yaml: string, repair: QuotingRepair, isList: (value: string) => boolean): string {
  if (repair === 'quote-opencode') return yaml.split(/\r?\n/).flatMap(asBlock).join('\n');
  if (repair === 'quote-kilo') return yaml.split(/\r?\n/).map(quotedForKilo).join('\n');
  const lines = yaml.split('\n');
  if (repair === 'quote-strands') return lines.map(quotedForStrands).join('\n');
  if (repair === 'quote-codex') return lines.map(quotedForCodex).join('\n');
  if (repair === 'quote-openclaw') return lines.map(quotedForOpenClaw).join('\n');
  const quoted = lines.map((line) => quotedForClaude(line, isList)).join('\n');
  return quoted.replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length));
}

const escaped = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const isQuoted = (value: string): boolean => /^".*"$|^'.*'$/s.test(value);

/** Claude Code 2.1.332: a value with a character that has a meaning in YAML. It also replaces tabs. */
function quotedForClaude(line: string, isList: (value: string) => boolean): string {
  const [, key, value] = /^([a-zA-Z_-]+):\s+(\S.*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined || isQuoted(value) || !/[{}[\]*&#!|>%@`]|: /.test(value)) return line;
  return value.startsWith('[') && value.endsWith(']') && isList(value) ? line : `${key}: ${escaped(value)}`;
}

/**
 * Codex 0.171.0, as it was seen: a value of any map with `: `, or with one of four characters at its start. A comment
 * after the value stays.
 */
function quotedForCodex(line: string): string {
  const [, key, value, comment = ''] = /^(\s*[A-Za-z_][\w-]*):[ \t]+(\S(?:.*?\S)??)([ \t]+#.*|\s*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined || /^["']/.test(value) || !/^[[{@`]|:[ \t]/.test(value)) return line;
  return `${key}: ${escaped(value)}${comment}`;
}

/** OpenClaw 2026.9.6: the description, without quotes around it, and two other keys with a colon in their value. */
function quotedForOpenClaw(line: string): string {
  const [, quote = '', key, written = ''] = /^(["']?)(description|read_when|summary)\1:[ \t]+(.*)$/.exec(line) ?? [];
  const value = written.trim();
  const isBlock = /^[|>](?:[1-9][+-]?|[+-][1-9]?)?$/.test(value);
  if (key === undefined || value === '' || isBlock || (key !== 'description' && !value.includes(': '))) return line;
  return `${quote}${key}${quote}: ${escaped(isQuoted(value) ? value.slice(1, -1) : value)}`;
}

/** OpenCode 1.18.33: a value with a colon becomes a block. */
function asBlock(line: string): readonly string[] {
  const [, key, written = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$/.exec(line) ?? [];
  const value = written.trim();
  if (key === undefined || !value.includes(':') || /^(?:[>|]$|["'])/.test(value)) return [line];
  return [`${key}: |-`, `  ${value}`];
}

/** Kilo 7.7.9: a value with a colon, of a key that is not indented. */
function quotedForKilo(line: string): string {
  const [, key, value = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$/.exec(line) ?? [];
  const text = value.trim();
  return key === undefined || !text.includes(':') || /^["']/.test(text) ? line : `${key}: ${escaped(text)}`;
}

/** Strands Agents 1.19.0: a value with a colon. */
function quotedForStrands(line: string): string {
  const [, key, value] = /^(\s*\w[\w-]*):\s+(.+)$/.exec(line) ?? [];
  return key === undefined || !value?.includes(':') || /^["']/.test(value) ? line : `${key}: ${escaped(value)}`;
}
