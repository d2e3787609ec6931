/** The types of the values in a skill's templates and conditions (docs/templates.md, "Types"). */
import {
  type CheckedTemplate,
  type CheckOptions,
  checkCondition,
  checkTemplates,
} from '../languages/minijinja/types/check-types.ts';
import { patternFormOf, textFormOf } from '../languages/minijinja/types/facts.ts';
import type { TypeProblem } from '../languages/minijinja/types/problems.ts';
import {
  ANY,
  BOOLEAN,
  type Kind,
  listOf,
  mapOf,
  NULL,
  NUMBER,
  orUndefined,
  STRING,
  tupleOf,
  unionOf,
  type ValueFacts,
  type ValueType,
} from '../languages/minijinja/types/value-type.ts';
import {
  describeSchemas,
  isUsable,
  type Schema,
  type SchemaField,
  type ValueShape,
  valueShapes,
} from '../languages/schema/schema.ts';
import type { Json, YamlScalar } from '../languages/yaml/node.ts';
import { contains, span } from '../text.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../vocabulary/known-names.ts';
import { plainName } from './conditions.ts';
import { referencesInCondition } from './execution/execution.ts';
import type { SkillFile } from './skill-file.ts';

/** The checked templates and conditions of a file, in the order of `templates` and `conditions`. */
interface TemplateTypes {
  readonly templates: readonly CheckedTemplate[];
  readonly conditions: readonly (CheckedTemplate | undefined)[];
}

/**
 * Returns the problems with the types in the templates and conditions of a file. Conditions of `execution`, which read
 * the outputs of steps, are left to `checkConditions`. With `isStrict`, a test of an undefined value fails. Spans count from the start of each template. Never throws.
 */
export const templateProblems = (file: SkillFile, isStrict = false): TemplateTypes =>
  file.derive(isStrict ? checkStrictly : checkFile);

/** Like `templateProblems`, with the type of every expression, for features. */
export const templateTypes = (file: SkillFile): TemplateTypes => file.derive(recordFile);

/** Returns the types of the names that a template may use without defining them. */
export const typesOfNames = (file: SkillFile): ReadonlyMap<string, ValueType> => file.derive(contextOfFile);

const recordFile = (file: SkillFile): TemplateTypes => typesOf(file, { isRecording: true });
const contextOfFile = (file: SkillFile) => contextOf(file.contract.input?.schema, TEMPLATE_VARIABLES);
const checkFile = (file: SkillFile): TemplateTypes => typesOf(file, {});
const checkStrictly = (file: SkillFile): TemplateTypes => typesOf(file, { isStrict: true });

function typesOf(file: SkillFile, options: CheckOptions): TemplateTypes {
  const schema = file.contract.input?.schema;
  const templates = file.templates.map(({ artifact, source }) => ({ name: artifact.name, ...source }));
  const inConditions = contextOf(schema, CONDITION_VARIABLES);
  return {
    templates: checkTemplates(templates, typesOfNames(file), options),
    conditions: file.conditions.map(({ place, expression }) =>
      place === 'execution' ? undefined : checkCondition(expression, inConditions, options),
    ),
  };
}

/** The circumstances of the conditions of steps. */
export interface StepConditionOptions {
  /** True if a test of an undefined value fails (docs/templates.md, "Undefined values"). */
  readonly isStrict?: boolean;
  /** Returns whether a step may not have run when a condition is evaluated. */
  readonly isSkippable?: (condition: YamlScalar, step: string) => boolean;
}

/**
 * Returns the checked conditions of a file. `outputs` are the output schemas of the steps whose outputs are known, to
 * which conditions of steps refer (docs/format.md, section 4, "Execution"). Problems with the names and types in a
 * reference are left out, because the data flow has them, too. Never throws.
 */
