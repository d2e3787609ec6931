/** What an installed skill may do, with all that it composes, in the form that the lock file keeps (docs/installing.md). */

/** Every list is sorted, and has each entry once. */
export interface Capabilities {
  /** The severest that is declared in the closure. */
  readonly operation?: 'TRANSFORM' | 'READ' | 'WRITE';
  readonly effects: readonly string[];
  /** The tools by name; those of a `SKILL.md` as `allowed-tools` has them. */
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly interrupts: readonly string[];
  /** The installed skills that it composes, directly or not, and the contracts of its tools, by name. */
  readonly parts: readonly string[];
  /** Skills that it composes or requires, and that were not installed. */
  readonly others: readonly string[];
  /** Scripts and other executable files, by their paths below the workspace. */
  readonly executables: readonly string[];
  /** Commands that a client runs by itself. */
  readonly runs: readonly string[];
  /** What scripts reach: `network`, `files`, `processes`, `secrets`. */
  readonly reaches: readonly string[];
  /** The hosts that stand in scripts, in commands and in backing services. */
  readonly addresses: readonly string[];
  /** The capability rules that have a finding. */
  readonly findings: readonly string[];
}

export type CapabilityList = Exclude<keyof Capabilities, 'operation'>;

export const CAPABILITY_LISTS: readonly CapabilityList[] = [
  'effects',
  'tools',
  'scopes',
  'interrupts',
  'parts',
  'others',
  'executables',
  'runs',
  'reaches',
  'addresses',
  'findings',
];

export const OPERATIONS = ['TRANSFORM', 'READ', 'WRITE'] as const;

export const sortedOnce = (words: Iterable<string>): readonly string[] =>
  [...new Set(words)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
