/**
 * The capabilities of an installed skill and of all skills that it composes, in the form that the lock file contains
 * (docs/installing.md).
 */

/** The capabilities of a skill. Every list is sorted and has no duplicates. */
export interface Capabilities {
  /** The strongest operation that the closure declares. */
  readonly operation?: 'TRANSFORM' | 'READ' | 'WRITE';
  readonly effects: readonly string[];
  /** The names of the tools. For a `SKILL.md`, the entries of `allowed-tools`. */
  readonly tools: readonly string[];
  readonly scopes: readonly string[];
  readonly interrupts: readonly string[];
  /**
   * The names of the installed skills that the skill composes, directly or indirectly, and the names of its tools'
   * contracts.
   */
  readonly parts: readonly string[];
  /** The names of the skills that the skill composes or requires but that were not installed. */
  readonly others: readonly string[];
  /** The paths of scripts and other executable files, relative to the workspace. */
  readonly executables: readonly string[];
  /** The commands that a client runs by itself, and the paths of files that run by themselves. */
  readonly runs: readonly string[];
  /** The resources that scripts access: `network`, `files`, `processes`, `secrets`. */
  readonly reaches: readonly string[];
  /** The programs that scripts and commands run, and whose effects are not analysed. */
  readonly programs: readonly string[];
  /** The modules that scripts import, and whose effects are not analysed. */
  readonly modules: readonly string[];
  /** The other code that is not analysed, and the paths of scripts that are not scanned. */
  readonly unanalysed: readonly string[];
  /** The hosts in scripts, commands and backing services. */
  readonly addresses: readonly string[];
  /** The names of the capability rules that report a finding. */
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
  'programs',
  'modules',
  'unanalysed',
  'addresses',
  'findings',
];

export const OPERATIONS = ['TRANSFORM', 'READ', 'WRITE'] as const;

export const sortedOnce = (words: Iterable<string>): readonly string[] =>
  [...new Set(words)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