export function checkConditions(
  file: SkillFile,
  outputs: ReadonlyMap<string, Schema>,
  { isStrict = false, isSkippable = () => false }: StepConditionOptions = {},
): readonly (CheckedTemplate | undefined)[] {
  const { conditions } = templateProblems(file, isStrict);
  if (conditions.every((one) => one !== undefined)) return conditions;
  const context = contextOf(file.contract.input?.schema, CONDITION_VARIABLES);
  const steps = sourcesOf(context, outputs);
  return file.conditions.map(({ place, expression, scalar }, at) => {
    if (place !== 'execution') return conditions[at];
    const source = String(scalar.value);
    const references = referencesInCondition(source);
    // Only the steps to which the condition refers, because there may be thousands of steps.
    const own = new Map(context);
    for (const { source: step } of references) {
      const type = steps.get(plainName(step)) ?? ANY;
      const output = type.map?.field('output');
      const isDoubtful = output !== undefined && step !== 'input' && isSkippable(scalar, step);
      own.set(
        plainName(step),
        isDoubtful ? fieldsOf({ output: orUndefined(output, { reason: 'skipped', name: step }) }) : type,
      );
    }
    const names = new Set(references.map(({ source: step }) => plainName(step)));
    const checked = checkCondition(expression, own, { source, references: names, isStrict });
    const places = references.map(({ index, whole }) => span(index, index + whole.length));
    const isOwn = ({ kind, span: place }: TypeProblem): boolean =>
      kind === 'maybe-undefined' || !places.some((reference) => contains(reference, place));
    return { ...checked, problems: checked.problems.filter(isOwn).map(asWritten) };
  });
}

/**
 * Returns the types of the names in the condition of a step: parameters, variables, and the sources of references by
 * their plain names. `outputs` are the output schemas of steps. Never throws.
 */
export function typesInStepCondition(
  file: SkillFile,
  outputs: ReadonlyMap<string, Schema>,
): ReadonlyMap<string, ValueType> {
  const context = contextOf(file.contract.input?.schema, CONDITION_VARIABLES);
  return new Map([...context, ...sourcesOf(context, outputs)]);
}

/** Returns the types of `$input` and of the steps, by their plain names. */
function sourcesOf(
  context: ReadonlyMap<string, ValueType>,
  outputs: ReadonlyMap<string, Schema>,
): ReadonlyMap<string, ValueType> {
  const sources = new Map<string, ValueType>([[plainName('input'), context.get('parameters') ?? ANY]]);
  for (const [step, schema] of outputs) {
    const name = plainName(step);
    // Two steps such as `a-b` and `a_b` have the same plain name.
    const isKnown = !sources.has(name) && isUsable(schema);
    const type = isKnown ? typeOfSchemas([schema.json], knownTypes(schema), schema.fields) : ANY;
    sources.set(name, fieldsOf({ output: type }));
  }
  return sources;
}

/** Returns a problem whose path names `$input.x` as `x`, which is the same parameter. */
function asWritten(problem: TypeProblem): TypeProblem {
  const [first, ...rest] = problem.optional?.path ?? [];
  if (!problem.optional || first !== plainName('input') || rest.length === 0) return problem;
  return { ...problem, optional: { ...problem.optional, path: rest } };
}

/**
 * Returns whether the templates and conditions of a file have no more problems if the undefined name `name` is an input
 * of a type. Conditions of `execution` are not checked. Never throws.
 */
export function acceptsType(file: SkillFile, name: string, type: 'string' | 'number' | 'boolean'): boolean {
  const own = { string: STRING, number: NUMBER, boolean: BOOLEAN }[type];
  const known = templateProblems(file);
  const templates = file.templates.map(({ artifact, source }) => ({ name: artifact.name, ...source }));
  const checked = checkTemplates(templates, new Map([...typesOfNames(file), [name, own]]));
  const inConditions = new Map([...contextOf(file.contract.input?.schema, CONDITION_VARIABLES), [name, own]]);
  return (
    checked.every(({ problems }, at) => problems.length <= (known.templates[at]?.problems.length ?? 0)) &&
    file.conditions.every(({ place, expression }, at) => {
      if (place === 'execution') return true;
      return checkCondition(expression, inConditions).problems.length <= (known.conditions[at]?.problems.length ?? 0);
    })
  );
}

