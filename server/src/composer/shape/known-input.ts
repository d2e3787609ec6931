/** What is known of a composed skill's inputs before anything has run (docs/format.md, section 4, "Data flow"). */

import { withDefaults } from '../../languages/schema/schema.ts';
import { type Json, put } from '../../languages/yaml/node.ts';
import type { PackageSkill, SkillPackage } from '../../skill/package.ts';
import { isMap } from '../json.ts';
import type { ShapeContext } from './context.ts';

type KnownInput = Pick<ShapeContext, 'knownInput' | 'runtimeInput'>;

/** `inputs` are those of the step, where it has any. A default counts only where nothing can come at run time. */
export function knownInputOf(
  context: ShapeContext,
  entry: PackageSkill,
  composed: SkillPackage,
  inputs: Json | undefined,
): KnownInput {
  const given = isMap(inputs) ? inputs : {};
  const input: Record<string, Json> = {};
  const runtimeInput = new Set<string>();
  for (const name of fieldsOf(composed)) {
    const value = Object.hasOwn(given, name)
      ? resolve(context, given[name] as Json)
      : flowValue(context, sourceOf(entry, name));
    if (value === 'at run time') runtimeInput.add(name);
    else if (value) put(input, name, value.value);
  }
  const filled = composed.inputSchema ? withDefaults(composed.inputSchema, input) : input;
  const known: Record<string, Json> = {};
  for (const [name, value] of Object.entries(isMap(filled) ? filled : input))
    if (!runtimeInput.has(name)) put(known, name, value);
  return { knownInput: known, runtimeInput };
}

/** The names of the flow that a composed skill's outputs take. */
export function outputNamesOf({ outputMapping, package: composed }: PackageSkill): readonly string[] {
  if (typeof composed === 'string') return [];
  const outputs = composed.outputSchema?.fields.map(({ name }) => name) ?? [];
  return outputs.map((name) => (Object.hasOwn(outputMapping, name) ? (outputMapping[name] ?? name) : name));
}

type Known = { readonly value: Json } | 'at run time' | undefined;

const fieldsOf = ({ inputSchema }: SkillPackage): readonly string[] =>
  inputSchema?.fields.map(({ name }) => name) ?? [];

const sourceOf = ({ inputMapping }: PackageSkill, field: string): string =>
  Object.keys(inputMapping)
    .sort()
    .find((name) => inputMapping[name] === field) ?? field;

function flowValue({ knownInput, runtimeNames }: ShapeContext, name: string): Known {
  return runtimeNames.has(name) ? 'at run time' : inputValue(knownInput, name);
}

const inputValue = (input: ShapeContext['knownInput'], name: string): Known =>
  Object.hasOwn(input, name) ? { value: input[name] as Json } : undefined;

/** A constant is itself, `$input.x` what is known of `x`; any other reference comes at run time. */
function resolve({ knownInput, runtimeInput }: ShapeContext, value: Json): Known {
  const [, name = ''] = typeof value === 'string' ? (/^\$input\.([A-Za-z_][\w-]*)$/.exec(value) ?? []) : [];
  if (name !== '' && !runtimeInput.has(name)) return inputValue(knownInput, name);
  return refers(value) ? 'at run time' : { value };
}

function refers(value: Json): boolean {
  if (typeof value === 'string') return /\$[A-Za-z_]/.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(refers);
}
