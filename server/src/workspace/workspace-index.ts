/**
 * The immutable index of the workspace, and look-ups in it. Each new index shares all unchanged data with the previous
 * index.
 */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import type { NetworkCall } from '../abilities/network.ts';
import type { AgentFacts } from '../clients/agents/agent-facts.ts';
import type { ModelChoice } from '../clients/facts/models.ts';
import type { ClientRun } from '../clients/matrix/client-runs.ts';
import type { FileLink } from '../clients/matrix/subject.ts';
import type { HidingKey } from '../clients/pipeline/openai-yaml.ts';
import type { FileEntry, SkillSummary } from '../skill/skill-file.ts';
import type { FolderManifest } from '../skill-folder/folder-manifests.ts';
import type { Plugin } from '../skill-folder/plugins.ts';
import type { SkillFolder } from '../skill-folder/skill-folder.ts';
import type { Span } from '../text.ts';
import type { BaselineByFile } from './baseline.ts';
import type { Catalog } from './catalog.ts';
import type { ParsedSnapshot } from './tool-snapshot.ts';
import type { Unreadable } from './unreadable.ts';

/** A skill with the facts that other files depend on. */
export interface IndexedSkill {
  readonly uri: string;
  readonly summary: SkillSummary;
}

/**
 * The skills and the names that they mention. An edit creates a new graph only if it changes the summary of the edited
 * file.
 */
export interface SkillGraph {
  readonly skills: PersistentMap<string, IndexedSkill>;
  /** The URIs of the skills by name, unordered. */
  readonly byName: Members;
  /** The URIs of the skills whose `id` is not their name, by `id`; unordered. */
  readonly byId: Members;
  /** The URIs of the files that mention a name, even if no skill has that name; unordered. */
  readonly mentionedBy: Members;
  /** The mentioned names that no skill has. */
  readonly missing: PersistentSet<string>;
  /** The names of the contracts that are tools. */
  readonly tools: PersistentSet<string>;
  /** The URIs of the account scope's folders. A skill of the workspace hides an account skill of the same name. */
  readonly account: readonly string[];
  /** The URIs of the workspace folders, in the order in which a name is searched after the own folder. */
  readonly roots: readonly string[];
  /** The surface for which names are resolved; undefined for no particular surface. */
  readonly surface: string | undefined;
  /** Returns `onlySkillNamed(graph, name)` from a cache, if the graph has one. */
  readonly onlyNamed?: (name: string) => IndexedSkill | undefined;
  /** Returns `allNamed(graph, name)` from a cache, if the graph has one. */
  readonly named?: (name: string) => readonly IndexedSkill[];
  /** Returns the choice among the versions in a list, which is kept for the list if the graph has a cache. */
  readonly keptChoice?: (versions: readonly IndexedSkill[], key: string, choose: Choose) => IndexedSkill | undefined;
}

type Choose = () => IndexedSkill | undefined;

/**
 * A sample that cannot be composed, for a reason that no rule reports. Hosts compose samples to find these failures.
 */
export interface SampleFailure {
  readonly sample: string;
  /** The composer's message, with its suggestion. */
  readonly message: string;
  /** The location of the cause; undefined if the sample itself is the cause. */
  readonly cause: { readonly uri: string; readonly span: Span } | undefined;
  /** True if the sample was not composed; the message has the reason. */
  readonly isSkipped?: true;
  /** True if the sample does not fail as `expect.fails` demands; the message is complete. */
  readonly isUnexpected?: true;
}

/** A request that should, or should not, select a skill. */
export interface TriggerRequest {
  readonly request: string;
  readonly should: boolean;
}

/** Why a file is not checked out: its submodule is not initialized, or it is outside of a sparse checkout. */
export type NotCheckedOut = 'submodule' | 'sparse';

