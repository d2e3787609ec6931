/** A client of the lab: how it is installed, configured and started, and how its list is read from a request. */
import type { ToolCall } from './model/protocol.ts';
import type { Place, SkillsFolders } from './workspace.ts';

/** A package of the npm registry, with an exact version. */
export interface Package {
  readonly name: string;
  readonly version: string;
}

/** One run of a client. */
export interface Run extends Place {
  /** The folder that has the packages in `node_modules`. */
  readonly installed: string;
  /** The address of the model, without a path. */
  readonly model: string;
  /** The size of the model's context in tokens. */
  readonly context: number;
  /** The text that the person types. */
  readonly prompt: string;
  /** False if no person answers questions for permission, and none was given before. */
  readonly isApproved: boolean;
}

/** A program to start. `env` is its whole environment, except for variables that every run has (`process.ts`). */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The way to drive a client at a terminal. */
export interface Terminal {
  /** Returns how the client is started without a prompt. */
  start(run: Run): Start;
  /** Matches the text of the screen if the client accepts input. */
  readonly ready: RegExp;
  /** Questions at the start, and the keys that answer them. The first match of a text names the question. */
  readonly dialogs?: readonly { readonly text: RegExp; readonly keys: readonly string[] }[];
}

/** The documented command for skills that a client does not load. */
export interface Diagnosis {
  /** The command as a person types it. */
  readonly name: string;
  start(run: Run): Start;
  /** Matches the paths of log files in the home. */
  readonly logs?: RegExp;
}

/** A skill that the model or a person calls. */
export interface CalledSkill {
  /** The name in the list. */
  readonly name: string;
  /** The path of its file, and of the workspace that it is in. */
  readonly path: string;
  readonly workspace: string;
}

/** The Node.js with which programs run that need a newer one than this project. */
export const NODE: Package = { name: `node-${process.platform}-${process.arch}`, version: '26.12.1' };

/** A program that some clients download when they need it. */
export const RIPGREP: Package = { name: `@vscode/ripgrep-${process.platform}-${process.arch}`, version: '1.18.0' };

export interface LabClient {
  readonly id: string;
  /** The ID of its facts in `server/src/clients/facts/data`, if it differs. */
  readonly facts?: string;
  readonly name: string;
  /** The package whose version is the version of the client. */
  readonly package: Package;
  /** Further packages that the client needs, for example the one with its program for this platform. */
  readonly with?: readonly Package[];
  /** True if the packages must run scripts when they are installed. */
  readonly hasInstallScripts?: true;
  /** A program of `programs/` that is copied to the installed packages as `lab.mjs`. */
  readonly program?: string;
  readonly skills: SkillsFolders;
  /**
   * The number of skills that share a workspace, small enough that no budget shortens the list. 30 if undefined.
   */
  readonly batch?: number;
  /** The size of the model's context for all other questions, in tokens. 200,000 if undefined. */
  readonly context?: number;
  /** The sizes of the model's context for which the long list is seen, in tokens. */
  readonly contexts?: readonly number[];
  /** Writes the documented settings into the home: the address of the model, no telemetry, no update. */
  configure?(run: Run): void;
  /** Returns a command of the client that writes settings, after `configure`. */
  setUp?(run: Run): Start;
  /** Returns how the client is started without a person at the terminal. */
  start(run: Run): Start;
  /** The call after which the list is in the result; undefined if the first request has the list. */
  readonly listWith?: ToolCall;
  /** `output` for a program that asks no model and prints its list. */
  readonly source?: 'output';
  /** Matches one entry of the list. Its group `name` is the name of the skill. It has the flag `g`. */
  readonly entry: RegExp;
  /**
   * Matches the part of a string that has the entries, if the pattern of an entry also matches elsewhere; its group
   * `list` is the part.
   */
  readonly region?: RegExp;
  /** Returns the call with which the model loads a skill; undefined if the client has no such tool. */
  load?(skill: CalledSkill, args: string): ToolCall;
  /** A call that changes nothing, for a client whose model loads skills without a tool of its own. */
  readonly harmless?: ToolCall;
  readonly terminal?: Terminal;
  readonly diagnose?: Diagnosis;
  /** Returns what a person types to call a skill; undefined if the client has no such form. */
  invoke?(skill: CalledSkill, args: string): string;
}
