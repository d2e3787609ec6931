/** What is offered at a cursor, before it becomes an LSP item. */
import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  InsertTextFormat,
  InsertTextMode,
} from 'vscode-languageserver-types';
import type { SkillDocument } from '../../skill/document.ts';
import { lineBreakOf, type Span, touches } from '../../text.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import type { Locate } from '../locate.ts';

/** A cursor in one file of the workspace. */
export interface Cursor {
  readonly index: WorkspaceIndex;
  readonly document: SkillDocument;
  readonly offset: number;
}

export interface Proposal {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** A few words beside the label, plain text. */
  readonly detail?: string | undefined;
  /** Markdown. */
  readonly docs?: string | undefined;
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

export function toItems({ document, offset }: Cursor, offer: Offer, locate: Locate): CompletionItem[] {
  const { span: place, before = '', proposals } = offer;
  const lineBreak = lineBreakOf(document.text);
  const seen = new Set<string>();
  const items: CompletionItem[] = [];
  for (const [order, proposal] of proposals.entries()) {
    if (seen.has(proposal.label)) continue;
    seen.add(proposal.label);
    const own = proposal.span ?? place;
    if (!isAtCursor(document, own, offset)) continue;
    const insert = (before + (proposal.insert ?? proposal.label)).replaceAll('\n', lineBreak);
    items.push({
      label: proposal.label,
      kind: proposal.kind,
      sortText: `${String(proposal.rank ?? 5).padStart(2, '0')}${String(order).padStart(5, '0')}`,
      textEdit: { range: locate.range(document, own), newText: insert },
      ...(proposal.detail ? { detail: proposal.detail } : {}),
      ...(proposal.docs ? { documentation: { kind: 'markdown', value: proposal.docs } } : {}),
      ...(proposal.isSnippet
        ? { insertTextFormat: InsertTextFormat.Snippet, insertTextMode: InsertTextMode.asIs }
        : {}),
      ...(proposal.filter !== undefined && proposal.filter !== proposal.label ? { filterText: proposal.filter } : {}),
      ...(proposal.isDeprecated ? { tags: [CompletionItemTag.Deprecated] } : {}),
    });
  }
  return items;
}

/** Editors take an edit only where it holds the cursor and stays on its line; in folded text a word may do neither. */
function isAtCursor({ text }: SkillDocument, place: Span, offset: number): boolean {
  return touches(place, offset) && !/[\r\n]/.test(text.slice(place.start, place.end));
}

export { CompletionItemKind as Kind };
