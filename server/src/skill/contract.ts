/**
 * Reads the frontmatter as a contract: names and lists with their spans. Values of a wrong type are left out, because
 * rules report such values.
 */
import { parseSchema, type Schema } from '../languages/schema/schema.ts';
import {
  findEntry,
  findValue,
  listItems,
  numberOf,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import { findKey } from '../vocabulary/shape.ts';
import { skillKeys } from '../vocabulary/skill-keys.ts';
import { isName } from './kebab-name.ts';

/** A name with its span in the file, which includes quotes. */
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
  /** The name that steps use for the entry: its `as`, else the name of the skill. */
  readonly step: string;
  readonly as: Named | undefined;
  readonly inputMapping: YamlMap | undefined;
  readonly outputMapping: YamlMap | undefined;
}

/** A required capability, such as the kind `feature_flag` with the value `x` for `feature_flag: x`. */
export interface Capability {
  readonly kind: 'feature_flag' | 'tier';
  readonly value: string;
}

export interface CapabilityEntry extends Capability {
  readonly span: Span;
}

export interface ErrorEntry extends Named {
  /** The value of `retry`: whether a caller may retry. */
  readonly retry: Named | undefined;
  readonly fallback: YamlNode | undefined;
}

export interface RequiresEntry extends Named {
  readonly version: Named | undefined;
}

/** An entry of `adapts`: an older version, and the adapter that serves its callers. */
export interface AdaptsEntry {
  /** The range of the older versions. */
  readonly from: Named;
  readonly adapter: Named;
}

/** An entry of `examples`. */
export interface UsageExample extends Named {
  readonly input: YamlNode | undefined;
  readonly output: YamlNode | undefined;
}

export interface SampleEntry extends Named {
  readonly value: YamlNode;
  readonly parameters: YamlNode | undefined;
  /** The kind of error with which composing must fail; undefined if the sample must compose. */
  readonly fails: Named | undefined;
}

export interface SurfaceEntry extends Named {
  /** The value of `canary_percent`. */
  readonly percent: { readonly value: number; readonly span: Span } | undefined;
}

/** The value of `deprecated`, which is true or a map. */
export interface Deprecation {
  /** The span of the key. */
  readonly span: Span;
  readonly since: Named | undefined;
  readonly sunset: Named | undefined;
  /** The name of the successor. */
  readonly use: Named | undefined;
}

/** A schema's entry, whose key may be an alias, and the parsed schema. */
export interface SchemaEntry {
  readonly entry: YamlEntry;
  readonly schema: Schema;
}

export interface SkillContract {
  /** The key `name`, or the `id` of a skill that has no name. */
  readonly name: Named | undefined;
  /** True if the skill has no key `name`, and its `id` is its name. Then other keys are only recommended. */
  readonly isNamedById: boolean;
  readonly description: Named | undefined;
  /** The version as in the file: `0.9` stays `0.9`. */
  readonly version: Named | undefined;
  /** Undefined for a missing or an invalid level. */
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
  /** The error envelope: each error with its code as the name. */
  readonly errors: readonly ErrorEntry[];
  readonly composes: readonly ComposesEntry[];
  readonly requires: readonly RequiresEntry[];
  readonly adapts: readonly AdaptsEntry[];
  readonly effects: readonly Named[];
  readonly operation: Named | undefined;
  readonly samples: readonly SampleEntry[];
  readonly examples: readonly UsageExample[];
  readonly surfaces: readonly SurfaceEntry[];
  /** Undefined if the skill is not deprecated. */
  readonly deprecation: Deprecation | undefined;
  readonly backed: boolean;
  /** The value of `requires_tools`, if it is a boolean. */
  readonly requiresTools: { readonly value: boolean; readonly span: Span } | undefined;
}

/** Returns the first entry whose key is the given top-level key or one of its aliases. */
export function findSkillEntry(root: YamlNode | undefined, key: string): YamlEntry | undefined {
  if (root?.kind !== 'map') return undefined;
  const { name, aliases = [] } = findKey(skillKeys, key) ?? { name: key };
  return root.entries.find(({ key: { value } }) => value === name || aliases.includes(String(value)));
}

/**
 * Returns whether a skill is a composite, which requires both schemas (docs/format.md, section 4). A composite has a
 * level above 1, or has no level and composes skills.
 */
export const isComposite = ({ level, composes }: SkillContract): boolean =>
  level === undefined ? composes.length > 0 : level > 1;

/**
 * Returns the scalar that names a skill: the key `name`, or an `id` that is a valid name if there is no such key
 * (docs/format.md, section 2). A `SKILL.md` has no `id`. Never throws.
 */
export function findName(root: YamlNode | undefined, dialect: Dialect): YamlScalar | undefined {
  const name = findSkillEntry(root, 'name');
  const id = scalarOf(findSkillEntry(root, 'id')?.value);
  if (name || dialect === 'agent-skill') return scalarOf(name?.value);
  return isName(namedOf(id)?.name ?? '') ? id : undefined;
}

/** A function that reads the schema of the input or of the output. */
export type SchemaReader = (node: YamlNode, side: 'input' | 'output') => Schema;

