/** The handling of one `SKILL.md` by clients (docs/clients.md), as the panel and the command line show it. */
import type { Span } from '../text.ts';
import type { OnWire } from './tests.ts';

export type ClientColumn = 'found' | 'loaded' | 'listed' | 'chosen' | 'cut' | 'ignored';

export interface ClientReason {
  readonly text: string;
  /** The address of the documentation or source code. */
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  /** `derived`: concluded from source code. */
  readonly certainty: 'read' | 'derived' | 'unverified';
  /** The cause in the file; undefined if the cause is the path of the file, or is not in the file. */
  readonly place?: { readonly uri: string; readonly span: Span };
}

export interface ClientCell {
  /** `yes`, `no` or `unknown`; for `chosen`: `model-or-name`, `model`, `name`, `nobody` or `unknown`. */
  readonly outcome: string;
  readonly reasons: readonly ClientReason[];
}

/** The line that the model sees of the skill before it loads one. */
export interface ListingLine {
  readonly text: string;
  /** An estimate. */
  readonly tokens: number;
  /** The part of the description that the model does not see, if the file contains its text literally. */
  readonly hidden?: { readonly uri: string; readonly span: Span };
}

/** The size of a client's skill list, with the skills under one catalog. */
export interface ListFill {
  readonly limit: number;
  readonly unit: 'characters' | 'bytes' | 'tokens';
  readonly used: number;
  /** The number of skills in the list. */
  readonly skills: number;
  /** The minimum number of them that lose their description or are not listed. */
  readonly dropped: number;
  /** The remaining length of each description, if the client shortens all of them evenly. */
  readonly shortenedTo?: number;
  /** The first entries that are not listed in full. */
  readonly touched: readonly {
    readonly uri: string;
    readonly name: string;
    readonly fate: Exclude<ListingOutcome, 'maybe'>;
  }[];
  readonly certainty: 'read' | 'derived' | 'unverified';
}

/** The skill list with the skills beside the file. */
export interface ListingBudget extends ListFill {
  /** The listing of the file's own entry; `maybe`: it depends on use. */
  readonly fate: 'whole' | ListingOutcome;
}

/** The listing of an entry that is not, or may not be, listed in full. */
export type ListingOutcome = 'shortened' | 'name-only' | 'dropped' | 'maybe';

export interface ClientView {
  readonly id: string;
  readonly name: string;
  readonly isTarget: boolean;
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
  /** Undefined until it is checked. */
  readonly isThere?: boolean;
  /** An estimate, for a text in the skill's folder. */
  readonly tokens?: number;
  /** The file is too long to be counted. */
  readonly isTooLarge?: true;
  /** The first mention. */
  readonly link: { readonly uri: string; readonly span: Span };
}

export interface ClientsView {
  readonly uri: string;
  /** True if the author named the targets; false if they follow from the folders of the workspace. */
  readonly isChosen: boolean;
  readonly clients: readonly ClientView[];
  /** The first bundled files, in the order of the body. */
  readonly files: readonly BundledFile[];
  /** The number of further files. */
  readonly moreFiles: number;
  /** The number of files of the folder that are skipped because there are too many, or they are too long. */
  readonly unreadFiles: number;
}

/** An invocation of a `SKILL.md` by name, with arguments, in one client (docs/clients.md, "Arguments"). */
export interface Call {
  /** Undefined if the skill has no target client: nothing is filled in. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  /** The sourced fact about filling in arguments; undefined if the client fills in nothing, or it is unknown. */
  readonly fills: CallFact | undefined;
  /** The sourced fact about running the commands in the body. */
  readonly runs: CallFact | undefined;
  /** The distinct placeholders of the body, as written. */
  readonly placeholders: readonly string[];
  /** The names in `arguments`, in their order. */
  readonly names: readonly string[];
  readonly hint: string | undefined;
  /** The arguments, split as clients split them. */
  readonly words: readonly string[];
  /** The commands in the prompt, with offsets in UTF-16 code units. They are shown but never run. */
  readonly commands: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface CallFact {
  readonly note: string | undefined;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: 'read' | 'derived' | 'unverified';
}

/** `null` if the file is not a `SKILL.md`. */
export type ClientsReply = OnWire<ClientsView>;
