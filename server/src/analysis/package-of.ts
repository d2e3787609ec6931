/**
 * Makes the package of a skill, and adds declarations from other files: tools, interrupts, composed skills and
 * permissions.
 */

import type { ComposesEntry } from '../skill/contract.ts';
import { kebabName } from '../skill/kebab-name.ts';
import { textsDigest } from '../skill/origin.ts';
import {
  type InvocationContext,
  namedTool,
  type PackageFault,
  type PackageSkill,
  type PackageStep,
  type SkillPackage,
  type ToolDescriptor,
} from '../skill/package.ts';
import { type KnownNames, readPackage } from '../skill/read-package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { isSkillDialect, nameFromUri } from '../vocabulary/dialect.ts';
import { AUTHORING_READERS, AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { type Catalog, type CatalogTool, NO_CATALOG } from '../workspace/catalog.ts';
import { resolveUse } from '../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';
import { sourceUrisOf } from './converted-skills.ts';
import { findGoverningCatalog, findPermission, findToolSkill } from './permissions.ts';

/** A function that returns the faults of a file. `isPart` is false for the skill that is invoked. */
type FaultsOf = (file: SkillFile, isPart: boolean) => readonly PackageFault[];

/**
 * Returns the package of the skill at `uri`; undefined if the index has no such skill. Reads the skill and every skill
 * of its closure once. `faultsOf` runs the rules, which this folder cannot import. Never throws.
 */
export function packageOf(analysis: Analysis, uri: string, faultsOf: FaultsOf): SkillPackage | undefined {
  const file = analysis.file(uri);
  if (!file?.isSkill || !isSkillDialect(file.dialect)) return undefined;
  return assemble(analysis, file, faultsOf, new Map(), new Set());
}

/** Returns the name of the folder to which a skill is converted. Never throws. */
export const convertedName = ({ graph }: Analysis, uri: string): string =>
  graph.skills.get(uri)?.summary.agentSkill ? nameFromUri(uri) : convertedNameOfOwn(graph, uri);

const convertedNameOfOwn = (graph: Analysis['graph'], uri: string): string =>
  kebabName(graph.skills.get(uri)?.summary.name ?? nameFromUri(uri)) ?? 'skill';

/** Returns whether the workspace contains all skills that a skill composes, directly and indirectly. Never throws. */
export const knowsComposedSkills = (analysis: Analysis, uri: string): boolean =>
  sourceUrisOf(analysis.graph, uri).every((one) => {
    const skill = analysis.graph.skills.get(one);
    return (skill?.summary.composes ?? []).every((entry) => {
      const use = skill && resolveUse(analysis.graph, skill, entry.skill);
      return use !== undefined && use.missingAdapter === undefined;
    });
  });

/** Returns the digest of a skill and of all skills that it composes (docs/sharing.md, "The origin"). Never throws. */
export const sourcesDigest = (analysis: Analysis, uri: string): string =>
  textsDigest(sourceUrisOf(analysis.graph, uri).map((one) => analysis.index.files.get(one)?.text ?? ''));

/**
 * Makes a package. `made` stores all packages, so that a shared skill is read only once; `path` contains the skills
 * whose packages are being made.
 */
function assemble(
  analysis: Analysis,
  file: SkillFile,
  faultsOf: FaultsOf,
  made: Map<string, SkillPackage>,
  path: Set<string>,
): SkillPackage {
  const known = made.get(file.uri);
  if (known) return known;
  const faults = faultsOf(file, path.size > 0);
  path.add(file.uri);
  const skill = (entry: ComposesEntry): PackageSkill['package'] => {
    const use = resolveUse(analysis.graph, file, entry.name);
    const composed = use && packageIn(use.skill);
    const name = use?.adapter?.summary.name ?? use?.missingAdapter;
    if (typeof composed !== 'object' || name === undefined) return composed ?? 'missing';
    const instead = name === composed.name?.name ? 'cycle' : 'missing';
    return withAdapter(composed, name, use?.adapter ? packageIn(use.adapter) : instead);
  };
  const packageIn = ({ uri }: IndexedSkill): PackageSkill['package'] => {
    const composed = analysis.file(uri);
    if (!composed) return 'missing';
    if (path.has(uri) || path.size > MAX_DEPTH) return 'cycle';
    return assemble(analysis, composed, faultsOf, made, path);
  };
  const fallback = (name: string): PackageSkill['package'] | undefined => {
    const found = resolveUse(analysis.graph, file, name)?.skill;
    return found && !found.summary.broken ? packageIn(found) : undefined;
  };
  const assembled = readWith(analysis, file, { skill, fallback }, faults);
  path.delete(file.uri);
  made.set(file.uri, assembled);
  return assembled;
}

function readWith(
  analysis: Analysis,
  file: SkillFile,
  others: Pick<KnownNames, 'skill' | 'fallback'>,
  faults: readonly PackageFault[],
): SkillPackage {
  const catalog = analysis.findCatalog(file.uri);
  const toolSkill = (name: string): SkillPackage | undefined => {
    const found = catalog?.tools.has(name) ? undefined : findToolSkill(analysis, name, file.uri);
    const tool = found && found.uri !== file.uri ? analysis.file(found.uri) : undefined;
    return tool && readPackage(tool, { ...NO_NAMES, permission: findPermission(analysis, tool) });
  };
  return readPackage(file, {
    tool: (name) => findTool(analysis, file.uri, name),
    toolSkill,
    interruptNode: (name) => (catalog ?? NO_CATALOG).interrupts.get(name)?.node,
    ...others,
    permission: findPermission(analysis, file),
    faults,
  });
}

/** The names of a package of which only the gates are read. */
const NO_NAMES: Omit<KnownNames, 'permission'> = {
  tool: () => undefined,
  toolSkill: () => undefined,
  interruptNode: () => undefined,
  skill: () => 'missing',
  fallback: () => undefined,
  faults: [],
};

/** Returns the package of a file without the skills that it composes, so that no other skill is read. Never throws. */
export const ownPackageOf = (analysis: Analysis, file: SkillFile): SkillPackage =>
  readWith(analysis, file, { skill: () => 'missing', fallback: () => undefined }, []);

/**
 * Returns a package that runs `composed` and then its adapter, which gives the output of an older version
 * (docs/format.md, section 4, "Adapters").
 */
function withAdapter(composed: SkillPackage, adapterName: string, adapter: PackageSkill['package']): SkillPackage {
  const name = composed.name?.name ?? '';
  const { headSpan: span } = composed;
  const entryOf = (step: string, own: PackageSkill['package']): PackageSkill => {
    return { name: step, span, step, inputMapping: {}, outputMapping: {}, package: own };
  };
  const stepOf = (step: string): PackageStep => {
    return { kind: 'step', name: step, span, inputs: undefined, retry: undefined, ...NO_CONDITIONS };
  };
  return {
    ...composed,
    ...NO_OWN_WORK,
    outputSchema: typeof adapter === 'string' ? undefined : adapter.outputSchema,
    composes: [entryOf(name, composed), entryOf(adapterName, adapter)],
    execution: [stepOf(name), stepOf(adapterName)],
    // The nested node of the skill replaces the result.
    errors: composed.errors.map((error) => ({ ...error, fallback: undefined })),
  };
}

const NO_CONDITIONS = { condition: undefined, keepWhen: undefined } as const;

/** The properties of a skill that only runs the skills that it composes. */
const NO_OWN_WORK = {
  dialect: 'contract',
  framing: undefined,
  prose: [],
  proseReferences: [],
  artifacts: [],
  tools: [],
  requiresTools: false,
  retry: undefined,
  timeoutMs: undefined,
  interrupts: [],
  exit: { on: 'caller' },
  exitProblems: [],
  faults: [],
  progress: null,
  plannerDelegatesShape: false,
  samples: [],
  backed: false,
  service: undefined,
} as const satisfies Partial<SkillPackage>;

/**
 * The maximum number of levels of composed skills. Rules already report more than three levels; this limit protects the
 * stack.
 */
const MAX_DEPTH = 50;

/** Returns a tool. If no catalog lists the tools, every declared tool counts as known (docs/format.md, section 6). */
function findTool(analysis: Analysis, uri: string, name: string): ToolDescriptor | undefined {
  const catalog = analysis.findCatalog(uri);
  const tool = catalog?.tools.get(name);
  if (tool) return { ...namedTool(name), ...pick(tool) };
  const backed = findBacked(analysis, name, uri);
  if (backed) return backed;
  if (AUTHORING_TOOLS.includes(name)) {
    return { ...namedTool(name), operation: AUTHORING_READERS.includes(name) ? 'READ' : 'WRITE' };
  }
  if (!catalog?.toolsKnown || analysis.isKnownTool(catalog, name)) return namedTool(name);
  return undefined;
}

const pick = ({ description, operation, scopes, inputSchema, outputSchema }: CatalogTool) => ({
  ...{ description, operation, scopes },
  inputSchema: inputSchema?.json,
  outputSchema: outputSchema?.json,
});

/** Returns a contract with a backing service as a tool. */
function findBacked(analysis: Analysis, name: string, from: string): ToolDescriptor | undefined {
  const skill = findToolSkill(analysis, name, from);
  if (!skill) return undefined;
  const { operation, requiredScopes } = skill.summary;
  const contract = analysis.file(skill.uri)?.contract;
  return {
    ...{ name, description: contract?.description?.name, operation, scopes: requiredScopes },
    inputSchema: contract?.input?.schema.json,
    outputSchema: contract?.output?.schema.json,
  };
}

/** Returns the catalog that declares the callers of a skill. A catalog that does not parse counts as missing. */
export function callersCatalogOf(analysis: Analysis, uri: string): Catalog {
  const catalog = findGoverningCatalog(analysis, uri);
  return catalog && !catalog.isBroken ? catalog : NO_CATALOG;
}

/** Returns the callers and the limits that the catalog defines for the skill at `uri` (docs/format.md, section 6). */
export function invocationContextOf(analysis: Analysis, uri: string): InvocationContext {
  const { toolsKnown, limits, strictTemplates, models } = analysis.parsedCatalogOf(uri);
  const { roles, profiles } = callersCatalogOf(analysis, uri);
  return {
    toolsKnown,
    profiles: [...profiles.values()].map(({ name, role, scopes, tools, tier, featureFlags }) => ({
      ...{ name, role, scopes, tools },
      ...{ tier, featureFlags },
    })),
    roles: roles && Object.fromEntries([...roles.values()].map(({ name, scopes }) => [name, scopes])),
    examples: limits.examples,
    contextTokens: limits.contextTokens,
    strictTemplates,
    modelFamilies: [...(models?.values() ?? [])].flatMap(({ name, family }) =>
      family === undefined ? [] : [{ name, family }],
    ),
  };
}
