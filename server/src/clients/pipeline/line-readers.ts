/** The readers of lines that clients have of their own. They do not read YAML, but lines that look like it. */
import type { Span } from '../../text.ts';
import type { Field, FieldValue } from './reading.ts';

/** A reader of lines, named after the client that has it. */
export type LineReader = 'lines-openai' | 'lines-letta' | 'lines-gemini' | 'lines-qwen' | 'lines-droid' | 'lines-qoder';

/** Reads the keys of the YAML in a span of a file, line by line. The last of equal keys is used. Never throws. */
export function readLines(text: string, { start, end }: Span, reader: LineReader): ReadonlyMap<string, Field> {
  const written = text.slice(start, end).replace(/\r?\n$/, '');
  return READERS[reader](reader === 'lines-letta' ? written.replace(/\r\n?/g, '\n') : written);
}

const textField = (value: string): Field => ({ value, text: value });

/** OpenAI Agents SDK 0.20.0, `parseSkillFrontmatter`. */
function openAi(written: string): ReadonlyMap<string, Field> {
  const lines = written.split(/\r?\n/);
  const keys = new Map<string, Field>();
  let root: number | undefined;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at++] ?? '';
    const stripped = line.trim();
    const colon = stripped.indexOf(':');
    const key = stripped.slice(0, Math.max(0, colon)).trim();
    if (stripped.startsWith('#') || key === '') continue;
    const indent = spacesOf(line);
    root ??= indent;
    if (indent !== root) continue;
    const value = stripped.slice(colon + 1).trim();
    const block = /^([>|])(?:([1-9])[+-]?|[+-]([1-9])?)?(?:[ \t]+#.*)?$/.exec(value);
    const digit = block?.[2] ?? block?.[3];
    let margin = digit === undefined ? undefined : indent + Number(digit);
    const below: string[] = [];
    for (; at < lines.length; at++) {
      const next = lines[at] ?? '';
      if (!block && next.trimStart().startsWith('#')) continue;
      if (next.trim() !== '') {
        if (spacesOf(next) < (margin ?? indent + 1)) break;
        if (block) margin ??= spacesOf(next);
      }
      below.push(next);
    }
    if (block) {
      const content = below.map((one) => one.slice(margin ?? 0));
      keys.set(key, textField((block[1] === '|' ? content.join('\n') : folded(content)).trim()));
    } else if (/^["']/.test(value)) keys.set(key, textField(unquoted(value)));
    else keys.set(key, textField(value === '' ? '' : folded([value, ...below.map((one) => one.trim())])));
  }
  return keys;
}

const spacesOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

const unquoted = (value: string): string =>
  value.length >= 2 && /^["']/.test(value) && value[0] === value.at(-1) ? value.slice(1, -1) : value;

/** Folds lines as YAML does: a line break is a space, unless one of the lines is indented. */
function folded(lines: readonly string[]): string {
  let result = '';
  let previous: string | undefined;
  let empty = 0;
  for (const line of lines) {
    if (line === '') {
      empty++;
      continue;
    }
    if (previous !== undefined) {
      const isDeeper = /^[ \t]/.test(previous) || /^[ \t]/.test(line);
      result += isDeeper ? '\n'.repeat(empty + 1) : '\n'.repeat(empty) || ' ';
    }
    result += line;
    previous = line;
    empty = 0;
  }
  return result;
}

/** Letta Code 0.32.18, `parseFrontmatter`. */
function letta(written: string): ReadonlyMap<string, Field> {
  const keys = new Map<string, Field>();
  const lines = written.split('\n');
  let list: { readonly key: string; readonly items: string[] } | undefined;
  const endList = (): void => {
    if (list) keys.set(list.key, list.items.length > 0 ? { value: list.items } : textField(''));
    list = undefined;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const trimmed = line.trim();
    const indent = line.length - line.trimStart().length;
    if (indent > 0) {
      if (indent <= 2 && trimmed.startsWith('-')) list?.items.push(trimmed.slice(1).trim());
      continue;
    }
    endList();
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const key = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    const block = /^([|>])([+-]?)$/.exec(value);
    if (block) {
      const below: string[] = [];
      while (/^(?:\s|$)/.test(lines[at + 1] ?? 'x')) below.push(lines[++at] ?? '');
      keys.set(key, textField(lettaBlock(below, block[1] === '>', block[2] ?? '')));
    } else if (value !== '') keys.set(key, textField(unquoted(value)));
    else list = { key, items: [] };
  }
  endList();
  return keys;
}

/** A folded block of Letta Code has no rule for lines that are indented more. */
function lettaBlock(lines: readonly string[], isFolded: boolean, chomping: string): string {
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  const content = lines.map((line) => (line.trim() === '' ? '' : line.slice(margin)));
  const whole = isFolded
    ? content
        .join('\n')
        .replace(/(?<=[^\n])\n(?!\n|$)/g, ' ')
        .replace(/\n(\n+)(?=[^\n])/g, '$1')
    : content.join('\n');
  if (chomping === '+') return `${whole}\n`;
  return whole.replace(/\n+$/, '') + (chomping === '-' ? '' : '\n');
}

/** Gemini CLI 0.61.0, `parseSimpleFrontmatter`: only `name` and `description`, and the lines below it. */
function gemini(written: string): ReadonlyMap<string, Field> {
  const keys = new Map<string, Field>();
  const lines = written.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, key, value = ''] = /^\s*(name|description):\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (key === undefined) continue;
    const parts = [value.trim()];
    if (key === 'description') while (/^[ \t]+\S/.test(lines[at + 1] ?? '')) parts.push((lines[++at] ?? '').trim());
    keys.set(key, textField(parts.filter((part, i) => part !== '' || (i === 0 && parts.length === 1)).join(' ')));
  }
  return keys;
}

