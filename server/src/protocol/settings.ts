/** The client's initialization options, and the settings that client and server read. */
import * as v from 'valibot';
import { optional, type TypeOf } from './request.ts';

export const initializationOptions = v.object({
  /** Where a browser finds the server's second script, `core.js`; without it beside the first. */
  coreScript: optional(v.string()),
  /** Where a browser finds the script of the composing worker. */
  composeWorker: optional(v.string()),
  /** The client's command that opens a preview, given `{uri, sample?}`. Without it there are no code lenses for previews. */
  previewCommand: optional(v.string()),
  /** The client's command that shows places, given `{uri, position, locations}`. Without it no lens shows composers. */
  showReferencesCommand: optional(v.string()),
  /** The client's command that begins a rename, given `{uri, position}`, for names that a refactoring made up. */
  renameCommand: optional(v.string()),
  /** The client's commands that turn a skill on or off in the workspace, given `{uri}`; they make a catalog where there is none. */
  enableCommand: optional(v.string()),
  disableCommand: optional(v.string()),
  /** The client's command that opens suggestions, given `{auto: true}`. Without it a list does not lead to the next. */
  suggestCommand: optional(v.string()),
  /** `push`: the server publishes; `pull`: the client asks. Without it: pull where the client can, else push. */
  diagnostics: optional(v.picklist(['push', 'pull'])),
  /** True in a workspace that the user trusts: its catalogs may name files outside of it. A client that does not say is not trusted. */
  trusted: optional(v.boolean()),
  /** The editor's name; what it checks itself is not reported twice. */
  editor: optional(v.string()),
});
export type InitializationOptions = TypeOf<typeof initializationOptions>;

/** The settings that the server reads, under `skillComposer`. */
export interface Settings {
  /** Globs of the files that are skills, relative to a workspace folder. */
  readonly files?: readonly string[];
  /** Severities by rule. */
  readonly rules?: Readonly<Record<string, string>>;
  readonly format?: { readonly enable?: boolean };
  /** The folder of the skills that the user has in every workspace: absolute, or from the home with `~/`. */
  readonly accountSkills?: string;
  readonly agentSkills?: {
    /** Ids of the clients that `SKILL.md` files are for; they go before those of catalogs. Empty: the catalogs decide. */
    readonly clients?: readonly string[];
  };
  /** The inlay hints that are shown in a composite. */
  readonly inlayHints?: readonly InlayHintKind[];
  /** The code lenses that are shown in a skill. */
  readonly codeLens?: readonly CodeLensKind[];
}

export type CodeLensKind =
  /** Opens the preview, above the skill's name. */
  | 'preview'
  /** Opens the preview of a sample, above each sample. */
  | 'samples'
  /** How many skills compose this one, above its name. */
  | 'composedBy'
  /** The sums of the parts' budgets, above the skill's policy, else above its name. */
  | 'budget'
  /** That the skill is disabled in the workspace, above its name. */
  | 'permission';

export type InlayHintKind =
  /** The version that a range of `requires` resolves to. */
  | 'versions'
  /** The effects of the parts, where the skill leaves its own to be inferred. */
  | 'effects'
  /** The most severe operation of the parts, where the skill leaves its own to be inferred. */
  | 'operation'
  /** The sums of the parts' budgets, after the skill's own. */
  | 'budget';
