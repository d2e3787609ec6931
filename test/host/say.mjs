/** Progress messages of the scripts: one short line for each slow step. */

/** An error that is shown without a stack, because its message is sufficient. */
export class Plain extends Error {}

/** @param {string} line */
export const say = (line) => console.log(line);

/** @param {unknown} error */
export function explain(error) {
  if (error instanceof Plain) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {number} since a `performance.now()` */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
