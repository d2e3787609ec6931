/** Prints a failed test: the difference, the source of the failure, and the command that runs only this test. */
import { inspect, stripVTControlCharacters } from 'node:util';
import { structuredPatch } from 'diff';
import { sourceFrame } from './source-position.mjs';

/** The maximum length of a printed string. A longer string is truncated. */
const MOST_CHARACTERS = 2000;
/** Lines around a difference. */
const CONTEXT = 2;
const MOST_DIFFERENCES = 10;

/**
 * Returns the error with its causes. Stack frames have positions in the source; frames of Node are left out.
 *
 * @param {unknown} error
 * @returns {string} lines without colours
 */
export function explainFailure(error) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && !/node:/.test(line));
  const { cause } = error;
  const parts = [messageOf(error), ...frames.map(sourceFrame), ...(cause === undefined ? [] : [explainFailure(cause)])];
  return stripVTControlCharacters(parts.join('\n'));
}

/**
 * Returns the command that runs only one test.
 *
 * @param {string} script of package.json
 * @param {string} name
 */
export const commandFor = (script, name) => `npm run ${script} -- --filter '${name.replaceAll("'", "'\\''")}'`;

/** @param {Error} error */
function messageOf(error) {
  const assertion = /** @type {Error & {actual?: unknown, expected?: unknown, operator?: string, code?: string}} */ (
    error
  );
  const { actual, expected, operator = '' } = assertion;
  if (assertion.code !== 'ERR_ASSERTION' || !COMPARING.test(operator)) return cut(`${error.name}: ${error.message}`);
  // The default message of an assertion contains both complete values.
  const { generatedMessage } = /** @type {{generatedMessage?: boolean}} */ (/** @type {unknown} */ (error));
  const own = generatedMessage ? [] : [cut(error.message.replace(/\n\n[^\n]* !== [^\n]*\n$/, ''))];
  return [...own, difference(expected, actual)].join('\n');
}

/** Excludes `assert.ok`, whose operator is `==`: only its message is useful. */
const COMPARING = /^(?:strictEqual|deepStrictEqual|deepEqual|equal)$/;

/**
 * Returns the difference between two values: changed lines with context, marked `-` (expected) and `+` (actual).
 *
 * @param {unknown} expected
 * @param {unknown} actual
 * @returns {string}
 */
export function difference(expected, actual) {
  const [wanted, found] = [linesOf(expected), linesOf(actual)];
  if (!wanted.includes('\n') && !found.includes('\n')) {
    const at = firstDifference(wanted, found);
    return `expected: ${around(wanted, at)}\nactual:   ${around(found, at)}`;
  }
  const { hunks } = structuredPatch('', '', `${wanted}\n`, `${found}\n`, '', '', { context: CONTEXT });
  const shown = hunks
    .slice(0, MOST_DIFFERENCES)
    .map(({ oldStart, lines }) => [`@ line ${oldStart}`, ...lines.map((line) => around(line, 0))].join('\n'));
  const left = hunks.length - shown.length;
  return ['- expected', '+ actual', ...shown, ...(left > 0 ? [`… and ${left} more differences`] : [])].join('\n');
}

/** @param {unknown} value */
function linesOf(value) {
  if (typeof value === 'string' && value.includes('\n')) return value;
  const whole = {
    depth: Infinity,
    maxArrayLength: Infinity,
    maxStringLength: Infinity,
    breakLength: 100,
    sorted: true,
  };
  return inspect(value, typeof value === 'object' ? { ...whole, compact: false } : whole);
}

/**
 * @param {string} one
 * @param {string} other
 */
function firstDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/**
 * Returns a line, truncated around a position if it is long.
 *
 * @param {string} line
 * @param {number} at
 */
function around(line, at) {
  const width = MOST_CHARACTERS / 10;
  if (line.length <= 2 * width) return line;
  const start = Math.max(0, at - width);
  const end = start + 2 * width;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

/** @param {string} text */
const cut = (text) => (text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`);
