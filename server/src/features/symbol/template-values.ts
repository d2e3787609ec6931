/** Infers the types of values in templates from the schemas of the skill. */
import type { Expression } from '../../languages/minijinja/ast.ts';
import type { ReceiverPath } from '../../languages/minijinja/cursor.ts';
import { pathOf } from '../../languages/minijinja/defined-names.ts';
import type { Scopes, Variable } from '../../languages/minijinja/scope-model.ts';
import type { SchemaField } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { type ParsedTemplate, parseAt } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, spanOf } from '../../text.ts';

/** A property that can be read with a dot. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly docs: string | undefined;
  readonly value: Value;
}

export interface Value {
  readonly type: string;
  readonly docs?: string | undefined;
  /** True for a list; `members` and `constants` then describe its items. */
  readonly isList: boolean;
  readonly members: readonly Member[];
  readonly constants: readonly Json[];
  /** The field of the skill's input that describes this value. */
  readonly field?: SchemaField | undefined;
  /** True for `loop`, whose fields no schema describes. */
  readonly isLoop?: true;
}

type Segment = ReceiverPath['segments'][number];

/** The maximum number of `set` and `for` tags that are followed to find the value of a name. */
const MAX_DEPTH = 12;

/** The maximum number of entries that are read from a dictionary. */
const MAX_MEMBERS = 500;

/** Returns the value of a name followed by a path; undefined if its type is unknown. */
export function valueAt(
  file: SkillFile,
  scopes: Scopes,
  name: string,
  variable: Variable | undefined,
  segments: readonly Pick<Segment, 'kind' | 'name'>[],
  depth = 0,
): Value | undefined {
  const base = variable ? valueOfVariable(file, scopes, variable, depth) : valueOfName(file, name);
  return segments.reduce<Value | undefined>((value, segment) => value && stepInto(value, segment), base);
}

function stepInto(value: Value, { kind, name }: Pick<Segment, 'kind' | 'name'>): Value | undefined {
  if (kind === 'index') return value.isList ? { ...value, isList: false } : undefined;
  return value.isList ? undefined : value.members.find((member) => member.name === name)?.value;
}

/** Returns the value of a name that the template does not define: a parameter or a variable of the composer. */
function valueOfName(file: SkillFile, name: string): Value | undefined {
  const fields = file.contract.input?.schema.fields ?? [];
  const field = fields.find((candidate) => candidate.name === name);
  if (field) return valueOfField(field);
  if (name === 'parameters') return { type: 'object', isList: false, members: fields.map(memberOf), constants: [] };
  if (name === 'memory') return MEMORY;
  const choices = CHOICES.get(name);
  return choices && { type: choices.join(' | '), isList: false, members: [], constants: choices };
}

const CHOICES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    scope: ['channel', 'workspace'],
    source: ['explicit', 'agent-selected', 'scheduled', 'authoring'],
  }),
);

const text: Value = { type: 'string', isList: false, members: [], constants: [] };

const MEMORY: Value = {
  type: 'object[]',
  isList: true,
  members: [
    { name: 'id', type: 'string', docs: 'The id of the item.', value: text },
    { name: 'tier', type: 'string', docs: 'The memory tier of the item.', value: text },
    { name: 'text', type: 'string', docs: 'The text of the item.', value: text },
  ],
  constants: [],
};

const memberOf = (field: SchemaField): Member => ({
  name: field.name,
  type: field.type + (field.required ? '' : ', optional'),
  docs: field.description,
  value: valueOfField(field),
});

function valueOfField(field: SchemaField): Value {
  const json = objectOf(field.json);
  const isList = json.type === 'array' || field.type.endsWith('[]');
  return {
    type: field.type,
    docs: field.description,
    isList,
    field,
    get members() {
      return field.fields.map(memberOf);
    },
    constants: allowedValues(isList ? objectOf(json.items) : json),
  };
}

const objectOf = (json: Json | undefined): { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { readonly [key: string]: Json }) : {};

