/** Packing skills as an archive, and what was imported (docs/installing.md). */
import type { InstallNote, InstallSkill } from './install.ts';

/** Writes an archive of skills with all that they need. */
export const PackRequest = 'skill/pack';

/** The skills of the lock file, held against what lies there. Nothing is written. */
export const InstalledRequest = 'skill/installed';

export interface PackParams {
  /** The URI of the workspace folder, below which the skills lie. */
  readonly folder: string;
  /** The URIs of skills, and of folders with some. */
  readonly uris: readonly string[];
  /** The path of the archive, its URI in a browser; the ending tells the kind. */
  readonly out: string;
}
export type PackReply =
  | {
      /** The paths in the archive, in their order. */
      readonly paths: readonly string[];
      /** What is not in it. */
      readonly leftOut: readonly InstallNote[];
    }
  | { readonly problem: string };

export interface InstalledParams {
  /** The URI of the workspace folder. */
  readonly folder: string;
}
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
