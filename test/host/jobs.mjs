/** Runs jobs in parallel, each after the jobs that it needs. */
import { explain, seconds } from './say.mjs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} [skipped] the reasons
 * @property {readonly import('./slow-tests.mjs').TimedTest[]} [slowest] at most ten tests
 *
 * @typedef {(text: string) => void} Print adds text, including its line breaks, to the output of a job
 *
 * @typedef {object} Job
 * @property {readonly string[]} [needs] the names of jobs that must succeed first
 * @property {(print: Print) => Promise<Counts | void>} run if it returns `Counts`, the job is a test
 */

/**
 * Runs the named jobs, and those that they need, at most `slots` at once. A job starts as soon as a slot is free, in
 * the order of `names`. A job is skipped if a job that it needs has failed.
 *
 * @param {Readonly<Record<string, Job>>} jobs
 * @param {readonly string[]} names
 * @param {{slots: number, print: Print}} options With one slot, the output of a job is printed while it runs,
 *   otherwise after it ends.
 * @returns {Promise<{passed: number, failed: number, skipped: Set<string>, slowest: import('./slow-tests.mjs').TestOfSuite[], tested: boolean}>}
 *   `tested`: whether any job returned `Counts`
 */
export async function runJobs(jobs, names, { slots, print }) {
  const waiting = inOrder(jobs, names);
  /** @type {Set<string>} */
  const succeeded = new Set();
  /** @type {Set<string>} */
  const unfinished = new Set(waiting);
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  /** @type {Awaited<ReturnType<typeof runJobs>>} */
  const total = { passed: 0, failed: 0, skipped: new Set(), slowest: [], tested: false };

  /** @param {string} name */
  const start = async (name) => {
    const began = performance.now();
    const live = slots === 1;
    if (live) print(`${name}\n`);
    let text = '';
    /** @type {Print} */
    const keep = (more) => {
      text += more;
    };
    /** @type {Counts | void} */
    let counts;
    let error = '';
    try {
      counts = await jobOf(jobs, name).run(live ? print : keep);
    } catch (thrown) {
      error = explain(thrown).trimEnd().concat('\n');
      counts = { passed: 0, failed: 1 };
    }
    const result = counts === undefined ? 'done' : `${counts.passed} passed, ${counts.failed} failed`;
    print(`${live ? '' : `${name}\n`}${text}${error}  ${result}, ${seconds(began)}\n`);
    total.passed += counts?.passed ?? 0;
    total.failed += counts?.failed ?? 0;
    total.tested ||= counts !== undefined && error === '';
    for (const reason of counts?.skipped ?? []) total.skipped.add(reason);
    for (const test of counts?.slowest ?? []) total.slowest.push({ suite: name, ...test });
    if (!counts?.failed) succeeded.add(name);
    unfinished.delete(name);
    running.delete(name);
  };

  while (waiting.length > 0 || running.size > 0) {
    for (let at = 0; at < waiting.length && running.size < slots; ) {
      const name = /** @type {string} */ (waiting[at]);
      const needs = jobOf(jobs, name).needs ?? [];
      if (needs.every((one) => succeeded.has(one))) {
        waiting.splice(at, 1);
        running.set(name, start(name));
      } else if (needs.some((one) => !succeeded.has(one) && !unfinished.has(one))) {
        waiting.splice(at, 1);
        unfinished.delete(name);
        print(`${name}\n  left out: what it needs has failed\n`);
      } else at++;
    }
    if (running.size > 0) await Promise.race(running.values());
  }
  return total;
}

/**
 * Returns the named jobs and the jobs that they need; needed jobs come first.
 *
 * @param {Readonly<Record<string, Job>>} jobs
 * @param {readonly string[]} names
 */
export function inOrder(jobs, names) {
  /** @type {string[]} */
  const all = [];
  /** @param {string} name */
  const add = (name) => {
    if (all.includes(name)) return;
    for (const needed of jobOf(jobs, name).needs ?? []) add(needed);
    all.push(name);
  };
  for (const name of names) add(name);
  return all;
}

/**
 * @param {Readonly<Record<string, Job>>} jobs
 * @param {string} name
 */
function jobOf(jobs, name) {
  const job = jobs[name];
  if (job === undefined) throw new Error(`Unknown job \`${name}\`.`);
  return job;
}
