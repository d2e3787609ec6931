/** Validates strings of a format: versions, version ranges, licences. */
import { coerce, parse, validRange } from 'semver';
import parseSpdx from 'spdx-expression-parse';
import identifiers from 'spdx-license-ids/index.json' with { type: 'json' };
import type { Format } from './shape.ts';

interface FormatProblem {
  readonly message: string;
  readonly suggestion?: string;
}

/** What is wrong with a string of a format; undefined if nothing. Conditions and regular expressions are checked elsewhere. */
export function checkFormat(value: string, format: Format, key: string): FormatProblem | undefined {
  switch (format) {
    case 'semver':
      return isSemver(value) ? undefined : semverProblem(value, key);
    case 'semver-range':
      if (validRange(value) !== null) return undefined;
      return { message: `\`${value}\` is no version range. Write \`^1.2.0\`, \`~1.2.0\`, \`>=1.2.0\` or \`1.2.3\`.` };
    case 'spdx':
      return isSpdx(value) ? undefined : spdxProblem(value, key);
    default:
      return undefined;
  }
}

/** semver.org's own form: no leading `v`, no blanks, three numbers. */
const isSemver = (value: string): boolean => /^\d/.test(value) && parse(value)?.raw === value;

function semverProblem(value: string, key: string): FormatProblem {
  const suggestion = coerce(value)?.version;
  return {
    message: `\`${value}\` is no semantic version; \`${key}\` needs three numbers, such as \`${suggestion ?? '1.0.0'}\`.`,
    ...(suggestion ? { suggestion } : {}),
  };
}

/** What authors write for code that nobody may use; npm accepts both words. */
const CLOSED = ['UNLICENSED', 'Proprietary', 'proprietary'];

/** Most skills name a single licence, which needs no parser. */
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

/** Names that are common in the wild and what SPDX calls them. */
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

function spdxProblem(value: string, key: string): FormatProblem {
  const suggestion = COMMON.get(value.toLowerCase());
  return {
    message: `\`${value}\` is no SPDX licence expression. \`${key}\` takes one such as \`${suggestion ?? 'MIT'}\`, or \`LicenseRef-…\` for a licence of your own.`,
    ...(suggestion ? { suggestion } : {}),
  };
}
