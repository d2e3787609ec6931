import type { Range } from '../text.ts';

export interface UsesParams {
  readonly uris: readonly string[];
}
/** The names of the skills that others use, and where those name them. Empty where nobody does. */
export interface UsesReply {
  readonly skills: readonly string[];
  readonly places: readonly { readonly uri: string; readonly range: Range }[];
}
