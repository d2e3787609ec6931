/** The client's initialization options, and the settings that client and server read. */
import * as v from 'valibot';
import { optional, type TypeOf } from './request.ts';

export const initializationOptions = v.object({
  /** The address of the server's second script in a browser, `core.js`. By default, it is beside the first script. */
  coreScript: optional(v.string()),
  /** The address of the worker script that composes skills in a browser. */
  composeWorker: optional(v.string()),
  /** The address of the script that this worker loads for the first run of a skill. */
  runScript: optional(v.string()),
  /** The client's command that opens a preview, given `{uri, sample?}`. Without it, no code lens opens a preview. */
  previewCommand: optional(v.string()),
  /**
   * The client's command that shows locations, given `{uri, position, locations}`. Without it, no code lens shows the
   * composites.
   */
  showReferencesCommand: optional(v.string()),
  /** The client's command that starts a rename, given `{uri, position}`, for names that a refactoring generated. */
  renameCommand: optional(v.string()),
  /** The client's command that selects text, given `{uri, range}`, after a fix inserted a placeholder. */
  selectCommand: optional(v.string()),
  /** The client's command that makes skills available to clients, given `{skills, clients}`, with `skill/emit`. */
  shareCommand: optional(v.string()),
  /** The client's command that shows two files side by side, given `{left, right}`. */
  compareCommand: optional(v.string()),
  /** The client's commands that enable or disable a skill, given `{uri}`. These commands create a missing catalog. */
  enableCommand: optional(v.string()),
  disableCommand: optional(v.string()),
  /** The client's command that lists the clients of `SKILL.md` files, given `{uri}`, to choose the target clients. */
  chooseClientsCommand: optional(v.string()),
  /**
   * The client's command that opens suggestions, given `{auto: true}`. Without this command, one completion does not
   * open the next completion.
   */
  suggestCommand: optional(v.string()),
  /**
   * `push`: the server publishes diagnostics; `pull`: the client requests them. The default is `pull` if the client
   * supports it, otherwise `push`.
   */
  diagnostics: optional(v.picklist(['push', 'pull'])),
  /** True if the client shows the fixes of findings. Each diagnostic then has a `DiagnosticData`. */
  namesFixes: optional(v.boolean()),
  /** True in a trusted workspace, whose catalogs may name files outside the workspace. The default is false. */
  trusted: optional(v.boolean()),
  /** The editor's name. The server does not report findings that this editor reports itself. */
  editor: optional(v.string()),
});
export type InitializationOptions = TypeOf<typeof initializationOptions>;

/** The `data` of a diagnostic. */
export interface DiagnosticData {
  /** The title of the preferred fix, as the code action has it; null without a fix; undefined if it is not known. */
  readonly fix?: string | null;
  /** True if the finding repeats one in another file, so that counts leave it out. */
  readonly repeats?: true;
}

/** The settings that the server reads, under `skillComposer`. */
export interface Settings {
  /** The globs of skill files, relative to a workspace folder. */
  readonly files?: readonly string[];
  /** The severities, by rule name. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly format?: { readonly enable?: boolean };
  /** The folder of the user's skills for all workspaces: absolute, or relative to the home folder with `~/`. */
  readonly accountSkills?: string;
  /** False to also read linked git worktrees, Python packages and paths that git ignores. */
  readonly useIgnoreFiles?: boolean;
  readonly agentSkills?: {
    /**
     * The IDs of the target clients for `SKILL.md` files. A list that is not empty overrides the target clients in
     * catalogs.
     */
    readonly clients?: readonly string[];
    /** The model of the target clients, as a name, names, or the size of its context in tokens. Overrides catalogs. */
    readonly model?: string | number | readonly string[];
  };
  /** The inlay hints shown in a composite. */
  readonly inlayHints?: readonly InlayHintKind[];
  /** The code lenses shown in a skill. */
  readonly codeLens?: readonly CodeLensKind[];
}

export type CodeLensKind =
  /** Opens the preview, above the skill's name. */
  | 'preview'
  /** Opens the preview of a sample, above each sample. */
  | 'samples'
  /** The number of skills that compose this skill, above its name. */
  | 'composedBy'
  /** The sums of the composed skills' budgets, above the skill's `policy`, or above its name if it has no policy. */
  | 'budget'
  /** The state "disabled", above the skill's name. */
  | 'permission';

export type InlayHintKind =
  /** The version that a range in `requires` resolves to. */
  | 'versions'
  /** The effects of the composed skills, if the skill does not declare its own. */
  | 'effects'
  /** The strongest operation of the composed skills, if the skill does not declare its own. */
  | 'operation'
  /** The sums of the composed skills' budgets, after the skill's own. */
  | 'budget';
