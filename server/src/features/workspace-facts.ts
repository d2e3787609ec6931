/**
 * Facts about a file for the status bar, about a workspace for a bug report, and the names that the skills in a folder
 * use for a new catalog.
 */
import type { Analysis } from '../analysis/analysis.ts';
import type { AboutReply, FindingCounts, Status } from '../protocol.ts';
import { modelsNamedIn, toolMentionsByName } from '../skill/mentions.ts';
import { type Dialect, isOfClient, isSkillDialect } from '../vocabulary/dialect.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { isInWorkspace } from '../workspace/workspace-index.ts';

export function about(analysis: Analysis, findings: FindingCounts | null, uri: string | undefined): AboutReply {
  const file = uri === undefined ? undefined : analysis.file(uri);
  const catalog = uri === undefined ? undefined : analysis.findCatalog(uri);
  return {
    ...statusOf(analysis, findings),
    dialect: file?.isSkill && !isOfClient(file.dialect) ? (file.dialect as AboutReply['dialect']) : null,
    catalog: catalog
      ? { uri: catalog.uri, tools: catalog.tools.size + analysis.graph.tools.size, toolsKnown: catalog.toolsKnown }
      : null,
    hasOwnFormat: [...analysis.index.files.values()].some(
      ({ dialect, isSkill }) => dialect === 'catalog' || (isSkill && OWN_FORMAT.includes(dialect)),
    ),
  };
}

const OWN_FORMAT: readonly Dialect[] = ['composer', 'contract', 'package'];

/** Returns the state of the workspace. */
export function statusOf(analysis: Analysis, findings: FindingCounts | null): Status {
  const { graph } = analysis;
  const { counts } = analysis.listLosses;
  const lists = counts && {
    ...counts,
    clients: counts.clients.map(({ client: { name }, ...rest }) => ({ name, ...rest })),
    onlyFor: counts.onlyFor.map(({ clients, skills }) => ({ clients: clients.map(({ name }) => name), skills })),
  };
  const inWorkspace = [...graph.skills.keys()].filter((uri) => isInWorkspace(graph, uri)).length;
  return { ready: !analysis.partial, skills: graph.skills.size, inWorkspace, findings, lists: lists ?? null };
}

/** Counts the skills and catalogs of each dialect. */
export function countDialects({ index }: Analysis): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { dialect, isSkill } of index.files.values()) {
    if (isSkill || dialect === 'catalog') counts[dialect] = (counts[dialect] ?? 0) + 1;
  }
  return counts;
}

export interface ToolInUse {
  readonly name: string;
  /** The names of the skills that use the tool, sorted. */
  readonly skills: readonly string[];
}

export interface NamesInUse {
  /** The tools in use, sorted by name, without those that are contracts in the workspace. */
  readonly tools: readonly ToolInUse[];
  readonly scopes: readonly string[];
  readonly models: readonly string[];
}

/** The form of a scope (docs/format.md, section 2). */
const SCOPE = /^[^\s:]+:[^\s:]+(:[^\s:]+)*$/;

/**
 * Returns the tools, scopes and models that the skills in `folder` use; `folder` is a URI, with or without a trailing slash.
 * Reads every file, so only commands may call this function.
 */
export function namesInUse(analysis: Analysis, folder: string): NamesInUse {
  const below = `${folder.replace(/\/+$/, '')}/`;
  const tools = new Map<string, Set<string>>();
  const scopes = new Set<string>();
  const models = new Set<string>();
  for (const file of analysis.allFiles()) {
    const { uri, isSkill, contract, dialect, summary } = file;
    if (!isSkill || !isSkillDialect(dialect) || !uri.startsWith(below)) continue;
    for (const name of [...contract.tools.map((tool) => tool.name), ...toolMentionsByName(file).keys()]) {
      if (analysis.graph.tools.has(name) || AUTHORING_TOOLS.includes(name)) continue;
      const users = tools.get(name) ?? new Set<string>();
      tools.set(name, summary.name === undefined ? users : users.add(summary.name));
    }
    for (const { name } of contract.requiredScopes) if (SCOPE.test(name)) scopes.add(name);
    for (const { name } of modelsNamedIn(file)) models.add(name);
  }
  return {
    // Sorted by code units, so that the order is the same on all machines.
    tools: [...tools.keys()].sort().map((name) => ({ name, skills: [...(tools.get(name) ?? [])].sort() })),
    scopes: [...scopes].sort(),
    models: [...models].sort(),
  };
}
