/** The proposals at a cursor, before they are converted to LSP items. */
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

/** The sort classes of proposals, in order (server/README.md, "The order of completion"). */
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

/**
 * The documentation of a proposal, or a function that creates it from the current state when the user selects the item.
 */
export type Docs = Markdown | ((analysis: Analysis, file: SkillFile) => Markdown | undefined);

export interface Proposal {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** Short plain text after the label. */
  readonly detail?: string | undefined;
  readonly docs?: Docs | undefined;
  /** The inserted text; the label if absent. */
  readonly insert?: string | undefined;
  /** True if `insert` is a snippet. */
  readonly isSnippet?: boolean;
  /** The text that the typed word is matched against; the label if absent. */
  readonly filter?: string | undefined;
  readonly isDeprecated?: boolean | undefined;
  /** The sort class; proposals in the same class keep their order. `Rank.known` if absent. */
  readonly rank?: Rank | undefined;
  /** True if accepting the proposal opens suggestions again, at the first tab stop. */
  readonly opensNext?: boolean | undefined;
  /** The replaced span, if it differs from the span of the `Offer`. */
  readonly span?: Span | undefined;
}

/** The proposals and the span that they replace. */
export interface Offer {
  readonly span: Span;
  /** The text that is inserted before every proposal. */
  readonly before?: string;
  readonly proposals: readonly Proposal[];
  /** True if there are more matches than proposals. */
  readonly isIncomplete?: boolean | undefined;
}

export type Proposals = Pick<Offer, 'proposals' | 'isIncomplete'>;

/** Returns a snippet that inserts the text literally. */
export const literal = (text: string): string => text.replace(/[\\$}]/g, '\\$&');

export { CompletionItemKind as Kind };