/** Qoder CLI 1.1.52, as it was seen: keys with at most one space before them, and the indented lines below. Quotes stay. */
function qoder(written: string): ReadonlyMap<string, Field> {
  const keys = new Map<string, Field>();
  const lines = written.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, key, value = ''] = /^ ?([\w-]+):\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (key === undefined) continue;
    const parts = [/^[|>][+-]?$/.test(value.trim()) ? '' : value.trim()];
    while (/^(?: {2}|\t)[ \t]*\S/.test(lines[at + 1] ?? '')) parts.push((lines[++at] ?? '').trim());
    keys.set(key, textField(parts.filter((part) => part !== '').join(' ')));
  }
  return keys;
}

/** Qwen Code 0.24.4, `parseSimple`: lists and maps of one level, without values that are null. */
function qwen(written: string): ReadonlyMap<string, Field> {
  const lines = written.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const keys = new Map<string, Field>();
  let current = '';
  let list: FieldValue[] | undefined;
  let map: { readonly key: string; readonly values: Map<string, FieldValue> } | undefined;
  const endMap = (): void => {
    if (map) keys.set(map.key, { value: Object.fromEntries(map.values) });
    map = undefined;
  };
  lines.forEach((line, at) => {
    if (line.startsWith('  - ')) {
      list ??= [];
      list.push(qwenValue(line.slice(4).trim()));
      return;
    }
    if (list) keys.set(current, { value: list });
    if (list) current = '';
    list = undefined;
    const [name, value] = atColon(line);
    if (line.startsWith('  ') && map) {
      map.values.set(name, qwenValue(value));
      return;
    }
    endMap();
    if (!line.includes(':')) return;
    if (value !== '') {
      keys.set(name, { value: qwenValue(value), text: value });
      return;
    }
    current = name;
    const next = lines[at + 1] ?? '';
    if (next.startsWith('  - ') || !next.startsWith('  ')) return;
    map = { key: current, values: new Map() };
    current = '';
  });
  if (list) keys.set(current, { value: list });
  endMap();
  for (const [key, { value, ...field }] of keys) {
    if (value === null) keys.delete(key);
    else keys.set(key, { value: withoutNulls(value), ...field });
  }
  return keys;
}

function withoutNulls(value: FieldValue): FieldValue {
  if (Array.isArray(value)) return value.filter((item) => item !== null);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) as FieldValue;
}

function atColon(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function qwenValue(value: string): FieldValue {
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null') return null;
  if (value === '') return '';
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"'))
    return value.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}

/** Droid 0.225.2: keys at any indentation, lists only for two keys, and values that are JSON. */
function droid(written: string): ReadonlyMap<string, Field> {
  const keys = new Map<string, Field>();
  let list: FieldValue[] | undefined;
  for (const line of written.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    if (list && line.startsWith('- ')) {
      list.push(withoutQuotes(line.slice(2).trim()));
      continue;
    }
    if (!line.includes(':')) continue;
    list = undefined;
    const [key, written] = atColon(line);
    const value = withoutQuotes(written);
    const structure = /^[[{]/.test(value) ? jsonOf(value) : undefined;
    if (structure !== undefined) keys.set(key, { value: structure });
    else if (value === 'true' || value === 'false') keys.set(key, { value: value === 'true', text: value });
    else if (!DROID_LISTS.has(key) || value.startsWith('[')) keys.set(key, textField(value));
    else {
      list = value === '' ? [] : undefined;
      keys.set(key, { value: list ?? value.split(',').map((one) => one.trim()) });
    }
  }
  return keys;
}

const DROID_LISTS: ReadonlySet<string> = new Set(['tools', 'mcpServers']);

const MOST_BRACKETS = 1_000;

const withoutQuotes = (value: string): string => (/^(?:".*"|'.*'|["'])$/.test(value) ? value.slice(1, -1) : value);

/** Returns a JSON value; undefined for other text, and for a value that is nested too deep for the code that follows. */
function jsonOf(text: string): FieldValue | undefined {
  if ((text.match(/[[{]/g)?.length ?? 0) > MOST_BRACKETS) return undefined;
  try {
    return JSON.parse(text) as FieldValue;
  } catch {
    return undefined;
  }
}

const READERS: Readonly<Record<LineReader, (written: string) => ReadonlyMap<string, Field>>> = {
  'lines-openai': openAi,
  'lines-letta': letta,
  'lines-gemini': gemini,
  'lines-qwen': qwen,
  'lines-droid': droid,
  'lines-qoder': qoder,
};
