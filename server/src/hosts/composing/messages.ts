/** The messages between a host and its composing worker, which takes one job at a time: plain data. */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';

export type Job =
  | { readonly kind: 'compose'; readonly request: ComposeRequest }
  /** The tokens of each text. */
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type JobResult =
  | { readonly kind: 'composed'; readonly result: ComposeResult; readonly milliseconds: number }
  | { readonly kind: 'counted'; readonly counts: readonly number[] };

export type Answer =
  /** Sent once, before anything is composed: from here on time counts. */
  | { readonly kind: 'ready' }
  | JobResult
  /** Something outgrew the stack or the longest text that there can be. */
  | { readonly kind: 'exhausted' }
  /** The composer threw, which is a defect of its own. */
  | { readonly kind: 'crashed'; readonly message: string };
