/** Values of scalars without quotes: each library has rules of its own for numbers, dates and words. */

/** The value of a scalar. `date` is its text in ISO 8601. */
export type Resolved = string | number | boolean | null | { readonly date: string };

/** Returns the value of the text of a scalar without quotes; undefined if the rules are those of the core schema. */
export type Resolver = (text: string) => Resolved | undefined;

/** Texts that every library reads in the same way, because they begin with a letter and have no meaning in any schema. */
export const isWord = (text: string): boolean =>
  /^[A-Za-z]/.test(text) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text);

const number = (text: string, base = 10): number => Number.parseInt(text.replaceAll('_', ''), base);

/** Returns the value of whole numbers in a base, with a sign and perhaps `_`. */
function whole(text: string, patterns: readonly (readonly [RegExp, number])[]): number | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  for (const [pattern, base] of patterns) {
    const found = pattern.exec(digits)?.[1];
    if (found === undefined || /^_*$/.test(found)) continue;
    const value = number(found, base);
    return sign === '-' && value !== 0 ? -value : value;
  }
  return undefined;
}

/** Returns the value of numbers in the base 60, such as `12:30`. */
function sexagesimal(text: string): number | undefined {
  const [, sign = '', parts = ''] = /^([-+]?)([1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/.exec(text) ?? [];
  if (parts === '') return undefined;
  const value = parts.split(':').reduce((sum, part) => sum * 60 + Number(part.replaceAll('_', '')), 0);
  return sign === '-' ? -value : value;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(Z|([-+])(\d\d?)(?::(\d\d))?))?$/;

/** Returns a date or a time. Days and months that do not exist are counted on, as JavaScript does. */
function timestamp(text: string): Resolved | undefined {
  const day = DATE.exec(text);
  const parts = day ?? TIME.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 1, date = 1, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const fraction = day ? 0 : Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const zone = Number(parts[10] ?? 0) * 60 + Number(parts[11] ?? 0);
  const offset = (parts[9] === '-' ? -zone : zone) * 60_000;
  const time = new Date(Date.UTC(year, month - 1, date, hour, minute, second, fraction) - offset);
  return Number.isNaN(time.getTime()) ? text : { date: time.toISOString() };
}

const FLOAT_1_1 = /^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?)$/;
const FLOAT_4 = /^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?)$/;

const ofFloat = (text: string, pattern: RegExp): number | undefined =>
  pattern.test(text) && !text.endsWith('_') ? Number(text.replaceAll('_', '')) : undefined;

/** Returns the first value, or the text if it only begins like a number. */
const textOr = (text: string, ...values: readonly (Resolved | undefined)[]): Resolved | undefined => {
  const found = values.find((value) => value !== undefined);
  if (found !== undefined) return found;
  return /^[-+]?\.?\d/.test(text) ? text : undefined;
};

/** Returns the value in the core schema of YAML 1.2. */
export function coreValue(text: string): Resolved {
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return null;
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return /^t/i.test(text);
  if (/^0o[0-7]+$/.test(text)) return Number.parseInt(text.slice(2), 8);
  if (/^(?:[-+]?[0-9]+|0x[0-9a-fA-F]+)$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : text;
}

export const RESOLVERS = {
  core: () => undefined,
  'js-yaml-3': (text) =>
    textOr(
      text,
      timestamp(text),
      text.endsWith('_')
        ? text
        : whole(text, [
            [/^0b([01_]+)$/, 2],
            [/^0x([0-9a-fA-F_]+)$/, 16],
            [/^0([0-7_]+)$/, 8],
            [/^(0|[1-9][0-9_]*)$/, 10],
          ]),
      sexagesimal(text),
      ofFloat(text, FLOAT_1_1),
    ),
  'js-yaml-4-1': (text) =>
    textOr(
      text,
      timestamp(text),
      text.endsWith('_')
        ? text
        : whole(text, [
            [/^0b([01_]+)$/, 2],
            [/^0x([0-9a-fA-F_]+)$/, 16],
            [/^0o([0-7_]+)$/, 8],
            [/^([0-9][0-9_]*)$/, 10],
          ]),
      ofFloat(text, FLOAT_4),
    ),
  'js-yaml-4': (text) => timestamp(text) ?? finite(text),
  bun: (text) => whole(text, [[/^0x([0-9a-fA-F]+)$/, 16]]),
  serde: (text) => (/^[-+]?[0-9][0-9.]*e/i.test(text) && !Number.isFinite(Number(text)) ? text : undefined),
  'go-yaml': (text) =>
    textOr(
      text,
      timestamp(text),
      whole(text, [
        [/^0b([01_]+)$/, 2],
        [/^0x([0-9a-fA-F_]+)$/, 16],
        [/^0o?([0-7_]+)$/, 8],
        [/^([0-9][0-9_]*)$/, 10],
      ]),
      infinite(ofFloat(text, FLOAT_4), text),
    ),
  pyyaml: (text) =>
    /^(?:yes|on|true)$/i.test(text) && isOneCase(text)
      ? true
      : /^(?:no|off|false)$/i.test(text) && isOneCase(text)
        ? false
        : textOr(
            text,
            timestamp(text),
            whole(text, [
              [/^0b([01_]+)$/, 2],
              [/^0x([0-9a-fA-F_]+)$/, 16],
              [/^0([0-7_]+)$/, 8],
              [/^(0|[1-9][0-9_]*)$/, 10],
            ]),
            sexagesimal(text),
            ofFloat(text, /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/),
          ),
} as const satisfies Readonly<Record<string, Resolver>>;

/** js-yaml 4.3: hexadecimal and binary numbers may have a sign, `.5` may not; numbers that are too large are text. */
function finite(text: string): Resolved | undefined {
  const signed = whole(text, [
    [/^0b([01]+)$/, 2],
    [/^0x([0-9a-fA-F]+)$/, 16],
    [/^0o([0-7]+)$/, 8],
  ]);
  if (signed !== undefined || /^[-+]\.\d/.test(text)) return signed ?? text;
  return /^[-+]?[0-9.]+e/i.test(text) && !Number.isFinite(Number(text)) ? text : undefined;
}

const infinite = (value: number | undefined, text: string): Resolved | undefined =>
  value === undefined || Number.isFinite(value) ? value : text;

const isOneCase = (text: string): boolean =>
  text === text.toLowerCase() || text === text.toUpperCase() || /^[A-Z][a-z]+$/.test(text);
