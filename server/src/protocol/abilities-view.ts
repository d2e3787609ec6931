/** What a `SKILL.md` folder is able to do (docs/abilities.md), as a panel shows it; never a verdict of safety. */
import type { Range } from '../text.ts';

export interface AbilityPlace {
  readonly uri: string;
  /** The path below the skill's folder. */
  readonly path: string;
  readonly range: Range;
}

export interface AbilityFound {
  /** Such as `npm token`, `tag`, `download`; of a secret never the secret. */
  readonly what: string;
  readonly place: AbilityPlace;
}

export interface AbilitiesView {
  readonly uri: string;
  /** Tools that need no question while the skill is active; without a pattern for whatever they are asked to do. */
  readonly tools: readonly { readonly name: string; readonly pattern?: string; readonly place: AbilityPlace }[];
  /** What runs before the model has read a word, or at an event. */
  readonly runs: readonly {
    readonly kind: 'inline' | 'fence' | 'hook';
    readonly event?: string;
    readonly command: string;
    readonly place: AbilityPlace;
  }[];
  readonly scripts: readonly {
    readonly uri: string;
    readonly path: string;
    /** `other`: it is listed and not scanned. */
    readonly language: 'shell' | 'python' | 'javascript' | 'other';
    readonly reaches: readonly {
      readonly reach: 'network' | 'files' | 'processes' | 'secrets';
      readonly by: string;
      readonly place: AbilityPlace;
    }[];
  }[];
  /** Downloads and encoded texts that are run. */
  readonly unread: readonly AbilityFound[];
  readonly secrets: readonly AbilityFound[];
  /** Hosts, each where it stands first in a file. */
  readonly addresses: readonly { readonly host: string; readonly place: AbilityPlace }[];
  readonly hidden: readonly AbilityFound[];
  /** The words by which `compatibility` says that no network is needed. */
  readonly deniesNetwork?: string;
  readonly leftOut: readonly { readonly path: string; readonly why: 'too-many' | 'too-large' | 'no-text' }[];
}