/** Facts that hosts collect. A rule reports nothing while a fact that it needs is unknown. */
export interface Facts {
  /** The existence of linked files, by URI. */
  readonly exists: PersistentMap<string, boolean>;
  /** Why git has not checked out missing files, by URI. */
  readonly absences: PersistentMap<string, NotCheckedOut>;
  /** The server names in each file from which a catalog reads tools, by the URI of the file. */
  readonly servers: PersistentMap<string, readonly string[]>;
  /** The skill folders that have been read, by the URI of their `SKILL.md`. */
  readonly folders: PersistentMap<string, SkillFolder>;
  /** The symbolic links to `SKILL.md` files, by URI. A file without an entry has no known link. */
  readonly links: PersistentMap<string, FileLink>;
  /**
   * The `SKILL.md` files as clients read them, by URI, if they are no files of the workspace or have another text there:
   * behind links to folders, in `node_modules`, and those whose bytes are not UTF-8.
   */
  readonly clientSkills: PersistentMap<string, FileEntry>;
  /** The samples that cannot be composed, by URI of the file. A file without an entry has not been composed yet. */
  readonly sampleFailures: PersistentMap<string, readonly SampleFailure[]>;
  /**
   * The first network call of each script, by the URI of the `SKILL.md` that says that the skill needs no network.
   * For a `SKILL.md` without an entry, the calls are unknown.
   */
  readonly networkCalls: PersistentMap<string, readonly NetworkCall[]>;
  /** The requests that a host has found in the `evals/` beside a `SKILL.md`, by the URI of the `SKILL.md`. */
  readonly triggers: PersistentMap<string, readonly TriggerRequest[]>;
  /** The released versions of skills, by URI. */
  readonly releasedTexts: PersistentMap<string, string>;
  /** The files that exist but cannot be read, by URI; includes tool snapshots. */
  readonly unreadable: PersistentMap<string, Unreadable>;
  /**
   * The current date, such as `2026-03-31`, which the host supplies because the core has no clock. Undefined if
   * unknown.
   */
  readonly today: string | undefined;
  /** The IDs of the clients in the user's settings; undefined if the settings name no clients. */
  readonly clients: readonly string[] | undefined;
  /** The models of the clients in the user's settings; undefined if the settings name no model. */
  readonly model: ModelChoice;
}

/** Severities by rule. */
export interface Severities {
  /** The severities of the user's settings, which a catalog overrides. */
  readonly settings: PersistentMap<string, string>;
  /** The severities of the command line, which override the severities of a catalog. */
  readonly overrides: PersistentMap<string, string>;
}

/** All known facts of a workspace, as immutable data. */
export interface Index {
  readonly files: PersistentMap<string, FileEntry>;
  readonly graph: SkillGraph;
  /**
   * The URIs of the files with routing cases, whose results depend on the words of all skills. Cases in `evals/` are in
   * `facts`.
   */
  readonly filesWithRoutingCases: PersistentSet<string>;
  /** The URIs of the sources of converted `SKILL.md` files, by the URI of the `SKILL.md`. */
  readonly origins: PersistentMap<string, string>;
  /** The catalogs by the URI of the folder that they govern. */
  readonly catalogs: PersistentMap<string, Catalog>;
  /** The plugins by the URI of the manifest that declares them. */
  readonly plugins: PersistentMap<string, readonly Plugin[]>;
  /** The parts of manifests that decide about the skills of folders, by their URI, also if a client refuses them. */
  readonly folderManifests: PersistentMap<string, readonly FolderManifest[]>;
  /** The runs of clients without a person, by the URI of the workflow file. */
  readonly clientRuns: PersistentMap<string, readonly ClientRun[]>;
  /** The keys in `agents/openai.yaml` that hide skills from the model of Codex, by the URI of the skill's folder. */
  readonly openAi: PersistentMap<string, HidingKey>;
  /** The agents by the URI of their file. */
  readonly agents: PersistentMap<string, AgentFacts>;
  /** The tool snapshots by the URI of their folder. */
  readonly snapshots: PersistentMap<string, ParsedSnapshot>;
  /** The baselines by the URI of the folder that they govern. */
  readonly baselines: PersistentMap<string, BaselineByFile>;
  readonly facts: Facts;
  readonly severities: Severities;
  /** True while a host is reading files. During this time, no file may be reported as missing. */
  readonly partial: boolean;
  /** A counter that increases with every edit outside the body of a file. */
  readonly headRevision: number;
}

const EMPTY_GRAPH: SkillGraph = {
  skills: PersistentMap(),
  byName: PersistentMap(),
  byId: PersistentMap(),
  mentionedBy: PersistentMap(),
  missing: PersistentSet(),
  tools: PersistentSet(),
  account: [],
  roots: [],
  surface: undefined,
};

