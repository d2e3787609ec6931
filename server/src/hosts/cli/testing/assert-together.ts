/** Options of `test`, and of `check`, that mean something else together, or nothing. */
import { Stop } from '../stop.ts';

/** Of an option, those that do not go with it, and why. */
const APART: readonly (readonly [option: string, why: string, others: readonly string[]])[] = [
  [
    '--watch',
    'which is for a single run',
    [
      '--format',
      '--config',
      '--update',
      '--shard',
      '--runner',
      '--max-runs',
      '--record',
      '--recorded',
      '--out',
      '--export',
      '--fix',
      '--rule',
      '--changed',
      '--baseline',
      '--write-baseline',
      '--today',
    ],
  ],
  [
    '--export',
    'since it writes samples and tests nothing',
    ['--format', '--update', '--shard', '--runner', '--max-runs', '--record', '--recorded', '--snapshots'],
  ],
];

/** Refuses them, so that nothing is left out in silence. */
export function assertTogether({
  config,
  format,
  words,
}: {
  readonly config: string | undefined;
  readonly format: string;
  readonly words: object;
}): void {
  const given: Readonly<Record<string, unknown>> = {
    ...words,
    config,
    format: format === 'pretty' ? undefined : format,
  };
  const isGiven = (option: string): boolean => {
    const value = given[option.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  };
  for (const [option, why, others] of APART) {
    const other = isGiven(option) ? others.find(isGiven) : undefined;
    if (other) throw new Stop(`\`${option}\` does not go with \`${other}\`, ${why}: leave one of them out.`);
  }
}
