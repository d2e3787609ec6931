/** An immutable snapshot of the workspace, and the look-ups into it. Making the next one shares all that did not change. */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { folderOf } from '../skill/dialect.ts';
import type { SkillDocument, SkillSummary } from '../skill/document.ts';
import type { Span } from '../text.ts';
import { type Catalog, NO_CATALOG } from './catalog.ts';

/** A skill as others see it. */
export interface IndexedSkill {
  readonly uri: string;
  readonly summary: SkillSummary;
}

/** What the summaries of all skills add up to. An edit that leaves its file's summary as it was leaves this object as it was. */
export interface SkillGraph {
  readonly skills: PersistentMap<string, IndexedSkill>;
  /** The URIs of the skills that share a name. */
  readonly byName: PersistentMap<string, PersistentSet<string>>;
  /** The URIs of the files that mention a name, whether or not a skill has it. */
  readonly mentionedBy: PersistentMap<string, PersistentSet<string>>;
  /** The names of the contracts that are tools. */
  readonly tools: PersistentSet<string>;
}

/** What came of composing a sample, where it failed and no rule says why. Hosts find it out, later than anything else. */
export interface SampleFailure {
  readonly sample: string;
  /** The composer's message, with its suggestion. */
  readonly message: string;
  /** Where the cause stands; undefined where the sample itself is it. */
  readonly cause: { readonly uri: string; readonly span: Span } | undefined;
}

export interface WorkspaceIndex {
  readonly documents: PersistentMap<string, SkillDocument>;
  readonly graph: SkillGraph;
  /** Catalogs by the folder that they govern. */
  readonly catalogs: PersistentMap<string, Catalog>;
  /** What hosts found out about files that skills link to: true where there is one. */
  readonly exists: PersistentMap<string, boolean>;
  /** The samples that do not compose, by their file; files without such have no entry. */
  readonly sampleFailures: PersistentMap<string, readonly SampleFailure[]>;
  /** Skills as they were when their versions were given out, by URI. */
  readonly baselines: PersistentMap<string, SkillDocument>;
  /** Severities by rule, as the user's settings have them. A catalog's own go before these. */
  readonly severities: PersistentMap<string, string>;
  /** Severities by rule that go before a catalog's own, as the command line has them. */
  readonly overrides: PersistentMap<string, string>;
  /** True while a host is still reading files: what is not here may be unread, so nobody may call it missing. */
  readonly partial: boolean;
}

export const EMPTY_GRAPH: SkillGraph = {
  skills: PersistentMap(),
  byName: PersistentMap(),
  mentionedBy: PersistentMap(),
  tools: PersistentSet(),
};

export const EMPTY_INDEX: WorkspaceIndex = {
  documents: PersistentMap(),
  graph: EMPTY_GRAPH,
  catalogs: PersistentMap(),
  exists: PersistentMap(),
  sampleFailures: PersistentMap(),
  baselines: PersistentMap(),
  severities: PersistentMap(),
  overrides: PersistentMap(),
  partial: false,
};

/** The skills of a name, in the order of their URIs. */
export const skillsNamed = (index: Pick<WorkspaceIndex, 'graph'>, name: string): readonly IndexedSkill[] =>
  (index.graph.byName.get(name)?.toArray() ?? []).sort().flatMap((uri) => index.graph.skills.get(uri) ?? []);

export const isSkillName = (index: WorkspaceIndex, name: string): boolean => index.graph.byName.has(name);

/** All names that skills have; costs the workspace, so it is for completion and for nearest names only. */
export const skillNames = (index: WorkspaceIndex): readonly string[] => [...index.graph.byName.keys()];

/** The catalog that governs a file: the nearest one going upward; undefined where there is none. */
export function findCatalog(index: WorkspaceIndex, uri: string): Catalog | undefined {
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    const catalog = index.catalogs.get(folder);
    if (catalog) return catalog;
  }
  return undefined;
}

export const catalogOf = (index: WorkspaceIndex, uri: string): Catalog => findCatalog(index, uri) ?? NO_CATALOG;

/** Whether a tool is in the catalog that governs the file: declared there, or a contract with a backing service. */
export const isKnownTool = (index: WorkspaceIndex, catalog: Catalog, name: string): boolean =>
  catalog.tools.has(name) || index.graph.tools.has(name);

/** The graph after one file's summary came, changed or went. */
export function withSummary(graph: SkillGraph, uri: string, summary: SkillSummary | undefined): SkillGraph {
  const before = graph.skills.get(uri)?.summary;
  let { byName, mentionedBy, tools } = graph;
  for (const mention of before?.mentions ?? []) mentionedBy = without(mentionedBy, mention, uri);
  for (const mention of summary?.mentions ?? []) mentionedBy = withMember(mentionedBy, mention, uri);
  if (before?.name) byName = without(byName, before.name, uri);
  if (summary?.name) byName = withMember(byName, summary.name, uri);
  if (before?.isTool && before.name) tools = tools.delete(before.name);
  if (summary?.isTool && summary.name) tools = tools.add(summary.name);
  const skills = summary ? graph.skills.set(uri, { uri, summary }) : graph.skills.delete(uri);
  return { skills, byName, mentionedBy, tools };
}

type Members = PersistentMap<string, PersistentSet<string>>;

const withMember = (members: Members, name: string, uri: string): Members =>
  members.update(name, PersistentSet<string>(), (uris) => uris.add(uri));

function without(members: Members, name: string, uri: string): Members {
  const left = members.get(name)?.delete(uri);
  return left && left.size > 0 ? members.set(name, left) : members.delete(name);
}
