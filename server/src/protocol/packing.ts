/** What an installation would do, as a page and the command line show it before anything is written (docs/installing.md). */

export type InstallPreviewReply = InstallView | { readonly problem: string };

export type InstallReply = { readonly written: readonly string[] } | { readonly problem: string };

export interface InstallView {
  /** As the lock file will have it. */
  readonly origin: string;
  readonly skills: readonly InstallSkill[];
  readonly files: readonly { readonly path: string; readonly state: 'new' | 'changed' | 'same' | 'removed' }[];
  /** The texts that an update changes, as patches; of one that is another text altogether null. */
  readonly patches: readonly { readonly path: string; readonly patch: string | null }[];
  /** What would be lost: nothing is written over it unless the user insists. */
  readonly conflicts: readonly InstallNote[];
  /** What of the source is not installed. */
  readonly leftOut: readonly InstallNote[];
  /** By which this preview is known again. */
  readonly digest: string;
}

/** `why` goes on from the path. */
export interface InstallNote {
  readonly path: string;
  readonly why: string;
}

export interface InstallSkill {
  readonly name: string;
  readonly version: string | null;
  /** What lies there now; null for a new skill, and for one without a version. */
  readonly oldVersion: string | null;
  /** `affected`: the skill stays as it is, and composes what does not. */
  readonly state: 'new' | 'update' | 'same' | 'affected';
  /** Where its own file will be, below the workspace folder. */
  readonly path: string;
  readonly description: string | null;
  /** What the skill says of itself; nobody has checked it. */
  readonly identity: readonly { readonly key: string; readonly text: string }[];
  /** Whether anything in the closure writes, as far as the workspace knows. */
  readonly writes: boolean;
  readonly operation: string | null;
  readonly effects: readonly string[];
  readonly tools: readonly InstallTool[];
  /** `isKnown` is null where no catalog says which there are. */
  readonly scopes: readonly { readonly name: string; readonly isKnown: boolean | null }[];
  readonly parts: readonly { readonly name: string; readonly from: 'installed' | 'workspace' | 'missing' }[];
  readonly interrupts: readonly string[];
  readonly executables: readonly string[];
  readonly runs: readonly string[];
  readonly reaches: readonly string[];
  readonly addresses: readonly string[];
  readonly findings: readonly {
    readonly rule: string;
    readonly path: string;
    /** From zero. */
    readonly line: number;
    readonly message: string;
  }[];
  readonly notScanned: readonly InstallNote[];
  /** Skills of the same name that stay: this one hides them, or they hide it. */
  readonly others: readonly { readonly path: string; readonly relation: 'hidden' | 'hiding' | 'beside' }[];
  /** What the catalog says of its use; null where it says nothing. */
  readonly permission: string | null;
  /** What it may do now and could not do before, or the other way. */
  readonly changes: readonly { readonly kind: 'more' | 'less' | 'other'; readonly text: string }[];
  /** What has changed in its contract, the gravest first. */
  readonly contract: readonly { readonly bump: 'major' | 'minor' | 'patch'; readonly message: string }[];
}

export interface InstallTool {
  readonly name: string;
  /** Such as `WRITE`; null where nobody says. */
  readonly operation: string | null;
  readonly isKnown: boolean | null;
}

// Packing skills as an archive, and what was imported (docs/installing.md).

export type PackReply =
  | {
      /** The paths in the archive, in their order. */
      readonly paths: readonly string[];
      /** What is not in it. */
      readonly leftOut: readonly InstallNote[];
    }
  | { readonly problem: string };

export type InstalledReply = { readonly skills: readonly InstalledSkill[] } | { readonly problem: string };

/** A skill of the lock file, and how what lies there differs from it. */
export interface InstalledSkill {
  readonly uri: string;
  /** As the lock file has it, relative to the workspace folder. */
  readonly origin: string;
  readonly version: string | null;
  readonly files: readonly { readonly path: string; readonly state: 'edited' | 'missing' | 'added' }[];
  readonly changes: InstallSkill['changes'];
}
