/** The list of skills that a model chooses from, as one client makes it. */
import type { Client } from '../vocabulary/client.ts';

export type Unit = 'characters' | 'bytes' | 'tokens';

/** An entry of the list. */
export interface ListedSkill {
  readonly uri: string;
  readonly name: string;
  /** What the entry costs, and what of that its description costs. */
  readonly cost: number;
  readonly ofDescription: number;
}

export interface Limit {
  readonly amount: number;
  readonly unit: Unit;
}

/** What becomes of an entry. `some` go of those that are marked `maybe`. */
export type Fate = 'whole' | 'shortened' | 'name-only' | 'dropped' | 'maybe';

export interface Listing {
  readonly client: Client;
  readonly limit: Limit;
  readonly used: number;
  readonly skills: readonly (ListedSkill & { readonly fate: Fate })[];
  /** How many entries, at the least, lose their description or go. */
  readonly dropped: number;
  /** How much of each description stays, where all are shortened evenly. */
  readonly shortenedTo?: number;
}