/** Returns the types of the parameters and of the variables that the composer passes. */
function contextOf(
  schema: Schema | undefined,
  ambient: readonly { readonly name: string; readonly docs: string }[],
): ReadonlyMap<string, ValueType> {
  const parameters = schema && isUsable(schema) ? typeOfSchemas([schema.json], knownTypes(schema), schema.fields) : ANY;
  const context = new Map<string, ValueType>();
  for (const { name, docs } of ambient) {
    context.set(name, { ...(AMBIENT_TYPES.get(name) ?? ANY), docs });
  }
  for (const name of parameters.map?.names() ?? []) {
    // The composer passes these variables even if a parameter has the same name.
    if (!FIXED.includes(name)) context.set(name, parameters.map?.field(name) ?? ANY);
  }
  return context.set('parameters', { ...parameters, label: 'object', docs: 'All parameters by name.' });
}

const FIXED: readonly string[] = CONDITION_VARIABLES.map(({ name }) => name);

const fieldsOf = (entries: { readonly [name: string]: ValueType }): ValueType =>
  mapOf(new Map(Object.entries(entries).map(([name, type]) => [name, () => type])));
const choice = (...constants: readonly string[]): ValueType => ({
  ...STRING,
  label: constants.join(' | '),
  constants,
});
const STRING_OR_NULL = unionOf([STRING, NULL]);

/** The types of the variables that the composer passes (docs/format.md, section 5). */
const AMBIENT_TYPES: ReadonlyMap<string, ValueType> = new Map([
  ['user_request', STRING],
  ['scope', choice('channel', 'workspace')],
  ['channel_id', STRING_OR_NULL],
  ['source', choice('explicit', 'agent-selected', 'scheduled', 'authoring')],
  ['model', STRING_OR_NULL],
  ['memory', listOf(() => MEMORY_ITEM)],
  ['tools', listOf(() => TOOL)],
]);

const MEMORY_ITEM = fieldsOf({
  id: { ...STRING, docs: 'The id of the item.' },
  tier: { ...STRING, docs: 'The memory tier of the item.' },
  text: { ...STRING, docs: 'The text of the item.' },
});
const TOOL = fieldsOf({
  name: { ...STRING, docs: 'The name of the tool.' },
  description: { ...STRING_OR_NULL, docs: 'The description of the tool.' },
  operation: { ...STRING_OR_NULL, docs: '`TRANSFORM`, `READ` or `WRITE`.' },
});

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['null', 'null'],
  ['boolean', 'boolean'],
  ['integer', 'number'],
  ['number', 'number'],
  ['string', 'string'],
  ['array', 'list'],
  ['object', 'map'],
]);

/** A schema, and the types of its parts, so that a recursive schema has one type. */
interface KnownTypes extends Pick<Schema, 'json' | 'dialect'> {
  readonly known: Map<Json, { readonly fields: readonly SchemaField[]; readonly type: ValueType }[]>;
}

const knownTypes = ({ json, dialect }: Schema): KnownTypes => ({ json, dialect, known: new Map() });

/** Returns the type of the values that match all schemas. `fields` are the declarations of their fields. */
function typeOfSchemas(
  schemas: readonly Json[],
  schema: KnownTypes,
  fields: readonly SchemaField[] = NO_FIELDS,
): ValueType {
  const [first] = schemas;
  if (first === undefined || schemas.length > 1) return newType(schemas, schema, fields);
  const known = schema.known.get(first) ?? [];
  schema.known.set(first, known);
  const same = known.find((one) => one.fields === fields);
  if (same) return same.type;
  const type = newType(schemas, schema, fields);
  known.push({ fields, type });
  return type;
}

const NO_FIELDS: readonly SchemaField[] = [];

