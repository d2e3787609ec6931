/**
 * Reads the facts of a `SKILL.md` that clients check before its body (docs/format.md, section 9). The facts have no
 * spans, so an edit to the body does not change them.
 */
import type { StoredReading } from '../clients/pipeline/read.ts';
import { readingsByAll, sizeOf } from '../clients/pipeline/stored.ts';
import { type Frontmatter, parseFrontmatter } from '../languages/yaml/frontmatter.ts';
import { mapEntries, type YamlNode, type YamlProblem, type YamlTree } from '../languages/yaml/node.ts';
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
  /** The last value of a key that is written several times. */
  readonly last?: WrittenKey;
}

export interface AgentSkillFacts {
  readonly bom: boolean;
  readonly crlf: boolean;
  /** True if lines of the frontmatter end with CR only. */
  readonly cr: boolean;
  /** True if spaces follow the hyphens of a fence. */
  readonly hasSpacesAfterFence: boolean;
  /** `indented`: the frontmatter follows spaces or empty lines. `below`: it follows other text. */
  readonly frontmatter: 'there' | 'empty' | 'missing' | 'indented' | 'below' | 'unclosed';
  /**
   * `colon`: the only errors are colons in values without quotes. `sign`: the only errors are values without quotes that
   * begin with a sign of YAML, such as `@`. `tag`: the only errors are tags such as `!about`.
   */
  readonly yaml: 'fine' | 'colon' | 'sign' | 'tag' | 'broken';
  /** The signs at the start of values that are errors; only for `sign`. */
  readonly signs?: string;
  /** The top-level keys; the first of duplicate keys, with the last one in it. */
  readonly keys: readonly WrittenKey[];
  /** The readings of the file by all clients. */
  readonly readings: readonly StoredReading[];
  /** A size that exceeds the same limits of clients as the file; 0 if it exceeds none. */
  readonly bytes: number;
  /**
   * The text that some clients show instead of a description. Undefined if every client reads a description, so that an
   * edit to the body does not change the facts.
   */
  readonly opening?: OpeningText;
}

/** The beginning of the body, or of the whole file if it has no closed frontmatter. */
export interface OpeningText {
  /** The first line that is not empty. */
  readonly line: string;
  /** The lines of the first paragraph that is not a heading, joined by spaces. */
  readonly paragraph: string;
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
  const read = below === undefined ? frontmatter : parseFrontmatter(below, 'hyphens');
  const isIndented = below !== undefined && read.close !== undefined && mapEntries(read.tree.root).length > 0;
  const lower = isIndented ? below : frontmatter.open ? undefined : belowText(text);
  const source = lower ?? text;
  const found = isIndented || below === undefined ? read : frontmatter;
  const used = isIndented || lower === undefined ? found : parseFrontmatter(lower, 'hyphens');
  const head = source.slice(0, used.bodyStart);
  const yaml = yamlOf(used.tree);
  const keys = used.tree.broken ? keysInLines(sliceOf(source, used.content)) : keysOf(source, used.tree);
  const facts: AgentSkillFacts = {
    bom,
    crlf: head.includes('\r\n') || (!used.open && /^[^\n]*\r\n/.test(source)),
    cr: used.open !== undefined && /\r(?!\n)/.test(head),
    hasSpacesAfterFence: [used.open, used.close].some((fence) => fence && /[ \t]$/.test(sliceOf(source, fence))),
    frontmatter: isIndented ? 'indented' : lower === undefined ? kindOf(used) : 'below',
    yaml,
    ...(yaml === 'sign' && { signs: signsOf(source, used.tree) }),
    keys,
    readings: readingsByAll(text),
    bytes: sizeOf(text),
  };
  if (isDescribed(facts)) return facts;
  const isRead = used.close !== undefined && lower === undefined && !facts.cr;
  return { ...facts, opening: openingOf(text.slice(isRead ? used.bodyStart : 0)) };
}