/**
 * Reads the contract from the root of a frontmatter (docs/format.md, section 2). `readSchema` may return a schema that
 * is already parsed. Never throws; a missing or invalid value is undefined or an empty list.
 */
export function readContract(
  root: YamlNode | undefined,
  dialect: Dialect,
  readSchema: SchemaReader = parseSchema,
): SkillContract {
  const value = (key: string) => findSkillEntry(root, key)?.value;
  const schemaEntry = (side: 'input' | 'output'): SchemaEntry | undefined => {
    const entry = findSkillEntry(root, `${side}_schema`);
    return entry && { entry, schema: readSchema(entry.value, side) };
  };
  const name = namedOf(findName(root, dialect));
  const level = scalarOf(value('level'))?.value;
  return {
    name,
    isNamedById: name !== undefined && !findSkillEntry(root, 'name'),
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
    errors: itemsOf(value('errors'), 'code').map(([code, map]) => ({
      retry: namedOf(findValue(map, 'retry')),
      fallback: findValue(map, 'fallback'),
      ...code,
    })),
    composes: itemsOf(value('composes'), 'skill').map(([name, map]) => readComposes(name, map)),
    requires: itemsOf(value('requires'), 'skill').map(([name, map]) => ({
      version: namedOf(findValue(map, 'version')),
      ...name,
    })),
    adapts: readAdapts(value('adapts')),
    effects: namesOf(value('effects')),
    operation: namedOf(value('operation')),
    samples: readSamples(value('samples')),
    examples: itemsOf(value('examples'), 'name').map(([name, map]) => ({
      ...name,
      input: findValue(map, 'input'),
      output: findValue(map, 'output'),
    })),
    surfaces: itemsOf(value('surfaces'), 'name').map(([name, map]) => ({
      ...name,
      percent: numberWithSpan(findValue(map, 'canary_percent')),
    })),
    deprecation: readDeprecation(findSkillEntry(root, 'deprecated')),
    backed: value('backing_service')?.kind === 'map',
    requiresTools: booleanOf(scalarOf(value('requires_tools'))),
  };
}

/** Returns whether composing fails if no tool is available (docs/format.md, section 2). */
export const requiresTools = ({ requiresTools: declared, tools }: SkillContract): boolean =>
  declared?.value ?? tools.some(({ optional }) => !optional);

function numberWithSpan(node: YamlNode | undefined): SurfaceEntry['percent'] {
  const value = numberOf(node);
  return node && value !== undefined ? { value, span: node.span } : undefined;
}

function readDeprecation(entry: YamlEntry | undefined): Deprecation | undefined {
  if (!entry || (entry.value.kind !== 'map' && scalarOf(entry.value)?.value !== true)) return undefined;
  const named = (key: string) => namedOf(findValue(entry.value, key));
  return { span: entry.key.span, since: named('since'), sunset: named('sunset'), use: named('use') };
}

const booleanOf = (scalar: YamlScalar | undefined): SkillContract['requiresTools'] =>
  typeof scalar?.value === 'boolean' ? { value: scalar.value, span: scalar.span } : undefined;

/** Returns a scalar as a name, as in the source; undefined for a missing node, null, lists and maps. */
export function namedOf(node: YamlNode | undefined): Named | undefined {
  if (node?.kind !== 'scalar' || node.value === null) return undefined;
  return { name: stringOf(node) ?? node.source, span: node.span };
}

/** Returns the scalars of a list as names. A single scalar counts as a list with one item. */
export function namesOf(node: YamlNode | undefined): readonly Named[] {
  if (node?.kind === 'list') return node.items.flatMap((item) => namedOf(item) ?? []);
  const single = namedOf(node);
  return single ? [single] : [];
}

/** Returns the items of a list that are a name, or a map with a name under `key`. Skips other items. */
export function itemsOf(node: YamlNode | undefined, key: string): readonly (readonly [Named, YamlMap | undefined])[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => {
    const name = namedOf(item.kind === 'map' ? findValue(item, key) : item);
    return name ? [[name, mapOf(item)] as const] : [];
  });
}

/** Returns the feature flags and tiers. Other entries are skipped, because rules report such entries. */
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

/** Returns the entries of `adapts`, which is one map or a list of maps. Skips entries without both keys. */
function readAdapts(node: YamlNode | undefined): readonly AdaptsEntry[] {
  return (node?.kind === 'list' ? node.items : [node]).flatMap((entry) => {
    const from = namedOf(findValue(entry, 'from'));
    const adapter = namedOf(findValue(entry, 'with'));
    return from && adapter ? [{ from, adapter }] : [];
  });
}

function readSamples(node: YamlNode | undefined): readonly SampleEntry[] {
  if (node?.kind !== 'map') return [];
  return node.entries.map(({ key, value }) => ({
    name: String(key.value),
    span: key.span,
    value,
    parameters: findValue(value, 'parameters'),
    fails: namedOf(findValue(findValue(value, 'expect'), 'fails')),
  }));
}

const mapOf = (node: YamlNode | undefined): YamlMap | undefined => (node?.kind === 'map' ? node : undefined);

const scalarOf = (node: YamlNode | undefined): YamlScalar | undefined => (node?.kind === 'scalar' ? node : undefined);
