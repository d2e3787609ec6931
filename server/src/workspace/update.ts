/**
 * The next index after a change, and the files whose findings may change. The cost of processing an edit depends only
 * on the edited file.
 */

import type { Map as PersistentMap } from 'immutable';
import type { NetworkCall } from '../abilities/network.ts';
import { agentFactsOf } from '../clients/agents/agent-facts.ts';
import { BUILT_IN_AGENTS } from '../clients/agents/agent-rules.ts';
import type { ModelChoice } from '../clients/facts/models.ts';
import { runsOf } from '../clients/matrix/client-runs.ts';
import type { FileLink } from '../clients/matrix/subject.ts';
import { readOpenAiSettings } from '../clients/pipeline/openai-yaml.ts';
import { originOf, sourceUri } from '../skill/origin.ts';
import { SkillFile } from '../skill/skill-file.ts';
import {
  isEqualData,
  isSameForIndirectComposers,
  isSameForOtherFiles,
  isSameSummary,
  type SkillSummary,
} from '../skill/summary.ts';
import { folderManifests } from '../skill-folder/folder-manifests.ts';
import { isManifest, isMarketplace, isPluginOfClaude, manifestOf } from '../skill-folder/plugins.ts';
import type { SkillFolder } from '../skill-folder/skill-folder.ts';
import {
  agentFileOf,
  CATALOG_NAME,
  clientFileOf,
  dialectOf,
  folderOf,
  isOpenAiFile,
  isSkillDialect,
  MISNAMED_OPENAI,
  nameFromUri,
} from '../vocabulary/dialect.ts';
import { byFile, parseBaseline } from './baseline.ts';
import { parseCatalog } from './catalog.ts';
import {
  dependentsOf,
  usersOfAdapter,
  usersOfMissing,
  usersOfPredecessors,
  usersOfTools,
} from './composition-lookups.ts';
import { KnownAgents } from './known-agents.ts';
import { parseSnapshot, SNAPSHOT_NAME } from './tool-snapshot.ts';
import type { Unreadable } from './unreadable.ts';
import {
  type Facts,
  type Index,
  type NotCheckedOut,
  type SampleFailure,
  type TriggerRequest,
  withAccount,
  withRoots,
  withSummary,
} from './workspace-index.ts';