function newType(schemas: readonly Json[], schema: KnownTypes, fields: readonly SchemaField[]): ValueType {
  const { label, description } = describeSchemas(schemas, schema.json);
  const about = { ...(label !== 'any' && { label }), ...(description !== undefined && { docs: description }) };
  const shapes = valueShapes(schemas, { root: schema.json, dialect: schema.dialect });
  if (!shapes) return { ...ANY, ...about };
  const types = shapes.map((shape) => typeOfShape(shape, schema, fields));
  const constants = types.flatMap((type) => type.constants ?? []);
  return { ...unionOf(types), ...about, ...(constants.length > 0 && { constants }) };
}

/** Returns what the keywords of a schema, such as `minimum` and `pattern`, show about its values. */
function factsOfShape(kind: Kind, { constants, range, size, patterns }: ValueShape): ValueFacts {
  if (kind === 'number') {
    const numbers = constants?.filter((value) => typeof value === 'number');
    const { low, high, aboveLow, belowHigh } = range;
    const isNonZero = low > 0 || (low === 0 && aboveLow) || high < 0 || (high === 0 && belowHigh);
    const least = numbers ? Math.min(...numbers) : low;
    return {
      ...((isNonZero || numbers?.every((value) => value !== 0)) && { isTruthy: true }),
      ...(Number.isFinite(least) && { least }),
      ...(numbers?.every((value) => !Number.isInteger(value)) && { isFloat: true }),
    };
  }
  if (kind !== 'string') {
    return { ...(size.least > 0 && { isTruthy: true }), ...(size.least > 1 && { leastSize: size.least }) };
  }
  const strings = constants?.filter((value) => typeof value === 'string');
  const forms = strings ? [textFormOf(strings)] : patterns.map(patternFormOf);
  const text = forms.find((form) => form !== undefined) ?? (size.most === 1 ? 'character' : undefined);
  const isTruthy = strings ? strings.every((value) => value !== '') : size.least > 0;
  const shortest = strings ? Math.min(...strings.map((value) => value.length)) : size.least;
  return { ...(isTruthy && { isTruthy }), ...(text && { text }), ...(shortest > 1 && { leastSize: shortest }) };
}

function typeOfShape(shape: ValueShape, schema: KnownTypes, declared: readonly SchemaField[]): ValueType {
  const { type, fields, isOpen, rest, items, first, isTuple, constants } = shape;
  const kind = KINDS.get(type);
  if (kind === undefined) return ANY;
  const plain: ValueType = {
    kinds: new Set([kind]),
    ...(constants && { constants }),
    facts: factsOfShape(kind, shape),
  };
  if (kind === 'list') {
    const starts = first.map((one) => () => typeOfSchemas(one, schema));
    if (isTuple) return { ...plain, ...tupleOf(starts) };
    if (items.length === 0 && starts.length === 0) return plain;
    const others = () => (items.length > 0 ? typeOfSchemas(items, schema, declared) : ANY);
    if (starts.length === 0) return { ...plain, list: { item: others } };
    const item = () => unionOf([...starts, others].map((type) => type()));
    return { ...plain, list: { item, first: starts, others } };
  }
  if (kind !== 'map') return plain;
  const declarations = new Map(declared.map((one) => [one.name, one]));
  const known = new Map<string, ValueType>();
  const field = (name: string): ValueType | undefined => {
    const type = known.get(name) ?? makeField(name);
    if (type) known.set(name, type);
    return type;
  };
  const makeField = (name: string): ValueType | undefined => {
    const shape = fields.get(name);
    if (!shape) return undefined;
    const source = declarations.get(name);
    const own = { ...typeOfSchemas(shape.schemas, schema, source?.fields), ...(source && { source }) };
    return shape.isPresent ? own : orUndefined(own, { reason: 'optional' });
  };
  return {
    ...plain,
    map: {
      names: () => fields.keys(),
      field,
      isOpen,
      ...(rest.length > 0 && { rest: () => typeOfSchemas(rest, schema) }),
    },
  };
}
