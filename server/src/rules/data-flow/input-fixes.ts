/** Fixes that change the composite's inputs, so that a step gets a value. */

import type { Field } from '../../analysis/data-flow/fields.ts';
import { type Fix, fixHere } from '../../finding.ts';
import { hasReference, toShorthand } from '../../languages/schema/schema.ts';
import { appendItem, formatJson, formatScalar, insertEntry, setScalar } from '../../languages/yaml/edit.ts';
import { findEntry, isNull, type Json } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { TextEdit } from '../../text.ts';

/** Returns the fix that adds a field to the composite's inputs, with the type of the step that needs it. */
export function addInput(file: SkillFile, field: Field): Fix[] {
  const edits = inputEdits(file, field);
  return fixHere(file, `Add \`${field.name}\` to the inputs`, edits);
}

function inputEdits({ text, contract }: SkillFile, { name, json }: Field): readonly TextEdit[] {
  const value = contract.input?.entry.value;
  if (!contract.input || !value || value.kind === 'list' || hasReference(json)) return [];
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

/**
 * Returns the fix that makes an optional input of the composite required, or no fix if the schema does not show why the
 * input is optional.
 */
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
  // Shorthand such as `string?` or `string[]?, the description`.
  const words = field?.kind === 'scalar' && typeof field.value === 'string' ? field.value : undefined;
  if (field?.kind === 'scalar' && words !== undefined && /^\w+(?:\[\])?\?/.test(words)) {
    return setScalar(text, field, words.replace('?', ''));
  }
  const flag = findEntry(field, 'required')?.value;
  return flag?.kind === 'scalar' && flag.value === false ? setScalar(text, flag, true) : [];
}
