/**
 * Reads the facts of a `SKILL.md` that clients check before its body (docs/format.md, section 9). The facts have no
 * spans, so an edit to the body does not change them.
 */
import { type Frontmatter, parseFrontmatter } from '../languages/yaml/frontmatter.ts';
import { mapEntries, type YamlNode, type YamlTree } from '../languages/yaml/node.ts';
import { sliceOf } from '../text.ts';

export interface TextLength {
  /** Unicode code points. */
  readonly characters: number;
  readonly bytes: number;
}

/** A top-level key with its value. */
export interface WrittenKey {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'list' | 'map';
  /** The beginning of a scalar's value, up to `maxTextOf(name)` UTF-16 code units; empty for lists and maps. */
  readonly text: string;
  /** The length of the whole value. */
  readonly length: TextLength;
  readonly hasTags: boolean;
}

export interface AgentSkillFacts {
  readonly bom: boolean;
  readonly crlf: boolean;
  /** `indented`: the frontmatter follows spaces or empty lines. */
  readonly frontmatter: 'there' | 'empty' | 'missing' | 'indented' | 'unclosed';
  /** `colon`: the only errors are colons in values without quotes. */
  readonly yaml: 'fine' | 'colon' | 'broken';
  /** The top-level keys; only the first of duplicate keys. */
  readonly keys: readonly WrittenKey[];
}

/** The largest number of keys that are read. */
const MAX_KEYS = 200;
/**
 * Returns the longest text that is kept of a key, in UTF-16 code units. The lists of clients show the first two keys; of
 * other keys, only the length of longer strings matters.
 */
const maxTextOf = (name: string): number => (name === 'description' || name === 'when_to_use' ? 20_000 : 200);

/**
 * Reads the facts of a `SKILL.md` from its text and its parsed frontmatter (docs/format.md, section 9). Never throws.
 */
export function readAgentSkillFacts(text: string, frontmatter: Frontmatter): AgentSkillFacts {
  const bom = text.startsWith('\uFEFF');
  const start = bom ? 1 : 0;
  const blanks = /^\s+/.exec(text.slice(start, start + 1000))?.[0].length ?? 0;
  // Some clients skip white space before the frontmatter.
  const below = blanks > 0 && !frontmatter.open ? text.slice(start + blanks) : undefined;
  const read = below === undefined ? frontmatter : parseFrontmatter(below);
  const isIndented = below !== undefined && read.close !== undefined && mapEntries(read.tree.root).length > 0;
  const source = isIndented ? below : text;
  const found = isIndented || below === undefined ? read : frontmatter;
  return {
    bom,
    crlf: source.slice(0, found.bodyStart).includes('\r\n') || (!found.open && /^[^\n]*\r\n/.test(source)),
    frontmatter: isIndented ? 'indented' : kindOf(found),
    yaml: yamlOf(found.tree),
    keys: found.tree.broken ? keysInLines(sliceOf(source, found.content)) : keysOf(source, found.tree),
  };
}

function kindOf({ open, close, tree }: Frontmatter): AgentSkillFacts['frontmatter'] {
  if (!open) return 'missing';
  if (!close) return 'unclosed';
  return tree.root === undefined || (tree.root.kind === 'scalar' && tree.root.value === null) ? 'empty' : 'there';
}

function yamlOf({ broken, problems }: YamlTree): AgentSkillFacts['yaml'] {
  if (!broken) return 'fine';
  return problems.every(({ kind, cause }) => kind !== 'syntax' || cause === 'colon') ? 'colon' : 'broken';
}

function keysOf(source: string, { root }: YamlTree): readonly WrittenKey[] {
  const keys = new Map<string, WrittenKey>();
  for (const { key, value } of mapEntries(root).slice(0, MAX_KEYS)) {
    const name = String(key.value);
    if (!keys.has(name)) keys.set(name, writtenKey(name, typeOf(value), textOf(source, value)));
  }
  return [...keys.values()];
}

/** Returns the keys of a frontmatter that does not parse, like a client that reads it line by line. */
function keysInLines(content: string): readonly WrittenKey[] {
  const lines = content.split(/\r?\n/, MAX_KEYS);
  const keys = lines.flatMap((line) => {
    const [, name, value = ''] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    const text = value.trim().replace(/^(["'])(.*)\1$/, '$2');
    return name === undefined ? [] : [writtenKey(name, text === '' ? 'null' : 'string', text)];
  });
  return keys.filter(({ name }, at) => keys.findIndex((one) => one.name === name) === at);
}

const writtenKey = (name: string, type: WrittenKey['type'], text: string): WrittenKey => ({
  name,
  type,
  text: text.slice(0, maxTextOf(name)),
  length: lengthOf(text),
  hasTags: /[<>]/.test(text),
});

function typeOf(value: YamlNode): WrittenKey['type'] {
  if (value.kind !== 'scalar') return value.kind;
  if (value.value === null) return 'null';
  const type = typeof value.value;
  return type === 'number' || type === 'boolean' ? type : 'string';
}

function textOf(source: string, value: YamlNode): string {
  if (value.kind !== 'scalar') return '';
  if (value.value === null) return '';
  return typeof value.value === 'string' ? value.value : sliceOf(source, value.span);
}

/** Returns the length of a string in code points and in UTF-8 bytes. */
export function lengthOf(text: string): TextLength {
  let characters = 0;
  let bytes = 0;
  for (let at = 0; at < text.length; characters++) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return { characters, bytes };
}
