/** What client and server say to each other beyond the standard protocol. The client imports this file and no other. */

/** The command line and the editor agree on this name for settings, diagnostics and logs. */
export const SECTION = 'skillComposer';

/** What the client passes at the start. */
export interface InitializationOptions {
  /** `push`: the server publishes; `pull`: the client asks. Without it: pull where the client can, else push. */
  readonly diagnostics?: 'push' | 'pull';
  /** The editor's name; what it is known to check by itself is not reported twice. */
  readonly editor?: string;
}

/** The settings that the server reads, under `skillComposer`. */
export interface Settings {
  /** Globs of the files that are skills, relative to a workspace folder. */
  readonly files?: readonly string[];
  /** Severities by rule. */
  readonly rules?: Readonly<Record<string, string>>;
}

/** Sent by a server that has no file system of its own (in a browser); the client answers. */
export const FindFilesRequest = 'skill/findFiles';
/** Params: the globs, relative to every workspace folder. Result: URIs. */
export interface FindFilesParams {
  readonly globs: readonly string[];
}

export const ReadFileRequest = 'skill/readFile';
/** Params: a URI. Result: the text, or null where there is no such file. */
export interface ReadFileParams {
  readonly uri: string;
}

export const ExistsRequest = 'skill/exists';

/** Asks for the first text of a new skill. The server writes nothing; the client makes the file. */
export const NewSkillRequest = 'skill/new';
export interface NewSkillParams {
  readonly kind: 'literal' | 'template' | 'staged' | 'contract' | 'agent-skill';
  readonly name: string;
  /** Without one, a sentence is made from the name. */
  readonly description?: string;
}
/** A file to be, or what is wrong with the name or the description. */
export type NewSkillResult =
  | {
      /** Relative to the folder that is to hold the skill, with `/`. */
      readonly fileName: string;
      readonly text: string;
      /** Where the description stands in the text, in UTF-16 units. */
      readonly description: { readonly start: number; readonly end: number };
    }
  | { readonly problem: string };

/** The server's notification that its index of the workspace changed: for the status bar. */
export const StatusNotification = 'skill/status';
export interface StatusParams {
  /** False while the workspace is being read. */
  readonly ready: boolean;
  readonly skills: number;
}

/** The default globs (skill-format.md, section 1). */
export const DEFAULT_FILES: readonly string[] = [
  '**/*.skill.md',
  '**/skills/*.md',
  '**/SKILL.md',
  '**/*.skill.{yaml,yml}',
];

/** Files beside the skills that the server reads, wherever the setting puts the skills. */
export const CATALOG_FILES: readonly string[] = ['**/skills.config.yaml', '**/skills.tools.json'];
