/** The target of a symbol. Two symbols refer to the same declaration if their targets are equal. */

import { findAgent } from '../../analysis/agents.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { outputOfTool } from '../../analysis/tool-output.ts';
import type { Scopes, Variable } from '../../languages/minijinja/scope-model.ts';
import { KEYWORDS, type SchemaField } from '../../languages/schema/schema.ts';
import { findEntry, nodeAt, type YamlNode, type YamlScalar } from '../../languages/yaml/node.ts';
import type { ArtifactKind } from '../../skill/body.ts';
import { type PlainReference, pluginSpanOf } from '../../skill/plain-references.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, findTouching, type Span, sliceOf } from '../../text.ts';
import { agentFileOf } from '../../vocabulary/dialect.ts';
import type { Domain } from '../../vocabulary/shape.ts';
import { resolveReference, resolves } from '../../workspace/resolve-skill.ts';
import {
  DATA_KEYWORDS,
  findField,
  findScalar,
  isParameter,
  matchesPattern,
  type ScalarPlace,
  textOf,
} from './schema-place.ts';
import type { SkillSymbol } from './skill-symbol.ts';
import { declarationOf, valueAt } from './template-values.ts';

/** The names that a catalog declares. */
export type CatalogDomain = Extract<
  Domain,
  'tool' | 'scope' | 'role' | 'profile' | 'interrupt' | 'effect' | 'model' | 'surface' | 'channel'
>;

export type SymbolTarget =
  /**
   * The skills that a name refers to, including all versions of a skill and contracts that are tools. `first` is the URI
   * of the first of these skills, which differs between workspace folders; undefined if there is no such skill.
   */
  | { readonly kind: 'skill'; readonly name: string; readonly first: string | undefined }
  /** `catalog` is the URI of the catalog that applies to the file; empty without a catalog. */
  | { readonly kind: 'catalog'; readonly domain: CatalogDomain; readonly name: string; readonly catalog: string }
  /** `artifactKind` is undefined for `#artifact:x` if no artifact, or artifacts of several kinds, have that name. */
  | {
      readonly kind: 'artifact';
      readonly uri: string;
      readonly name: string;
      readonly artifactKind: ArtifactKind | undefined;
    }
  /** An agent of Claude Code, by the URI of its file. */
  | { readonly kind: 'agent'; readonly uri: string; readonly name: string }
  /** A step that has a name of its own (`as`). */
  | { readonly kind: 'step'; readonly uri: string; readonly name: string }
  /** A stage of an Approach. */
  | { readonly kind: 'stage'; readonly uri: string; readonly name: string }
  /** A value that mappings pass between steps and that is neither an input nor an output of the composite. */
  | { readonly kind: 'flow'; readonly uri: string; readonly name: string }
  /** A field of a schema, identified by the span of the key that declares it. */
  | { readonly kind: 'field'; readonly uri: string; readonly name: string; readonly key: Span }
  | LocalTarget;

/** Returns the target of a symbol; undefined for keys, language keywords, and names without a declaration. */
export function targetOf(analysis: Analysis, file: SkillFile, symbol: SkillSymbol): SymbolTarget | undefined {
  if (symbol.kind === 'name') return targetOfName(analysis, file, symbol);
  if (symbol.kind === 'field') return targetOfField(analysis, file, symbol);
  if (symbol.kind !== 'variable') return undefined;
  const { name, path, variable } = symbol;
  if (path.length === 0) return localTarget(file, name, variable);
  const value = valueAt(file, name, variable, path);
  const field = value && declarationOf(value);
  // A key of a map that the template makes is not a field, although its value may be one.
  const holder = field && valueAt(file, name, variable, path.slice(0, -1));
  return field && !holder?.map?.isMade ? fieldTarget(file.uri, field) : undefined;
}

/** Returns the target of a skill name in the file `from`; without a file, in the first workspace folder. */
export const skillTarget = (analysis: Analysis, name: string, from?: string): SymbolTarget & { kind: 'skill' } => ({
  ...{ kind: 'skill', name },
  first: analysis.skillsNamed(name, from)[0]?.uri,
});

export function sameTarget(a: SymbolTarget, b: SymbolTarget): boolean {
  if (a.kind === 'skill') return b.kind === 'skill' && a.name === b.name && a.first === b.first;
  if (a.kind === 'catalog') {
    return b.kind === 'catalog' && a.domain === b.domain && a.name === b.name && a.catalog === b.catalog;
  }
  if (a.kind !== b.kind || a.uri !== b.uri || a.name !== b.name) return false;
  if (a.kind === 'field') return b.kind === 'field' && a.key.start === b.key.start;
  if (a.kind === 'artifact' && b.kind === 'artifact') {
    return a.artifactKind === b.artifactKind || !a.artifactKind || !b.artifactKind;
  }
  return true;
}

