/** A client that can be observed: how it is configured and started, and how its list is read from a request. */
import type { ModelToolCall } from './model/protocol.ts';

/** The folders of a run. */
export interface Place {
  readonly workspace: string;
  /** The folder where the client starts. */
  readonly start: string;
  readonly home: string;
  /** The folder that has the packages of the client; undefined if their paths are not replaced in texts. */
  readonly installed?: string;
}

/** One run of a client. */
export interface Run extends Place {
  /** The program: an absolute path, or a name that is searched in `path` and then in `PATH`. */
  readonly program: string;
  /** The folders that are searched for programs before those of `PATH`. */
  readonly path: readonly string[];
  /** The address of the model, without a path. */
  readonly model: string;
  /** The size of the model's context in tokens. */
  readonly context: number;
  /** The text that the person types. */
  readonly prompt: string;
  /** False if no person answers questions for permission, and none was given before. */
  readonly isApproved: boolean;
}

/** The arguments of a program. `env` is its whole environment, except for variables that every run has (`process.ts`). */
export interface Start {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The skills folders of a client. */
export interface SkillsFolders {
  /** In the project, for example `.pi/skills`. */
  readonly project: string;
  /** In the home, for example `.pi/agent/skills`. */
  readonly home: string;
}

/** A skill that the model or a person calls. */
export interface CalledSkill {
  /** The name in the list. */
  readonly name: string;
  /** The path of its file, and of the workspace that it is in. */
  readonly path: string;
  readonly workspace: string;
}

/** How a list is found in a string of a request. */
export interface ListForm {
  /** Matches one entry of the list. Its group `name` is the name of the skill. It has the flag `g`. */
  readonly entry: RegExp;
  /**
   * Matches the part of a string that has the entries, if the pattern of an entry also matches elsewhere; its group
   * `list` is the part.
   */
  readonly region?: RegExp;
}

export interface ObservedClient extends ListForm {
  /** The ID of its facts in `server/src/clients/facts/data`. */
  readonly id: string;
  readonly name: string;
  /** The name of its program in `PATH`. */
  readonly program: string;
  /** The package of the npm registry that installs the program. */
  readonly npm: string;
  /** A further program that it needs to load skills, and downloads if `PATH` does not have it. */
  readonly needs?: string;
  /** The hosts that it was seen to ask for although it was told not to (docs/observing.md, "The network"). */
  readonly contacts?: readonly string[];
  readonly skills: SkillsFolders;
  /** The size of the model's context in tokens. {@link CONTEXT} if undefined. */
  readonly context?: number;
  /** Writes the documented settings into the home: the address of the model, no telemetry, no update. */
  configure?(run: Run): void;
  /** Returns a command of the client that writes settings, after `configure`. */
  setUp?(run: Run): Start;
  /** Returns how the client is started without a person at the terminal. */
  start(run: Run): Start;
  /** Returns the call with which the model loads a skill; undefined if the client has no such tool. */
  load?(skill: CalledSkill, args: string): ModelToolCall;
  /** Returns what a person types to call a skill; undefined if the client has no such form. */
  invoke?(skill: CalledSkill, args: string): string;
}

/** The size of the model's context of a client that does not name one, in tokens. */
export const CONTEXT = 200_000;
