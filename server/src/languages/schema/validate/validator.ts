/** What validating by one schema keeps: its regular expressions, and ajv's function where it is needed. */
import type { Json } from '../../yaml/node.ts';
import type { Dialect, JsonObject, JsonViolation } from '../model.ts';
import type { Regex } from '../regex/regex.ts';
import { type AjvValidate, compile } from './ajv.ts';
import { fillDefaults } from './defaults.ts';
import { validateValue } from './value.ts';

/** Belongs to a schema without errors. What ajv compiles is big and rarely needed, so it is made on demand. */
export class Validator {
  readonly #json: JsonObject;
  readonly #dialect: Dialect;
  readonly #regexes = new Map<string, Regex>();
  #askAjv: AjvValidate | undefined;

  constructor(json: JsonObject, dialect: Dialect) {
    this.#json = json;
    this.#dialect = dialect;
  }

  /** One violation for each defect, after defaults are filled in. */
  validate(value: Json): readonly JsonViolation[] {
    const filled = fillDefaults(this.#json, value);
    const context = { root: this.#json, dialect: this.#dialect, regexes: this.#regexes };
    const { violations, certain, exhausted } = validateValue(context, filled);
    if (certain || exhausted) return violations;
    this.#askAjv ??= compile(this.#json, this.#dialect, this.#regexes);
    const [error] = this.#askAjv(filled);
    if (!error) return [];
    return violations.length > 0 ? violations : [error];
  }
}
