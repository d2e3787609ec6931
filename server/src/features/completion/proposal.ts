/** What is offered at a cursor, before it becomes an LSP item. */

import { CompletionItemKind } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

/** A cursor in one file of the workspace. */
export interface Cursor {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly offset: number;
}

/**
 * Markdown, or what makes it when somebody looks: of the items of a list, a user reads the words of one or two. It is made
 * of the index and the document as they are by then, since what was read of another file may not be held.
 */
export type Docs = string | ((analysis: Analysis, file: SkillFile) => string | undefined);

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
  /** What the typed word is held against; the label where absent. */
  readonly filter?: string | undefined;
  readonly isDeprecated?: boolean | undefined;
  /** Lower ranks stand first; those of one rank keep their order. */
  readonly rank?: number | undefined;
  /** Replaced instead of the answer's own span. */
  readonly span?: Span | undefined;
}

/** What is offered, and the word that it replaces. */
export interface Offer {
  readonly span: Span;
  /** Has to be typed in front of every proposal. */
  readonly before?: string;
  readonly proposals: readonly Proposal[];
  /** True where more would fit than are offered. */
  readonly isIncomplete?: boolean;
}

/** The text as a snippet that inserts it literally. */
export const literal = (text: string): string => text.replace(/[\\$}]/g, '\\$&');

export { CompletionItemKind as Kind };