export type Change =
  /** A new or changed file; with `unreadable`, a file that exists but cannot be read. */
  | { readonly kind: 'file'; readonly file: SkillFile; readonly sameHead?: boolean; readonly unreadable?: Unreadable }
  | { readonly kind: 'delete'; readonly uri: string }
  /** The text of a tool snapshot; undefined if it was removed or cannot be read. */
  | {
      readonly kind: 'snapshot';
      readonly uri: string;
      readonly text: string | undefined;
      readonly unreadable?: Unreadable;
    }
  /** The text of a baseline; undefined if it was removed or cannot be read. */
  | { readonly kind: 'known'; readonly uri: string; readonly text: string | undefined }
  /**
   * The existence of a linked file. `servers` are the names of the servers in a file from which a catalog reads tools.
   */
  | {
      readonly kind: 'exists';
      readonly uri: string;
      readonly exists: boolean;
      readonly servers?: readonly string[];
      /** Why a missing file is not checked out. */
      readonly absence?: NotCheckedOut;
    }
  /** The files beside a `SKILL.md`; undefined if they are no longer known. */
  | { readonly kind: 'folder'; readonly uri: string; readonly folder: SkillFolder | undefined }
  /** The symbolic link to a `SKILL.md`; undefined if no link exists. */
  | { readonly kind: 'link'; readonly uri: string; readonly link: FileLink | undefined }
  /** A `SKILL.md` as only clients read it; undefined if they read no file, or that of the workspace. */
  | { readonly kind: 'client-skill'; readonly uri: string; readonly file: SkillFile | undefined }
  /** The text of a skill in its last release; undefined if unknown. */
  | { readonly kind: 'released'; readonly uri: string; readonly text: string | undefined }
  /** The failing samples of a file. */
  | { readonly kind: 'samples'; readonly uri: string; readonly failures: readonly SampleFailure[] }
  /** The network calls of the scripts beside a `SKILL.md`; undefined if rules no longer need them. */
  | { readonly kind: 'network-calls'; readonly uri: string; readonly calls: readonly NetworkCall[] | undefined }
  /** Whether the `evals/` beside a `SKILL.md` contains requests. */
  | { readonly kind: 'triggers'; readonly uri: string; readonly requests: readonly TriggerRequest[] }
  /** The current date, with which sunsets are compared. */
  | { readonly kind: 'today'; readonly date: string }
  /** The clients of `SKILL.md` files in the user's settings. */
  | { readonly kind: 'clients'; readonly clients: readonly string[] | undefined }
  /** The models of these clients in the user's settings. */
  | { readonly kind: 'model'; readonly model: ModelChoice }
  /** Severities by rule: those of the user's settings, or `overrides`, which override every catalog and setting. */
  | { readonly kind: 'severities' | 'overrides'; readonly severities: Readonly<Record<string, string>> }
  /** The URIs of the account's folders, without a trailing slash. */
  | { readonly kind: 'account'; readonly folders: readonly string[] }
  /** The URIs of the workspace folders, without a trailing slash. */
  | { readonly kind: 'roots'; readonly folders: readonly string[] }
  /** The surface for which names are resolved. */
  | { readonly kind: 'surface'; readonly surface: string | undefined }
  /** True while files are being read. */
  | { readonly kind: 'partial'; readonly partial: boolean };

/** The URIs of the files whose findings may have changed; `all` after a change to a catalog or a setting. */
export type Affected = ReadonlySet<string> | 'all';

/** Returns the index after a change, or the same index if the change has no effect. Never throws. */
export function update(index: Index, change: Change): Index {
  switch (change.kind) {
    case 'file':
      return withFile(withReason(index, change.file.uri, change.unreadable), change.file.uri, change);
    case 'delete':
      return index.files.has(change.uri) ? withFile(withReason(index, change.uri), change.uri) : index;
    case 'snapshot':
      return withSnapshot(index, change.uri, change.text, change.unreadable);
    case 'known':
      return withKnown(index, folderOf(change.uri), change.text);
    case 'exists':
      return withExistence(index, change);
    case 'folder': {
      const { folders } = index.facts;
      const { uri, folder } = change;
      return withFacts(index, { folders: folder ? folders.set(uri, folder) : folders.delete(uri) });
    }
    case 'link': {
      const { links } = index.facts;
      const { uri, link } = change;
      if (isEqualData(links.get(uri), link)) return index;
      return withFacts(index, { links: link ? links.set(uri, link) : links.delete(uri) });
    }
    case 'client-skill': {
      const { clientSkills } = index.facts;
      const { uri, file } = change;
      if (clientSkills.get(uri)?.text === file?.text) return index;
      return withFacts(index, {
        clientSkills: file ? clientSkills.set(uri, file.entry) : clientSkills.delete(uri),
      });
    }
    case 'released': {
      const { releasedTexts } = index.facts;
      const { uri, text } = change;
      return withFacts(index, {
        releasedTexts: text === undefined ? releasedTexts.delete(uri) : releasedTexts.set(uri, text),
      });
    }
    case 'samples':
      // The file may have been deleted while its samples were composed.
      if (!index.files.has(change.uri)) return index;
      return withFacts(index, { sampleFailures: index.facts.sampleFailures.set(change.uri, change.failures) });
    case 'network-calls':
      return withNetworkCalls(index, change.uri, change.calls);
    case 'triggers': {
      const { triggers } = index.facts;
      const { uri, requests } = change;
      const isThere = requests.length > 0 && index.files.has(uri);
      return withFacts(index, { triggers: isThere ? triggers.set(uri, requests) : triggers.delete(uri) });
    }
    case 'today':
      return withFacts(index, { today: change.date });
    case 'clients':
      if (change.clients?.join() === index.facts.clients?.join()) return index;
      return withFacts(index, { clients: change.clients });
    case 'model':
      if (String(change.model) === String(index.facts.model)) return index;
      return withFacts(index, { model: change.model });
    case 'severities':
    case 'overrides': {
      const key = change.kind === 'severities' ? 'settings' : 'overrides';
      const table = index.severities[key].clear().merge(change.severities);
      if (table.equals(index.severities[key])) return index;
      return { ...index, severities: { ...index.severities, [key]: table } };
    }
    case 'account':
      return { ...index, graph: withAccount(index.graph, change.folders) };
    case 'roots':
      return { ...index, graph: withRoots(index.graph, change.folders) };
    case 'surface':
      return { ...index, graph: { ...index.graph, surface: change.surface } };
    case 'partial':
      return { ...index, partial: change.partial };
  }
}

