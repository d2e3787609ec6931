/** The state of parsing a schema. */
import type { Default, JsonObject, Origins, SchemaProblem } from './model.ts';

/** The results that are collected during parsing. */
export interface ParseState {
  readonly problems: SchemaProblem[];
  readonly origins: Origins;
  readonly defaults: Default[];
  /** The JSON Schemas inside the shorthand. */
  readonly embedded: JsonObject[];
}

/** A field of the shorthand. */
export interface Field {
  readonly json: JsonObject;
  readonly required: boolean;
}

/** Returns an empty state. */
export const newParseState = (): ParseState => ({
  problems: [],
  origins: new Map(),
  defaults: [],
  embedded: [],
});
