/**
 * Decides what the author of a `SKILL.md` means by `$1`: an argument of the call, or code or an amount that a client
 * should deliver as written (docs/rules/unescaped-dollar.md).
 */

import type { Body } from '../skill/body.ts';
import { findTouching, lineStart, type Span } from '../text.ts';
import { placeIn } from './self-running.ts';

/**
 * `awk`, `shell` and `code`: a field, a parameter or a group of the code; `amount`: an amount of money, a cell of a
 * spreadsheet or a formula; `argument`: an argument; `unclear`: code of a shell that may use an argument.
 */
export type DollarMeaning = 'awk' | 'shell' | 'code' | 'amount' | 'argument' | 'unclear';

/** The languages of fences that contain a command line. An empty language may be one of them. */
const SHELLS: ReadonlySet<string> = new Set(['', 'sh', 'bash', 'zsh', 'shell', 'console', 'ksh', 'fish', 'terminal']);

/** The languages of fences with text, in which an author may use an argument. */
const TEXTS: ReadonlySet<string> = new Set([
  'text',
  'txt',
  'plaintext',
  'markdown',
  'md',
  'yaml',
  'yml',
  'json',
  'xml',
  'html',
]);

/** The text after an amount, in any text. */
const AMOUNT = /^(?:\.\d|,\d{3}|\s?(?:million|billion|trillion|thousand|bn|USD|EUR|dollars?|cents?)\b)/;

const UNITS = `mo(?:nth)?|y(?:ea)?r|day|h(?:ou)?r|h|min(?:ute)?|sec(?:ond)?|w(?:ee)?k|user|seat|call|req(?:uest)?|page|GB|MB|TB|M|K|1[KM]|token|MTok|unit|lead|click|image|run|query|person|item`;

/** The text after an amount in prose: a unit or a range. */
const AMOUNT_BEFORE_UNIT = new RegExp(
  String.raw`^(?:\+(?=[\s.,)]|$)|\s?\/\s?(?:${UNITS})\b|\s(?:per|apiece|an?\s(?:${UNITS}))\b|\s?[-–—]\s?(?:\d|\$\d{2,}|\$\d[.,kKmMbB]))`,
);

