/** A schema that has been read; its fields, its problems and its validator are made on demand and kept with it. */
import { type Span, shift } from '../../text.ts';
import type { Dialect, JsonObject, Schema, SchemaField, SchemaProblem } from './model.ts';
import { Validator } from './validate/validator.ts';

/** What a schema is made of; fields and problems stand where the schema was read. */
interface SchemaSource extends Pick<Schema, 'span' | 'form' | 'dialect' | 'json'> {
  findFields(): readonly SchemaField[];
  findProblems(): readonly SchemaProblem[];
}

export class ParsedSchema implements Schema {
  readonly span: Span;
  readonly form: Schema['form'];
  readonly dialect: Dialect;
  readonly json: JsonObject;
  readonly #source: SchemaSource;
  /** The schema as it was read, which this one was moved from, and by how many characters. */
  readonly #original: ParsedSchema | undefined;
  readonly #by: number;
  #fields: readonly SchemaField[] | undefined;
  #problems: readonly SchemaProblem[] | undefined;
  #validator: Validator | undefined;

  constructor(source: SchemaSource, original?: ParsedSchema, by = 0) {
    this.span = shift(source.span, by);
    this.form = source.form;
    this.dialect = source.dialect;
    this.json = source.json;
    this.#source = source;
    this.#original = original;
    this.#by = by;
  }

  get fields(): readonly SchemaField[] {
    this.#fields ??= this.#original?.fields.map((field) => moveField(field, this.#by)) ?? this.#source.findFields();
    return this.#fields;
  }

  get problems(): readonly SchemaProblem[] {
    this.#problems ??=
      this.#original?.problems.map((problem) => moveProblem(problem, this.#by)) ?? this.#source.findProblems();
    return this.#problems;
  }

  get validator(): Validator {
    this.#validator ??= this.#original?.validator ?? new Validator(this.json, this.dialect);
    return this.#validator;
  }

  /** The same schema `by` characters further on, where an edit before it has moved it. */
  movedBy(by: number): Schema {
    return by === 0 ? this : new ParsedSchema(this.#source, this.#original ?? this, this.#by + by);
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