export const EMPTY_INDEX: Index = {
  files: PersistentMap(),
  graph: EMPTY_GRAPH,
  filesWithRoutingCases: PersistentSet(),
  origins: PersistentMap(),
  catalogs: PersistentMap(),
  plugins: PersistentMap(),
  folderManifests: PersistentMap(),
  clientRuns: PersistentMap(),
  openAi: PersistentMap(),
  agents: PersistentMap(),
  snapshots: PersistentMap(),
  baselines: PersistentMap(),
  facts: {
    exists: PersistentMap(),
    absences: PersistentMap(),
    servers: PersistentMap(),
    folders: PersistentMap(),
    links: PersistentMap(),
    sampleFailures: PersistentMap(),
    triggers: PersistentMap(),
    networkCalls: PersistentMap(),
    releasedTexts: PersistentMap(),
    unreadable: PersistentMap(),
    clientSkills: PersistentMap(),
    today: undefined,
    clients: undefined,
    model: undefined,
  },
  severities: { settings: PersistentMap(), overrides: PersistentMap() },
  partial: false,
  headRevision: 0,
};

/**
 * Returns the skills that a name in the file `from` can refer to, by name or else by `id`, sorted by URI: those of the
 * workspace folder that contains the file, else those of the first other folder that has the name, else those of the
 * account. Without `from`, there is no own folder. Never throws. Implements docs/format.md, section 4, "Scope".
 */
export function skillsNamed(graph: SkillGraph, name: string, from?: string): readonly IndexedSkill[] {
  // Almost every name has only one skill.
  const only = graph.onlyNamed ? graph.onlyNamed(name) : onlySkillNamed(graph, name);
  if (only) return [only];
  const all = graph.named?.(name) ?? allNamed(graph, name);
  if (graph.account.length === 0 && graph.roots.length < 2) return all;
  const own = from === undefined || isOfAccount(graph, from) ? undefined : rootAt(graph, from);
  const scopes = all.map(({ uri }) => {
    if (isOfAccount(graph, uri)) return Number.POSITIVE_INFINITY;
    const root = rootAt(graph, uri);
    return root === own ? -1 : root;
  });
  const nearest = scopes.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return all.filter((_, at) => scopes[at] === nearest);
}

/** Returns the skill that a name refers to if it is the only one in all scopes. Never throws. */
export function onlySkillNamed({ byName, byId, skills }: SkillGraph, name: string): IndexedSkill | undefined {
  const uris = byName.get(name) ?? byId.get(name);
  return Array.isArray(uris) && uris.length === 1 ? skills.get(uris[0]) : undefined;
}

/** Returns the skills of all scopes that a name refers to, sorted by URI. Never throws. */
export const allNamed = ({ byName, byId, skills }: SkillGraph, name: string): readonly IndexedSkill[] =>
  [...(byName.get(name) ?? byId.get(name) ?? [])].sort().flatMap((uri) => skills.get(uri) ?? []);

/**
 * Returns the name of the skill that has `name` as its `id`; `name` itself if it is the name of a skill, or unknown.
 * Never throws. Implements docs/format.md, section 2, "Short form".
 */
export function mainName({ byName, byId, skills }: SkillGraph, name: string): string {
  const [uri] = byName.has(name) ? [] : (byId.get(name) ?? []);
  return (uri === undefined ? undefined : skills.get(uri)?.summary.name) ?? name;
}

/** Returns the index of the innermost workspace folder with a file. Files outside all folders are in one scope. */
function rootAt({ roots }: SkillGraph, uri: string): number {
  if (roots.length < 2) return 0;
  let found = roots.length;
  for (const [at, root] of roots.entries()) {
    if (uri.startsWith(`${root}/`) && root.length > (roots[found]?.length ?? 0)) found = at;
  }
  return found;
}

/** Returns whether two files are in the same workspace folder. Never throws. */
export const isInSameRoot = (graph: SkillGraph, a: string, b: string): boolean => rootAt(graph, a) === rootAt(graph, b);

/** Returns whether a URI is below a workspace folder. Never throws. */
export const isInWorkspace = ({ roots }: Pick<SkillGraph, 'roots'>, uri: string): boolean =>
  roots.some((root) => uri.startsWith(`${root}/`));

/** Returns whether a URI is in a folder of the account scope. Never throws. */
export const isOfAccount = ({ account }: SkillGraph, uri: string): boolean =>
  account.some((folder) => uri.startsWith(`${folder}/`));

/**
 * Returns the skills with a given name that `skillsNamed` leaves out for the file `from`, sorted by URI. Never throws.
 * Implements docs/format.md, section 4, "Scope".
 */
export function hiddenNamed(graph: SkillGraph, name: string, from: string): readonly IndexedSkill[] {
  const visible = new Set(skillsNamed(graph, name, from));
  return allNamed(graph, name).filter((skill) => !visible.has(skill));
}

