/** Edits that let a value of the flow reach a step: a mapping of an entry, or one more input of the composite. */
import type { Fix } from '../../../finding.ts';
import { toShorthand } from '../../../languages/schema/schema.ts';
import { appendItem, formatJson, formatScalar, insertEntry, setScalar } from '../../../languages/yaml/edit.ts';
import { findEntry, isNull, type Json, type YamlScalar } from '../../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../../skill/contract.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { contains, lineAt, lineBreakOf, lineEnd, sliceOf, span, type TextEdit } from '../../../text.ts';
import { fixHere } from '../../rule.ts';
import type { Field } from './values.ts';

type MappingKey = 'input_mapping' | 'output_mapping';

/** Adds a pair to a mapping of an entry; none where the name is mapped already, or the entry's form leaves no place. */
export function addMapping(file: SkillFile, entry: ComposesEntry, key: MappingKey, from: string, to: string): Fix[] {
  const edits = mappingEdits(file, entry, key, from, to);
  const what =
    key === 'input_mapping'
      ? `\`${from}\` to \`${to}\` of \`${entry.step}\``
      : `\`${from}\` of \`${entry.step}\` to \`${to}\``;
  return fixHere(file, `Map ${what}`, edits);
}

function mappingEdits(
  file: SkillFile,
  entry: ComposesEntry,
  key: MappingKey,
  from: string,
  to: string,
): readonly TextEdit[] {
  const { text } = file;
  const list = findSkillEntry(file.frontmatter.tree.root, 'composes')?.value;
  const item = list?.kind === 'list' ? list.items.find((one) => contains(one.span, entry.span)) : undefined;
  if (!item || list?.kind !== 'list') return [];
  const pair = `{${formatScalar(from, true)}: ${formatScalar(to, true)}}`;
  if (item.kind === 'scalar') return list.flow ? wrapInFlow(text, item, key, pair) : wrapInBlock(file, item, key, pair);
  if (item.kind !== 'map') return [];
  const mapping = findEntry(item, key)?.value;
  if (!mapping) return insertEntry(text, item, key, pair, { after: findEntry(item, 'as') ? 'as' : 'skill' });
  if (mapping.kind === 'list' || findEntry(mapping, from)) return [];
  return insertEntry(text, mapping, from, formatScalar(to, true));
}

function wrapInFlow(text: string, { span: place }: YamlScalar, key: MappingKey, pair: string): readonly TextEdit[] {
  const source = sliceOf(text, place);
  return /^[*&!]/.test(source) ? [] : [{ span: place, newText: `{skill: ${source}, ${key}: ${pair}}` }];
}

function wrapInBlock(
  { text, lines }: SkillFile,
  { span: place }: YamlScalar,
  key: MappingKey,
  pair: string,
): readonly TextEdit[] {
  const line = lineAt(lines, place.start);
  const before = text.slice(lines[line], place.start);
  // An anchor or a tag of the name would become one of the map.
  if (!/^ *(?:- +)+$/.test(before) || /^[*&!]/.test(text.slice(place.start)) || lineAt(lines, place.end) !== line)
    return [];
  const end = lineEnd(text, lines, line);
  const indent = ' '.repeat(before.length);
  return [
    { span: span(place.start, place.start), newText: 'skill: ' },
    { span: span(end, end), newText: `${lineBreakOf(text)}${indent}${key}: ${pair}` },
  ];
}

/** Adds a field to the composite's inputs as the step that needs it has it. */
export function addInput(file: SkillFile, field: Field): Fix[] {
  const edits = inputEdits(file, field);
  return fixHere(file, `Add \`${field.name}\` to the inputs`, edits);
}

function inputEdits({ text, contract }: SkillFile, { name, json }: Field): readonly TextEdit[] {
  const value = contract.input?.entry.value;
  if (!contract.input || !value || value.kind === 'list' || /"\$(?:dynamicR|r)ef":/.test(JSON.stringify(json)))
    return [];
  if (contract.input.schema.form !== 'json-schema') {
    const shorthand = toShorthand({ type: 'object', properties: { [name]: json }, required: [name] });
    const field = shorthand && Object.hasOwn(shorthand, name) ? shorthand[name] : undefined;
    return field === undefined ? [] : insertEntry(text, value, name, formatJson(field));
  }
  const properties = findEntry(value, 'properties')?.value;
  if (value.kind !== 'map' || !properties || properties.kind === 'list') return [];
  const required = findEntry(value, 'required')?.value;
  if (required && required.kind !== 'list' && !isNull(required)) return [];
  return [
    ...insertEntry(text, properties, name, formatJson(json as Json)),
    ...appendItem(text, value, 'required', formatScalar(name, true)),
  ];
}

/** Makes an input of the composite required that is optional; none where its form does not say so in one place. */
export function requireInput(file: SkillFile, name: string): Fix[] {
  const edits = requireEdits(file, name);
  return fixHere(file, `Make the input \`${name}\` required`, edits);
}

function requireEdits({ text, contract }: SkillFile, name: string): readonly TextEdit[] {
  const value = contract.input?.entry.value;
  if (value?.kind !== 'map') return [];
  if (contract.input?.schema.form === 'json-schema') {
    const required = findEntry(value, 'required')?.value;
    const isList = !required || required.kind === 'list' || isNull(required);
    return isList && findEntry(value, 'properties')
      ? appendItem(text, value, 'required', formatScalar(name, true))
      : [];
  }
  const field = findEntry(value, name)?.value;
  // `string?`, `string[]?, what it is`
  const words = field?.kind === 'scalar' && typeof field.value === 'string' ? field.value : undefined;
  if (field?.kind === 'scalar' && words !== undefined && /^\w+(?:\[\])?\?/.test(words)) {
    return setScalar(text, field, words.replace('?', ''));
  }
  const flag = findEntry(field, 'required')?.value;
  return flag?.kind === 'scalar' && flag.value === false ? setScalar(text, flag, true) : [];
}
