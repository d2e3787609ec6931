/** A schema that has been read; its fields, its problems and its validator are made on demand and kept with it. */
import { type Span, shift } from '../../text.ts';
import type { Dialect, JsonObject, SchemaField, SchemaProblem, SkillSchema } from './model.ts';
import { Validator } from './validate/validator.ts';

export class ReadSchema implements SkillSchema {
  readonly span: Span;
  readonly form: SkillSchema['form'];
  readonly dialect: Dialect;
  readonly json: JsonObject;
  readonly #findFields: () => SkillSchema['fields'];
  readonly #findProblems: () => SkillSchema['problems'];
  /** The schema that was read, and how far from its places this one stands. */
  #origin: ReadSchema = this;
  #by = 0;
  #fields: SkillSchema['fields'] | undefined;
  #problems: SkillSchema['problems'] | undefined;
  #validator: Validator | undefined;

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

  get validator(): Validator {
    const origin = this.#origin;
    origin.#validator ??= new Validator(this.json, this.dialect);
    return origin.#validator;
  }

  /** The same schema `by` characters further on, where an edit before it has moved it. */
  movedBy(by: number): SkillSchema {
    if (by === 0) return this;
    const origin = this.#origin;
    const total = this.#by + by;
    const moved = new ReadSchema(
      shift(this.span, by),
      this.form,
      this.dialect,
      this.json,
      () => origin.fields.map((field) => moveField(field, total)),
      () => origin.problems.map((problem) => moveProblem(problem, total)),
    );
    moved.#origin = origin;
    moved.#by = total;
    return moved;
  }
}

const moveField = (field: SchemaField, by: number): SchemaField => ({
  ...field,
  keySpan: shift(field.keySpan, by),
  span: shift(field.span, by),
  fields: field.fields.map((inner) => moveField(inner, by)),
});

const moveProblem = (problem: SchemaProblem, by: number): SchemaProblem => ({
  ...problem,
  span: shift(problem.span, by),
  ...(problem.fix && { fix: { ...problem.fix, span: shift(problem.fix.span, by) } }),
});
