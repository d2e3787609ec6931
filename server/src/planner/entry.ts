/**
 * The entry of a skill in the planner catalog, based only on its contract (docs/registry.md, "The planner catalog").
 */
import { isUsable, type JsonObject, type Schema, toShorthand } from '../languages/schema/schema.ts';
import { findValue, type Json, jsonOf, listItems, stringOf } from '../languages/yaml/node.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';

export interface PlannerError {
  readonly code: string;
  /** The value of `retry` as written; undefined if the contract does not have this key. */
  readonly retry: string | undefined;
}

export interface PlannerExample {
  readonly name: string;
  readonly input: Json;
  readonly output: Json;
}

export interface PlannerEntry {
  readonly name: string;
  readonly version: string | undefined;
  /** The first sentence of the description, on one line. */
  readonly purpose: string | undefined;
  /** The schema as shorthand if possible, otherwise as JSON Schema. */
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  /** The older versions that the skill serves through adapters. */
  readonly adapts: readonly { readonly from: string; readonly with: string }[];
  readonly errors: readonly PlannerError[];
  readonly examples: readonly PlannerExample[];
}

export function plannerEntry({ uri, contract, frontmatter }: SkillFile): PlannerEntry {
  const { name, version, description, input, output, examples } = contract;
  return {
    name: name?.name ?? nameFromUri(uri),
    version: version?.name,
    purpose: description && purposeIn(description.name),
    input: input && schemaText(input.schema),
    output: output && schemaText(output.schema),
    adapts: contract.adapts.map(({ from, adapter }) => ({ from: from.name, with: adapter.name })),
    errors: listItems(findSkillEntry(frontmatter.tree.root, 'errors')?.value).flatMap((item) => {
      const code = stringOf(findValue(item, 'code')) ?? stringOf(item);
      return code === undefined ? [] : [{ code, retry: stringOf(findValue(item, 'retry')) }];
    }),
    examples: examples.map((example) => ({
      name: example.name,
      input: jsonOf(example.input),
      output: jsonOf(example.output),
    })),
  };
}

/** Returns the schema as shorthand or JSON Schema; undefined if it has errors. */
function schemaText(schema: Schema): JsonObject | undefined {
  if (!isUsable(schema)) return undefined;
  const { $schema: _, ...json } = schema.json;
  return toShorthand(json) ?? json;
}

/** Returns the first sentence of a string, on one line. */
export function purposeIn(description: string): string | undefined {
  const line = description.trim().replace(/\s+/g, ' ');
  const end = /[.!?](?=\s)|[。！？]/u.exec(line);
  return (end ? line.slice(0, end.index + 1) : line) || undefined;
}

export interface CatalogRow {
  readonly file: string;
  readonly entry: PlannerEntry;
  /** The other versions that receive calls on the surface of the request; undefined without a surface. */
  readonly canaries?: readonly { readonly version: string | null; readonly file: string; readonly percent: number }[];
}

/** Returns the complete planner catalog as data (docs/registry.md, "The planner catalog"). */
export function catalogJson(entries: readonly CatalogRow[]): object {
  return {
    version: 1,
    skills: entries.map(({ file, canaries, entry: { adapts, errors, examples, ...entry } }) => ({
      name: entry.name,
      version: entry.version ?? null,
      file,
      purpose: entry.purpose ?? null,
      input: entry.input ?? null,
      output: entry.output ?? null,
      adapts,
      errors: errors.map(({ code, retry }) => ({ code, retry: retry ?? null })),
      examples,
      ...(canaries && { canaries }),
    })),
  };
}