/** The text before an amount in prose. */
const AMOUNT_AFTER_WORD =
  /(?:\b(?:costs?|price[ds]?|pricing|budget|fees?|pay(?:s|ing)?|paid|worth|spend(?:s|ing)?|spent|charge[ds]?|saves?|savings|revenue|profit|salary|balance|raised|MRR|ARR|EUR|USD|CAD|AUD)\b[:=]?(?:\s(?:of|is|was|are|at|to|by|only|about|around|under|over|from))?\s?|[~≈≤≥±]\s?|[\s(][-+<>]|\$(?:\d{2,}|\d[\d.,]*[.,kKmMbB]\d*)[kKmMbB]?\s?(?:[-–—]|to|and|→|vs\.?)\s?)["'*_(]*$/i;

/** The commands whose quoted argument is a program of its own, so that `$1` in it is a group or a parameter. */
const PROGRAMS =
  /(?:\bperl\s[^'"\n]*|\b(?:rg|ripgrep|sd|fd)\s[^\n]*)['"][^'"\n]*$|\breplace(?:All)?\([^\n]*$|\bs([/|#])[^\n]*\1[^\n]*$/;

/** Returns what a placeholder `$N` of a body means. */
export function meaningOf(text: string, body: Body, { start, end }: Span): DollarMeaning {
  const line = text.slice(Math.max(lineStart(text, start), start - 400), start);
  const after = text.slice(end, end + 80).split('\n', 1)[0] ?? '';
  if (/(?:^|[^\w])\$?[A-Z]{1,3}$/.test(line) || AMOUNT.test(after)) return 'amount';
  const place = placeIn(body, start);
  if (place.kind === 'text' || place.kind === 'comment') return isAmount(line, after) ? 'amount' : 'argument';
  const region = text.slice(Math.max(place.span.start, start - 2000), start);
  if (place.kind === 'fence') {
    const lang = findTouching(body.fences, start, ({ contentSpan }) => contentSpan)?.lang.toLowerCase() ?? '';
    if (lang === 'awk' || lang === 'gawk') return 'awk';
    if (!SHELLS.has(lang) && !TEXTS.has(lang)) return 'code';
  }
  if (isInAwk(region)) return 'awk';
  if (PROGRAMS.test(line)) return 'code';
  if (isInScript(region, text.slice(start, end))) return 'shell';
  return place.kind === 'fence' ? 'unclear' : 'argument';
}

/** Returns true for an amount of money in prose, and for a formula between two dollar signs. */
function isAmount(line: string, after: string): boolean {
  if (AMOUNT_AFTER_WORD.test(line) || AMOUNT_BEFORE_UNIT.test(after)) return true;
  const formula = /^([^$\n]{0,60})\$(?!\d)/.exec(after)?.[1];
  return formula !== undefined && /[\\^_=<>≤≥{}]/.test(formula);
}

/** Returns true at the end of a text that is in the quoted program of `awk`. */
function isInAwk(before: string): boolean {
  const last = [...before.matchAll(/\b[gmn]?awk\b/g)].at(-1);
  return last !== undefined && (before.slice(last.index).match(/'/g)?.length ?? 0) % 2 === 1;
}

/** Returns true at the end of a text that is in a function, a script or a quoted command of a shell. */
function isInScript(before: string, placeholder: string): boolean {
  if (/^\s*#!/.test(before) || /\b(?:ba|z|da|k)?sh\s+-\w{0,4}c\s+'[^'\n]*$/.test(before)) return true;
  if (
    placeholder === '$0' &&
    /(?:\b(?:dirname|basename|realpath|readlink|exec|source|stat|cd)\s+(?:-{1,2}[\w-]*\s+)*|[Uu]sage:\s*)["']?$/.test(
      before,
    )
  )
    return true;
  const opened = [
    ...before.matchAll(/^[ \t]*(?:function[ \t]+[\w:-]+(?:[ \t]*\(\))?|[\w:-]+[ \t]*\(\))[ \t\n]*\{/gm),
  ].at(-1);
  const inFunction = opened && before.slice(opened.index + opened[0].length).replace(/\$\{[^}\n]*\}/g, '');
  if (inFunction !== undefined && !/(?:^|;)[ \t]*\}/m.test(inFunction)) return true;
  return isInHeredoc(before, /<<-?[ \t]*['"]?(\w+)/g);
}

function isInHeredoc(before: string, opening: RegExp): boolean {
  const opened = [...before.matchAll(opening)].at(-1);
  if (!opened) return false;
  const lines = before.slice(opened.index).split('\n');
  return !lines.some((line) => line.trim() === opened[1]);
}

/**
 * Returns the program for which a backslash before `$N` keeps the dollar sign: in double quotes after `awk` or `sh -c`,
 * and in a here-document without quotes. Undefined outside of code, and where the shell does not need the backslash.
 */
export function readerOfBackslash(text: string, body: Body, { start }: Span): 'awk' | 'shell' | undefined {
  const place = placeIn(body, start);
  if (place.kind === 'text' || place.kind === 'comment') return undefined;
  const before = text.slice(Math.max(place.span.start, start - 2000), start);
  if (/\b[gmn]?awk\b[^'"\n]*"[^"\n]*$/.test(before)) return 'awk';
  const isInQuotes = /\b(?:ba|z|da|k)?sh\s+-\w{0,4}c\s+"[^"\n]*$/.test(before);
  if (!isInQuotes && !isInHeredoc(before, /<<-?[ \t]*(\w+)/g)) return undefined;
  return isInAwk(before) ? 'awk' : 'shell';
}
