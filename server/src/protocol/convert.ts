/** Conversions, as editors show them before anything is written (docs/exchange.md). */
import type { OutputFile, Target } from '../exchange/conversion.ts';
import type { Range } from '../text.ts';

export interface ConvertParams {
  readonly uri: string;
  /** The text of a document that is not served, such as a record. */
  readonly text?: string;
  readonly to: Target;
}

/** Null for a document that is unknown and has no text. */
export type ConvertReply =
  | {
      /** The first is the result; the others belong to it. */
      readonly files: readonly OutputFile[];
      readonly lost: readonly { readonly what: string; readonly range: Range; readonly why: string }[];
      /** The folder beside the source whose files go along as they are; null where none do. */
      readonly along: string | null;
    }
  | { readonly problem: string; readonly range: Range | null };