/** The largest number of UTF-16 code units above a frontmatter that follows other text. */
const MAX_ABOVE = 5_000;

/** Returns the part of a file from a frontmatter that follows other text; otherwise undefined. */
function belowText(text: string): string | undefined {
  const at = text.slice(0, MAX_ABOVE).search(/^---[ \t]*\r?$/m);
  const rest = at > 0 ? text.slice(at) : undefined;
  if (rest === undefined) return undefined;
  const { close, tree } = parseFrontmatter(rest, 'hyphens');
  return close && mapEntries(tree.root).some(({ key }) => key.value === 'name') ? rest : undefined;
}

/** Returns whether each client reads a description from the frontmatter, if it reads the file at all. */
const isDescribed = ({ cr, frontmatter, yaml, keys }: AgentSkillFacts): boolean =>
  !cr &&
  frontmatter === 'there' &&
  yaml !== 'broken' &&
  yaml !== 'sign' &&
  keys.some(
    ({ name, type, text }) => name === 'description' && !/^(?:null|list|map)$/.test(type) && text.trim() !== '',
  );

/** The longest opening text that is kept, in UTF-16 code units. */
const MAX_OPENING = 2_000;

function openingOf(text: string): OpeningText {
  const lines = text
    .slice(0, 2 * MAX_OPENING)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const isText = (line: string): boolean => line !== '' && !/^#{1,6}(?:\s|$)/.test(line);
  const start = lines.findIndex(isText);
  const length = lines.slice(start).findIndex((line) => !isText(line));
  const paragraph = start < 0 ? [] : lines.slice(start, length < 0 ? undefined : start + length);
  const line = lines.find((one) => one !== '') ?? '';
  return { line: line.slice(0, MAX_OPENING), paragraph: paragraph.join(' ').slice(0, MAX_OPENING) };
}

function kindOf({ open, close, tree }: Frontmatter): AgentSkillFacts['frontmatter'] {
  if (!open) return 'missing';
  if (!close) return 'unclosed';
  return tree.root === undefined || (tree.root.kind === 'scalar' && tree.root.value === null) ? 'empty' : 'there';
}

function yamlOf({ broken, problems }: YamlTree): AgentSkillFacts['yaml'] {
  if (!broken) return 'fine';
  const isOnly = (wanted: YamlProblem['cause']): boolean =>
    problems.every(({ kind, cause }) => kind !== 'syntax' || cause === wanted);
  return (['colon', 'sign', 'tag'] as const).find(isOnly) ?? 'broken';
}

const signsOf = (source: string, { problems }: YamlTree): string =>
  problems.flatMap(({ kind, span }) => (kind === 'syntax' ? (source[span.start] ?? '') : [])).join('');

function keysOf(source: string, { root }: YamlTree): readonly WrittenKey[] {
  const keys = mapEntries(root)
    .slice(0, MAX_KEYS)
    .map(({ key, value }) => writtenKey(String(key.value), typeOf(value), textOf(source, value)));
  return withLast(keys);
}

/** Returns each key once: its first value, with the last one in it. */
function withLast(keys: readonly WrittenKey[]): readonly WrittenKey[] {
  const found = new Map<string, WrittenKey>();
  for (const key of keys) {
    const first = found.get(key.name);
    found.set(key.name, first ? { ...first, last: key } : key);
  }
  return [...found.values()];
}

/** Returns the keys of a frontmatter that does not parse, like a client that reads it line by line. */
function keysInLines(content: string): readonly WrittenKey[] {
  const lines = content.split(/\r?\n/, MAX_KEYS);
  const keys = lines.flatMap((line) => {
    const [, name, value = ''] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    const text = value
      .trim()
      .replace(/^![^\s"']*\s+/, '')
      .replace(/^(["'])(.*)\1$/, '$2');
    return name === undefined ? [] : [writtenKey(name, text === '' ? 'null' : 'string', text)];
  });
  return withLast(keys);
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
