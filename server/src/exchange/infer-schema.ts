/** Infers an input schema from the names that templates use, and infers types from the uses of the names. */

import { AMBIENT_IN_TEMPLATES } from '../analysis/template-code.ts';
import { type Argument, allNodes, type Expression, type FilterCall } from '../languages/minijinja/ast.ts';
import { pathOf } from '../languages/minijinja/defined-names.ts';
import { parseTemplate } from '../languages/minijinja/parser.ts';
import { type NameUse, resolveScopes } from '../languages/minijinja/scopes.ts';
import { refusedBy } from '../languages/minijinja/types/builtin-types.ts';
import { FIELD_KEYS } from '../languages/schema/schema.ts';
import type { JsonObject } from '../languages/yaml/json-values.ts';
import { type Json, setProperty } from '../languages/yaml/node.ts';

/** The facts that are inferred from the uses of one value. */
interface ValueUses {
  readonly fields: Map<string, ValueUses>;
  /** The facts about the items, if the value is used as a list. */
  item: ValueUses | undefined;
  isNumber: boolean;
  /** True if the value is used as a condition. */
  isFlag: boolean;
  isText: boolean;
  /** True if a filter requires an object. */
  isMap: boolean;
  /** True if the value is unpacked into several names. */
  isAny: boolean;
  /** True if at least one use has a default or a `defined` test. */
  isOptional: boolean;
}

const noUses = (): ValueUses => ({
  fields: new Map(),
  item: undefined,
  isNumber: false,
  isFlag: false,
  isText: false,
  isMap: false,
  isAny: false,
  isOptional: false,
});

/** Returns the schema in shorthand. Skips templates that do not parse. */
export function inferSchema(sources: readonly string[]): JsonObject {
  const root = noUses();
  for (const source of sources) seeTemplate(source, root);
  return fieldsOf(root);
}

function seeTemplate(source: string, root: ValueUses): void {
  const template = parseTemplate(source);
  if (template.problems.length > 0) return;
  const { uses } = resolveScopes(template);
  const places = new Map(uses.map((use) => [use.span.start, use]));
  /** Returns the value that a use names; undefined if the template itself defines it. */
  const seenAt = (use: NameUse, depth = 0): ValueUses | undefined => {
    const base = baseOf(use, depth);
    return (
      base &&
      use.path.reduce<ValueUses | undefined>((seen, { kind, name, called }) => {
        if (!seen || called) return undefined;
        return kind === 'index' ? itemOf(seen) : fieldOf(seen, name);
      }, base)
    );
  };
  const baseOf = ({ name, variable, certain, role }: NameUse, depth: number): ValueUses | undefined => {
    if (!variable || !certain)
      return role === 'read' && !AMBIENT_IN_TEMPLATES.has(name) ? fieldOf(root, name) : undefined;
    const [definition] = variable.definitions;
    const from = definition?.kind === 'for' && definition.value ? seenOf(definition.value, depth + 1) : undefined;
    return from && itemOf(from);
  };
  const seenOf = (expression: Expression, depth: number): ValueUses | undefined => {
    const use = depth > 20 ? undefined : places.get(pathOf(withoutFilters(expression)).base.span.start);
    return use && seenAt(use, depth);
  };
  for (const use of uses) {
    const seen = seenAt(use);
    if (!seen) continue;
    if (use.guard === 'defined' || use.guard === 'default') seen.isOptional = true;
    else if (use.guard === 'truth') seen.isFlag = true;
    else seen.isText = true;
  }
  for (const { name, input } of filtersIn(template.nodes)) {
    const seen = input && input.kind !== 'filter' ? seenOf(input, 0) : undefined;
    if (!seen) continue;
    const refused = refusedBy('filter', name.text);
    if (refused.has('string') && refused.has('list')) seen.isMap = true;
    else if (refused.has('string') && refused.has('number')) itemOf(seen);
  }
  for (const { name, args, input } of filtersIn(template.nodes)) {
    const seen = input && seenOf(withoutSelections(input), 0);
    const attribute = seen && attributeOf(name.text, args);
    if (attribute) attribute.split('.').reduce(fieldOf, itemOf(seen)).isText = true;
    // The fields of the items in a group are not inferred.
    if (attribute && name.text === 'groupby') itemOf(seen).isAny = true;
  }
  for (const node of allNodes(template.nodes)) {
    if (node.kind === 'for') {
      const seen = seenOf(node.iterable, 0);
      if (seen && !seen.isMap) itemOf(seen).isAny ||= node.iterable.kind !== 'filter' && node.target.kind === 'targets';
    }
    if (node.kind === 'if') for (const { condition } of node.branches) seeNumbers(condition, seenOf);
    if (node.kind === 'output') seeNumbers(node.value, seenOf);
  }
}

