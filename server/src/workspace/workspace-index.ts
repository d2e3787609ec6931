/** An immutable snapshot of the workspace, and the look-ups into it. Making the next one shares all that did not change. */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import type { NetworkCall } from '../abilities/network.ts';
import type { FileLink } from '../agent-skills/subject.ts';
import type { FileEntry, SkillSummary } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { skillsFolderOf } from '../vocabulary/dialect.ts';
import type { Catalog } from './catalog.ts';
import type { KnownFindings } from './known-findings.ts';
import type { SkillFolder } from './skill-folder.ts';
import type { Snapshot } from './tool-snapshot.ts';
import type { Unreadable } from './unreadable.ts';

/** A skill as others see it. */
export interface IndexedSkill {
  readonly uri: string;
  readonly summary: SkillSummary;
}

/** The skills and how they name each other. An edit that does not change the summary of its file leaves this object as it is. */
export interface SkillGraph {
  readonly skills: PersistentMap<string, IndexedSkill>;
  /** The URIs of the skills that share a name, in no order. */
  readonly byName: Members;
  /** The URIs of the files that mention a name, whether or not a skill has it; in no order. */
  readonly mentionedBy: Members;
  /** The names that are mentioned and that no skill has. */
  readonly missing: PersistentSet<string>;
  /** The URIs of the `SKILL.md` files with unknown keys, by the folder that they share with their neighbours; in no order. */
  readonly unknownKeys: Members;
  /** The names of the contracts that are tools. */
  readonly tools: PersistentSet<string>;
  /** The folders whose skills are of the account scope: one of the workspace hides theirs by its name. */
  readonly account: readonly string[];
}

/** A sample that does not compose, where no rule reports why. Hosts find it out by composing. */
export interface SampleFailure {
  readonly sample: string;
  /** The composer's message, with its suggestion. */
  readonly message: string;
  /** Where the cause stands; undefined where the sample itself is it. */
  readonly cause: { readonly uri: string; readonly span: Span } | undefined;
  /** The sample was not composed at all, and the message says why. */
  readonly isSkipped?: true;
}

/** What hosts found out. A rule whose fact is not known yet reports nothing. */
export interface Facts {
  /** Whether a file that a skill links to is there. */
  readonly exists: PersistentMap<string, boolean>;
  /** The names of the servers in a file that a catalog takes tools from; without an entry it is not known to be such a file. */
  readonly servers: PersistentMap<string, readonly string[]>;
  /** The folders of `SKILL.md` files that have been read, by the URI of that file. */
  readonly folders: PersistentMap<string, SkillFolder>;
  /** How `SKILL.md` files are reached through symbolic links, by URI; of one without an entry nothing is known. */
  readonly links: PersistentMap<string, FileLink>;
  /** The samples that do not compose, by their file; a file without an entry has not been composed yet. */
  readonly sampleFailures: PersistentMap<string, readonly SampleFailure[]>;
  /** The first call of each script, by the `SKILL.md` that says that there is none; without an entry nobody has looked. */
  readonly networkCalls: PersistentMap<string, readonly NetworkCall[]>;
  /** The `SKILL.md` files with requests in their `evals/`, as far as somebody has read these. */
  readonly triggers: PersistentSet<string>;
  /** The texts of skills when their versions were released, by URI. */
  readonly releasedTexts: PersistentMap<string, string>;
  /** The files that are there and have no text, tool snapshots included, by URI. */
  readonly unreadable: PersistentMap<string, Unreadable>;
  /** The day, `2026-03-31`: the core has no clock. Undefined where no host has said. */
  readonly today: string | undefined;
  /** The clients of `SKILL.md` files that the user's settings name; undefined where they name none. */
  readonly clients: readonly string[] | undefined;
}

/** Severities by rule. */
export interface Severities {
  /** As the user's settings have them. A catalog's own go before these. */
  readonly settings: PersistentMap<string, string>;
  /** Those that go before a catalog's own, as the command line has them. */
  readonly overrides: PersistentMap<string, string>;
}

/** All that is known of a workspace: plain immutable data. */
export interface Index {
  readonly files: PersistentMap<string, FileEntry>;
  readonly graph: SkillGraph;
  /** The files with routing cases, which any skill's words may make fail; those beside a file are facts. */
  readonly routed: PersistentSet<string>;
  /** Catalogs by the folder that they govern. */
  readonly catalogs: PersistentMap<string, Catalog>;
  /** The snapshots of tools that stand beside catalogs, by folder. */
  readonly snapshots: PersistentMap<string, Snapshot>;
  /** The findings that baselines know, by the folder that they govern. */
  readonly known: PersistentMap<string, KnownFindings>;
  readonly facts: Facts;
  readonly severities: Severities;
  /** True while a host is still reading files, so that nothing may be called missing. */
  readonly partial: boolean;
  /** Grows with every edit that changes more than the body of a file. */
  readonly headRevision: number;
}

