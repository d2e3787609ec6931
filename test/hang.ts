/** The time limit for the analysis of hostile strings. Speed is measured in `bench/`. */
import { strict as assert } from 'node:assert';

/**
 * Milliseconds of processor time. The limit is far above the time for the slowest string, and far below the time of
 * a quadratic algorithm.
 */
const HANG = 30_000;

/**
 * Runs a function that must not hang.
 *
 * @param what names the text in the message
 * @param limit milliseconds of processor time, which load on the machine does not change
 * @returns its result
 */
export function withoutHang<T>(run: () => T, what = 'It', limit = HANG): T {
  const start = process.cpuUsage().user;
  const result = run();
  const spent = (process.cpuUsage().user - start) / 1000;
  assert.ok(spent < limit, `${what} took ${spent.toFixed(0)} ms`);
  return result;
}
