/** A client of the lab: a client that can be observed, with its packages and the questions that only the lab asks. */
import { join } from 'node:path';
import type { EntryRules } from '../server/src/clients/pipeline/entry.ts';
import type { ModelToolCall } from '../server/src/services/observing/model/protocol.ts';
import type { ObservedClient, Run, Start } from '../server/src/services/observing/observed-client.ts';

/** A package of the npm registry, with an exact version. */
export interface Package {
  readonly name: string;
  readonly version: string;
}

/** A run of a client that the lab has installed. */
export interface LabRun extends Run {
  /** The folder that has the packages in `node_modules`. */
  readonly installed: string;
}

/** The way to drive a client at a terminal. */
export interface Terminal {
  /** Returns how the client is started without a prompt. */
  start(run: LabRun): Start;
  /** Matches the text of the screen if the client accepts input. */
  readonly ready: RegExp;
  /** Questions at the start, and the keys that answer them. The first match of a text names the question. */
  readonly dialogs?: readonly { readonly text: RegExp; readonly keys: readonly string[] }[];
}

/** The documented command for skills that a client does not load. */
export interface Diagnosis {
  /** The command as a person types it. */
  readonly name: string;
  start(run: LabRun): Start;
  /** Matches the paths of log files in the home. */
  readonly logs?: RegExp;
}

/** The Node.js with which programs run that need a newer one than this project. */
export const NODE: Package = { name: `node-${process.platform}-${process.arch}`, version: '26.12.1' };

/** A program that some clients download when they need it. */
export const RIPGREP: Package = { name: `@vscode/ripgrep-${process.platform}-${process.arch}`, version: '1.18.0' };

export interface LabClient extends Omit<ObservedClient, 'npm'> {
  /** The ID of its facts in `server/src/clients/facts/data`, if it differs from `id`. */
  readonly facts?: string;
  /** The package whose version is the version of the client. */
  readonly package: Package;
  /** Further packages that the client needs, for example the one with its program for this platform. */
  readonly with?: readonly Package[];
  /** Dependencies that are not in the registry. Empty packages replace them. */
  readonly absent?: readonly string[];
  /** The entry of the client's own list, if the list of its model cannot be seen. */
  readonly ownList?: Pick<EntryRules, 'line'> & {
    /** The parts of an entry that show other keys, which are not compared. */
    readonly leftOut: RegExp;
  };
  /** True if the packages must run scripts when they are installed. */
  readonly hasInstallScripts?: true;
  /** Returns the path of the program in the packages, if it is not in `node_modules/.bin`. */
  programIn?(installed: string): string;
  /** A file of `programs/` that is copied to the installed packages as `lab.mjs`. */
  readonly script?: string;
  /**
   * The number of skills that share a workspace, small enough that no budget shortens the list. 30 if undefined.
   */
  readonly batch?: number;
  /** The sizes of the model's context for which the long list is seen, in tokens. */
  readonly contexts?: readonly number[];
  start(run: LabRun): Start;
  /** The call after which the list is in the result; undefined if the first request has the list. */
  readonly listWith?: ModelToolCall;
  /** `output` for a program that asks no model and prints its list. */
  readonly source?: 'output';
  /** A call that changes nothing, for a client whose model loads skills without a tool of its own. */
  readonly harmless?: ModelToolCall;
  readonly terminal?: Terminal;
  readonly diagnose?: Diagnosis;
}

/** Returns the program of a client, and the folders in which it finds other programs. */
export const programsOf = (client: LabClient, installed: string): Pick<Run, 'program' | 'path'> => ({
  program: client.programIn?.(installed) ?? client.program,
  path: [
    ...[NODE, RIPGREP].map(({ name }) => join(installed, 'node_modules', name, 'bin')),
    join(installed, 'node_modules', '.bin'),
  ],
});
