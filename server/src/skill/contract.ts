/**
 * The frontmatter as a skill's contract: names and lists with their places. What does not have the shape of the format
 * is left out here, and rules report it.
 */
import { parseSchema, type Schema } from '../languages/schema/schema.ts';
import {
  findEntry,
  findValue,
  listItems,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import { findKey } from '../vocabulary/shape.ts';
import { skillKeys } from '../vocabulary/skill-keys.ts';

/** A name where it stands; `span` is the value as written, quotes included. */
export interface Named {
  readonly name: string;
  readonly span: Span;
}

export interface ToolEntry extends Named {
  readonly optional: boolean;
  readonly constraints: YamlNode | undefined;
}

export interface InterruptEntry extends Named {
  readonly when: YamlScalar | undefined;
}

export interface ComposesEntry extends Named {
  /** What steps call the entry: its `as`, else the skill's name. */
  readonly step: string;
  readonly as: Named | undefined;
  readonly inputMapping: YamlMap | undefined;
  readonly outputMapping: YamlMap | undefined;
}

/** `feature_flag: x` as `feature_flag` and `x`. */
export interface Capability {
  readonly kind: 'feature_flag' | 'tier';
  readonly value: string;
}

export interface CapabilityEntry extends Capability {
  readonly span: Span;
}

export interface RequiresEntry extends Named {
  readonly version: Named | undefined;
}

/** A use of the skill; a side that is not written is undefined. */
export interface UsageExample extends Named {
  readonly input: YamlNode | undefined;
  readonly output: YamlNode | undefined;
}

export interface SampleEntry extends Named {
  readonly value: YamlNode;
  readonly parameters: YamlNode | undefined;
}

/** A schema key as written (an accepted spelling may stand for it), with the schema read. */
export interface SchemaEntry {
  readonly entry: YamlEntry;
  readonly schema: Schema;
}

export interface SkillContract {
  readonly name: Named | undefined;
  readonly description: Named | undefined;
  /** As written: `0.9` stays `0.9`. */
  readonly version: Named | undefined;
  /** Undefined where none is written, or one that is none. */
  readonly level: 1 | 2 | 3 | undefined;
  readonly framing: Named | undefined;
  readonly input: SchemaEntry | undefined;
  readonly output: SchemaEntry | undefined;
  readonly requiredScopes: readonly Named[];
  readonly allowedRoles: readonly Named[];
  readonly allowedContexts: readonly Named[];
  readonly capabilitiesRequired: readonly CapabilityEntry[];
  readonly tools: readonly ToolEntry[];
  readonly interrupts: readonly InterruptEntry[];
  /** The codes of the error envelope. */
  readonly errors: readonly Named[];
  readonly composes: readonly ComposesEntry[];
  readonly requires: readonly RequiresEntry[];
  readonly effects: readonly Named[];
  readonly operation: Named | undefined;
  readonly samples: readonly SampleEntry[];
  readonly examples: readonly UsageExample[];
  readonly surfaces: readonly Named[];
  readonly successor: Named | undefined;
  readonly deprecated: boolean;
  readonly backed: boolean;
  /** The value of `requires_tools`, where it is a boolean. */
  readonly requiresTools: { readonly value: boolean; readonly span: Span } | undefined;
}

/** The entry of a top-level key, whichever of its accepted spellings is used; of several the first. */
export function findSkillEntry(root: YamlNode | undefined, key: string): YamlEntry | undefined {
  if (root?.kind !== 'map') return undefined;
  const { name, aliases = [] } = findKey(skillKeys, key) ?? { name: key };
  return root.entries.find(({ key: { value } }) => value === name || aliases.includes(String(value)));
}

/** Whether a skill stands above level 1, and so needs both schemas: by its level, else because it composes others. */
export const isComposite = ({ level, composes }: SkillContract): boolean =>
  level === undefined ? composes.length > 0 : level > 1;

/** Reads the schema of one side. */
export type SchemaReader = (node: YamlNode, side: 'input' | 'output') => Schema;

export function readContract(root: YamlNode | undefined, readSchema: SchemaReader = parseSchema): SkillContract {
  const value = (key: string) => findSkillEntry(root, key)?.value;
  const schemaEntry = (side: 'input' | 'output'): SchemaEntry | undefined => {
    const entry = findSkillEntry(root, `${side}_schema`);
    return entry && { entry, schema: readSchema(entry.value, side) };
  };
  const level = scalarOf(value('level'))?.value;
  const deprecated = value('deprecated');
  return {
    name: namedOf(value('name')),
    description: namedOf(value('description')),
    version: namedOf(value('version')),
    level: level === 1 || level === 2 || level === 3 ? level : undefined,
    framing: namedOf(value('framing')),
    input: schemaEntry('input'),
    output: schemaEntry('output'),
    requiredScopes: namesOf(value('required_scopes')),
    allowedRoles: namesOf(value('allowed_roles')),
    allowedContexts: namesOf(value('allowed_contexts')),
    capabilitiesRequired: readCapabilities(value('capabilities_required')),
    tools: itemsOf(value('tools'), 'name').map(([name, map]) => ({
      optional: scalarOf(findValue(map, 'optional'))?.value === true,
      ...name,
      constraints: findValue(map, 'constraints'),
    })),
    interrupts: itemsOf(value('interrupts'), 'name').map(([name, map]) => ({
      when: scalarOf(findValue(map, 'when')),
      ...name,
    })),
    errors: itemsOf(value('errors'), 'code').map(([code]) => code),
    composes: itemsOf(value('composes'), 'skill').map(([name, map]) => readComposes(name, map)),
    requires: itemsOf(value('requires'), 'skill').map(([name, map]) => ({
      version: namedOf(findValue(map, 'version')),
      ...name,
    })),
    effects: namesOf(value('effects')),
    operation: namedOf(value('operation')),
    samples: readSamples(value('samples')),
    examples: itemsOf(value('examples'), 'name').map(([name, map]) => ({
      ...name,
      input: findValue(map, 'input'),
      output: findValue(map, 'output'),
    })),
    surfaces: itemsOf(value('surfaces'), 'name').map(([name]) => name),
    successor: namedOf(findValue(deprecated, 'use')),
    deprecated: deprecated?.kind === 'map' || scalarOf(deprecated)?.value === true,
    backed: value('backing_service')?.kind === 'map',
    requiresTools: booleanOf(scalarOf(value('requires_tools'))),
  };
}

/** Whether composing fails where no tool is available (docs/format.md, section 2). */
export const requiresTools = ({ requiresTools: said, tools }: SkillContract): boolean =>
  said?.value ?? tools.some(({ optional }) => !optional);

const booleanOf = (scalar: YamlScalar | undefined): SkillContract['requiresTools'] =>
  typeof scalar?.value === 'boolean' ? { value: scalar.value, span: scalar.span } : undefined;

/** A scalar as a name, as written; undefined for nothing, null, lists and maps. */
export function namedOf(node: YamlNode | undefined): Named | undefined {
  if (node?.kind !== 'scalar' || node.value === null) return undefined;
  return { name: stringOf(node) ?? node.source, span: node.span };
}

/** The strings of a list; a lone string counts as a list of itself. */
export function namesOf(node: YamlNode | undefined): readonly Named[] {
  if (node?.kind === 'list') return node.items.flatMap((item) => namedOf(item) ?? []);
  const single = namedOf(node);
  return single ? [single] : [];
}

/** The entries of a list whose items are a name or a map that holds the name under `key`. */
export function itemsOf(node: YamlNode | undefined, key: string): readonly (readonly [Named, YamlMap | undefined])[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => {
    const name = namedOf(item.kind === 'map' ? findValue(item, key) : item);
    return name ? [[name, mapOf(item)] as const] : [];
  });
}

