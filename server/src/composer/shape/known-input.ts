/** What is known of a composed skill's inputs before anything has run (skill-format.md, section 4, "Data flow"). */

import { withDefaults } from '../../languages/schema/schema.ts';
import { type Json, put } from '../../languages/yaml/node.ts';
import type { PackageSkill, SkillPackage } from '../../skill/package.ts';
import type { Site } from './site.ts';

export type KnownInput = Pick<Site, 'input' | 'lateInput'>;

/** `inputs` are those of the step, where it has any. A default counts only where nothing can come at run time. */
export function knownInputOf(
  site: Site,
  entry: PackageSkill,
  composed: SkillPackage,
  inputs: Json | undefined,
): KnownInput {
  const given = isMap(inputs) ? inputs : {};
  const input: Record<string, Json> = {};
  const late = new Set<string>();
  for (const name of fieldsOf(composed)) {
    const value = Object.hasOwn(given, name)
      ? resolve(site, given[name] as Json)
      : flowValue(site, sourceOf(entry, name));
    if (value === 'late') late.add(name);
    else if (value) put(input, name, value.value);
  }
  const filled = composed.inputSchema ? withDefaults(composed.inputSchema, input) : input;
  const known: Record<string, Json> = {};
  for (const [name, value] of Object.entries(isMap(filled) ? filled : input))
    if (!late.has(name)) put(known, name, value);
  return { input: known, lateInput: late };
}

/** The names of the flow that a composed skill's outputs take. */
export function outputNamesOf({ outputMapping, package: composed }: PackageSkill): readonly string[] {
  if (typeof composed === 'string') return [];
  const outputs = composed.outputSchema?.fields.map(({ name }) => name) ?? [];
  return outputs.map((name) => (Object.hasOwn(outputMapping, name) ? (outputMapping[name] ?? name) : name));
}

type Known = { readonly value: Json } | 'late' | undefined;

const fieldsOf = ({ inputSchema }: SkillPackage): readonly string[] =>
  inputSchema?.fields.map(({ name }) => name) ?? [];

const sourceOf = ({ inputMapping }: PackageSkill, field: string): string =>
  Object.keys(inputMapping)
    .sort()
    .find((name) => inputMapping[name] === field) ?? field;

function flowValue({ input, late }: Site, name: string): Known {
  if (late.has(name)) return 'late';
  return Object.hasOwn(input, name) ? { value: input[name] as Json } : undefined;
}

/** A constant is itself, `$input.x` what is known of `x`; whatever else refers to something comes at run time. */
function resolve({ input, lateInput }: Site, value: Json): Known {
  const [, name = ''] = typeof value === 'string' ? (/^\$input\.([A-Za-z_][\w-]*)$/.exec(value) ?? []) : [];
  if (name !== '' && !lateInput.has(name))
    return Object.hasOwn(input, name) ? { value: input[name] as Json } : undefined;
  return refers(value) ? 'late' : { value };
}

function refers(value: Json): boolean {
  if (typeof value === 'string') return /\$[A-Za-z_]/.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(refers);
}

const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
