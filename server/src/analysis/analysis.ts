/**
 * Data that is derived from one index, computed on demand and then stored. The next analysis reuses parsed files with
 * the same text, and results for the same graph and catalogs.
 */
import type { NetworkCall } from '../abilities/network.ts';
import type { Client } from '../clients/facts/client.ts';
import { ClientsById } from '../clients/facts/clients.ts';
import type { ModelChoice } from '../clients/facts/models.ts';
import { AgentSkills } from '../clients/matrix/agent-skills.ts';
import type { ClientRow } from '../clients/matrix/cell.ts';
import type { FileLink } from '../clients/matrix/subject.ts';
import type { PluginFolder } from '../clients/pipeline/plugin-rules.ts';
import type { OverlapIndex } from '../matching/overlap-index.ts';
import type { SearchIndex } from '../matching/search-index.ts';
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';
import { isPluginOfClaude, Plugins } from '../skill-folder/plugins.ts';
import type { SkillFolder } from '../skill-folder/skill-folder.ts';
import { folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { AUTHORING_READERS, AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { type Catalog, NO_CATALOG } from '../workspace/catalog.ts';
import { KnownAgents } from '../workspace/known-agents.ts';
import { giverOf, resolveSummary, resolveUse } from '../workspace/resolve-skill.ts';
import { ResolvedGraph } from '../workspace/resolved-graph.ts';
import type { Unreadable } from '../workspace/unreadable.ts';
import { update } from '../workspace/update.ts';
import {
  type Index,
  type IndexedSkill,
  type NotCheckedOut,
  type SampleFailure,
  skillsNamed,
} from '../workspace/workspace-index.ts';
import { type ClientFileAt, clientFilesIn } from './client-files.ts';
import { ClientLists } from './client-ranking.ts';
import { findConverted } from './converted-skills.ts';
import { Listings } from './listings.ts';
import { ListLosses } from './not-listed.ts';
import { ParsedFiles } from './parsed-files.ts';
import { PluginFolders } from './plugin-folders.ts';
import { SkillOverlap, SkillSearch } from './skill-search.ts';
import { type LinksByName, targetsBeside } from './targets.ts';

/** An earlier analysis, and the URIs of the files that have changed since. */
interface PreviousAnalysis {
  readonly analysis?: Analysis;
  readonly changed: Iterable<string>;
}

/** Returns the skills with the new state of some files. */
const withFacts = (
  agentSkills: AgentSkills,
  { graph, facts, openAi }: Index,
  plugins: PluginFolders,
  uris: Iterable<string>,
): AgentSkills =>
  agentSkills.with(
    [...uris].map((uri) => {
      const own = graph.skills.get(uri)?.summary.agentSkill;
      const all = facts.clientSkills.get(uri)?.summary.agentSkill ?? own;
      const around = all && {
        ...{ link: facts.links.get(uri), plugins: plugins.around(uri) },
        openAi: openAi.get(folderOf(uri)),
      };
      return { uri, facts: all, ...around, isOnlyOfClients: own === undefined };
    }),
  );

/** Returns whether two indexes have the same plugins, with the same commands. */
const hasSamePlugins = (before: Index, after: Index, changed: Iterable<string>, plugins: PluginFolders): boolean => {
  if (before.folderManifests !== after.folderManifests) return false;
  const keyIn = ({ files }: Index, uri: string): string => {
    const file = files.get(uri);
    return file ? plugins.commandKey(file) : '';
  };
  const existsIn = ({ facts }: Index): string => plugins.existsKey((uri) => facts.exists.get(uri));
  if (before.facts.exists !== after.facts.exists && existsIn(before) !== existsIn(after)) return false;
  return after.folderManifests.isEmpty() || [...changed].every((uri) => keyIn(before, uri) === keyIn(after, uri));
};

/** An immutable view of one index with all data that is derived from it. */
export class Analysis {
  readonly index: Index;
  readonly #files: ParsedFiles;
  readonly #search: SkillSearch;
  readonly #overlap: SkillOverlap;
  /** The list of skills that was ranked last. */
  readonly clientLists: ClientLists;
  /** The clients that settings and catalogs name. */
  readonly clientsById: ClientsById;
  readonly #graph: ResolvedGraph;
  /** Created on first use. The next analysis reuses this index and updates it for the changed files. */
  #agentSkills: AgentSkills | undefined;
  #listings: Listings | undefined;
  #listLosses: ListLosses | undefined;
  #plugins: Plugins | undefined;
  #agents: KnownAgents | undefined;
  #clientFiles: readonly ClientFileAt[] | undefined;
  readonly #pluginFolders: PluginFolders;
  #linksByName: LinksByName | undefined;
  #convertedFrom: ReadonlyMap<string, readonly string[]> | undefined;
  /** The catalogs by the folder whose files they govern. */
  readonly #catalogs: Map<string, Catalog | undefined>;
  readonly #released: Map<string, SkillFile>;
  /** The names of the skills that unreadable files may define; undefined until the first use. */
  #promised: ReadonlySet<string> | undefined;
  /** The values that `derive` computed for the last file. */
  #derived: { readonly file: SkillFile; readonly values: Map<unknown, unknown> } | undefined;

  /** The rows of the last file. The key also contains the frameworks whose folders count. */
  #rows: { readonly key: string; readonly text: string; readonly known: Map<Client, ClientRow> } | undefined;

  /** The values that `keep` computed, by key and then by URI. */
  readonly #kept = new Map<unknown, Map<string, unknown>>();

  constructor(index: Index, { analysis: before, changed }: PreviousAnalysis = { changed: [] }) {
    this.index = index;
    this.#files = before ? before.#files : new ParsedFiles();
    this.#search = before ? before.#search : new SkillSearch();
    this.#overlap = before ? before.#overlap : new SkillOverlap();
    this.clientsById = before ? before.clientsById : new ClientsById();
    this.clientLists = before ? before.clientLists : new ClientLists();
    for (const uri of changed) this.#search.note(uri);
    this.#graph = before?.index.graph === index.graph ? before.#graph : new ResolvedGraph(index.graph);
    this.#catalogs = before?.index.catalogs === index.catalogs ? before.#catalogs : new Map();
    this.#plugins = before?.index.plugins === index.plugins ? before.#plugins : undefined;
    const hasSameAgents = before?.index.agents === index.agents && before.index.plugins === index.plugins;
    this.#agents = hasSameAgents ? before.#agents : undefined;
    this.#linksByName = before?.index.facts.links === index.facts.links ? before.#linksByName : undefined;
    const hasSameSources = before?.index.graph === index.graph && before.index.origins === index.origins;
    this.#convertedFrom = hasSameSources ? before.#convertedFrom : undefined;
    this.#released = before?.index.facts.releasedTexts === index.facts.releasedTexts ? before.#released : new Map();
    this.#promised = before?.index.facts.unreadable === index.facts.unreadable ? before.#promised : undefined;
    // If the workspace is still empty, start with an empty index and add each `SKILL.md` when it is read, so that the
    // first `SKILL.md` opens fast.
    const isEmpty = index.graph.skills.isEmpty() && index.facts.clientSkills.isEmpty();
    const isSame = before !== undefined && hasSamePlugins(before.index, index, changed, before.#pluginFolders);
    this.#pluginFolders = isSame
      ? before.#pluginFolders
      : new PluginFolders(
          // The order in which the manifests were read does not matter.
          [...index.folderManifests].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, manifests]) => manifests),
          () => index.files.values(),
          (uri) => index.facts.exists.get(uri),
        );
    // A manifest may change what clients do with every file below it.
    const agentSkills = isSame ? before.#agentSkills : isEmpty ? new AgentSkills() : undefined;
    this.#agentSkills = agentSkills && withFacts(agentSkills, index, this.#pluginFolders, changed);
    const hasSameTargets =
      isSame &&
      before.index.catalogs === index.catalogs &&
      before.index.facts.clients === index.facts.clients &&
      before.index.facts.model === index.facts.model;
    this.#listings = hasSameTargets ? before.#listings?.after(this, changed) : undefined;
    this.#listLosses = hasSameTargets ? before.#listLosses?.after(this, changed) : undefined;
  }

  /** Returns the plugins whose folders contain a file, the innermost first. */
  readonly pluginsAround = (uri: string): readonly PluginFolder[] => this.#pluginFolders.around(uri) ?? [];

  /** Returns a file of the workspace; undefined if the workspace does not contain the file. */
  file(uri: string): SkillFile | undefined {
    const entry = this.index.files.get(uri);
    return entry && this.#files.get(entry);
  }

  /** Yields all files. Callers must not collect the yielded files, because only a few files stay parsed. */
  *allFiles(): Iterable<SkillFile> {
    for (const entry of this.index.files.values()) yield this.#files.get(entry);
  }

  /** Returns the analysis after edits, without changing this analysis. An edit with undefined text removes the file. */
  edited(edits: readonly { readonly uri: string; readonly text: string | undefined }[]): Analysis {
    let { index } = this;
    const changed: SkillFile[] = [];
    for (const { uri, text } of edits) {
      if (text === undefined) index = update(index, { kind: 'delete', uri });
      else {
        const file = new SkillFile(uri, text);
        changed.push(file);
        index = update(index, { kind: 'file', file });
      }
    }
    const next = new Analysis(index);
    const uris = edits.map(({ uri }) => uri);
    if (this.#agentSkills && hasSamePlugins(this.index, index, uris, this.#pluginFolders))
      next.#agentSkills = withFacts(this.#agentSkills, index, this.#pluginFolders, uris);
    for (const file of changed) next.#files.keepOpen(file);
    return next;
  }

  /** Returns the analysis in which names are resolved for a surface (docs/format.md, section 4, "Surfaces"). */
  onSurface(surface: string): Analysis {
    return new Analysis({ ...this.index, graph: { ...this.index.graph, surface } }, { analysis: this, changed: [] });
  }

  get files(): ParsedFiles {
    return this.#files;
  }

  get graph(): ResolvedGraph {
    return this.#graph;
  }

  /** The `SKILL.md` files as their clients see them. */
  get agentSkills(): AgentSkills {
    const { graph, facts } = this.index;
    this.#agentSkills ??= withFacts(new AgentSkills(), this.index, this.#pluginFolders, [
      ...graph.skills.keys(),
      ...facts.clientSkills.keys(),
    ]);
    return this.#agentSkills;
  }

  /** The skill lists of the clients that have a budget for their list. */
  get listings(): Listings {
    this.#listings ??= new Listings(this);
    return this.#listings;
  }

  /** The skills that target clients do not list, or list only in part. */
  get listLosses(): ListLosses {
    this.#listLosses ??= new ListLosses(this);
    return this.#listLosses;
  }

  /** The plugins of the workspace (docs/format.md, section 9, "Plugins"). */
  get plugins(): Plugins {
    this.#plugins ??= new Plugins(this.index.plugins.values());
    return this.#plugins;
  }

  /** All agents and commands of the workspace. */
  get clientFiles(): readonly ClientFileAt[] {
    this.#clientFiles ??= clientFilesIn(this.index);
    return this.#clientFiles;
  }

  /** The agents of the workspace by name. */
  get agents(): KnownAgents {
    this.#agents ??= new KnownAgents(this.index.agents, this.plugins.all.filter(isPluginOfClaude));
    return this.#agents;
  }

  /**
   * Returns the skills that the plugins with this name ship, sorted by URI; undefined if the workspace has no such
   * plugin. Implements docs/format.md, section 9, "Plugins".
   */
  skillsOfPlugin(name: string): readonly IndexedSkill[] | undefined {
    const named = this.plugins.named(name);
    if (named.length === 0) return undefined;
    const isShipped = ({ uri }: IndexedSkill) => this.plugins.shipping(uri).some((plugin) => plugin.name === name);
    return [...this.index.graph.skills.values()].filter(isShipped).sort((a, b) => (a.uri < b.uri ? -1 : 1));
  }

  /** The search index of all skills. */
  get search(): SearchIndex {
    return this.#search.of(this.index);
  }

  /** The index of all descriptions, which finds similar descriptions. */
  get overlap(): OverlapIndex<string> {
    return this.#overlap.of(this.index);
  }

  /**
   * Updates the index of descriptions for a changed file. Returns the files whose descriptions were similar before the
   * change, or are similar after it.
   */
  overlapOfEdited(uri: string, before: Index, after: Index): Iterable<string> {
    return this.#overlap.edited(uri, before, after);
  }

  /** True while files are still being read. Rules must then not report anything as missing. */
  get partial(): boolean {
    return this.index.partial;
  }

  /**
   * Returns the catalog that governs a file: the nearest catalog in the file's folder or a parent folder; undefined
   * without one.
   */
  findCatalog(uri: string): Catalog | undefined {
    if (this.index.catalogs.isEmpty()) return undefined;
    const own = folderOf(uri);
    if (!this.#catalogs.has(own)) this.#catalogs.set(own, this.#findUpward(own));
    return this.#catalogs.get(own);
  }

  catalogOf(uri: string): Catalog {
    return this.findCatalog(uri) ?? NO_CATALOG;
  }

  /** Returns the catalog to check a file against. A catalog that does not parse counts as missing. */
  parsedCatalogOf(uri: string): Catalog {
    const catalog = this.catalogOf(uri);
    return catalog.isBroken ? NO_CATALOG : catalog;
  }

  /** Returns the URIs of the catalogs whose permissions have an entry for this skill name. */
  catalogsNaming(name: string): readonly string[] {
    return [...this.index.catalogs.values()].filter(({ permissions }) => permissions.has(name)).map(({ uri }) => uri);
  }

  /** Returns whether the catalog declares a tool, or a contract with a backing service provides it. */
  isKnownTool(catalog: Catalog, name: string): boolean {
    return catalog.tools.has(name) || this.graph.tools.has(name);
  }

  /**
   * Returns the operation of a tool that the skill at `uri` may call, from the catalog or from the contract that is the
   * tool; undefined if it is unknown.
   */
  readonly operationOfTool = (uri: string, tool: string): string | undefined => {
    const declared = this.parsedCatalogOf(uri).tools.get(tool)?.operation;
    if (declared !== undefined) return declared;
    const contract = this.graph.tools.has(tool)
      ? this.skillsNamed(tool).find(({ summary }) => summary.isTool)
      : undefined;
    if (contract) return contract.summary.operation;
    if (!AUTHORING_TOOLS.includes(tool)) return undefined;
    return AUTHORING_READERS.includes(tool) ? 'READ' : 'WRITE';
  };

  isSkillName(name: string): boolean {
    return this.graph.onlyNamed(name)?.summary.name === name || this.graph.byName.has(name);
  }

  /**
   * Returns the skills that a name in the file `from` can refer to, sorted by URI. Searches the own workspace folder
   * first, then the others, then the user's account.
   */
  skillsNamed(name: string, from?: string): readonly IndexedSkill[] {
    return skillsNamed(this.graph, name, from);
  }

  /** Returns the file that a name in another file refers to. `resolveSummary` chooses among several versions. */
  resolveSkill(from: SkillFile, name: string): SkillFile | undefined {
    const found = resolveSummary(this.graph, from, name);
    return found && this.file(found.uri);
  }

  /**
   * Returns the file that declares the input or the output of the skill `name` for the caller `from`. An adapter
   * declares the output; if it does not exist, the result is undefined.
   */
  resolveSide(from: SkillFile, name: string, side: 'input' | 'output'): SkillFile | undefined {
    const use = resolveUse(this.graph, from, name);
    const declaring = use && (side === 'output' ? giverOf(use) : use.skill);
    return declaring && this.file(declaring.uri);
  }

  /** Returns why git has not checked out a missing file; undefined if it has, or if this is not known. */
  absence(uri: string): NotCheckedOut | undefined {
    return this.index.facts.absences.get(uri);
  }

  /** Returns whether a file exists; undefined if the host has not checked it. */
  exists(uri: string): boolean | undefined {
    return this.index.facts.exists.get(uri);
  }

  /**
   * Returns the names of the servers in a file from which a catalog imports tools; undefined if the file was not read.
   */
  serversIn(uri: string): readonly string[] | undefined {
    return this.index.facts.servers.get(uri);
  }

  /** Returns the files next to a `SKILL.md`; undefined if they were not read. */
  folder(uri: string): SkillFolder | undefined {
    return this.index.facts.folders.get(uri);
  }

  /** Returns the symbolic links to a `SKILL.md`; undefined if it has none, or if the host has not checked it. */
  readonly findLink = (uri: string): FileLink | undefined => this.index.facts.links.get(uri);

  /** The symbolic links to `SKILL.md` files, by the name of the file's folder. */
  get linksByName(): LinksByName {
    if (this.#linksByName) return this.#linksByName;
    const found = new Map<string, (readonly [uri: string, link: FileLink])[]>();
    for (const one of this.index.facts.links) {
      const name = nameFromUri(one[0]);
      const others = found.get(name) ?? [];
      others.push(one);
      found.set(name, others);
    }
    this.#linksByName = found;
    return found;
  }

  /** The URIs of the converted `SKILL.md` files, by the URI of each file from which they are converted. */
  get convertedFrom(): ReadonlyMap<string, readonly string[]> {
    this.#convertedFrom ??= findConverted(this.graph, this.index.origins);
    return this.#convertedFrom;
  }

  /** Returns a `SKILL.md` as clients read it, also one outside of the workspace; undefined if they do not read it. */
  clientFile(uri: string): FileEntry | undefined {
    const { files, facts } = this.index;
    const own = facts.unreadable.has(uri) ? undefined : files.get(uri);
    return facts.clientSkills.get(uri) ?? (own?.dialect === 'agent-skill' ? own : undefined);
  }

  /**
   * Returns a row for each client in `asked`, about a `SKILL.md` as these clients read it. The rows of a file are stored
   * until they are asked for of another file, because several rules and views read them.
   */
  clientRows(file: Pick<FileEntry, 'uri' | 'text' | 'summary'>, asked: readonly Client[]): readonly ClientRow[] {
    const { facts, graph } = this.index;
    const read = facts.clientSkills.get(file.uri) ?? file;
    const frameworks = [...targetsBeside(this, file.uri).clients, ...asked].filter(({ framework }) => framework);
    const key = [read.uri, ...new Set(frameworks.map(({ id }) => id))].join(' ');
    if (this.#rows?.key !== key || this.#rows.text !== read.text)
      this.#rows = { key, text: read.text, known: new Map() };
    const { known } = this.#rows;
    const unknown = asked.filter((client) => !known.has(client));
    if (unknown.length > 0) {
      const plugins = this.plugins.shipping(file.uri).map(({ name }) => name);
      const around = { roots: graph.roots, plugins, frameworks };
      for (const row of this.agentSkills.rowsOf(read, unknown, this.findLink, around)) known.set(row.client, row);
    }
    return asked.flatMap((client) => known.get(client) ?? []);
  }

  /** Returns why an existing file cannot be read; undefined for a file with text. */
  unreadable(uri: string): Unreadable | undefined {
    return this.index.facts.unreadable.get(uri);
  }

  /**
   * Returns whether an unreadable file may define the skill with this name, because rules must then not report the
   * skill as missing.
   */
  mayBeUnreadable(name: string): boolean {
    const { unreadable } = this.index.facts;
    this.#promised ??= new Set([...unreadable.keys()].map(nameFromUri));
    return this.#promised.has(name);
  }

  /** Returns the samples with which the file cannot be composed; undefined before the first composition. */
  sampleFailures(uri: string): readonly SampleFailure[] | undefined {
    return this.index.facts.sampleFailures.get(uri);
  }

  /** Returns the network calls in scripts next to a `SKILL.md`; undefined if the scripts were not read. */
  networkCalls(uri: string): readonly NetworkCall[] | undefined {
    return this.index.facts.networkCalls.get(uri);
  }

  /** Returns the released state of the file, with which it is compared; undefined if this state is not known. */
  released(uri: string): SkillFile | undefined {
    const text = this.index.facts.releasedTexts.get(uri);
    if (text === undefined) return undefined;
    const known = this.#released.get(uri) ?? new SkillFile(uri, text);
    this.#released.set(uri, known);
    return known;
  }

  /** The current date in the form `2026-03-31`; undefined if the host did not set it. */
  get today(): string | undefined {
    return this.index.facts.today;
  }

  /** The runs of clients without a person, by the URI of the workflow file. */
  get clientRuns(): Index['clientRuns'] {
    return this.index.clientRuns;
  }

  /** The clients of `SKILL.md` files that the user's settings name. */
  get clients(): readonly string[] | undefined {
    return this.index.facts.clients;
  }

  /** The models of these clients that the user's settings name. */
  get model(): ModelChoice {
    return this.index.facts.model;
  }

  /** Returns `make(file, this)`. The results for a file are stored until `derive` is called for another file. */
  derive<Value>(file: SkillFile, make: (file: SkillFile, analysis: Analysis) => Value): Value {
    if (this.#derived?.file !== file) this.#derived = { file, values: new Map() };
    const { values } = this.#derived;
    if (!values.has(make)) values.set(make, make(file, this));
    return values.get(make) as Value;
  }

  /**
   * Returns `make(file)` for the file at `uri`; undefined if the workspace does not contain it. The result is stored under
   * `key` for the lifetime of the analysis, so it must be small.
   */
  keep<Value>(key: unknown, uri: string, make: (file: SkillFile) => Value): Value | undefined {
    const values = this.#kept.get(key) ?? new Map<string, unknown>();
    this.#kept.set(key, values);
    if (!values.has(uri)) {
      const file = this.file(uri);
      values.set(uri, file && make(file));
    }
    return values.get(uri) as Value | undefined;
  }

  #findUpward(own: string): Catalog | undefined {
    for (let folder = own; folder.includes('/'); folder = folderOf(folder)) {
      const catalog = this.index.catalogs.get(folder);
      if (catalog) return catalog;
    }
    return undefined;
  }
}
