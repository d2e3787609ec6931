/** Which skills answer a request (docs/matching.md): the params and the reply. */
import type { InvocationSource } from '../composer/composition.ts';

export interface MatchParams {
  readonly request: string;
  /** So many matches at most; 10 where it is left out. */
  readonly top?: number;
  /** Who would invoke the skill; `agent-selected` where it is left out. */
  readonly source?: InvocationSource;
  /** The channel; without one, the workspace. */
  readonly channel?: string;
  /** The caller, a profile of the catalog; without one, a caller who holds everything. */
  readonly profile?: string;
}

interface MatchedSkill {
  readonly name: string;
  readonly version: string | null;
  readonly uri: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly ambiguous: boolean;
  /** Keys of the frontmatter, each with what matched in it, as it is written there. */
  readonly reasons: readonly { readonly field: string; readonly text: string }[];
}

export interface MatchReply {
  readonly request: string;
  /** The best first. */
  readonly matches: readonly MatchedSkill[];
  /** Skills that have words of the request and may not be used for it. */
  readonly excluded: readonly { readonly name: string; readonly uri: string; readonly reason: string }[];
}