function valueOfVariable(file: SkillFile, scopes: Scopes, { definitions }: Variable, depth: number): Value | undefined {
  const definition = definitions.find(({ value }) => value !== undefined) ?? definitions[0];
  if (!definition || depth > MAX_DEPTH) return undefined;
  if (definition.kind === 'loop') return { type: 'the loop', isList: false, members: [], constants: [], isLoop: true };
  const value = definition.value && valueOfExpression(file, scopes, definition.value, depth + 1);
  if (definition.kind !== 'for') return value;
  return value?.isList ? { ...value, type: value.type.replace(/\[\]$/, ''), isList: false } : undefined;
}

/** The filters that return the same type as their input. */
const SAME_TYPE_FILTERS = new Set([
  'default',
  'd',
  'list',
  'sort',
  'reverse',
  'unique',
  'selectattr',
  'rejectattr',
  'select',
  'reject',
  'safe',
]);
const ITEM_FILTERS = new Set(['first', 'last', 'min', 'max']);

function valueOfExpression(file: SkillFile, scopes: Scopes, expression: Expression, depth: number): Value | undefined {
  if (depth > MAX_DEPTH) return undefined;
  switch (expression.kind) {
    case 'name':
    case 'attribute':
    case 'item': {
      const { base, segments } = pathOf(expression);
      if (base.kind === 'name') {
        const use = findTouching(scopes.uses, base.span.start, spanOf);
        return valueAt(file, scopes, base.name, use?.variable, segments, depth);
      }
      if (base === expression) return undefined;
      const value = valueOfExpression(file, scopes, base, depth + 1);
      return segments.reduce<Value | undefined>((found, segment) => found && stepInto(found, segment), value);
    }
    case 'slice':
      return valueOfExpression(file, scopes, expression.receiver, depth + 1);
    case 'conditional':
      return valueOfExpression(file, scopes, expression.value, depth + 1);
    case 'filter': {
      const value = expression.input && valueOfExpression(file, scopes, expression.input, depth + 1);
      if (!value || SAME_TYPE_FILTERS.has(expression.name.text)) return value;
      return ITEM_FILTERS.has(expression.name.text) && value.isList ? { ...value, isList: false } : undefined;
    }
    case 'dict':
      return {
        type: 'object',
        isList: false,
        constants: [],
        // Computed on demand, because nested dictionaries would multiply the work.
        get members() {
          return expression.entries.slice(0, MAX_MEMBERS).flatMap(({ key, value }): Member[] => {
            if (key.kind !== 'literal' || typeof key.value !== 'string') return [];
            const known = () => valueOfExpression(file, scopes, value, depth + 1);
            return [memberOfDict(key.value, known)];
          });
        },
      };
    default:
      return undefined;
  }
}

const memberOfDict = (name: string, known: () => Value | undefined): Member => ({
  name,
  docs: undefined,
  get type() {
    return known()?.type ?? 'any';
  },
  get value() {
    return known() ?? text;
  },
});

/** Returns the constants that a schema allows; true and false for a boolean. */
export function allowedValues(json: { readonly [key: string]: Json }): readonly Json[] {
  if (Array.isArray(json.enum)) return json.enum as readonly Json[];
  if (json.const !== undefined) return [json.const];
  return json.type === 'boolean' ? [true, false] : [];
}

/**
 * Returns the template at an offset, also while its end is being typed. Spans in the result are offsets in the file.
 */
export function findTemplate(file: SkillFile, offset: number): ParsedTemplate | undefined {
  const here = findTouching(file.templates, offset, spanOf);
  return here ? here.inFile : withTrailingSpaces(file, offset);
}

/** Extends a template without a fence by the spaces after its last character, which the user is typing. */
function withTrailingSpaces({ text, templates }: SkillFile, offset: number): ParsedTemplate | undefined {
  const last = templates.findLast(({ span }) => span.end < offset);
  if (!last || last.artifact.template?.fence || offset > last.artifact.span.end) return undefined;
  const { start, end } = last.span;
  return /^[ \t]+$/.test(text.slice(end, offset)) ? parseAt(text.slice(start, offset), start) : undefined;
}
