/** What the readers of a schema hand to one another. */
import type { Default, JsonObject, Origins, SchemaProblem } from './model.ts';

/** What is collected while a schema is parsed. */
export interface ParseState {
  readonly problems: SchemaProblem[];
  readonly origins: Origins;
  readonly defaults: Default[];
  /** JSON Schemas that stand within the shorthand. */
  readonly embedded: JsonObject[];
}

/** A field of the shorthand. */
export interface Field {
  readonly json: JsonObject;
  readonly required: boolean;
}

export const newParseState = (): ParseState => ({
  problems: [],
  origins: new Map(),
  defaults: [],
  embedded: [],
});
