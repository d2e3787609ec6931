/** The slowest tests of a run. */

/**
 * @typedef {{name: string, ms: number}} TimedTest
 * @typedef {TimedTest & {suite: string}} TestOfSuite
 */

const MOST = 10;

/** The time in milliseconds of the fastest test that is listed. */
const LEAST = 500;

/**
 * Returns the slowest tests, the slowest first.
 *
 * @template {TimedTest} Test
 * @param {readonly Test[]} tests
 * @returns {readonly Test[]}
 */
export const slowestOf = (tests) =>
  tests
    .filter(({ ms }) => ms >= LEAST)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, MOST);

/**
 * Returns the lines that list the slowest tests of all suites.
 *
 * @param {readonly TestOfSuite[]} tests
 * @returns {readonly string[]}
 */
export function linesOfSlowest(tests) {
  const slowest = slowestOf(tests);
  if (slowest.length === 0) return [];
  const line = (/** @type {TestOfSuite} */ { suite, name, ms }) =>
    `${(ms / 1000).toFixed(1).padStart(7)} s  ${suite}: ${name}`;
  return ['\nSlowest tests:', ...slowest.map(line)];
}
