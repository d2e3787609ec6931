/**
 * The changes that an installation makes, as a page and the command line show them before the installation
 * (docs/installing.md).
 */

export type InstallPreviewReply = InstallView | { readonly problem: string };

export type InstallReply = { readonly written: readonly string[] } | { readonly problem: string };

export interface InstallView {
  /** The origin that is written to the lock file. */
  readonly origin: string;
  readonly skills: readonly InstallSkill[];
  readonly files: readonly { readonly path: string; readonly state: 'new' | 'changed' | 'same' | 'removed' }[];
  /** The files that an update changes, as patches; null for a file that is replaced entirely. */
  readonly patches: readonly { readonly path: string; readonly patch: string | null }[];
  /** The local edits that would be lost. Local edits are overwritten only if the user forces the installation. */
  readonly conflicts: readonly InstallNote[];
  /** The files of the installed version that the new version does not contain and that are not removed. */
  readonly unremoved: readonly InstallNote[];
  /** The files in the source that are not installed. */
  readonly leftOut: readonly InstallNote[];
  /** The conversion of a legacy package, whose result is installed; null for a source that is a skill. */
  readonly conversion: InstallConversion | null;
  /** The digest that identifies this preview. */
  readonly digest: string;
}

export interface InstallConversion {
  /** The path of the package in the source. */
  readonly path: string;
  /** The text of the converted skill. */
  readonly text: string;
  /** The parts of the package that the skill does not contain. */
  readonly losses: readonly { readonly what: string; readonly why: string }[];
}

/** A note on a file. `why` continues a sentence that begins with the path. */
export interface InstallNote {
  readonly path: string;
  readonly why: string;
}

export interface InstallSkill {
  readonly name: string;
  readonly version: string | null;
  /** The installed version; null for a new skill or a skill without a version. */
  readonly oldVersion: string | null;
  /** `affected`: the skill does not change, but a skill that it composes does. */
  readonly state: 'new' | 'update' | 'same' | 'affected';
  /** The path of the skill file, relative to the workspace folder. */
  readonly path: string;
  readonly description: string | null;
  /** Unverified claims of the skill, such as its author. */
  readonly identity: readonly { readonly key: string; readonly text: string }[];
  /** True if a skill in the closure is known to write. */
  readonly writes: boolean;
  readonly operation: string | null;
  readonly effects: readonly string[];
  readonly tools: readonly InstallTool[];
  /** `isKnown` is null if no catalog lists the scopes. */
  readonly scopes: readonly { readonly name: string; readonly isKnown: boolean | null }[];
  readonly parts: readonly { readonly name: string; readonly from: 'installed' | 'workspace' | 'missing' }[];
  readonly interrupts: readonly string[];
  readonly executables: readonly string[];
  /** The commands that a client runs by itself, and the paths of `automatic`. */
  readonly runs: readonly string[];
  /** The files that programs run or load without a request. `why` is a participle: "run by direnv". */
  readonly automatic: readonly InstallNote[];
  readonly reaches: readonly string[];
  /** The programs that scripts and commands run, and whose effects are not analysed. */
  readonly programs: readonly string[];
  /** The modules that scripts import, and whose effects are not analysed. */
  readonly modules: readonly string[];
  /** The other code that is not analysed, and the paths of scripts that are not scanned. */
  readonly unanalysed: readonly string[];
  readonly addresses: readonly string[];
  readonly findings: readonly {
    readonly rule: string;
    readonly path: string;
    /** The zero-based line number. */
    readonly line: number;
    readonly message: string;
  }[];
  readonly notScanned: readonly InstallNote[];
  /**
   * The remaining skills with the same name. `hidden`: this skill hides the other skill; `hiding`: the other
   * skill hides this skill; `beside`: neither hides the other.
   */
  readonly others: readonly { readonly path: string; readonly relation: 'hidden' | 'hiding' | 'beside' }[];
  /** The permission for the skill in the catalog; null if the catalog has no such permission. */
  readonly permission: string | null;
  /** The abilities that were added or removed. */
  readonly changes: readonly { readonly kind: 'more' | 'less' | 'other'; readonly text: string }[];
  /** The changes in the skill's contract, in descending order of severity. */
  readonly contract: readonly { readonly bump: 'major' | 'minor' | 'patch'; readonly message: string }[];
}

export interface InstallTool {
  readonly name: string;
  /** The tool's operation, such as `WRITE`; null if unknown. */
  readonly operation: string | null;
  readonly isKnown: boolean | null;
}

/** The rules about commands that run code that nobody can review before. */
const UNREVIEWED: readonly string[] = ['pipe-to-shell', 'encoded-payload'];

/** Returns whether a skill has a command that runs a download or an encoded string, which can do anything. */
export const runsUnreviewed = ({ findings }: Pick<InstallSkill, 'findings'>): boolean =>
  findings.some(({ rule }) => UNREVIEWED.includes(rule));

/** Returns whether a skill has scripts, commands or code, which may write. */
export const mayRun = ({
  executables,
  runs,
  programs,
  modules,
  unanalysed,
}: Pick<InstallSkill, 'executables' | 'runs' | 'programs' | 'modules' | 'unanalysed'>): boolean =>
  [executables, runs, programs, modules, unanalysed].some(({ length }) => length > 0);

// Packing skills into an archive, and listing installed skills (docs/installing.md).

export type PackReply =
  | {
      /** The paths in the archive, in the order of the archive. */
      readonly paths: readonly string[];
      /** The files that are not in the archive. */
      readonly leftOut: readonly InstallNote[];
    }
  | { readonly problem: string };

export type InstalledReply = { readonly skills: readonly InstalledSkill[] } | { readonly problem: string };

/** A skill in the lock file, and the differences between its files and the lock file. */
export interface InstalledSkill {
  readonly uri: string;
  /** The origin in the lock file, relative to the workspace folder. */
  readonly origin: string;
  readonly version: string | null;
  readonly files: readonly { readonly path: string; readonly state: 'edited' | 'missing' | 'added' }[];
  readonly changes: InstallSkill['changes'];
}
