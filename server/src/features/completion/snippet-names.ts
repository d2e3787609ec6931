/** Fills the tab stops of a skeleton with the names that are there: steps, skills, tools, inputs, outputs and values. */
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { isPlainSafe } from '../../languages/yaml/quote.ts';
import { touches } from '../../text.ts';
import type { Snippet } from '../../vocabulary/snippets.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { allowedValues } from '../symbol/template-values.ts';
import { fieldsOfStep } from './flow.ts';
import { nameProposals, skillProposals } from './names.ts';
import type { Cursor } from './proposal.ts';

/** The kind of a tab stop, and the number of the tab stop or the place in a list to which it refers. */
const WANTED =
  /^(step|step after|skill|atomic skill|skill after|tool|template|input|input with values|input of|input like|input to map of|output|output of|value of)(?: (\d+))?$/;

/** The maximum number of choices at a tab stop. */
const MAX_CHOICES = 50;

/**
 * Returns the text of a snippet in which a tab stop offers the names that are there. Without names, its text stays.
 * `before` are the steps that run before the cursor.
 */
export function withNames(cursor: Cursor, { body, names = {} }: Snippet, before: readonly string[] = []): string {
  const known = new KnownNames(cursor, new Map(Object.entries(names)), before);
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

/** The names at each tab stop. The first name of a tab stop is the one that other tab stops refer to. */
class KnownNames {
  readonly #cursor: Cursor;
  readonly #wanted: ReadonlyMap<string, string>;
  readonly #before: ReadonlySet<string>;
  readonly #choices = new Map<string, readonly string[]>();
  readonly #fields = new Map<string, readonly SchemaField[]>();

  constructor(cursor: Cursor, wanted: ReadonlyMap<string, string>, before: readonly string[]) {
    this.#cursor = cursor;
    this.#wanted = wanted;
    this.#before = new Set(before);
  }

  /** Returns the names at a tab stop. A tab stop refers only to others that do not refer to it. */
  choicesAt(stop: string): readonly string[] {
    const found = this.#choices.get(stop);
    if (found) return found;
    const [, kind, other = '1'] = WANTED.exec(this.#wanted.get(stop) ?? '') ?? [];
    const fields = this.#fieldsOf(kind, other)?.filter(({ name }) => FIELD.test(name) && isName(name));
    if (fields) this.#fields.set(stop, fields);
    const names = fields?.map(({ name }) => name) ?? this.#namesOf(kind, other);
    const choices = names.filter(kind === 'value of' ? isConstant : isName);
    this.#choices.set(stop, choices);
    return choices;
  }

  /** Returns the first field at a tab stop. */
  #fieldAt(stop: string): SchemaField | undefined {
    this.choicesAt(stop);
    return this.#fields.get(stop)?.[0];
  }

  /** Returns the fields of a step, or of a skill that becomes a step. */
  #fieldsIn(step: string, side: 'input' | 'output'): readonly SchemaField[] {
    const { analysis, file } = this.#cursor;
    if (file.contract.composes.some((entry) => entry.step === step)) return fieldsOfStep(this.#cursor, step, side);
    return analysis.resolveSide(file, step, side)?.contract[side]?.schema.fields ?? [];
  }

  #fieldsOf(kind: string | undefined, other: string): readonly SchemaField[] | undefined {
    const { input, output } = this.#cursor.file.contract;
    const own = input?.schema.fields ?? [];
    switch (kind) {
      case 'input':
        return inOrder(own);
      case 'input with values':
        return inOrder(own, (field) => Number(constantsOf(field).length > 1));
      case 'input like':
        return inOrder(own, likeness(this.#fieldAt(other)));
      case 'output':
        return inOrder(output?.schema.fields ?? [], likeness(this.#fieldAt(other)));
      case 'input of': {
        const [step = ''] = this.choicesAt(other);
        return inOrder(this.#fieldsIn(step, 'input'), ({ name }) => Number(this.#isOutputBefore(name, other)));
      }
      case 'input to map of': {
        const [step = ''] = this.choicesAt(other);
        return inOrder(this.#fieldsIn(step, 'input'), ({ name }) => -Number(this.#isOutputBefore(name, other)));
      }
      case 'output of': {
        const [step = ''] = this.choicesAt(other);
        return inOrder(this.#fieldsIn(step, 'output'), likeness([...this.#fields.values()].at(-1)?.[0]));
      }
      default:
        return undefined;
    }
  }

  /** Returns whether a step at a tab stop before the tab stop `step` has an output of this name. */
  #isOutputBefore(name: string, step: string): boolean {
    return [...this.#wanted].some(
      ([stop, kind]) =>
        Number(stop) < Number(step) &&
        /^(?:step|skill|atomic)/.test(kind) &&
        this.#fieldsIn(this.choicesAt(stop)[0] ?? '', 'output').some((field) => field.name === name),
    );
  }

  #namesOf(kind: string | undefined, other: string): readonly string[] {
    switch (kind) {
      case 'step': {
        const steps = this.#cursor.file.contract.composes.map(({ step }) => step);
        const left = steps.filter((step) => !this.#before.has(step));
        return startingAt([...left, ...steps.filter((step) => this.#before.has(step))], Number(other));
      }
      case 'step after':
        return this.#fedFirst(this.#namesOf('step', '2'), other);
      case 'skill':
        return startingAt(this.#skills(), Number(other));
      case 'atomic skill':
        return this.#skills().filter((name) => this.#isAtomic(name));
      case 'skill after':
        return this.#fedFirst(
          this.#skills().filter((name) => this.#wanted.get(other) === 'skill' || this.#isAtomic(name)),
          other,
        );
      case 'tool':
        return startingAt(
          nameProposals(this.#cursor, 'tool').map(({ label }) => label),
          Number(other),
        );
      case 'template':
        return (this.#cursor.file.body?.artifacts ?? []).flatMap((one) =>
          one.kind === 'PromptTemplate' && !touches(one.span, this.#cursor.offset) ? [one.name] : [],
        );
      case 'value of':
        return constantsOf(this.#fieldAt(other));
      default:
        return [];
    }
  }

  /** Returns the skills or steps without the one at a tab stop, first those that read one of its outputs. */
  #fedFirst(names: readonly string[], stop: string): readonly string[] {
    const [before = ''] = this.choicesAt(stop);
    const outputs = new Set(this.#fieldsIn(before, 'output').map(({ name }) => name));
    const isFed = (step: string): boolean => this.#fieldsIn(step, 'input').some(({ name }) => outputs.has(name));
    const rank = (step: string): number => (step === before ? -1 : Number(isFed(step)));
    return [...names].sort((a, b) => rank(b) - rank(a));
  }

  #skills(): readonly string[] {
    return skillProposals(this.#cursor, '', true).proposals.map(({ label }) => label);
  }

  #isAtomic(name: string): boolean {
    const { analysis, file } = this.#cursor;
    return resolveSummary(analysis.graph, file, name)?.summary.composes.length === 0;
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
