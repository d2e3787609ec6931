/** Problems in schemas that a file declares, and in values that do not match a schema. */

import { inner, replaceName } from '../../analysis/name-fixes.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import {
  generateValues,
  isObject,
  isUsable,
  parseCatalogSchema,
  parseSchema,
  type Schema,
  type SchemaProblem,
  type SchemaViolation,
  validate,
} from '../../languages/schema/schema.ts';
import { formatJson, insertEntry } from '../../languages/yaml/edit.ts';
import { findValue, type Json, listItems, nodeAt, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, span, type TextEdit } from '../../text.ts';

/**
 * Returns the problems in all schemas of a file: the schemas of a contract and its tool constraints, or of a catalog's
 * tools.
 */
export function schemaProblems(file: SkillFile): readonly SchemaProblem[] {
  const { contract, frontmatter } = file;
  if (file.dialect === 'catalog') {
    return listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((tool) =>
      SCHEMA_KEYS.flatMap((key) => {
        const node = findValue(tool, key);
        return node ? parseCatalogSchema(key, node).problems : [];
      }),
    );
  }
  return [
    ...(contract.input?.schema.problems ?? []),
    ...(contract.output?.schema.problems ?? []),
    ...contract.tools.flatMap(({ constraints }) => problemsInFragment(constraints)),
  ];
}

const SCHEMA_KEYS = ['input_schema', 'inputSchema', 'input', 'output_schema', 'outputSchema', 'output'];

/** A fragment such as `{required: [limit]}` is also valid shorthand, so only plain JSON Schema is checked. */
function problemsInFragment(node: YamlNode | undefined): readonly SchemaProblem[] {
  const schema = node && parseSchema(node);
  return schema?.form === 'json-schema' ? schema.problems.filter(({ ofWhole }) => !ofWhole) : [];
}

/** A value that must match a schema, such as the parameters of a sample. */
export interface CheckedValue {
  readonly value: YamlNode;
  /** The subject of the messages. */
  readonly what: string;
  /** Returns the edits that add a field to the value. */
  readonly insert: (name: string, field: Json) => readonly TextEdit[];
}

/**
 * Yields a finding for each part of the values that does not match the schema, or no findings if the schema has errors.
 * `noun` is the singular of what contains a value, such as `sample`. `judge` is passed to `validate`.
 */
export function* draftsOfViolations(
  file: SkillFile,
  schema: Schema | undefined,
  values: readonly CheckedValue[],
  noun: string,
  judge?: Parameters<typeof validate>[2],
): Iterable<Draft> {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return;
  const found = values.map((checked) => ({ checked, violations: validate(schema, checked.value, judge) }));
  const additions = new Map<string, Map<CheckedValue, readonly TextEdit[]>>();
  const missing = found.flatMap(({ checked, violations }) =>
    violations.flatMap(({ path, ...one }) => (isAddable(one) ? [{ checked, path }] : [])),
  );
  const generated = missing.length > 0 ? generateValues(schema, {}).values : {};
  for (const { checked, path } of missing) {
    const edits = additionOf(file, checked, path, generated);
    const key = pathKey(path);
    if (edits.length > 0) additions.set(key, (additions.get(key) ?? new Map()).set(checked, edits));
  }
  for (const { checked, violations } of found) {
    for (const violation of violations) {
      yield {
        span: placeOf(violation, checked.value),
        message: `${checked.what}: ${violation.message}`,
        related: [{ uri: file.uri, span: schema.span, message: 'The schema' }],
        fixes: isAddable(violation)
          ? additionsOf(file, checked, violation.path, additions, noun)
          : correctionsOf(file, violation),
      };
    }
  }
}

/** Returns whether a field is missing, and no key is a misspelling of it. */
const isAddable = ({ kind, nearest }: Pick<SchemaViolation, 'kind' | 'nearest'>): boolean =>
  kind === 'missing' && nearest === undefined;

const pathKey = (path: SchemaViolation['path']): string => JSON.stringify(path.map(String));

/** Returns the edits that add a missing field with its generated value; no edits if no value was generated. */
function additionOf(
  file: SkillFile,
  { value, insert }: CheckedValue,
  path: SchemaViolation['path'],
  generated: Json,
): readonly TextEdit[] {
  const name = String(path.at(-1));
  const field = generatedAt(generated, path);
  const owner = nodeAt(value, path.slice(0, -1));
  if (field === undefined || !owner) return [];
  return path.length === 1 ? insert(name, field) : insertField(file, owner, name, field);
}

/** Returns the generated value at a path. An item that was not generated has the value of the first item. */
function generatedAt(generated: Json, path: SchemaViolation['path']): Json | undefined {
  let value: Json | undefined = generated;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)] ?? value[0];
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** Returns the fixes that add a field to one value and to all values without it. */
function additionsOf(
  file: SkillFile,
  checked: CheckedValue,
  path: SchemaViolation['path'],
  additions: ReadonlyMap<string, ReadonlyMap<CheckedValue, readonly TextEdit[]>>,
  noun: string,
): Fix[] {
  const name = String(path.at(-1));
  const all = additions.get(pathKey(path));
  const own = all?.get(checked);
  if (!all || !own) return [];
  return [
    ...fixHere(file, `Add \`${name}\` to the ${noun}`, own),
    ...(all.size > 1 ? fixHere(file, `Add \`${name}\` to all ${noun}s`, [...all.values()].flat()) : []),
  ];
}

/**
 * Returns the span of a violation. A missing field of the outermost map is reported at the first key of the map, not on
 * all lines of the map.
 */
function placeOf({ kind, path, span }: SchemaViolation, value: YamlNode): Span {
  const [first] = value.kind === 'map' ? value.entries : [];
  return kind === 'missing' && path.length === 1 && first ? first.key.span : span;
}

/** Returns the fix that corrects a misspelt key or value. */
function correctionsOf(file: SkillFile, { kind, nearest, span, path }: SchemaViolation): Fix[] {
  if (nearest === undefined) return [];
  if (kind === 'enum') return replaceName(file, [span], [nearest]);
  const name = kind === 'missing' ? String(path.at(-1)) : kind === 'additional' ? nearest : undefined;
  // The key of a missing field is the misspelt one.
  return name === undefined
    ? []
    : fixHere(file, `Rename to \`${name}\``, [{ span: inner(file.text, span), newText: name }]);
}

/** Returns the edits that add a field to a map in YAML or JSON; no edits for other values. */
export function insertField({ text }: SkillFile, value: YamlNode, name: string, field: Json): readonly TextEdit[] {
  if (value.kind !== 'map') return [];
  const last = value.entries.at(-1);
  const isJson = value.flow && value.entries.every(({ key }) => text[key.span.start] === '"');
  if (!isJson || !last) return insertEntry(text, value, name, formatJson(field));
  const [gap = ''] = /\s*$/.exec(text.slice(value.span.start, last.key.span.start)) ?? [];
  const newText = `,${gap || ' '}${JSON.stringify(name)}: ${JSON.stringify(field)}`;
  return [{ span: span(last.span.end, last.span.end), newText }];
}
