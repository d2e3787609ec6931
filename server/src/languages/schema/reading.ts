/** What the readers of a schema hand to one another. */
import type { Default, JsonObject, Origins, Places, SchemaProblem } from './model.ts';

/** What reading a schema gathers on its way. */
export interface Reading {
  readonly problems: SchemaProblem[];
  readonly places: Places;
  readonly origins: Origins;
  readonly defaults: Default[];
  /** JSON Schemas that stand within the shorthand. */
  readonly embedded: JsonObject[];
}

export interface Field {
  readonly json: JsonObject;
  readonly required: boolean;
}

export const newReading = (): Reading => ({
  problems: [],
  places: new Map(),
  origins: new Map(),
  defaults: [],
  embedded: [],
});