function targetOfName(
  analysis: Analysis,
  file: SkillFile,
  { domain, name, span, plain, isId }: SkillSymbol & { kind: 'name' },
): SymbolTarget | undefined {
  const { uri, contract } = file;
  if (plain && !(resolves(analysis.graph, file, plain) && isOfNamedPlugin(analysis, file, plain))) return undefined;
  // The name of a skill has precedence over an `id`.
  if (isId && analysis.isSkillName(name)) return undefined;
  switch (domain) {
    case 'skill':
      return skillTarget(analysis, name, uri);
    case 'step': {
      const entry = contract.composes.find((one) => one.step === name);
      return entry && !entry.as ? skillTarget(analysis, name, uri) : { kind: 'step', uri, name };
    }
    case 'stage':
      return { kind: 'stage', uri, name };
    case 'template':
      return { kind: 'artifact', uri, name, artifactKind: 'PromptTemplate' };
    case 'artifact': {
      const artifacts = file.body?.artifacts ?? [];
      const here = findTouching(artifacts, span.start, ({ heading }) => heading.span);
      if (here?.nameSpan?.start === span.start) return { kind: 'artifact', uri, name, artifactKind: here.kind };
      const kinds = new Set(artifacts.filter((one) => one.name === name).map(({ kind }) => kind));
      const [only] = kinds.size === 1 ? kinds : [];
      return { kind: 'artifact', uri, name, artifactKind: only };
    }
    case 'agent': {
      if (agentFileOf(uri)) return { kind: 'agent', uri, name };
      const [plugin = ''] = /[\w.-]+:$/.exec(file.text.slice(Math.max(0, span.start - 100), span.start)) ?? [];
      const found = findAgent(analysis, uri, plugin + name);
      return found && { kind: 'agent', uri: found.uri, name };
    }
    case 'field':
      return undefined;
    case 'tool':
      if (!analysis.catalogOf(uri).tools.has(name) && analysis.graph.tools.has(name))
        return skillTarget(analysis, name, uri);
      return { kind: 'catalog', domain, name, catalog: analysis.catalogOf(uri).uri };
    default:
      return { kind: 'catalog', domain, name, catalog: analysis.catalogOf(uri).uri };
  }
}

/** Returns false if a reference names a plugin that does not ship the skill, but another plugin does. */
function isOfNamedPlugin(analysis: Analysis, file: SkillFile, plain: PlainReference): boolean {
  const plugin = pluginSpanOf(file.text, plain);
  const skill = plugin && resolveReference(analysis.graph, file, plain);
  if (!skill) return true;
  const name = sliceOf(file.text, plugin);
  const shipping = analysis.plugins.shipping(skill.uri);
  const isKnown = shipping.length > 0 || analysis.plugins.named(name).length > 0;
  return !isKnown || shipping.some((one) => one.name === name);
}

function targetOfField(
  analysis: Analysis,
  file: SkillFile,
  { owner, path, span }: SkillSymbol & { kind: 'field' },
): SymbolTarget | undefined {
  const { uri, contract, frontmatter } = file;
  const name = path.at(-1) ?? '';
  if (owner.kind === 'skill') {
    const skill = analysis.resolveSide(file, owner.name, owner.side);
    return skill && declaredField(skill.uri, skill.contract[owner.side]?.schema.fields, path);
  }
  if (owner.kind === 'tool') {
    const output = outputOfTool(analysis, file, owner.name);
    return output?.uri === undefined ? undefined : declaredField(output.uri, output.schema.fields, path);
  }
  const { root } = frontmatter.tree;
  const place = findScalar(frontmatter.tree, span.start);
  if (owner.kind === 'schema') {
    const tool = contract.tools.find(({ constraints }) => constraints && contains(constraints.span, span));
    if (!tool) {
      const output = owner.isOfOutput ? declaredField(uri, contract.output?.schema.fields, path) : undefined;
      const key = place && keyAt(root, propertyPath(place))?.span;
      const declared = key ? undefined : declaredField(uri, owner.schema.fields, path);
      return output ?? declared ?? { kind: 'field', uri, name, key: key ?? span };
    }
    const known = analysis.catalogOf(uri).tools.get(tool.name);
    // A tool from a snapshot has no source location.
    if (known) return known.uri && known.span ? declaredField(known.uri, known.inputSchema?.fields, path) : undefined;
    const skill = analysis.resolveSkill(file, tool.name);
    return skill && declaredField(skill.uri, skill.contract.input?.schema.fields, path);
  }
  const own = contract[owner.side];
  const found = declaredField(uri, own?.schema.fields, path);
  if (own && place && contains(own.entry.value.span, span)) {
    const property = propertyPath(place);
    if (found && !property.some((step) => APART.has(step))) return found;
    // The names on the path do not lead to this field (`$defs`), or the key declares itself.
    const declaration = keyAt(root, withoutInPlace(property)) ?? keyAt(root, property);
    return { kind: 'field', uri, name, key: declaration?.span ?? span };
  }
  if (found || !place || !isMapping(place.path)) return found;
  // A flow value may be an input or an output of the composite.
  const other = contract[owner.side === 'input' ? 'output' : 'input'];
  return declaredField(uri, other?.schema.fields, path) ?? { kind: 'flow', uri, name };
}

type Path = ScalarPlace['path'];

