/** What a host and its composing worker say to each other: plain data, in Node and in a browser alike. */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';

export interface Job {
  readonly id: number;
  readonly request: ComposeRequest;
}

export type Answer =
  /** Said once, before anything is composed: from here on time counts. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'composed'; readonly id: number; readonly result: ComposeResult; readonly milliseconds: number }
  /** The composer threw, which it never should. */
  | { readonly kind: 'crashed'; readonly id: number; readonly message: string };
