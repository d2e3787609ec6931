/** Fills the tab stops of a skeleton with the names that are there: steps, skills, tools, inputs, outputs and values. */
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { isPlainSafe } from '../../languages/yaml/quote.ts';
import type { Snippet } from '../../vocabulary/snippets.ts';
import { allowedValues } from '../symbol/template-values.ts';
import { fieldsOfStep, stepsBefore } from './flow.ts';
import { nameProposals, skillProposals } from './names.ts';
import type { YamlCursor } from './yaml-place.ts';

/** The kind of a tab stop, and the number of the tab stop or the place in a list to which it refers. */
const WANTED =
  /^(step|step after|skill|tool|input|input with values|input of|input like|output of|value of)(?: (\d))?$/;

/** The maximum number of choices at a tab stop. */
const MAX_CHOICES = 50;

/** Returns the text of a snippet in which a tab stop offers the names that are there. Without names, its text stays. */
export function withNames(cursor: YamlCursor, { body, names = {} }: Snippet): string {
  const known = new KnownNames(cursor);
  for (const [stop, wanted] of Object.entries(names)) known.add(stop, wanted);
  return body.replace(/\$\{(\d+):([^{}]*)\}/g, (whole, stop: string) => {
    const choices = known.choicesAt(stop);
    const [first] = choices;
    if (first === undefined) return whole;
    return choices.length === 1 ? `\${${stop}:${first}}` : `\${${stop}|${choices.slice(0, MAX_CHOICES).join(',')}|}`;
  });
}

/** A field to which a condition can refer. */
const FIELD = /^[A-Za-z_][\w-]*$/;

/** The characters that a tab stop cannot contain without escapes. */
const SPECIAL = /[|,\\${}\r\n]/;

/** Returns whether a skeleton can contain a name, which has no quotes there. */
const isName = (name: string): boolean => !SPECIAL.test(name) && isPlainSafe(name, true);

/** Returns whether a skeleton can contain a value at the end of a condition, which has no quotes. */
const isConstant = (value: string): boolean => !SPECIAL.test(value) && isPlainSafe(`name == ${value}`);

/** The names at the tab stops so far. The first name of a tab stop is the one that later tab stops refer to. */
class KnownNames {
  readonly #cursor: YamlCursor;
  readonly #choices = new Map<string, readonly string[]>();
  readonly #fields = new Map<string, readonly SchemaField[]>();

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  choicesAt(stop: string): readonly string[] {
    return this.#choices.get(stop) ?? [];
  }

  add(stop: string, wanted: string): void {
    const [, kind, other = '1'] = WANTED.exec(wanted) ?? [];
    const fields = this.#fieldsOf(kind, other)?.filter(({ name }) => FIELD.test(name) && isName(name));
    if (fields) this.#fields.set(stop, fields);
    const names = fields?.map(({ name }) => name) ?? this.#namesOf(kind, other);
    this.#choices.set(stop, names.filter(kind === 'value of' ? isConstant : isName));
  }

  #fieldsOf(kind: string | undefined, other: string): readonly SchemaField[] | undefined {
    const [step = ''] = this.choicesAt(other);
    const own = this.#cursor.file.contract.input?.schema.fields ?? [];
    switch (kind) {
      case 'input':
        return inOrder(own);
      case 'input with values':
        return inOrder(own, (field) => Number(constantsOf(field).length > 1));
      case 'input like': {
        const [like] = this.#fields.get(other) ?? [];
        return inOrder(own, likeness(like));
      }
      case 'input of':
        return inOrder(fieldsOfStep(this.#cursor, step, 'input'), ({ name }) => Number(this.#isOutputBefore(name)));
      case 'output of': {
        const [like] = [...this.#fields.values()].at(-1) ?? [];
        return inOrder(fieldsOfStep(this.#cursor, step, 'output'), likeness(like));
      }
      default:
        return undefined;
    }
  }

  /** Returns whether a step at an earlier tab stop has an output of this name. */
  #isOutputBefore(name: string): boolean {
    return [...this.#choices.values()].some(([step = '']) =>
      fieldsOfStep(this.#cursor, step, 'output').some((field) => field.name === name),
    );
  }

  #namesOf(kind: string | undefined, other: string): readonly string[] {
    switch (kind) {
      case 'step': {
        const before = new Set(stepsBefore(this.#cursor));
        const steps = this.#cursor.file.contract.composes.map(({ step }) => step);
        const left = steps.filter((step) => !before.has(step));
        return startingAt([...left, ...steps.filter((step) => before.has(step))], Number(other));
      }
      case 'step after': {
        const [before = ''] = this.choicesAt(other);
        const outputs = new Set(fieldsOfStep(this.#cursor, before, 'output').map(({ name }) => name));
        const isFed = (step: string): boolean =>
          fieldsOfStep(this.#cursor, step, 'input').some(({ name }) => outputs.has(name));
        const steps = this.#namesOf('step', '2');
        const rank = (step: string): number => Number(step !== before && isFed(step));
        return [...steps].sort((a, b) => rank(b) - rank(a));
      }
      case 'skill':
        return startingAt(
          skillProposals(this.#cursor, '', true).proposals.map(({ label }) => label),
          Number(other),
        );
      case 'tool':
        return startingAt(
          nameProposals(this.#cursor, 'tool').map(({ label }) => label),
          Number(other),
        );
      case 'value of':
        return constantsOf(this.#fields.get(other)?.[0]);
      default:
        return [];
    }
  }
}

/** Returns the rank of a field by its likeness to another one: the same name, or the same type. */
const likeness =
  (like: SchemaField | undefined) =>
  ({ name, type }: SchemaField): number =>
    name === like?.name ? 2 : type === like?.type ? 1 : 0;

/** Returns the fields by their rank, required ones first. */
const inOrder = (
  fields: readonly SchemaField[],
  rank: (field: SchemaField) => number = () => 0,
): readonly SchemaField[] => [...fields].sort((a, b) => rank(b) - rank(a) || Number(b.required) - Number(a.required));

/** Returns a list from its nth name on, and then the names before it. */
const startingAt = (names: readonly string[], nth: number): readonly string[] => {
  const from = names.length === 0 ? 0 : (nth - 1) % names.length;
  return [...names.slice(from), ...names.slice(0, from)];
};

/** Returns the values that a field can have, as an expression writes them. */
function constantsOf(field: SchemaField | undefined): readonly string[] {
  const json = field?.json;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const schema = json as { readonly [key: string]: Json };
  const number = schema.type === 'integer' || schema.type === 'number' ? [0] : [];
  return [...allowedValues(schema), ...number]
    .filter((value) => value !== null && typeof value !== 'object')
    .map((value) => JSON.stringify(value));
}
