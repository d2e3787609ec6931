/** A reporter for `node:test` that prints only complete failures, and saves the counts and the slowest tests. */
import { writeFileSync } from 'node:fs';
import { commandFor, explainFailure } from './failure.mjs';
import { slowestOf } from './slow-tests.mjs';
import { sourcePosition } from './source-position.mjs';

const script = process.env.SKILL_COMPOSER_SUITE ?? 'test';

/**
 * @typedef {{name: string, nesting: number, file?: string, line?: number, column?: number, skip?: string | boolean,
 * message: string, details: {type?: string, duration_ms: number, error: Error}}} Data the event data that is used here
 */

/** @param {AsyncIterable<{type: string, data: Data}>} source */
export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  /** @type {Set<string>} the reasons */
  const skipped = new Set();
  /** @type {string[]} the names of the tests that contain the running one */
  const path = [];
  /** @type {{name: string, ms: number}[]} */
  const tests = [];
  for await (const event of source) {
    if (event.type === 'test:start') {
      path.length = event.data.nesting;
      path[event.data.nesting] = event.data.name;
    } else if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { data } = event;
      path.length = data.nesting;
      const name = [...path, data.name].join(' › ');
      const isGroup = data.details.type === 'suite';
      if (!isGroup) tests.push({ name, ms: data.details.duration_ms });
      if (event.type === 'test:pass') {
        if (typeof data.skip === 'string') skipped.add(data.skip);
        if (!isGroup && !data.skip) passed++;
        continue;
      }
      const { error } = data.details;
      const isOfChildren = /** @type {{failureType?: string}} */ (error).failureType === 'subtestsFailed';
      if (isOfChildren) continue;
      failed++;
      const { file, line = 1, column = 1 } = data;
      const place = file === undefined ? [] : [`at ${sourcePosition(file, line, column)}`];
      const lines = [explainFailure(error.cause ?? error), ...place, `alone: ${commandFor(script, data.name)}`];
      yield `  ✗ ${name}\n${lines.join('\n').replace(/^/gm, '      ')}\n`;
    } else if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      yield event.data.message;
    }
  }
  const counts = process.env.SKILL_COMPOSER_COUNTS;
  if (counts === undefined) return;
  writeFileSync(counts, JSON.stringify({ passed, failed, skipped: [...skipped], slowest: slowestOf(tests) }));
}
