/** What clients make of one `SKILL.md` (docs/clients.md), as the panel and the command line show it. */
import type { Span } from '../text.ts';
import type { OnWire } from './tests.ts';

export type ClientColumn = 'found' | 'loaded' | 'listed' | 'chosen' | 'cut' | 'ignored';

export interface ClientReason {
  readonly text: string;
  /** Where it was read. */
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  /** `derived`: concluded from source code that was read. */
  readonly certainty: 'read' | 'derived' | 'unverified';
  /** What in the file causes it; undefined where it is the place of the file, or nothing in it. */
  readonly place?: { readonly uri: string; readonly span: Span };
}

export interface ClientCell {
  /** `yes`, `no` or `unknown`; of `chosen` `model-or-name`, `model`, `name`, `nobody` or `unknown`. */
  readonly outcome: string;
  readonly reasons: readonly ClientReason[];
}

/** The line that the model sees of the skill before it chooses one. */
export interface ListingLine {
  readonly text: string;
  /** About how many. */
  readonly tokens: number;
  /** What of the description the model does not see, where its text stands in the file as it reads. */
  readonly hidden?: { readonly uri: string; readonly span: Span };
}

/** How full the list of a client is with the skills under one catalog. */
export interface ListFill {
  readonly limit: number;
  readonly unit: 'characters' | 'bytes' | 'tokens';
  readonly used: number;
  /** How many skills are in the list. */
  readonly skills: number;
  /** How many of them, at the least, lose their description or are not listed. */
  readonly dropped: number;
  /** How much of each description stays, where all are shortened evenly. */
  readonly shortenedTo?: number;
  /** The first entries that are not listed in full. */
  readonly touched: readonly { readonly uri: string; readonly name: string; readonly fate: Exclude<Fate, 'maybe'> }[];
  readonly certainty: 'read' | 'derived' | 'unverified';
}

/** The same with the skills beside the file. */
export interface ListingBudget extends ListFill {
  /** What becomes of the file's own entry; `maybe`: it depends on use. */
  readonly fate: 'whole' | Fate;
}

/** What becomes of an entry that is not listed in full, or may not be. */
export type Fate = 'shortened' | 'name-only' | 'dropped' | 'maybe';

export interface ClientView {
  readonly id: string;
  readonly name: string;
  readonly isTarget: boolean;
  readonly cells: Readonly<Record<ClientColumn, ClientCell>>;
  /** Undefined where the model does not see the skill. */
  readonly line?: ListingLine;
  readonly budget?: ListingBudget;
}

/** A file that the body leads to. */
export interface BundledFile {
  readonly uri: string;
  /** As the body has it. */
  readonly path: string;
  /** Undefined while nobody has looked. */
  readonly isThere?: boolean;
  /** About how many, of a text in the skill's folder. */
  readonly tokens?: number;
  /** It is so long that it is not counted. */
  readonly isTooLarge?: true;
  /** Where it is named first. */
  readonly link: { readonly uri: string; readonly span: Span };
}

export interface ClientsView {
  readonly uri: string;
  /** True where the author named the targets; false where they follow from the folders of the workspace. */
  readonly isChosen: boolean;
  readonly clients: readonly ClientView[];
  /** The first of them, in the order of the body. */
  readonly files: readonly BundledFile[];
  /** How many more there are. */
  readonly moreFiles: number;
  /** How many files of the folder are not looked at, since there are too many, or they are too long. */
  readonly unreadFiles: number;
}

/** A `SKILL.md` as somebody calls it by name, with arguments, through one client (docs/clients.md, "Arguments"). */
export interface Call {
  /** Undefined where nobody said for whom the skill is: nothing is filled in. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  /** What the client does is a fact with a source; undefined where it fills in nothing, or nobody knows. */
  readonly fills: CallFact | undefined;
  /** The same for the commands in the body. */
  readonly runs: CallFact | undefined;
  /** The placeholders of the body, as they are written, each once. */
  readonly placeholders: readonly string[];
  /** The names that `arguments` gives, in their order. */
  readonly names: readonly string[];
  readonly hint: string | undefined;
  /** The arguments, parted as clients part them. */
  readonly words: readonly string[];
  /** The commands in the prompt, in UTF-16 units. They are shown, and never run. */
  readonly commands: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface CallFact {
  readonly note: string | undefined;
  readonly source: string;
  /** ISO date. */
  readonly checked: string;
  readonly certainty: 'read' | 'derived' | 'unverified';
}

/** `null` where the file is no `SKILL.md`. */
export type ClientsReply = OnWire<ClientsView>;
