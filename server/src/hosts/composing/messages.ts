/** The messages between a host and its composing worker, which takes one job at a time: plain data. */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';

export interface Job {
  readonly request: ComposeRequest;
}

export type Answer =
  /** Sent once, before anything is composed: from here on time counts. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'composed'; readonly result: ComposeResult; readonly milliseconds: number }
  /** Something outgrew the stack or the longest text that there can be. */
  | { readonly kind: 'exhausted' }
  /** The composer threw, which is a defect of its own. */
  | { readonly kind: 'crashed'; readonly message: string };