const keyAt = (root: YamlNode | undefined, path: Path): YamlScalar | undefined =>
  findEntry(nodeAt(root, path.slice(0, -1)), String(path.at(-1)))?.key;

/** Keywords whose schemas apply to other values than those that the names on the path lead to. */
const APART: ReadonlySet<string | number> = new Set([
  '$defs',
  'definitions',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
]);

const DEPENDENCIES: ReadonlySet<string | number | undefined> = new Set([
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords with names of fields or schemas as keys. */
const NAMING: ReadonlySet<string | number | undefined> = new Set([
  'properties',
  '$defs',
  'definitions',
  ...DEPENDENCIES,
]);

/** Returns the path of the key in `properties` that a name in a schema refers to; for a key itself its path. */
function propertyPath({ role, path, scalar }: ScalarPlace): Path {
  const beside = (levels: number): Path => [...path.slice(0, -levels), 'properties', textOf(scalar)];
  const data = path.findIndex(
    (step, at) => DATA_KEYWORDS.has(step) && at < path.length - 1 && !NAMING.has(path[at - 1]),
  );
  if (role === 'key' && data >= 0) {
    const names = path.slice(data + 1).filter((step) => typeof step === 'string');
    return [...path.slice(0, data), ...names.flatMap((name) => ['properties', name])];
  }
  if (role === 'key') return DEPENDENCIES.has(path.at(-2)) ? beside(2) : path;
  if (path.at(-2) === 'required') return beside(2);
  return DEPENDENCIES.has(path.at(-3)) || matchesPattern(path.slice(-3), 'propertyNames', 'enum', '#')
    ? beside(3)
    : path;
}

/** Returns the path in a JSON Schema without the keywords whose schemas apply to the same value, such as `anyOf`. */
function withoutInPlace(path: Path): Path {
  const result: (string | number)[] = [];
  for (let at = 0; at < path.length; at++) {
    const step = path[at] as string | number;
    const keyword = KEYWORDS.get(String(step));
    if (keyword?.inPlace) at += keyword.schemaForm === 'one' ? 0 : 1;
    else {
      result.push(step);
      const next = path[at + 1];
      // A name under `properties` may be equal to a keyword.
      if (keyword?.schemaForm === 'map' && next !== undefined) result.push(next);
      if (keyword?.schemaForm === 'map') at++;
    }
  }
  return result;
}

const isMapping = (path: readonly (string | number)[]): boolean =>
  matchesPattern(path, 'composes', '#', 'input_mapping', '*') ||
  matchesPattern(path, 'composes', '#', 'output_mapping', '*');

function declaredField(
  uri: string,
  fields: readonly SchemaField[] | undefined,
  path: readonly string[],
): SymbolTarget | undefined {
  const field = findField(fields ?? [], path);
  return field && fieldTarget(uri, field);
}

const fieldTarget = (uri: string, { name, keySpan }: SchemaField): SymbolTarget => ({
  kind: 'field',
  uri,
  name,
  key: keySpan,
});

/** A name that a template defines: a variable of `set` or `for`, a macro or macro parameter, or an imported name. */
export interface LocalTarget {
  readonly kind: 'local';
  readonly uri: string;
  readonly name: string;
  readonly definitions: readonly Span[];
  /** All other occurrences of the name; `isWrite` is true for `{% set ns.x = … %}`. */
  readonly uses: readonly { readonly span: Span; readonly isWrite: boolean }[];
  readonly variables: readonly Variable[];
}

/** Returns undefined for names that the engine or the composer defines, and for names without a definition. */
function localTarget(file: SkillFile, name: string, variable: Variable | undefined): LocalTarget | undefined {
  if (variable?.implicit) return undefined;
  const isRoot = !variable || variable.scope.kind === 'root';
  const family = isRoot ? sharedBetweenTemplates(file, name) : undefined;
  const variables = family && family.variables.length > 0 ? family.variables : variable ? [variable] : [];
  if (variables.length === 0) return undefined;
  const uses = [...variables.flatMap((one) => one.uses), ...(family?.free ?? [])];
  return {
    kind: 'local',
    uri: file.uri,
    name,
    definitions: variables.flatMap(({ definitions }) => definitions.map(({ span }) => span)),
    uses: uses.map(({ span, role }) => ({ span, isWrite: role === 'assign' })),
    variables,
  };
}

/**
 * Returns the variables that templates share through includes. A name that a template uses without defining it refers
 * to the top-level variables with that name in the other templates.
 */
function sharedBetweenTemplates(file: SkillFile, name: string) {
  const { templates } = file;
  const including = templates.some(({ source }) => source.scopes.references.length > 0);
  if (isParameter(file, name) || !including) return undefined;
  const free = templates.flatMap((one) => one.inFile.scopes.undefinedUses.filter((use) => use.name === name));
  return free.length > 0
    ? { free, variables: templates.flatMap((one) => rootVariables(one.inFile.scopes, name)) }
    : undefined;
}

const rootVariables = ({ variables }: Scopes, name: string): readonly Variable[] =>
  variables.filter((variable) => variable.name === name && variable.scope.kind === 'root' && !variable.implicit);
