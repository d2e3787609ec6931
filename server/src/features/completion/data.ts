/** Completion in data that a schema describes: field names and allowed values. */

import { type Schema, type SchemaField, typeAt } from '../../languages/schema/schema.ts';
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { ExampleData } from '../../skill/artifact-data.ts';
import { describedBy } from '../markdown.ts';
import { findField } from '../symbol/schema-place.ts';
import { allowedValues } from '../symbol/template-values.ts';
import { type Cursor, Kind, literal, type Offer, type Proposal, Rank } from './proposal.ts';
import { columnAt, findYamlCursor, hasColon, offerAt, written, type YamlCursor } from './yaml-place.ts';

/**
 * Returns the proposals at a path within a value of the schema. `isJson` is true in a JSON fence, where names are
 * quoted.
 */
export function dataProposals(cursor: YamlCursor, schema: Schema, path: KeyPath, isJson = false): Proposal[] {
  return cursor.place.role === 'key'
    ? fieldProposals(cursor, fieldsAt(schema, path), isJson)
    : valuesAt(cursor, schema, path, isJson);
}

/** Returns the fields of the object at a path; a path through a list leads to the fields of its items. */
function fieldsAt(schema: Pick<Schema, 'fields'>, path: KeyPath): readonly SchemaField[] {
  const names = path.filter((step) => typeof step === 'string');
  if (names.length === 0) return schema.fields;
  return findField(schema.fields, names)?.fields ?? [];
}

export function fieldProposals(cursor: YamlCursor, fields: readonly SchemaField[], isJson = false): Proposal[] {
  const isBare = hasColon(cursor);
  return fields
    .filter(({ name }) => !cursor.place.siblings.includes(name))
    .map((field) => ({ ...fieldProposal(field), ...(isBare ? {} : keyOf(cursor, field, isJson)) }));
}

export const fieldProposal = ({ name, type, required, description }: SchemaField): Proposal => ({
  label: name,
  kind: Kind.Field,
  detail: type + (required ? '' : ', optional'),
  docs: describedBy(description),
  rank: required ? Rank.demanded : Rank.known,
});

function keyOf(cursor: YamlCursor, { name, json }: SchemaField, isJson: boolean): Partial<Proposal> {
  const { quote, place, file } = cursor;
  if (quote !== '') {
    const insert = `${written(cursor, name)}${quote}: `;
    const isClosed = file.text[place.span.end] === quote;
    return isClosed ? { insert, span: { start: place.span.start, end: place.span.end + 1 } } : { insert };
  }
  const key = isJson ? JSON.stringify(name) : written(cursor, name);
  const type =
    typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { type?: Json }).type : undefined;
  if (type !== 'object' && type !== 'array') return { insert: `${key}: ` };
  const open = literal(key);
  if (isJson || place.flow) return { insert: `${open}: ${type === 'object' ? '{$1}' : '[$1]'}`, isSnippet: true };
  const below = `\n${' '.repeat(columnAt(cursor) + 2)}`;
  return { insert: `${open}:${below}${type === 'object' ? '$1' : '- $1'}`, isSnippet: true };
}

function valuesAt(cursor: YamlCursor, schema: Schema, path: KeyPath, isJson: boolean): Proposal[] {
  const info = typeAt(schema, path);
  if (!info || typeof info.json !== 'object' || info.json === null || Array.isArray(info.json)) return [];
  const json = info.json as { readonly [key: string]: Json };
  const values = [...allowedValues(json), ...('default' in json ? [json.default as Json] : [])];
  return [...new Set(values)]
    .filter((value) => value === null || typeof value !== 'object')
    .map((value) => ({
      label: String(value),
      kind: Kind.EnumMember,
      detail: value === json.default ? 'default' : undefined,
      insert: writtenValue(cursor, value, isJson),
    }));
}

function writtenValue(cursor: YamlCursor, value: Json, isJson: boolean): string {
  if (typeof value !== 'string') return String(value);
  return isJson && cursor.quote === '' ? JSON.stringify(value) : written(cursor, value);
}

/** Offers the fields and values from the contract's schema in the data of an Example. */
export function offerInExample(from: Cursor, { side, tree, artifact }: ExampleData): Offer | undefined {
  const { contract } = from.file;
  const schema = (side === 'input' ? contract.input : contract.output)?.schema;
  const cursor = schema && findYamlCursor(from, tree);
  if (!schema || !cursor) return undefined;
  const isJson = artifact.example?.[side]?.format === 'json';
  return offerAt(cursor, dataProposals(cursor, schema, cursor.place.path, isJson));
}
