/** Validates strings that must have a format: versions, version ranges, dates, licences. */
import { coerce, parse, validRange } from 'semver';
import parseSpdx from 'spdx-expression-parse';
import identifiers from 'spdx-license-ids/index.json' with { type: 'json' };
import type { Format } from './shape.ts';

interface FormatProblem {
  readonly message: string;
  readonly suggestion?: string;
  /** True if the value is read as the suggestion. */
  readonly isHint?: true;
}

/**
 * Returns the problem of a string, or undefined if it has the format. `subject` is the subject of the message. Conditions
 * and regular expressions are checked elsewhere.
 */
export function checkFormat(value: string, format: Format, subject: string): FormatProblem | undefined {
  switch (format) {
    case 'semver':
      return semverProblem(value);
    case 'semver-range':
      if (validRange(value) !== null) return undefined;
      return {
        message: `\`${value}\` is not a version range. Write for example \`^1.2.0\`, \`~1.2.0\`, \`>=1.2.0\` or \`1.2.3\`.`,
      };
    case 'date':
      return isDate(value) ? undefined : dateProblem(value);
    case 'semver-or-date':
      return isSemver(value) || isDate(value) ? undefined : sinceProblem(value);
    case 'spdx':
      return isSpdx(value) ? undefined : spdxProblem(value);
    case 'address':
      return isAddress(value) ? undefined : { message: addressMessage(value, subject) };
    default:
      return undefined;
  }
}

/** A URL with a scheme and any host; the URL of a file or a socket has no host. */
const URL_FORM =
  /^[a-z][a-z\d+.-]*:\/\/(?:\/|(?:[^\s/@]+@)?(?:\[[\da-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?)(?::(\d{1,5}))?(?:[/?#]|$))\S*$/iu;

/** An address without a scheme; a single word is a host only with a port. */
const HOST_FORM =
  /^(?:\[[\da-f:.]+\]|localhost|[\p{L}\p{N}_-]+(?:(?:\.[\p{L}\p{N}_-]+)+\.?|(?=:)))(?::(\d{1,5}))?(?:\/\S*)?$/iu;

/** A name with a scheme, such as `arn:aws:lambda:…`. */
const OPAQUE_FORM = /^[a-z][a-z\d+-]*:[^\s\d/]\S*$/i;

/** Accepts a URL, a host with optional port and path, and a placeholder that is filled in at start: `${TITLES_URL}`. */
function isAddress(value: string): boolean {
  if (/\s/.test(value)) return false;
  if (/\$\{?\w|\{\{/.test(value) || OPAQUE_FORM.test(value)) return true;
  const match = URL_FORM.exec(value) ?? HOST_FORM.exec(value);
  return match !== null && Number(match[1] ?? 1) <= 65_535;
}

const addressMessage = (value: string, subject: string): string =>
  `${subject} must be an address, but is \`${value}\`. Write a URL such as \`https://titles.example.com/v1\`, or a host and port such as \`titles.internal:8443\`.`;

/** Accepts only the form of semver.org: no leading `v`, no spaces, three numbers. */
const isSemver = (value: string): boolean => /^\d/.test(value) && parse(value)?.raw === value;

/** Returns a version with three numbers for a version with two; other text as it is. */
export const wholeVersion = (value: string): string =>
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/.test(value) ? `${value}.0` : value;

/** Returns the problem of a string that is not in the form of semver.org; undefined for a version. */
export function strictSemverProblem(value: string): FormatProblem | undefined {
  if (isSemver(value)) return undefined;
  const suggestion = coerce(value)?.version;
  return {
    message: `\`${value}\` is not a semantic version. Write three numbers, for example \`${suggestion ?? '1.0.0'}\`.`,
    ...(suggestion ? { suggestion } : {}),
  };
}

function semverProblem(value: string): FormatProblem | undefined {
  const whole = wholeVersion(value);
  if (whole === value) return strictSemverProblem(value);
  return { message: `\`${value}\` is read as \`${whole}\`. Write three numbers.`, suggestion: whole, isHint: true };
}

/** Accepts an existing day, such as `2025-03-31`. */
export const isDate = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && toDate(...(value.split('-').map(Number) as [number, number, number])) === value;

/** Returns undefined if the month does not have the day. */
function toDate(year: number, month: number, day: number): string | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  if (day < 1 || day > days) return undefined;
  return [String(year).padStart(4, '0'), ...[month, day].map((number) => String(number).padStart(2, '0'))].join('-');
}

/** Returns the intended date if only its form is wrong: `2031-6-3`, `2031/06/03`. */
function nearDate(value: string): string | undefined {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(value) ?? [];
  return year === undefined ? undefined : toDate(Number(year), Number(month), Number(day));
}

function dateProblem(value: string): FormatProblem {
  const suggestion = nearDate(value);
  return {
    message: `\`${value}\` is not a date. Write for example \`${suggestion ?? '2031-06-30'}\`.`,
    ...(suggestion ? { suggestion } : {}),
  };
}

function sinceProblem(value: string): FormatProblem {
  const suggestion = nearDate(value) ?? (/^v?\d+(\.\d+)?$/.test(value) ? coerce(value)?.version : undefined);
  return {
    message: `\`${value}\` is neither a version nor a date. Write for example \`${suggestion ?? '1.3.0'}\`${suggestion ? '' : ' or `2031-06-30`'}.`,
    ...(suggestion ? { suggestion } : {}),
  };
}

/** Values for code without a licence; npm accepts both words. */
const CLOSED = ['UNLICENSED', 'Proprietary', 'proprietary'];

/** Single licences. The parser is not needed for most skills, which have a single licence. */
const SINGLE: ReadonlySet<string> = new Set([...identifiers, ...CLOSED]);

function isSpdx(value: string): boolean {
  if (SINGLE.has(value)) return true;
  try {
    parseSpdx(value);
    return true;
  } catch {
    return false;
  }
}

/** Common names of licences, with their SPDX identifiers. */
const COMMON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mit: 'MIT',
    'mit license': 'MIT',
    'apache 2.0': 'Apache-2.0',
    'apache 2': 'Apache-2.0',
    apache: 'Apache-2.0',
    'apache license 2.0': 'Apache-2.0',
    'apache-2': 'Apache-2.0',
    bsd: 'BSD-3-Clause',
    'bsd-3': 'BSD-3-Clause',
    'bsd-2': 'BSD-2-Clause',
    gpl: 'GPL-3.0-or-later',
    gplv2: 'GPL-2.0-only',
    gplv3: 'GPL-3.0-only',
    'gpl-3': 'GPL-3.0-only',
    agpl: 'AGPL-3.0-or-later',
    agplv3: 'AGPL-3.0-only',
    lgpl: 'LGPL-3.0-or-later',
    mpl: 'MPL-2.0',
    'mpl 2.0': 'MPL-2.0',
    cc0: 'CC0-1.0',
    'cc by 4.0': 'CC-BY-4.0',
    unlicense: 'Unlicense',
    isc: 'ISC',
  }),
);

function spdxProblem(value: string): FormatProblem {
  const suggestion = COMMON.get(value.toLowerCase());
  return {
    message: `\`${value}\` is not an SPDX licence expression. Write for example \`${suggestion ?? 'MIT'}\`, or \`LicenseRef-…\` for your own licence.`,
    ...(suggestion ? { suggestion } : {}),
  };
}
