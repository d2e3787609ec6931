/** The clients from which a user chooses the target clients, and the changes that save a choice (docs/clients.md). */
import type { Range } from '../text.ts';

/** A client that the user can choose. */
export interface ClientCandidate {
  readonly id: string;
  readonly name: string;
  /** The folders with skills that the client reads, its own ones first. A client without such a folder is not detected. */
  readonly folders: readonly CandidateFolder[];
  /** False if the facts about the client were only read. */
  readonly isObserved: boolean;
  /** The version or the date of these facts. */
  readonly asOf: string;
  /** The ISO date on which the development of the client ended; null if it continues. */
  readonly archived: string | null;
  /** For a framework without a folder: the user names one with `ID:FOLDER`. Null for other clients. */
  readonly framework: CandidateFramework | null;
}

export interface CandidateFramework {
  /** The npm package. */
  readonly package: string;
  /** True if a `package.json` in the workspace folder depends on the package. */
  readonly isUsed: boolean;
  /** The folders that sources of such programs name, each with its first call. */
  readonly named: readonly NamedFolder[];
  /** The code in which a program names the folder. */
  readonly names: string;
}

/** A folder that a program passes to a framework, relative to the folder of the program's `package.json`. */
export interface NamedFolder {
  readonly folder: string;
  /** The source file, relative to the workspace folder, and the line of the call, counted from 1. */
  readonly file: string;
  readonly line: number;
}

export interface CandidateFolder {
  /** The path as the client names it, such as `.agents/skills`. */
  readonly path: string;
  readonly skills: number;
}

/** The candidates for the skills of one catalog, or for those of a workspace folder without a catalog. */
export interface ClientChoiceReply {
  /** All clients: first the detected ones, and of these first the clients to which a folder belongs. */
  readonly candidates: readonly ClientCandidate[];
  /** The IDs of the chosen clients in their order; empty if the target clients are detected. */
  readonly chosen: readonly string[];
  /** The names of the clients that are detected if none is chosen. */
  readonly automatic: readonly string[];
  /** The folders that contain the folders of skills, which a framework may read; first those that no other client reads. */
  readonly skillFolders: readonly CandidateFolder[];
  /** A regular expression for the path of such a folder. */
  readonly folderPattern: string;
  /** The URI of the catalog that the next choice changes; null for the settings of the editor. */
  readonly catalog: string | null;
}

/** The changes that save a choice. Both are null if nothing changes. */
export type SetClientsReply =
  | {
      /** The edits of the catalog. */
      readonly catalog: {
        readonly uri: string;
        readonly edits: readonly { readonly range: Range; readonly newText: string }[];
      } | null;
      /** The new value of the setting `agentSkills.clients`. */
      readonly settings: readonly string[] | null;
    }
  /** The catalog has errors or an unusual form, so that only its author can edit it. */
  | { readonly problem: string; readonly uri: string };
