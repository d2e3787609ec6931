/**
 * The catalog: tools, roles, scopes and policies of a workspace, from `skills.config.yaml` (docs/format.md, section 6).
 */

import { type ModelChoice, modelChoice } from '../clients/facts/models.ts';
import { SEVERITIES, type Severity } from '../finding.ts';
import { isObject, parseCatalogSchema, parseToolSchema, type Schema } from '../languages/schema/schema.ts';
import { findValue, listItems, mapEntries, numberOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { type Permissions, readPermissions } from '../permissions/may-use.ts';
import { itemsOf, type Named, namedOf, namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { KNOWN_EFFECTS, KNOWN_INTERRUPTS } from '../vocabulary/known-names.ts';
import { hasAllTools, type Snapshot, type SnapshotTool } from './tool-snapshot.ts';

/** A declared name and its location; built-in names of the format have no location. */
export interface Declared {
  readonly name: string;
  readonly description: string | undefined;
  readonly uri: string | undefined;
  readonly span: Span | undefined;
}

export interface CatalogTool extends Declared {
  readonly inputSchema: Schema | undefined;
  readonly outputSchema: Schema | undefined;
  readonly operation: string | undefined;
  /** The scopes that a caller must have. */
  readonly scopes: readonly string[];
  readonly server: string | undefined;
  /** True for a tool of the editor, which the snapshot lists. */
  readonly isOfEditor?: boolean;
}

export interface CatalogModel extends Declared {
  /** The name by which template variants for several models are chosen. */
  readonly family: string | undefined;
}

export interface CatalogInterrupt extends Declared {
  readonly node: string;
}

export interface Role extends Declared {
  readonly scopes: readonly string[];
}

/** A caller that the preview can select. */
export interface Profile extends Declared {
  readonly role: string | undefined;
  /** Undefined if only the role determines the scopes. */
  readonly scopes: readonly string[] | undefined;
  /** Undefined means all tools. */
  readonly tools: readonly string[] | undefined;
  readonly tier: string | undefined;
  readonly featureFlags: readonly string[] | undefined;
}

/** The composer's limits; missing keys of the catalog have defaults. */
export interface ComposerLimits {
  readonly examples: number;
  /** The largest size of a prompt, in tokens; undefined for no limit. */
  readonly contextTokens: number | undefined;
}

/** The clients and the models that `SKILL.md` files are written for (docs/format.md, section 6). */
export interface AgentSkillTargets {
  /** IDs of clients; undefined if the catalog names no clients. */
  readonly clients: readonly string[] | undefined;
  readonly model: ModelChoice;
  /** The IDs of the clients that the skills in a folder are for, by its path or the end of its path. */
  readonly only: ReadonlyMap<string, readonly string[]>;
}

export interface Catalog extends Permissions {
  readonly uri: string;
  /** The URI of the folder whose skills this catalog governs. */
  readonly folder: string;
  /** True if the file does not parse, so declarations may be missing. */
  readonly isBroken: boolean;
  /**
   * False if the file is broken, or the snapshot does not list the tools of all servers. Tool names are then not
   * checked.
   */
  readonly toolsKnown: boolean;
  readonly tools: ReadonlyMap<string, CatalogTool>;
  /** Undefined if the catalog declares no scopes; scopes are then not checked. */
  readonly scopes: ReadonlyMap<string, Declared> | undefined;
  readonly roles: ReadonlyMap<string, Role> | undefined;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly interrupts: ReadonlyMap<string, CatalogInterrupt>;
  readonly effects: ReadonlyMap<string, Declared>;
  /** The models, and their families. */
  readonly models: ReadonlyMap<string, CatalogModel> | undefined;
  /** Undefined if the catalog declares no surfaces; surfaces are then not checked. The same applies to `channels`. */
  readonly surfaces: ReadonlyMap<string, Declared> | undefined;
  readonly channels: ReadonlyMap<string, Declared> | undefined;
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly limits: ComposerLimits;
  /** True if a test of an undefined value fails in templates and conditions (docs/templates.md, "Undefined values"). */
  readonly strictTemplates: boolean;
  readonly agentSkills: AgentSkillTargets;
  /** The folder of the account skills, as written. */
  readonly accountSkills: string | undefined;
  /** The smallest difference between two scores, from 0 to 1, at which the match is not ambiguous. */
  readonly matchingMargin: number;
}

/** The default number of examples in a prompt (docs/composer.md, step 3). */
const DEFAULT_EXAMPLES = 3;

/** The default of `matchingMargin` (docs/matching.md, "Ambiguous"). */
const DEFAULT_MARGIN = 0.1;

/**
 * Reads a catalog. `snapshot` is the tool snapshot in the same folder, if it exists. Never throws: invalid entries are
 * left out, and rules report them. Implements docs/format.md, section 6.
 */
export function parseCatalog(file: SkillFile, snapshot?: Snapshot): Catalog {
  const { uri } = file;
  const { root, broken } = file.frontmatter.tree;
  const declared = ({ name, span }: Named, node?: YamlNode): Declared => ({
    name,
    description: stringOf(findValue(node, 'description')),
    uri,
    span,
  });
  const listed = (key: string) => byNameOrNone(namesOf(findValue(root, key)).map((name) => declared(name)));
  const descriptors = listItems(findValue(root, 'tools')).filter((item) => item.kind === 'map');
  const sources = descriptors.filter((item) => findValue(item, 'from'));
  const servers = sources.flatMap((source) => namesOf(findValue(source, 'servers'))).map(({ name }) => name);
  return {
    uri,
    folder: folderOf(uri),
    isBroken: broken,
    toolsKnown: !broken && (sources.length === 0 || hasAllTools(snapshot, servers)),
    tools: byName([
      ...(snapshot?.tools ?? []).map((tool) => readSnapshotTool(tool, uri)),
      ...descriptors.flatMap((item) => {
        const name = namedOf(findValue(item, 'name'));
        return name ? [readTool(declared(name, item), item)] : [];
      }),
    ]),
    scopes: listed('scopes'),
    roles: byNameOrNone(entriesOf(root, 'roles').map(([name, value]) => readRole(declared(name), value))),
    profiles: byName(
      itemsOf(findValue(root, 'profiles'), 'name').map(([name, map]) => readProfile(declared(name, map), map)),
    ),
    interrupts: byName([
      ...KNOWN_INTERRUPTS.map(({ name, node, docs }) => ({ ...builtIn(name, docs), node })),
      ...itemsOf(findValue(root, 'interrupts'), 'name').map(([name, map]) => ({
        ...declared(name, map),
        node: namedOf(findValue(map, 'node'))?.name ?? 'call_tools',
      })),
    ]),
    effects: byName([...builtInEffects(), ...namesOf(findValue(root, 'effects')).map((name) => declared(name))]),
    models: byNameOrNone(readModels(findValue(root, 'models'), declared)),
    surfaces: listed('surfaces'),
    channels: listed('channels'),
    ...readPermissions(file),
    severities: new Map([...(broken ? severitiesInText(file.text) : []), ...readSeverities(root)]),
    limits: readLimits(findValue(root, 'composer')),
    strictTemplates: stringOf(findValue(findValue(root, 'templates'), 'undefined')) === 'strict',
    agentSkills: readTargets(findValue(root, 'agent_skills')),
    accountSkills: stringOf(findValue(root, 'account_skills')),
    matchingMargin: readMargin(findValue(findValue(root, 'matching'), 'margin')),
  };
}

const findSeverity = (written: string | undefined): Severity | 'off' | undefined =>
  [...SEVERITIES, 'off' as const].find((word) => word === written);

const readSeverities = (root: YamlNode | undefined): readonly (readonly [string, Severity | 'off'])[] =>
  entriesOf(root, 'rules').flatMap(([{ name }, value]) => {
    const severity = findSeverity(stringOf(value));
    return severity ? [[name, severity] as const] : [];
  });

/**
 * Reads the lines below `rules:` in text that does not parse. Without these lines, rules that are off would report
 * findings in every file while the author types a quote elsewhere.
 */
function severitiesInText(text: string): readonly (readonly [string, Severity | 'off'])[] {
  const found: [string, Severity | 'off'][] = [];
  let isWithin = false;
  for (const line of text.split('\n')) {
    // The next key ends the block.
    if (/^[^\s#]/.test(line)) isWithin = line.startsWith('rules:');
    const [, name = '', word] = (isWithin && /^[ \t]+([\w-]+):[ \t]*([a-z]+)/.exec(line)) || [];
    const severity = findSeverity(word);
    if (severity) found.push([name, severity]);
  }
  return found;
}

const builtIn = (name: string, description: string): Declared => ({
  name,
  description,
  uri: undefined,
  span: undefined,
});

const builtInEffects = (): Declared[] => [...KNOWN_EFFECTS].map(([name, docs]) => builtIn(name, docs));

/**
 * The catalog that applies to a skill without a catalog: the built-in names of the format; other names are not checked.
 */
export const NO_CATALOG: Catalog = {
  uri: '',
  folder: '',
  isBroken: false,
  toolsKnown: false,
  tools: new Map(),
  scopes: undefined,
  roles: undefined,
  profiles: new Map(),
  interrupts: byName(KNOWN_INTERRUPTS.map(({ name, node, docs }) => ({ ...builtIn(name, docs), node }))),
  effects: byName(builtInEffects()),
  models: undefined,
  surfaces: undefined,
  channels: undefined,
  permissions: new Map(),
  permissionsDefault: undefined,
  severities: new Map(),
  limits: { examples: DEFAULT_EXAMPLES, contextTokens: undefined },
  strictTemplates: false,
  agentSkills: { clients: undefined, model: undefined, only: new Map() },
  accountSkills: undefined,
  matchingMargin: DEFAULT_MARGIN,
};

/** Returns the families, whose names are names for template variants, too, and the models. */
function readModels(
  node: YamlNode | undefined,
  declared: (name: Named, node?: YamlNode) => Declared,
): readonly CatalogModel[] {
  const models = itemsOf(node, 'name').map(([name, item]) => ({
    name,
    item,
    family: namedOf(findValue(item, 'family')),
  }));
  return [
    ...models.flatMap(({ family }) => (family ? [{ ...declared(family), family: undefined }] : [])),
    ...models.map(({ name, item, family }) => ({ ...declared(name, item), family: family?.name })),
  ];
}

function readProfile(declared: Declared, item: YamlNode | undefined): Profile {
  const list = (key: string): readonly string[] | undefined => {
    const value = findValue(item, key);
    return value?.kind === 'list' ? namesOf(value).map(({ name }) => name) : undefined;
  };
  return {
    ...declared,
    role: stringOf(findValue(item, 'role')),
    scopes: list('scopes'),
    tools: list('tools'),
    tier: namedOf(findValue(item, 'tier'))?.name,
    featureFlags: list('feature_flags'),
  };
}

function readMargin(node: YamlNode | undefined): number {
  const margin = numberOf(node);
  return margin !== undefined && margin >= 0 && margin <= 1 ? margin : DEFAULT_MARGIN;
}

function readLimits(node: YamlNode | undefined): ComposerLimits {
  const count = (key: string): number | undefined => {
    const value = numberOf(findValue(node, key));
    return value !== undefined && value >= 0 ? Math.floor(value) : undefined;
  };
  return {
    examples: count('examples') ?? DEFAULT_EXAMPLES,
    contextTokens: count('context_tokens'),
  };
}

function readTargets(node: YamlNode | undefined): AgentSkillTargets {
  const clients = findValue(node, 'clients');
  const model = findValue(node, 'model') ?? findValue(node, 'context_tokens');
  return {
    clients: clients?.kind === 'list' ? namesOf(clients).map(({ name }) => name) : undefined,
    model: modelChoice(numberOf(model) ?? namesOf(model).map(({ name }) => name)),
    only: new Map(
      entriesOf(node, 'only').map(([{ name }, value]) => [
        pathOfFolder(name),
        namesOf(value).map((client) => client.name),
      ]),
    ),
  };
}

/** Returns a path without `./` and `/` at its start, and `/` at its end. */
export const pathOfFolder = (written: string): string => written.replace(/^\.?\/+/, '').replace(/\/+$/, '');

/** Returns whether the folder at a path has this name, or is below a folder with it: `.claude/skills` is its end, too. */
export const isInFolder = (path: string, folder: string): boolean => `/${path}/`.includes(`/${folder}/`);

function readTool(declared: Declared, item: YamlNode): CatalogTool {
  const schemaAt = (...keys: readonly string[]): Schema | undefined => {
    const key = keys.find((one) => findValue(item, one) !== undefined);
    const node = key === undefined ? undefined : findValue(item, key);
    return key === undefined || node === undefined ? undefined : parseCatalogSchema(key, node);
  };
  return {
    ...declared,
    inputSchema: schemaAt('input_schema', 'inputSchema', 'input'),
    outputSchema: schemaAt('output_schema', 'outputSchema', 'output'),
    operation: stringOf(findValue(item, 'operation')),
    scopes: namesOf(findValue(item, 'scope') ?? findValue(item, 'scopes')).map(({ name }) => name),
    server: stringOf(findValue(item, 'server')),
  };
}

function readSnapshotTool(tool: SnapshotTool, uri: string): CatalogTool {
  const { name, description, operation, server, from } = tool;
  const schemas = new Map<string, Schema | undefined>();
  // Parsed on first use, since the schemas of most tools in a snapshot are never read.
  const schemaAt = (key: 'inputSchema' | 'outputSchema'): Schema | undefined => {
    const json = tool[key];
    if (!schemas.has(key)) schemas.set(key, isObject(json) ? parseToolSchema(json) : undefined);
    return schemas.get(key);
  };
  return {
    name,
    description,
    uri,
    span: undefined,
    get inputSchema() {
      return schemaAt('inputSchema');
    },
    get outputSchema() {
      return schemaAt('outputSchema');
    },
    operation,
    scopes: [],
    server,
    isOfEditor: from === 'editor',
  };
}

const readRole = (declared: Declared, value: YamlNode): Role => ({
  ...declared,
  scopes: namesOf(value).map(({ name }) => name),
});

const entriesOf = (root: YamlNode | undefined, key: string): readonly (readonly [Named, YamlNode])[] =>
  mapEntries(findValue(root, key)).flatMap((entry) => {
    const name = namedOf(entry.key);
    return name ? [[name, entry.value] as const] : [];
  });

function byName<T extends Declared>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

const byNameOrNone = <T extends Declared>(items: readonly T[]): ReadonlyMap<string, T> | undefined =>
  items.length > 0 ? byName(items) : undefined;
