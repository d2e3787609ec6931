/** A reporter for `node:test`: failures in full, the slowest tests when one is slow, and nothing about what passed. */
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';

/** A test above this many milliseconds is named, so that the suite stays fast. */
const slow = Number(process.env.SKILL_COMPOSER_SLOW ?? 300);

/**
 * @typedef {{name: string, nesting: number, skip?: string | boolean, message: string,
 *   details: {type?: string, duration_ms: number, error: Error}}} Data what of an event's data is used here
 */

/** @param {AsyncIterable<{type: string, data: Data}>} source */
export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  /** @type {Set<string>} the reasons */
  const skipped = new Set();
  /** @type {string[]} the names of the tests around the one that runs */
  const path = [];
  /** @type {{name: string, ms: number}[]} */
  const slowest = [];
  for await (const event of source) {
    if (event.type === 'test:start') {
      path.length = event.data.nesting;
      path[event.data.nesting] = event.data.name;
    } else if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { data } = event;
      path.length = data.nesting;
      const name = [...path, data.name].join(' › ');
      const isGroup = data.details.type === 'suite';
      if (event.type === 'test:pass') {
        if (typeof data.skip === 'string') skipped.add(data.skip);
        if (!isGroup && !data.skip) passed++;
        if (!isGroup && data.details.duration_ms > slow) slowest.push({ name, ms: data.details.duration_ms });
        continue;
      }
      const { error } = data.details;
      const isOfChildren = /** @type {{failureType?: string}} */ (error).failureType === 'subtestsFailed';
      if (isOfChildren) continue;
      failed++;
      yield `  ✗ ${name}\n${indent(explain(error.cause ?? error))}\n`;
    } else if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      yield event.data.message;
    }
  }
  slowest.sort((a, b) => b.ms - a.ms);
  for (const { name, ms } of slowest.slice(0, 5)) yield `  slow: ${ms.toFixed(0)} ms  ${name}\n`;
  const counts = process.env.SKILL_COMPOSER_COUNTS;
  if (counts !== undefined) writeFileSync(counts, JSON.stringify({ passed, failed, skipped: [...skipped] }));
}

/**
 * The error with all that led to it: of a law that fails, the cause says what is wrong.
 *
 * @param {unknown} error
 * @returns {string}
 */
function explain(error) {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error);
  // The runner's own frames say nothing about the test.
  const stack = (error.stack ?? error.message).split('\n').filter((line) => !/^\s+at .*node:/.test(line));
  return [stack.join('\n'), ...(error.cause === undefined ? [] : [explain(error.cause)])].join('\n');
}

/** @param {string} text */
const indent = (text) => text.replace(/^/gm, '      ');
