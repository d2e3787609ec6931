/**
 * The results of the steps of a client for one file (docs/clients.md, "The steps of a client"): the keys of its
 * frontmatter, or the step that ends the skill there.
 */

/** The steps, in their order. */
export type Step = 'find' | 'open' | 'parse' | 'fields' | 'resolve' | 'admit' | 'entry' | 'list' | 'deliver';

/** The reason why a skill goes no further. */
export type StopCode =
  | 'find/file-name'
  | 'find/hidden'
  | 'find/depth'
  | 'find/link'
  | 'find/folder'
  | 'find/below-skill'
  | 'find/left-out'
  | 'find/too-large'
  | 'find/setting'
  | 'find/plugin-refused'
  | 'find/plugin-name'
  | 'find/plugin-root'
  | 'find/plugin-no-root'
  | 'find/plugin-other'
  | 'find/plugin-depth'
  | 'find/plugin-path'
  | 'find/plugin-command'
  | 'open/no-frontmatter'
  | 'open/before'
  | 'open/bom'
  | 'open/unclosed'
  | 'open/encoding'
  | 'open/crlf'
  | 'parse/syntax'
  | 'parse/colon'
  | 'parse/duplicate-key'
  | 'parse/not-a-map'
  | 'fields/missing'
  | 'fields/type'
  | 'fields/pattern'
  | 'fields/length'
  | 'fields/folder'
  | 'fields/reserved'
  | 'fields/tags'
  | 'fields/value'
  | 'fields/unknown-key'
  | 'fields/body'
  | 'resolve/equal-name'
  | 'admit/key'
  | 'admit/missing'
  | 'admit/side-file';

export interface Stop {
  readonly code: StopCode;
  /** The key of the frontmatter that causes it, if there is one. */
  readonly key?: string;
  /** The path of the skill that the client uses instead, or of the plugin or its folder that is the reason. */
  readonly by?: string;
}

/** Returns the step of a code such as `open/cr`. */
export const stepOf = ({ code }: { readonly code: string }): Step => code.slice(0, code.indexOf('/')) as Step;

/** A value of the frontmatter as a client reads it. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue };

export interface Field {
  /** A date is its text in ISO 8601. */
  readonly value: FieldValue;
  /** The text of a scalar in the file, without quotes: `1.0` has the value 1. Undefined for lists and maps. */
  readonly text?: string;
  /** Set if the client's library makes a date of it, which is not a string. */
  readonly isDate?: true;
}

/** The frontmatter of a file as a client reads it. */
export interface Keys {
  /** The top-level keys, in the order of the file. `__proto__` is a key like any other. */
  readonly keys: ReadonlyMap<string, Field>;
  /** The offset of the body in the file, in UTF-16 code units. */
  readonly bodyStart: number;
  /** True if the client repaired the frontmatter, or used the body without it. */
  readonly isRepaired?: true;
}

/** A file after the steps `open` and `parse`. */
export interface ReadSkill extends Pick<Keys, 'keys' | 'isRepaired'> {
  /** The body, or its beginning. */
  readonly body: string;
  readonly isBodyEmpty: boolean;
}

/** One reading of a file: its keys, or the step that stopped, with the offset of the cause in UTF-16 code units. */
export type Reading = Keys | (Stop & { readonly at: number });

export const isStop = (reading: Reading): reading is Stop & { readonly at: number } => 'code' in reading;
