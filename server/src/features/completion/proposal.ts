/** What is offered at a cursor, before it becomes an LSP item. */
import { CompletionItemKind } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { Markdown } from '../markdown.ts';

/** A cursor in one file of the workspace. */
export interface Cursor {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly offset: number;
}

/** The classes that proposals are sorted by, the first first (server/README.md, "The order of completion"). */
export const Rank = {
  demanded: 1,
  own: 2,
  near: 3,
  known: 4,
  rest: 5,
  doubtful: 6,
  snippet: 7,
} as const;
export type Rank = (typeof Rank)[keyof typeof Rank];

/** What is said of a proposal, or a function that makes it when the user looks at the item, of the analysis and the file as they are then. */
export type Docs = Markdown | ((analysis: Analysis, file: SkillFile) => Markdown | undefined);

export interface Proposal {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** A few words beside the label, plain text. */
  readonly detail?: string | undefined;
  readonly docs?: Docs | undefined;
  /** What is inserted; the label where absent. */
  readonly insert?: string | undefined;
  /** True where `insert` is a snippet. */
  readonly isSnippet?: boolean;
  /** What the typed word is matched with; the label where absent. */
  readonly filter?: string | undefined;
  readonly isDeprecated?: boolean | undefined;
  /** The class of the order; those of one class keep theirs. `Rank.known` where absent. */
  readonly rank?: Rank | undefined;
  /** True where suggestions are to open again once it is accepted, at its first tab stop. */
  readonly opensNext?: boolean | undefined;
  /** Replaced instead of the answer's own span. */
  readonly span?: Span | undefined;
}

/** What is offered, and the word that it replaces. */
export interface Offer {
  readonly span: Span;
  /** Inserted in front of every proposal. */
  readonly before?: string;
  readonly proposals: readonly Proposal[];
  /** True where more would fit than are offered. */
  readonly isIncomplete?: boolean | undefined;
}

export type Proposals = Pick<Offer, 'proposals' | 'isIncomplete'>;

/** The text as a snippet that inserts it literally. */
export const literal = (text: string): string => text.replace(/[\\$}]/g, '\\$&');

export { CompletionItemKind as Kind };
