/** How clients handle one `SKILL.md` (docs/clients.md), as the panel and the command line show it. */
import type { Span } from '../text.ts';
import type { OnWire } from './shapes.ts';

export type ClientColumn = 'found' | 'loaded' | 'listed' | 'chosen' | 'cut' | 'ignored';

export interface ClientReason {
  readonly text: string;
  /** The address of the documentation or source code. */
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  /** `derived`: inferred from source code. */
  readonly certainty: 'read' | 'derived' | 'partial' | 'unverified';
  /** The location of the cause; undefined if the cause is the path of the file, or is not in the file. */
  readonly place?: { readonly uri: string; readonly span: Span };
}

export interface ClientCell {
  /**
   * `yes`, `no` or `unknown`; in the column `chosen` instead: `model-or-name`, `model`, `name`, `nobody` or `unknown`.
   */
  readonly outcome: string;
  readonly reasons: readonly ClientReason[];
}

/** The entry of the skill that the model sees before it loads a skill. It may have several lines. */
export interface ListingLine {
  readonly text: string;
  /** False if the form of the entry, of its path, or of the cut in it, is not known. */
  readonly isExact: boolean;
  /** An estimate. */
  readonly tokens: number;
  /** The part of the description that the model does not see, if the file contains that text literally. */
  readonly hidden?: { readonly uri: string; readonly span: Span };
}

/** The size of a client's list of the skills that one catalog governs. */
export interface ListFill {
  /** The size that is left for the skills that one catalog governs. */
  readonly limit: number;
  readonly unit: 'characters' | 'bytes' | 'tokens';
  /** The size of the whole list, with the skills that the client itself brings. */
  readonly total: number;
  /** The size that the client's own skills keep. */
  readonly builtIn: number;
  /** The size of the model's context in tokens, if `total` is a share of it. */
  readonly context?: number;
  /** The name of this model; undefined for the client's default model, and for a size without a name. */
  readonly model?: string;
  /** The size of the list and the part that its skills need, in two sentences. */
  readonly text: string;
  readonly used: number;
  /** The number of skills in the list. */
  readonly skills: number;
  /** The minimum number of skills that lose their description or are not listed. */
  readonly dropped: number;
  /** The remaining length of each description, if the client shortens all descriptions evenly. */
  readonly shortenedTo?: number;
  /** The first skills that are not listed in full. */
  readonly touched: readonly {
    readonly uri: string;
    readonly name: string;
    readonly entryOutcome: Exclude<ListingOutcome, 'maybe'>;
  }[];
  readonly certainty: 'read' | 'derived' | 'partial' | 'unverified';
}

/** The size of the skill list that contains the file's skill and the skills beside it. */
export interface ListingBudget extends ListFill {
  /**
   * How the file's own entry is listed. `maybe`: some of the entries lose their description, depending on how often the
   * skills are used.
   */
  readonly entryOutcome: 'whole' | ListingOutcome;
}

/** The outcome for an entry that is not, or might not be, listed in full. */
export type ListingOutcome = 'shortened' | 'first-line' | 'name-only' | 'dropped' | 'maybe';

export interface ClientView {
  readonly id: string;
  readonly name: string;
  readonly isTarget: boolean;
  /** True if the client does not find the file, but a copy of it or a link to it. */
  readonly isElsewhere?: true;
  /** False if the facts about the client were only read. */
  readonly isObserved: boolean;
  readonly cells: Readonly<Record<ClientColumn, ClientCell>>;
  /** Undefined if the model does not see the skill. */
  readonly line?: ListingLine;
  readonly budget?: ListingBudget;
}

/** A file that the body links to. */
export interface BundledFile {
  readonly uri: string;
  /** The path as written in the body. */
  readonly path: string;
  /** True if the file exists. Undefined until this is checked. */
  readonly isThere?: boolean;
  /** The estimated number of tokens, for a file in the skill's folder. */
  readonly tokens?: number;
  /** Set if the file is too long for its tokens to be counted. */
  readonly isTooLarge?: true;
  /** The first mention. */
  readonly link: { readonly uri: string; readonly span: Span };
}

/** A file with the name of the skill: the skill itself, another skill, or a command of Claude Code. */
export interface SameNamedFile {
  readonly uri: string;
  /** The last names of the path. */
  readonly path: string;
  readonly scope: 'project' | 'user' | 'plugin' | 'command';
  /** The names of the plugins that ship the file. */
  readonly plugins: readonly string[];
}

export interface ClientsView {
  readonly uri: string;
  /** True if the author named the target clients; false if they are derived from the folders in the workspace. */
  readonly isChosen: boolean;
  readonly clients: readonly ClientView[];
  /** The first files with the same name, including the file itself; empty if the name is unique. */
  readonly sameNames: readonly SameNamedFile[];
  /** The first bundled files, in the order in which the body mentions them. */
  readonly files: readonly BundledFile[];
  /** The number of bundled files that are not in `files`. */
  readonly moreFiles: number;
  /**
   * The number of files in the folder that are skipped because the folder has too many files or the files are too long.
   */
  readonly unreadFiles: number;
}

/** An invocation of a `SKILL.md` by name, with arguments, in one client (docs/clients.md, "Arguments"). */
export interface Call {
  /** Undefined if the skill has no target client. In this case, no arguments are filled in. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  /** The fact about filling in arguments, with its source; undefined if this is unknown. */
  readonly fills: CallFact | undefined;
  /** The fact about running the commands in the body, with its source; undefined if this is unknown. */
  readonly runs: CallFact | undefined;
  /** The distinct placeholders in the body, as written. */
  readonly placeholders: readonly string[];
  /** The names under the key `arguments`, in the order of the file. */
  readonly names: readonly string[];
  readonly hint: string | undefined;
  /** The arguments, split as clients split them. */
  readonly words: readonly string[];
  /** The commands in the prompt, with offsets in UTF-16 code units. Commands are shown but never run. */
  readonly commands: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface CallFact {
  /** False if the client is known not to do it. */
  readonly does: boolean;
  readonly note: string | undefined;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: 'read' | 'derived' | 'partial' | 'unverified';
}

/** `null` if the file is not a `SKILL.md`. */
export type ClientsReply = OnWire<ClientsView>;
