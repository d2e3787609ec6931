/** What a run could not try: whoever reads that all is green should know of what it is. */

const SYSTEMS = new Map([
  ['linux', 'Linux'],
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
]);

/**
 * The lines that tell it.
 *
 * @param {readonly string[]} everything the names of all stages that there are
 * @param {readonly string[]} stages those of this run
 * @param {Iterable<string>} skipped why tests were skipped
 * @param {NodeJS.Platform} [system]
 */
export function notTried(everything, stages, skipped, system = process.platform) {
  const others = [...SYSTEMS].filter(([name]) => name !== system).map(([, name]) => name);
  const left = everything.filter((name) => !stages.includes(name));
  return [
    '\nNot tried here:',
    `  ${others.join(' and ')} themselves: their paths, drives and line breaks are tried on a host that looks like Windows`,
    ...(left.length > 0 ? [`  ${left.join('; ')}: \`npm run test:all\` tries them`] : []),
    ...[...skipped].sort().map((reason) => `  ${reason}`),
  ];
}