const EMPTY_GRAPH: SkillGraph = {
  skills: PersistentMap(),
  byName: PersistentMap(),
  mentionedBy: PersistentMap(),
  missing: PersistentSet(),
  unknownKeys: PersistentMap(),
  tools: PersistentSet(),
  account: [],
};

export const EMPTY_INDEX: Index = {
  files: PersistentMap(),
  graph: EMPTY_GRAPH,
  routed: PersistentSet(),
  catalogs: PersistentMap(),
  snapshots: PersistentMap(),
  known: PersistentMap(),
  facts: {
    exists: PersistentMap(),
    servers: PersistentMap(),
    folders: PersistentMap(),
    links: PersistentMap(),
    sampleFailures: PersistentMap(),
    triggers: PersistentSet(),
    networkCalls: PersistentMap(),
    releasedTexts: PersistentMap(),
    unreadable: PersistentMap(),
    today: undefined,
    clients: undefined,
  },
  severities: { settings: PersistentMap(), overrides: PersistentMap() },
  partial: false,
  headRevision: 0,
};

/** The skills of a name, in the order of their URIs: those of the workspace, else those of the account. */
export function skillsNamed(graph: SkillGraph, name: string): readonly IndexedSkill[] {
  const uris = graph.byName.get(name);
  if (!uris) return [];
  // Nearly every name is that of one skill.
  const only = Array.isArray(uris) && uris.length === 1 ? graph.skills.get(uris[0]) : undefined;
  if (only) return [only];
  const all = [...uris].sort().flatMap((uri) => graph.skills.get(uri) ?? []);
  if (graph.account.length === 0) return all;
  const own = all.filter(({ uri }) => !isOfAccount(graph, uri));
  return own.length > 0 ? own : all;
}

/** The first by its URI of the `SKILL.md` files with unknown keys that share a folder of skills with this one. */
export function firstWithUnknownKeys({ unknownKeys }: SkillGraph, uri: string): string | undefined {
  let first: string | undefined;
  for (const other of unknownKeys.get(skillsFolderOf(uri)) ?? []) {
    if (first === undefined || other < first) first = other;
  }
  return first;
}

/** Whether a file is of the account scope. */
export const isOfAccount = ({ account }: SkillGraph, uri: string): boolean =>
  account.some((folder) => uri.startsWith(`${folder}/`));

/** The graph after one file's summary came, changed or went. */
export function withSummary(graph: SkillGraph, uri: string, summary: SkillSummary | undefined): SkillGraph {
  const before = graph.skills.get(uri)?.summary;
  let { byName, mentionedBy, unknownKeys } = graph;
  for (const mention of before?.mentions ?? []) mentionedBy = without(mentionedBy, mention, uri);
  for (const mention of summary?.mentions ?? []) mentionedBy = withMember(mentionedBy, mention, uri);
  if (before?.name) byName = without(byName, before.name, uri);
  if (summary?.name) byName = withMember(byName, summary.name, uri);
  if (before?.hasUnknownKeys) unknownKeys = without(unknownKeys, skillsFolderOf(uri), uri);
  if (summary?.hasUnknownKeys) unknownKeys = withMember(unknownKeys, skillsFolderOf(uri), uri);
  const skills = summary ? graph.skills.set(uri, { uri, summary }) : graph.skills.delete(uri);
  const names = [before?.name, summary?.name].filter((name) => name !== undefined);
  let { missing } = graph;
  for (const name of [...names, ...(before?.mentions ?? []), ...(summary?.mentions ?? [])]) {
    missing = mentionedBy.has(name) && !byName.has(name) ? missing.add(name) : missing.delete(name);
  }
  return withTools({ ...graph, skills, byName, mentionedBy, missing, unknownKeys }, names);
}

/** The graph with other folders of the account scope. Costs the workspace. */
export const withAccount = (graph: SkillGraph, account: readonly string[]): SkillGraph =>
  withTools({ ...graph, account }, graph.byName.keys());

/** A name is a tool's where a skill that it may mean is one: another file may have the same name. */
function withTools(graph: SkillGraph, names: Iterable<string>): SkillGraph {
  let { tools } = graph;
  for (const name of names) {
    const isTool = skillsNamed(graph, name).some(({ summary }) => summary.isTool);
    tools = isTool ? tools.add(name) : tools.delete(name);
  }
  return tools === graph.tools ? graph : { ...graph, tools };
}

/** Each URI once. */
type Members = PersistentMap<string, Iterable<string>>;

/** Up to so many members are kept in a list, which takes less memory than a persistent set. */
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
