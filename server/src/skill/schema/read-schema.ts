/** A schema that has been read, whose fields and faults are found when somebody asks for them. */
import type { Span } from '../../text.ts';
import type { Dialect, JsonObject, SkillSchema } from './model.ts';

/** A class for the same reason as `ClosedDocument`: getters of a literal would keep every schema alive. */
export class ReadSchema implements SkillSchema {
  readonly span: Span;
  readonly form: SkillSchema['form'];
  readonly dialect: Dialect;
  readonly json: JsonObject;
  readonly #findFields: () => SkillSchema['fields'];
  readonly #findProblems: () => SkillSchema['problems'];
  #fields: SkillSchema['fields'] | undefined;
  #problems: SkillSchema['problems'] | undefined;

  constructor(
    place: Span,
    form: SkillSchema['form'],
    dialect: Dialect,
    json: JsonObject,
    findFields: () => SkillSchema['fields'],
    findProblems: () => SkillSchema['problems'],
  ) {
    this.span = place;
    this.form = form;
    this.dialect = dialect;
    this.json = json;
    this.#findFields = findFields;
    this.#findProblems = findProblems;
  }

  get fields(): SkillSchema['fields'] {
    this.#fields ??= this.#findFields();
    return this.#fields;
  }

  get problems(): SkillSchema['problems'] {
    this.#problems ??= this.#findProblems();
    return this.#problems;
  }
}
