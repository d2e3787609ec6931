/**
 * The abilities of a `SKILL.md` folder (docs/abilities.md), as a panel shows them. This data never states that a skill
 * is safe.
 */
import type { Range } from '../text.ts';

export interface AbilityPlace {
  readonly uri: string;
  /** The path below the skill's folder. */
  readonly path: string;
  readonly range: Range;
}

export interface AbilityFound {
  /**
   * The kind of thing that was found, such as `npm token`, `tag` or `download`. Does not contain the text of a secret.
   */
  readonly what: string;
  readonly place: AbilityPlace;
}

/** A program, a module or a piece of code whose effects are not analysed. */
export interface UnanalysedFound {
  readonly kind: 'program' | 'module' | 'code';
  readonly name: string;
  readonly place: AbilityPlace;
}

export interface AbilitiesView {
  readonly uri: string;
  /**
   * Tools that are allowed without confirmation while the skill is active. If a tool has no `pattern`, every call is
   * allowed.
   */
  readonly tools: readonly { readonly name: string; readonly pattern?: string; readonly place: AbilityPlace }[];
  /** Commands that run when the skill is loaded, before the model reads it, or on an event. */
  readonly runs: readonly {
    readonly kind: 'inline' | 'fence' | 'hook';
    readonly event?: string;
    readonly command: string;
    readonly place: AbilityPlace;
  }[];
  readonly scripts: readonly {
    readonly uri: string;
    readonly path: string;
    /** `other`: the script is listed but not scanned. */
    readonly language: 'shell' | 'python' | 'javascript' | 'other';
    readonly reaches: readonly {
      readonly reach: 'network' | 'files' | 'processes' | 'secrets';
      readonly by: string;
      readonly place: AbilityPlace;
    }[];
    readonly unanalysed: readonly UnanalysedFound[];
  }[];
  /** The names of programs and modules in Markdown files and in hooks that are not analysed. */
  readonly commands: readonly UnanalysedFound[];
  /** Downloads and encoded strings that are executed. */
  readonly unread: readonly AbilityFound[];
  readonly secrets: readonly AbilityFound[];
  /** Hosts, each with its first occurrence in a file. */
  readonly addresses: readonly { readonly host: string; readonly place: AbilityPlace }[];
  readonly hidden: readonly AbilityFound[];
  /** The words in `compatibility` which state that the skill needs no network. */
  readonly deniesNetwork?: string;
  readonly leftOut: readonly { readonly path: string; readonly why: 'too-many' | 'too-large' | 'no-text' }[];
}
