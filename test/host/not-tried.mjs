/** Reports tests that a run could not perform, so that a success is not misunderstood. */

const SYSTEMS = new Map([
  ['linux', 'Linux'],
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
]);

/**
 * Returns the lines of the report.
 *
 * @param {readonly string[]} everything the names of all stages
 * @param {readonly string[]} stages the stages of this run
 * @param {Iterable<string>} skipped the reasons why tests were skipped
 * @param {NodeJS.Platform} [system]
 */
export function notTried(everything, stages, skipped, system = process.platform) {
  const others = [...SYSTEMS].filter(([name]) => name !== system).map(([, name]) => name);
  const left = everything.filter((name) => !stages.includes(name));
  return [
    '\nNot tested here:',
    `  ${others.join(' and ')} themselves: their paths, drives and line breaks are tested on a simulated Windows`,
    ...(left.length > 0 ? [`  ${left.join('; ')}: \`npm run test:all\` runs them`] : []),
    ...[...skipped].sort().map((reason) => `  ${reason}`),
  ];
}