/** What is no flag and no tier is left out; rules report it. */
const readCapabilities = (node: YamlNode | undefined): SkillContract['capabilitiesRequired'] =>
  listItems(node).flatMap((item) =>
    (['feature_flag', 'tier'] as const).flatMap((kind) => {
      const entry = findEntry(item, kind);
      const value = namedOf(entry?.value);
      return entry && value ? [{ kind, value: value.name, span: entry.span }] : [];
    }),
  );

function readComposes(name: Named, map: YamlMap | undefined): ComposesEntry {
  const as = namedOf(findValue(map, 'as'));
  return {
    step: as?.name ?? name.name,
    ...name,
    as,
    inputMapping: mapOf(findValue(map, 'input_mapping')),
    outputMapping: mapOf(findValue(map, 'output_mapping')),
  };
}

function readSamples(node: YamlNode | undefined): readonly SampleEntry[] {
  if (node?.kind !== 'map') return [];
  return node.entries.map(({ key, value }) => ({
    name: String(key.value),
    span: key.span,
    value,
    parameters: findValue(value, 'parameters'),
  }));
}

const mapOf = (node: YamlNode | undefined): YamlMap | undefined => (node?.kind === 'map' ? node : undefined);

const scalarOf = (node: YamlNode | undefined): YamlScalar | undefined => (node?.kind === 'scalar' ? node : undefined);
