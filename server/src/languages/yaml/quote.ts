/** How a string is written as a YAML scalar: plain where every YAML reader agrees on it, else quoted. */

/** Words and numbers that YAML 1.1 or 1.2 reads as something other than a string. */
const OTHER_TYPE =
  /^(?:~|null|true|false|yes|no|on|off|<<|=|[-+]?(?:\.inf|\.nan)|[-+]?\.?\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|[-+]?0[xob][\da-f_]+|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.\d*)?|\d{4}-\d\d?-\d\d?.*)$/i;

const INDICATOR_FIRST = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/;

/** Characters that only a double-quoted scalar can hold, as an escape. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const UNPRINTABLES = new RegExp(UNPRINTABLE.source, 'g');

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' }),
);

/** True where the text may stand unquoted; `flow` where it is to stand within `[…]` or `{…}`. */
export function isPlainSafe(value: string, flow = false): boolean {
  if (value === '' || value !== value.trim() || UNPRINTABLE.test(value)) return false;
  if (OTHER_TYPE.test(value) || INDICATOR_FIRST.test(value)) return false;
  if (/:(?:\s|$)|\s#/.test(value)) return false;
  return !flow || !/[,[\]{}]|^[-?:]|:["']/.test(value);
}

/** The text as a YAML scalar on one line. `flow` where it is to stand within `[…]` or `{…}`. */
export const formatScalar = (value: string, flow = false): string => (isPlainSafe(value, flow) ? value : quoted(value));

/** The text in the quotes that need the least escaping. */
export const quoted = (value: string): string =>
  !UNPRINTABLE.test(value) && prefersSingle(value) ? singleQuoted(value) : doubleQuoted(value);

/** Quotes a text as it stands in the file, line breaks included: a quoted scalar folds lines as a plain one does. */
export const quotedAsWritten = (source: string): string =>
  prefersSingle(source) ? singleQuoted(source) : `"${source.replace(/["\\]/g, '\\$&')}"`;

/** Only for a text that has nothing in need of an escape. */
export const singleQuoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export const canSingleQuote = (value: string): boolean => !UNPRINTABLE.test(value);

export const doubleQuoted = (value: string): string =>
  `"${value.replace(/["\\]/g, '\\$&').replace(UNPRINTABLES, escapeOf)}"`;

const prefersSingle = (value: string): boolean => count(value, /'/g) < count(value, /["\\]/g);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const escapeOf = (character: string): string =>
  SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