/**
 * Returns the URIs of the skills among `uris` that a file of the workspace can refer to, without the account skills that
 * a skill of the workspace hides. Never throws. Implements docs/format.md, section 4, "Scope".
 */
export const visibleSkills = (graph: SkillGraph, uris: Iterable<string>): readonly string[] =>
  [...uris].filter((uri) => {
    const skill = graph.skills.get(uri);
    return skill && !isHidden(graph, skill);
  });

/** Returns whether a skill of the workspace hides an account skill with the same name. Never throws. */
export const isHidden = (graph: SkillGraph, { uri, summary: { name } }: IndexedSkill): boolean =>
  name !== undefined && isOfAccount(graph, uri) && !skillsNamed(graph, name).some((other) => other.uri === uri);

/** Returns the graph with a new summary of one file; an undefined summary removes the skill. Never throws. */
export function withSummary(graph: SkillGraph, uri: string, summary: SkillSummary | undefined): SkillGraph {
  const before = graph.skills.get(uri)?.summary;
  let { byName, byId, mentionedBy } = graph;
  const [added, removed] = [addedTo(before?.mentions, summary?.mentions), addedTo(summary?.mentions, before?.mentions)];
  mentionedBy = mentionedBy.withMutations((members) => {
    for (const mention of removed) without(members, mention, uri);
    for (const mention of added) withMember(members, mention, uri);
  });
  if (before?.name) byName = without(byName, before.name, uri);
  if (summary?.name) byName = withMember(byName, summary.name, uri);
  if (before?.id) byId = without(byId, before.id, uri);
  if (summary?.id) byId = withMember(byId, summary.id, uri);
  const skills = summary ? graph.skills.set(uri, { uri, summary }) : graph.skills.delete(uri);
  const names = [before?.name, summary?.name].filter((name) => name !== undefined);
  let { missing } = graph;
  missing = missing.withMutations((set) => {
    for (const name of [...names, ...added, ...removed]) {
      if (!byName.has(name) && mentionedBy.has(name)) set.add(name);
      else set.delete(name);
    }
  });
  const next = { ...graph, skills, byName, byId, mentionedBy, missing };
  // Of many skills with one name, only a tool matters, or one that hides a tool of the account.
  const isAboutTools = before?.isTool || summary?.isTool || names.some((name) => graph.tools.has(name));
  return isAboutTools || graph.account.length > 0 ? withTools(next, names) : next;
}

/**
 * Returns the graph with new account folders, given as URIs. Takes time in proportion to the size of the workspace.
 * Never throws.
 */
export const withAccount = (graph: SkillGraph, account: readonly string[]): SkillGraph =>
  withTools({ ...graph, account }, graph.byName.keys());

/** Returns the graph with other workspace folders, given as URIs. Never throws. */
export const withRoots = (graph: SkillGraph, roots: readonly string[]): SkillGraph => ({ ...graph, roots });

/**
 * Updates `tools` for `names`. Several skills may have the same name; the name is in `tools` if any of these skills is
 * a tool, and is not hidden.
 */
function withTools(graph: SkillGraph, names: Iterable<string>): SkillGraph {
  let { tools } = graph;
  for (const name of names) {
    const named = graph.byName.has(name) ? allNamed(graph, name) : [];
    const isTool = named.some((skill) => skill.summary.isTool && !isHidden(graph, skill));
    tools = isTool ? tools.add(name) : tools.delete(name);
  }
  return tools === graph.tools ? graph : { ...graph, tools };
}

/** Returns the names in `after` that are not in `before`. */
function addedTo(before: readonly string[] = [], after: readonly string[] = []): readonly string[] {
  const known = new Set(before);
  return known.size === 0 ? after : after.filter((name) => !known.has(name));
}

/** URIs by name, without duplicates. */
type Members = PersistentMap<string, Iterable<string>>;

/** The largest number of members that are stored as a list, which needs less memory than a persistent set. */
const MAX_LIST = 256;

/** Adds a URI that is not a member yet. */
const withMember = (members: Members, name: string, uri: string): Members => {
  const before = members.get(name) ?? [];
  if (!Array.isArray(before)) return members.set(name, PersistentSet(before).add(uri));
  return members.set(name, before.length < MAX_LIST ? [...before, uri] : PersistentSet<string>([...before, uri]));
};

function without(members: Members, name: string, uri: string): Members {
  const before = members.get(name) ?? [];
  const left = Array.isArray(before) ? before.filter((one) => one !== uri) : PersistentSet(before).delete(uri);
  const [some] = left;
  return some === undefined ? members.delete(name) : members.set(name, left);
}
