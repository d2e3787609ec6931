/** What stands at a cursor in YAML: the data that `path.ts` gives. */
import type { Span } from '../../text.ts';

export type Path = readonly (string | number)[];

/** A place in YAML where something stands or is about to be typed. */
export interface YamlPlace {
  /**
   * For a `key` the path of the map it is in; for a `value` and an `item` the path that it has itself (an item's ends with
   * its index). On a new line below `tools:` the place is a `key` of `tools`, since nothing tells a map from a list yet.
   */
  readonly path: Path;
  readonly role: 'key' | 'value' | 'item';
  /** The word to replace, without the quotes around it; empty at the cursor where there is none. */
  readonly span: Span;
  /** The other keys of the map that a `key` is in. */
  readonly siblings: readonly string[];
  /** The column of the keys or dashes around the place. */
  readonly indent: number;
  /** What has to be typed in front of the word: a blank directly behind `key:`, a dash on a new line of a list. */
  readonly before: '' | ' ' | '- ';
  /** True within `[…]` and `{…}`, where commas and brackets need quotes. */
  readonly flow: boolean;
}
