/** An immutable snapshot of the workspace, and the look-ups into it. Making the next one shares all that did not change. */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import type { SkillDocument, SkillSummary } from '../skill/document.ts';
import type { Span } from '../text.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { type Catalog, NO_CATALOG } from './catalog.ts';

/** A skill as others see it. */
export interface IndexedSkill {
  readonly uri: string;
  readonly summary: SkillSummary;
}

/** What the summaries of all skills add up to. An edit that leaves its file's summary as it was leaves this object as it was. */
export interface SkillGraph {
  readonly skills: PersistentMap<string, IndexedSkill>;
  /** The URIs of the skills that share a name, in no order. */
  readonly byName: Members;
  /** The URIs of the files that mention a name, whether or not a skill has it; in no order. */
  readonly mentionedBy: Members;
  /** The names that are mentioned and that no skill has: few, where a workspace has thousands. */
  readonly missing: PersistentSet<string>;
  /** The names of the contracts that are tools. */
  readonly tools: PersistentSet<string>;
  /** The folders whose skills are of the account scope: one of the workspace hides theirs by its name. */
  readonly account: readonly string[];
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
  /** The samples that do not compose, by their file; a file without an entry has not been composed yet. */
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
  missing: PersistentSet(),
  tools: PersistentSet(),
  account: [],
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

/** The skills of a name, in the order of their URIs: those of the workspace, else those of the account. */
export function skillsNamed({ graph }: Pick<WorkspaceIndex, 'graph'>, name: string): readonly IndexedSkill[] {
  const uris = graph.byName.get(name);
  if (!uris) return [];
  // Nearly every name is that of one skill, which hides nobody.
  const only = Array.isArray(uris) && uris.length === 1 ? graph.skills.get(uris[0]) : undefined;
  if (only) return [only];
  const all = [...uris].sort().flatMap((uri) => graph.skills.get(uri) ?? []);
  if (graph.account.length === 0) return all;
  const own = all.filter(({ uri }) => !isOfAccount(graph, uri));
  return own.length > 0 ? own : all;
}

/** Whether a file is of the account scope. */
export const isOfAccount = ({ account }: SkillGraph, uri: string): boolean =>
  account.some((folder) => uri.startsWith(`${folder}/`));

export const isSkillName = (index: WorkspaceIndex, name: string): boolean => index.graph.byName.has(name);

const names = new WeakMap<SkillGraph['byName'], readonly string[]>();

/** All names that skills have; costs the workspace where they changed, so it is for completion and for nearest names only. */
export function skillNames({ graph }: Pick<WorkspaceIndex, 'graph'>): readonly string[] {
  const known = names.get(graph.byName) ?? [...graph.byName.keys()];
  names.set(graph.byName, known);
  return known;
}

/**
 * What governs each folder, by what declares it, and what was asked last: some 70 rules ask for one file, one after the other,
 * and the answer is that of its folder.
 */
interface Governed {
  readonly byFolder: Map<string, Catalog | undefined>;
  uri: string;
  catalog: Catalog | undefined;
}

const governed = new WeakMap<WorkspaceIndex['catalogs'], Governed>();

/** The catalog that governs a file: the nearest one going upward; undefined where there is none. */
export function findCatalog({ catalogs }: Pick<WorkspaceIndex, 'catalogs'>, uri: string): Catalog | undefined {
  let known = governed.get(catalogs);
  if (known?.uri === uri) return known.catalog;
  if (!known) {
    known = { byFolder: new Map(), uri, catalog: undefined };
    governed.set(catalogs, known);
  }
  const own = folderOf(uri);
  if (!known.byFolder.has(own)) known.byFolder.set(own, findUpward(catalogs, own));
  known.uri = uri;
  known.catalog = known.byFolder.get(own);
  return known.catalog;
}

function findUpward(catalogs: WorkspaceIndex['catalogs'], own: string): Catalog | undefined {
  for (let folder = own; folder.includes('/'); folder = folderOf(folder)) {
    const catalog = catalogs.get(folder);
    if (catalog) return catalog;
  }
  return undefined;
}

export const catalogOf = (index: WorkspaceIndex, uri: string): Catalog => findCatalog(index, uri) ?? NO_CATALOG;

/** What a file is held against: of a catalog that does not parse nothing is concluded, as if there were none. */
export function settledCatalogOf(index: WorkspaceIndex, uri: string): Catalog {
  const catalog = catalogOf(index, uri);
  return catalog.isBroken ? NO_CATALOG : catalog;
}

/** Whether a tool is in the catalog that governs the file: declared there, or a contract with a backing service. */
export const isKnownTool = (index: WorkspaceIndex, catalog: Catalog, name: string): boolean =>
  catalog.tools.has(name) || index.graph.tools.has(name);

/** The graph after one file's summary came, changed or went. */
export function withSummary(graph: SkillGraph, uri: string, summary: SkillSummary | undefined): SkillGraph {
  const before = graph.skills.get(uri)?.summary;
  let { byName, mentionedBy } = graph;
  for (const mention of before?.mentions ?? []) mentionedBy = without(mentionedBy, mention, uri);
  for (const mention of summary?.mentions ?? []) mentionedBy = withMember(mentionedBy, mention, uri);
  if (before?.name) byName = without(byName, before.name, uri);
  if (summary?.name) byName = withMember(byName, summary.name, uri);
  const skills = summary ? graph.skills.set(uri, { uri, summary }) : graph.skills.delete(uri);
  const names = [before?.name, summary?.name].filter((name) => name !== undefined);
  let { missing } = graph;
  for (const name of [...names, ...(before?.mentions ?? []), ...(summary?.mentions ?? [])]) {
    missing = mentionedBy.has(name) && !byName.has(name) ? missing.add(name) : missing.delete(name);
  }
  return withTools({ ...graph, skills, byName, mentionedBy, missing }, names);
}

/** The graph with other folders of the account scope. Costs the workspace. */
export const withAccount = (graph: SkillGraph, account: readonly string[]): SkillGraph =>
  withTools({ ...graph, account }, graph.byName.keys());

/** A name is a tool's where a skill that it may mean is one: another file may have the same name. */
function withTools(graph: SkillGraph, names: Iterable<string>): SkillGraph {
  let { tools } = graph;
  for (const name of names) {
    const isTool = skillsNamed({ graph }, name).some(({ summary }) => summary.isTool);
    tools = isTool ? tools.add(name) : tools.delete(name);
  }
  return tools === graph.tools ? graph : { ...graph, tools };
}

/** Each URI once. */
type Members = PersistentMap<string, Iterable<string>>;

/** Nearly all have one or two members, for which a persistent set takes six times the room of a list. */
const MAX_LIST = 16;

const withMember = (members: Members, name: string, uri: string): Members => {
  const before = members.get(name) ?? [];
  if (!Array.isArray(before)) return members.set(name, PersistentSet(before).add(uri));
  if (before.includes(uri)) return members;
  return members.set(name, before.length < MAX_LIST ? [...before, uri] : PersistentSet<string>([...before, uri]));
};

function without(members: Members, name: string, uri: string): Members {
  const before = members.get(name) ?? [];
  const left = Array.isArray(before) ? before.filter((one) => one !== uri) : PersistentSet(before).delete(uri);
  const [some] = left;
  return some === undefined ? members.delete(name) : members.set(name, left);
}
