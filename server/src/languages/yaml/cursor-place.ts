/** What stands at a cursor in YAML. */
import type { Span } from '../../text.ts';

export type Path = readonly (string | number)[];

/** A place in YAML where something stands or is about to be typed. */
export interface YamlPlace {
  /**
   * Of a `key` the path of its map; of a `value` or an `item` its own path. On a new line below `a:` the place is a `key` in
   * `a`, since nothing yet tells a map from a list.
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