/**
 * Returns the files whose findings may differ between the indexes `before` and `after` because of `change`. Never
 * throws.
 */
export function affectedBy(change: Change, before: Index, after: Index): Affected {
  if (before === after) return NONE;
  switch (change.kind) {
    case 'file':
      return affectedByFile(change.file.uri, before, after);
    case 'delete':
      return affectedByFile(change.uri, before, after);
    case 'snapshot':
      return before.catalogs === after.catalogs ? NONE : 'all';
    // The host that checked the file knows which files link to it.
    case 'exists':
      return new Set(besideCommand(change.uri, after));
    // No rule reads the requests of `evals/`.
    case 'triggers':
      return NONE;
    case 'folder':
    case 'link':
    case 'client-skill':
    case 'released':
    case 'network-calls':
      return new Set([change.uri]);
    case 'samples':
      return affectedBySamples(change.uri, change.failures, before);
    case 'known':
    case 'today':
    case 'clients':
    case 'model':
    case 'severities':
    case 'overrides':
    case 'account':
    case 'roots':
    case 'surface':
    case 'partial':
      return 'all';
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the index with new facts, or the same index if the facts are equal. */
function withFacts(index: Index, facts: Partial<Facts>): Index {
  const isSame = (Object.keys(facts) as (keyof Facts)[]).every((key) => facts[key] === index.facts[key]);
  return isSame ? index : { ...index, facts: { ...index.facts, ...facts } };
}

function withExistence(index: Index, { uri, exists, servers, absence }: Extract<Change, { kind: 'exists' }>): Index {
  const { facts } = index;
  const absences = absence ? facts.absences.set(uri, absence) : facts.absences.delete(uri);
  const changed = servers ? facts.servers.set(uri, servers) : facts.servers.delete(uri);
  const isSame = isEqualData(facts.servers.get(uri), servers);
  return withFacts(index, {
    ...{ exists: facts.exists.set(uri, exists), absences },
    servers: isSame ? facts.servers : changed,
  });
}

/** Sets or removes network calls. Ignores a file that was deleted while its folder was read. */
function withNetworkCalls(index: Index, uri: string, calls: readonly NetworkCall[] | undefined): Index {
  const { networkCalls } = index.facts;
  if (calls === undefined) return withFacts(index, { networkCalls: networkCalls.delete(uri) });
  if (!index.files.has(uri) || JSON.stringify(networkCalls.get(uri)) === JSON.stringify(calls)) return index;
  return withFacts(index, { networkCalls: networkCalls.set(uri, calls) });
}

/** Returns the index with the `reason` why a file cannot be read; without `reason`, removes a previous reason. */
function withReason(index: Index, uri: string, reason?: Unreadable): Index {
  const { unreadable } = index.facts;
  return withFacts(index, { unreadable: reason ? unreadable.set(uri, reason) : unreadable.delete(uri) });
}

function withFile(
  index: Index,
  uri: string,
  { file, sameHead }: { readonly file?: SkillFile; readonly sameHead?: boolean } = {},
): Index {
  const files = file ? index.files.set(uri, file.entry) : index.files.delete(uri);
  const headRevision = sameHead ? index.headRevision : index.headRevision + 1;
  // Facts about an existing file remain until hosts collect them again.
  const { sampleFailures, networkCalls, links, triggers } = index.facts;
  const { facts } = file
    ? index
    : withFacts(index, {
        sampleFailures: sampleFailures.delete(uri),
        networkCalls: networkCalls.delete(uri),
        links: links.delete(uri),
        triggers: triggers.delete(uri),
      });
  const filesWithRoutingCases = file?.entry.words.hasRoutingCases
    ? index.filesWithRoutingCases.add(uri)
    : index.filesWithRoutingCases.delete(uri);
  const origin = file?.dialect === 'agent-skill' ? originOf(file) : undefined;
  const origins = origin ? index.origins.set(uri, sourceUri(uri, origin)) : index.origins.delete(uri);
  const next = { ...index, files, facts, headRevision, filesWithRoutingCases, origins };
  if (uri.endsWith(`/${CATALOG_NAME}`)) return withCatalog(next, folderOf(uri), file);
  if (dialectOf(uri) === 'plugin') return withPlugins(next, uri, file);
  if (dialectOf(uri) === 'workflow') return withClientRuns(next, uri, file);
  if (agentFileOf(uri)) return withAgent(next, uri, file);
  if (isOpenAiFile(uri)) return withOpenAi(next, uri, file);
  const summary =
    file?.isSkill && isSkillDialect(file.dialect) && !facts.unreadable.has(uri) ? file.summary : undefined;
  const before = index.graph.skills.get(uri)?.summary;
  if (before === summary || (before && summary && isSameSummary(before, summary))) return next;
  return { ...next, graph: withSummary(index.graph, uri, summary) };
}

function withCatalog(index: Index, folder: string, file: SkillFile | undefined): Index {
  const { catalogs, snapshots } = index;
  const { unreadable } = index.facts;
  if (!file) return { ...index, catalogs: catalogs.delete(folder) };
  const catalog = parseCatalog(file, snapshots.get(folder));
  const isBroken = catalog.isBroken || unreadable.has(file.uri);
  const toolsKnown = catalog.toolsKnown && !isBroken && !unreadable.has(`${folder}/${SNAPSHOT_NAME}`);
  return { ...index, catalogs: catalogs.set(folder, { ...catalog, isBroken, toolsKnown }) };
}

function withPlugins(index: Index, uri: string, file: SkillFile | undefined): Index {
  const plugins = file && isManifest(file) ? manifestOf(file).plugins : undefined;
  const folders = file && folderManifests(file);
  const known = isEqualData(folders ?? [], index.folderManifests.get(uri) ?? [])
    ? index
    : { ...index, folderManifests: withList(index.folderManifests, uri, folders) };
  if (isEqualData(plugins, index.plugins.get(uri))) return known;
  return { ...known, plugins: plugins ? index.plugins.set(uri, plugins) : index.plugins.delete(uri) };
}

/** Returns a map without a key if its list is empty. */
const withList = <Item>(
  map: PersistentMap<string, readonly Item[]>,
  key: string,
  list: readonly Item[] = [],
): typeof map => (list.length > 0 ? map.set(key, list) : map.delete(key));

function withClientRuns(index: Index, uri: string, file: SkillFile | undefined): Index {
  const runs = file && !index.facts.unreadable.has(uri) ? runsOf(file) : [];
  if (isEqualData(runs, index.clientRuns.get(uri) ?? [])) return index;
  return { ...index, clientRuns: withList(index.clientRuns, uri, runs) };
}

function withAgent(index: Index, uri: string, file: SkillFile | undefined): Index {
  const facts = file && !index.facts.unreadable.has(uri) ? agentFactsOf(file) : undefined;
  if (isEqualData(facts, index.agents.get(uri))) return index;
  return { ...index, agents: facts ? index.agents.set(uri, facts) : index.agents.delete(uri) };
}

function withOpenAi(index: Index, uri: string, file: SkillFile | undefined): Index {
  const folder = folderOf(folderOf(uri));
  const hides = file && !index.facts.unreadable.has(uri) ? readOpenAiSettings(file.text).hides : undefined;
  if (isEqualData(hides, index.openAi.get(folder))) return index;
  return { ...index, openAi: hides ? index.openAi.set(folder, hides) : index.openAi.delete(folder) };
}

function withSnapshot(index: Index, uri: string, text: string | undefined, reason: Unreadable | undefined): Index {
  const folder = folderOf(uri);
  const snapshot = text === undefined ? undefined : parseSnapshot(text);
  const known = withReason(index, uri, reason);
  // Keeps the index if the snapshot has not changed, for example because it still does not exist.
  if (known === index && JSON.stringify(snapshot) === JSON.stringify(index.snapshots.get(folder))) return index;
  const next = {
    ...known,
    snapshots: snapshot ? index.snapshots.set(folder, snapshot) : index.snapshots.delete(folder),
  };
  const catalog = index.files.get(`${folder}/${CATALOG_NAME}`);
  return catalog ? withCatalog(next, folder, new SkillFile(catalog.uri, catalog.text)) : next;
}

function withKnown(index: Index, folder: string, text: string | undefined): Index {
  const baseline = text === undefined ? undefined : parseBaseline(text);
  if (!baseline && !index.baselines.has(folder)) return index;
  return {
    ...index,
    baselines: baseline ? index.baselines.set(folder, byFile(baseline)) : index.baselines.delete(folder),
  };
}

function affectedByFile(uri: string, before: Index, after: Index): Affected {
  const { graph, catalogs, plugins, folderManifests: manifests, partial, facts } = before;
  if (catalogs !== after.catalogs || plugins !== after.plugins || manifests !== after.folderManifests) return 'all';
  // The list of Codex has other entries, and room for more or less of them.
  if (before.openAi !== after.openAi) return 'all';
  const affected = new Set([uri]);
  // A skill has a fix that creates its settings only if they do not exist.
  if (isOpenAiFile(uri) && before.files.has(uri) !== after.files.has(uri))
    affected.add(`${folderOf(folderOf(uri))}/SKILL.md`);
  for (const path of MISNAMED_OPENAI) {
    // Such a file is one of a skill only if its folder contains a `SKILL.md`.
    const settings = `${folderOf(uri)}/${path}`;
    if (after.files.has(settings)) affected.add(settings);
  }
  for (const other of affectedByManifest(uri, before, after)) affected.add(other);
  if (before.clientRuns !== after.clientRuns)
    for (const { dialect, uri: skill } of after.files.values()) if (dialect === 'agent-skill') affected.add(skill);
  for (const other of affectedByAgent(uri, before, after)) affected.add(other);
  const commandOfOpenCode = agentFileOf(uri)?.kind === 'command' ? nameFromUri(uri) : '';
  for (const other of graph.byName.get(commandOfOpenCode) ?? []) affected.add(other);
  for (const other of affectedByCommand(uri, before, after)) affected.add(other);
  for (const other of affectedRoutingFiles(uri, before, after)) affected.add(other);
  const changesReason = facts.unreadable.get(uri) !== after.facts.unreadable.get(uri);
  if (graph === after.graph && !changesReason) return affected;
  // A contract that becomes or ceases to be a tool changes what every skill may name.
  if (!graph.tools.equals(after.graph.tools)) return 'all';
  const [old, now] = [graph.skills.get(uri)?.summary, after.graph.skills.get(uri)?.summary];
  for (const agent of agentsWith(uri, old, now, after)) affected.add(agent);
  if (!changesReason && old && now && isSameForOtherFiles(old, now)) return affected;
  // An unreadable skill is not reported as missing in the files that mention it.
  const promised = changesReason ? nameFromUri(uri) : undefined;
  // A finding about an unknown name may say that the name is an `id`.
  const names = [old?.name, now?.name, old?.id, now?.id, promised].filter((name) => name !== undefined);
  for (const name of names) {
    for (const set of [graph.byName, graph.byId, graph.mentionedBy, after.graph.byName, after.graph.byId]) {
      for (const other of set.get(name) ?? []) affected.add(other);
    }
  }
  const tools = names.filter((name) => after.graph.tools.has(name));
  for (const other of usersOfTools(after.graph, tools)) affected.add(other);
  // Other skills that a file uses are not checked while files are being read; afterwards all files are checked.
  if (partial) return affected;
  for (const name of names) {
    for (const other of usersOfPredecessors(after.graph, name)) affected.add(other);
    for (const other of usersOfAdapter(after.graph, name)) affected.add(other);
  }
  const cameOrWent = names.filter((name) => graph.byName.has(name) !== after.graph.byName.has(name));
  if (cameOrWent.length > 0) {
    for (const other of after.files.values()) if (other.dialect === 'client-file') affected.add(other.uri);
  }
  for (const other of usersOfMissing(after.graph, cameOrWent)) affected.add(other);
  for (const other of catalogsNaming(after, names, cameOrWent)) affected.add(other);
  if (old && now && isSameForIndirectComposers(old, now)) return affected;
  for (const other of dependentsOf(after.graph, names)) affected.add(other);
  return affected;
}

/** Yields the skills that a command may hide, or that hide it, because they have its name. */
function* affectedByCommand(uri: string, before: Index, after: Index): Iterable<string> {
  if (before.partial || before.files.get(uri)?.text === after.files.get(uri)?.text) return;
  const command = clientFileOf(uri);
  if (command) {
    yield* skillsNamed(command.name, command.root, after);
    yield* agentsAsking(new Set([command.name]), after.agents);
  }
  yield* besideCommand(uri, after);
}

/** Yields the skills in the same plugin with the name of a Markdown file or its folder, which may be a command of the plugin. */
function* besideCommand(uri: string, after: Index): Iterable<string> {
  if (!uri.endsWith('.md')) return;
  const plugins = new Set([...after.folderManifests.values()].flatMap((all) => all.map(({ folder }) => folder)));
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    if (plugins.has(folder)) yield* skillsNamed(nameFromUri(uri), folder, after);
  }
}

/** Yields the files `SKILL.md` below a folder whose own folders have a name. */
function* skillsNamed(name: string, root: string, { files }: Index): Iterable<string> {
  const end = `/${encodeURIComponent(name)}/SKILL.md`;
  for (const other of files.keys()) if (other.endsWith(end) && other.startsWith(`${root}/`)) yield other;
}

/** Yields the files with findings that contain places in a manifest, if the places may have moved. */
function* affectedByManifest(uri: string, before: Index, after: Index): Iterable<string> {
  if (dialectOf(uri) !== 'plugin' || before.files.get(uri)?.text === after.files.get(uri)?.text) return;
  const listed = (after.plugins.get(uri) ?? []).flatMap(({ root, skills }) => skills.filter((one) => one !== root));
  const folders = new Set(listed.map(folderOf));
  for (const { uri: other, dialect } of after.files.values()) {
    if (dialect === 'plugin' ? isMarketplace(other) : folders.has(folderOf(folderOf(other)))) yield other;
  }
}

/**
 * Returns the other agents with the name of a changed agent, and the skills that run in one of them, or in an agent that is
 * not known, for which another name may now be suggested.
 */
function affectedByAgent(uri: string, before: Index, after: Index): readonly string[] {
  // Plugins are unknown while files are being read; afterwards all files are checked.
  if (before.agents === after.agents || before.partial) return [];
  const names = new Set([before, after].flatMap(({ agents }) => agents.get(uri)?.name ?? []));
  const known = callNamesOfAgents(after);
  const depends = (call: string): boolean => names.has(call.slice(call.lastIndexOf(':') + 1)) || !known.has(call);
  return [
    ...[...after.agents].flatMap(([other, { name }]) => (names.has(name) ? [other] : [])),
    ...[...after.graph.skills].flatMap(([skill, { summary }]) => {
      const call = summary.agentSkill?.keys.find(({ name }) => name === 'agent');
      return call && depends(call.text) ? [skill] : [];
    }),
  ];
}

/** Returns the names by which skills call the agents that Claude Code has. */
function callNamesOfAgents({ agents, plugins }: Index): ReadonlySet<string> {
  const known = new KnownAgents(agents, [...plugins.values()].flat().filter(isPluginOfClaude));
  return new Set([...BUILT_IN_AGENTS, ...known.all.map(({ callName }) => callName)]);
}

/** Returns the agents that ask for a `SKILL.md` whose keys have changed. */
function agentsWith(
  uri: string,
  old: SkillSummary | undefined,
  now: SkillSummary | undefined,
  { agents }: Index,
): readonly string[] {
  if (agents.isEmpty() || isEqualData(old?.agentSkill?.keys, now?.agentSkill?.keys)) return [];
  return agentsAsking(new Set([nameFromUri(uri), old?.name, now?.name]), agents);
}

/** Returns the agents that ask for a skill with one of the names. */
function agentsAsking(names: ReadonlySet<string | undefined>, agents: Index['agents']): readonly string[] {
  const bare = (name: string): string => name.slice(name.indexOf(':') + 1);
  return [...agents].flatMap(([agent, { skills }]) => (skills.some((name) => names.has(bare(name))) ? [agent] : []));
}

/**
 * Yields the catalogs with a permission for one of `names`. If skills were added or removed, also yields the
 * catalogs with a permission for a missing skill, because the suggested names may change.
 */
function* catalogsNaming(
  { catalogs, graph }: Index,
  names: readonly string[],
  cameOrWent: readonly string[],
): Iterable<string> {
  for (const { uri, permissions } of catalogs.values()) {
    const isMissing = (name: string): boolean => cameOrWent.length > 0 && !graph.byName.has(name);
    if (names.some((name) => permissions.has(name)) || [...permissions.keys()].some(isMissing)) yield uri;
  }
}

function affectedBySamples(uri: string, failures: readonly SampleFailure[], { facts, files }: Index): Affected {
  const before = facts.sampleFailures.get(uri);
  if (JSON.stringify(before) === JSON.stringify(failures)) return NONE;
  // If no sample failed before or fails now, the findings can change only if a comment suppresses such a failure.
  const isSuppressing = files.get(uri)?.text.includes('skill-disable-next-line');
  return before?.length || failures.length || isSuppressing ? new Set([uri]) : NONE;
}

// Routing cases that an edit may change (docs/matching.md, "Routing cases").

/** Yields the files with routing cases, in the file or in its `evals/`, if the words of a skill changed. */
function* affectedRoutingFiles(uri: string, before: Index, after: Index): Iterable<string> {
  if (before.partial || !changesWords(uri, before, after)) return;
  yield* after.filesWithRoutingCases;
  yield* after.facts.triggers.keys();
}

/** Returns whether requests may select another skill after an edit. */
function changesWords(uri: string, before: Index, after: Index): boolean {
  const [old, now] = [before.graph.skills.get(uri)?.summary, after.graph.skills.get(uri)?.summary];
  const isCalledTheSame =
    old?.name === now?.name && old?.version === now?.version && old?.deprecated === now?.deprecated;
  return !isCalledTheSame || !isEqualData(before.files.get(uri)?.words, after.files.get(uri)?.words);
}
