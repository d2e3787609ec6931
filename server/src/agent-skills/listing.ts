/** The list of skills that a model chooses from, as one client makes it. */
import type { Client } from '../vocabulary/client.ts';
import type { Entries, ListedSkill } from './entries.ts';

export type Unit = 'characters' | 'bytes' | 'tokens';

export interface Limit {
  readonly amount: number;
  readonly unit: Unit;
}

/** What becomes of an entry. `some` go of those that are marked `maybe`. */
export type Fate = 'whole' | 'shortened' | 'name-only' | 'dropped' | 'maybe';

export interface Listing {
  readonly client: Client;
  readonly limit: Limit;
  readonly entries: Entries;
  readonly fateOf: (skill: ListedSkill) => Fate;
  /** How many entries, at the least, lose their description or go. */
  readonly dropped: number;
  /** How much of each description stays, where all are shortened evenly. */
  readonly shortenedTo?: number;
}
