/** Formats strings as YAML scalars: plain if every YAML parser reads them as the same text, otherwise quoted. */
import type { Json } from './node.ts';

/** Words and numbers that YAML 1.1 or 1.2 does not read as strings. */
const OTHER_TYPE =
  /^(?:~|null|true|false|yes|no|on|off|<<|=|[-+]?(?:\.inf|\.nan)|[-+]?\.?\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|[-+]?0[xob][\da-f_]+|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.\d*)?|\d{4}-\d\d?-\d\d?.*)$/i;

const INDICATOR_FIRST = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/;

/** Characters that only a double-quoted scalar can contain, as escapes. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const UNPRINTABLES = new RegExp(UNPRINTABLE.source, 'g');

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' }),
);

/** Returns whether the text needs no quotes; `flow` is true for a string inside `[…]` or `{…}`. */
export function isPlainSafe(value: string, flow = false): boolean {
  if (value === '' || value !== value.trim() || UNPRINTABLE.test(value)) return false;
  if (OTHER_TYPE.test(value) || INDICATOR_FIRST.test(value)) return false;
  if (/:(?:\s|$)|\s#/.test(value)) return false;
  return !flow || !/[,[\]{}]|^[-?:]|:["']/.test(value);
}

/** Formats a string as a YAML scalar on one line; `flow` is true for a string inside `[…]` or `{…}`. */
export const formatScalar = (value: string, flow = false): string => (isPlainSafe(value, flow) ? value : quoted(value));

/** Quotes a string with the kind of quotes that needs fewer escapes. */
export const quoted = (value: string): string =>
  !UNPRINTABLE.test(value) && prefersSingle(value) ? singleQuoted(value) : doubleQuoted(value);

/**
 * Puts the source text of a plain scalar in quotes. Keeps line breaks, because quoted scalars and plain scalars fold
 * lines in the same way.
 */
export const quotedAsWritten = (source: string): string =>
  prefersSingle(source) ? singleQuoted(source) : `"${source.replace(/["\\]/g, '\\$&')}"`;

/** Puts a string in single quotes. The string must satisfy `canSingleQuote`. */
export const singleQuoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Returns whether a string has no characters that need an escape in double quotes. */
export const canSingleQuote = (value: string): boolean => !UNPRINTABLE.test(value);

/** Puts a string in double quotes, with escapes. Supports all strings. */
export const doubleQuoted = (value: string): string =>
  `"${value.replace(/["\\]/g, '\\$&').replace(UNPRINTABLES, escapeOf)}"`;

const prefersSingle = (value: string): boolean => count(value, /'/g) < count(value, /["\\]/g);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const escapeOf = (character: string): string =>
  SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Formats a value for the position after a key of a block map, with one value per line. A map or list that is not empty
 * begins with a line break and is indented as for a key at column 0.
 */
export function formatBlock(value: Json): string {
  if (typeof value === 'string') return literal(value) ?? formatScalar(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : below(value.map((item) => `- ${afterDash(item)}`));
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return entries.length === 0 ? '{}' : below(entries.map(([key, item]) => entryOf(key, formatBlock(item))));
}

const below = (lines: readonly string[]): string => lines.map((line) => `\n  ${deeper(line)}`).join('');

const deeper = (yaml: string): string => yaml.replace(/\n(?=[^\n])/g, '\n  ');

const entryOf = (key: string, yaml: string): string =>
  `${formatScalar(key, true)}:${yaml.startsWith('\n') ? yaml : ` ${yaml}`}`;

/** Formats an item for the position after its dash. The first line of a map or list is on the line of the dash. */
function afterDash(item: Json): string {
  const yaml = formatBlock(item);
  return yaml.startsWith('\n  ') ? yaml.slice('\n  '.length) : yaml;
}

/** Formats a string of several lines as a literal block; undefined if a literal block cannot contain it. */
function literal(text: string): string | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  const fits =
    lines.length > 1 && !/^\s|\n\n$/.test(text) && lines.every((line) => line === '' || canSingleQuote(line));
  if (!fits) return undefined;
  return `|${text.endsWith('\n') ? '' : '-'}${lines.map((line) => `\n${line && `  ${line}`}`).join('')}`;
}