/** Returns the path of the attribute of each item that a filter reads, as in `map(attribute="name")`. */
function attributeOf(filter: string, args: readonly Argument[]): string | undefined {
  const isFirst = ['selectattr', 'rejectattr', 'groupby'].includes(filter);
  const value = (args.find(({ name }) => name?.text === 'attribute') ?? (isFirst ? args[0] : undefined))?.value;
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

/** Yields the filters that are applied to an expression. The stack replaces recursion, because a tree may be deep. */
function* filtersIn(nodes: readonly unknown[]): Iterable<FilterCall> {
  const pending: unknown[] = [...nodes];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    if ('kind' in part && part.kind === 'filter' && 'name' in part) yield part as FilterCall;
    for (const [key, inner] of Object.entries(part)) if (key !== 'span' && key !== 'tag') pending.push(inner);
  }
}

const itemOf = (seen: ValueUses): ValueUses => {
  seen.item ??= noUses();
  return seen.item;
};

const fieldOf = (seen: ValueUses, name: string): ValueUses => {
  const known = seen.fields.get(name) ?? noUses();
  seen.fields.set(name, known);
  return known;
};

/** The filters that return some or all items of a list, unchanged. */
const SELECTIONS: ReadonlySet<string> = new Set(
  'selectattr rejectattr select reject sort reverse unique list'.split(' '),
);

function withoutSelections(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'filter' && inner.input && SELECTIONS.has(inner.name.text)) inner = inner.input;
  return inner;
}

function withoutFilters(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'filter' && inner.input) inner = inner.input;
  return inner;
}

const NUMERIC: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '-', '*', '/', '//', '%', '**', '+', '==', '!=']);

/** Marks values as numbers if they are compared or combined with a number. */
function seeNumbers(
  expression: Expression,
  seenOf: (expression: Expression, depth: number) => ValueUses | undefined,
): void {
  const open: Expression[] = [expression];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.kind === 'unary') open.push(part.operand);
    if (part.kind !== 'binary') continue;
    open.push(part.left, part.right);
    if (!NUMERIC.has(part.operator)) continue;
    for (const [one, other] of [
      [part.left, part.right],
      [part.right, part.left],
    ] as const) {
      const isNumber = other.kind === 'literal' && typeof other.value === 'number';
      const seen = isNumber && one.kind !== 'filter' ? seenOf(one, 0) : undefined;
      if (seen) seen.isNumber = true;
    }
  }
}

function fieldsOf({ fields }: ValueUses): JsonObject {
  const schema: Record<string, Json> = {};
  for (const [name, seen] of fields) setProperty(schema, name, typeOf(seen));
  return schema;
}

function typeOf(seen: ValueUses): Json {
  const { isOptional, item, fields } = seen;
  const mark = isOptional ? '?' : '';
  const optional = isOptional ? { required: false } : {};
  if (seen.isMap || seen.isAny) return `${seen.isAny ? 'any' : 'object'}${mark}`;
  if (item) {
    const inner = typeOf(item);
    if (typeof inner === 'string') return `${inner.replace('?', '')}[]${mark}`;
    return { type: 'array', ...optional, items: inner };
  }
  if (fields.size > 0) {
    const inner = fieldsOf(seen);
    // In shorthand, a map with one of the keys in `FIELD_WORDS` is a field description.
    const isPlain = !isOptional && ![...fields.keys()].some((name) => FIELD_WORDS.has(name));
    return isPlain ? inner : { type: 'object', ...optional, properties: inner };
  }
  if (seen.isNumber) return `number${mark}`;
  if (seen.isFlag && !seen.isText) return `boolean${mark}`;
  return `string${mark}`;
}

const FIELD_WORDS: ReadonlySet<string> = new Set(FIELD_KEYS);
