/**
 * What is derived of one index, made on demand and remembered here. The next analysis takes over what did not change:
 * parsed files by their text, what follows from the graph and the catalogs by their identity.
 */
import type { NetworkCall } from '../abilities/network.ts';
import { AgentSkills } from '../agent-skills/around.ts';
import type { FileLink } from '../agent-skills/subject.ts';
import type { OverlapIndex } from '../matching/overlap-index.ts';
import type { SearchIndex } from '../matching/search-index.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { type Catalog, NO_CATALOG } from '../workspace/catalog.ts';
import { resolveSummary } from '../workspace/resolve-skill.ts';
import { ResolvedGraph } from '../workspace/resolved-graph.ts';
import type { SkillFolder } from '../workspace/skill-folder.ts';
import type { Unreadable } from '../workspace/unreadable.ts';
import { update } from '../workspace/update.ts';
import { type Index, type IndexedSkill, type SampleFailure, skillsNamed } from '../workspace/workspace-index.ts';
import { Listings } from './listings.ts';
import { ParsedFiles } from './parsed-files.ts';
import { SkillOverlap, SkillSearch } from './skill-search.ts';

/** An analysis of before, and the files that have changed since. */
interface Since {
  readonly analysis?: Analysis;
  readonly changed: Iterable<string>;
}

const withFacts = (agentSkills: AgentSkills, { graph }: Index, uris: Iterable<string>): AgentSkills =>
  agentSkills.with([...uris].map((uri) => [uri, graph.skills.get(uri)?.summary.agentSkill]));

export class Analysis {
  readonly index: Index;
  readonly #files: ParsedFiles;
  readonly #search: SkillSearch;
  readonly #overlap: SkillOverlap;
  readonly #graph: ResolvedGraph;
  /** Both are made when somebody asks, and taken over with what changed. */
  #agentSkills: AgentSkills | undefined;
  #listings: Listings | undefined;
  /** Catalogs by the folder of the files that they govern. */
  readonly #catalogs: Map<string, Catalog | undefined>;
  readonly #released: Map<string, SkillFile>;
  /** The names that unreadable files promise; undefined until somebody asks. */
  #promised: ReadonlySet<string> | undefined;
  /** The values that `derive` computed for the last file. */
  #derived: { readonly file: SkillFile; readonly values: Map<unknown, unknown> } | undefined;

  constructor(index: Index, { analysis: before, changed }: Since = { changed: [] }) {
    this.index = index;
    this.#files = before ? before.#files : new ParsedFiles();
    this.#search = before ? before.#search : new SkillSearch();
    this.#overlap = before ? before.#overlap : new SkillOverlap();
    for (const uri of changed) this.#search.note(uri);
    this.#graph = before?.index.graph === index.graph ? before.#graph : new ResolvedGraph(index.graph);
    this.#catalogs = before?.index.catalogs === index.catalogs ? before.#catalogs : new Map();
    this.#released = before?.index.facts.releasedTexts === index.facts.releasedTexts ? before.#released : new Map();
    this.#promised = before?.index.facts.unreadable === index.facts.unreadable ? before.#promised : undefined;
    // An empty workspace adds each `SKILL.md` when it is read, so that opening the first one is fast.
    const agentSkills = before ? before.#agentSkills : index.graph.skills.isEmpty() ? new AgentSkills() : undefined;
    this.#agentSkills = agentSkills && withFacts(agentSkills, index, changed);
    const hasSameTargets =
      before?.index.catalogs === index.catalogs && before.index.facts.clients === index.facts.clients;
    this.#listings = hasSameTargets ? before.#listings?.after(this, changed) : undefined;
  }

  /** The files of the workspace; undefined for one that is not known. */
  file(uri: string): SkillFile | undefined {
    const entry = this.index.files.get(uri);
    return entry && this.#files.get(entry);
  }

  /** Every file, one after the other: few of them are kept parsed. */
  *allFiles(): Iterable<SkillFile> {
    for (const entry of this.index.files.values()) yield this.#files.get(entry);
  }

  /** The analysis as it would be after edits, to try them on; without a text a file is taken away. */
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
    next.#agentSkills =
      this.#agentSkills &&
      withFacts(
        this.#agentSkills,
        index,
        edits.map(({ uri }) => uri),
      );
    for (const file of changed) next.#files.keepOpen(file);
    return next;
  }

  get files(): ParsedFiles {
    return this.#files;
  }

  get graph(): ResolvedGraph {
    return this.#graph;
  }

  /** The `SKILL.md` files as their clients see them. */
  get agentSkills(): AgentSkills {
    this.#agentSkills ??= AgentSkills.of(this.index.graph.skills.values());
    return this.#agentSkills;
  }

  /** What those clients list that have a budget for it. */
  get listings(): Listings {
    this.#listings ??= new Listings(this);
    return this.#listings;
  }

  /** The words of all skills, to find them by. */
  get search(): SearchIndex {
    return this.#search.of(this.index);
  }

  /** The descriptions of all skills, to find those that say nearly the same. */
  get overlap(): OverlapIndex<string> {
    return this.#overlap.of(this.index);
  }

  /** Whose descriptions say nearly the same as that of a file that has changed, before and after. */
  overlapOfEdited(uri: string, before: Index, after: Index): Iterable<string> {
    return this.#overlap.edited(uri, before, after);
  }

  /** True while files are still being read, so that nothing may be called missing. */
  get partial(): boolean {
    return this.index.partial;
  }

  /** The catalog that governs a file, the nearest one going upward; undefined where there is none. */
  findCatalog(uri: string): Catalog | undefined {
    if (this.index.catalogs.isEmpty()) return undefined;
    const own = folderOf(uri);
    if (!this.#catalogs.has(own)) this.#catalogs.set(own, this.#findUpward(own));
    return this.#catalogs.get(own);
  }

  catalogOf(uri: string): Catalog {
    return this.findCatalog(uri) ?? NO_CATALOG;
  }

  /** What a file is held against: of a catalog that does not parse nothing is concluded, as if there were none. */
  settledCatalogOf(uri: string): Catalog {
    const catalog = this.catalogOf(uri);
    return catalog.isBroken ? NO_CATALOG : catalog;
  }

  /** The catalogs whose permissions have an entry for a skill of this name. */
  catalogsNaming(name: string): readonly string[] {
    return [...this.index.catalogs.values()].filter(({ permissions }) => permissions.has(name)).map(({ uri }) => uri);
  }

  /** Whether a tool is in a catalog: declared there, or a contract with a backing service. */
  isKnownTool(catalog: Catalog, name: string): boolean {
    return catalog.tools.has(name) || this.graph.tools.has(name);
  }

  isSkillName(name: string): boolean {
    return this.graph.byName.has(name);
  }

  /** The skills of a name, in the order of their URIs: those of the workspace, else those of the account. */
  skillsNamed(name: string): readonly IndexedSkill[] {
    return skillsNamed(this.graph, name);
  }

  /** The file that a name means in another one; which of several versions, see `resolveSummary`. */
  resolveSkill(from: SkillFile, name: string): SkillFile | undefined {
    const found = resolveSummary(this.graph, from.summary, name);
    return found && this.file(found.uri);
  }

  /** Whether there is a file; undefined while nobody has looked. */
  exists(uri: string): boolean | undefined {
    return this.index.facts.exists.get(uri);
  }

  /** The servers that a file names from which a catalog takes tools; undefined while nobody knows. */
  serversIn(uri: string): readonly string[] | undefined {
    return this.index.facts.servers.get(uri);
  }

  /** The files beside a `SKILL.md`; undefined while nobody has read them. */
  folder(uri: string): SkillFolder | undefined {
    return this.index.facts.folders.get(uri);
  }

  /** How a `SKILL.md` is reached through symbolic links; undefined where it is not, or nobody has looked. */
  readonly findLink = (uri: string): FileLink | undefined => this.index.facts.links.get(uri);

  /** Why a file that is there has no text; undefined for one that has. */
  unreadable(uri: string): Unreadable | undefined {
    return this.index.facts.unreadable.get(uri);
  }

  /** Whether a file that cannot be read may hold the skill of a name, so that nobody knows it to be missing. */
  mayBeUnreadable(name: string): boolean {
    const { unreadable } = this.index.facts;
    this.#promised ??= new Set([...unreadable.keys()].map(nameFromUri));
    return this.#promised.has(name);
  }

  /** The samples of a file that do not compose; undefined while nobody has tried. */
  sampleFailures(uri: string): readonly SampleFailure[] | undefined {
    return this.index.facts.sampleFailures.get(uri);
  }

  /** Where scripts beside a `SKILL.md` call the network; undefined while nobody has looked. */
  networkCalls(uri: string): readonly NetworkCall[] | undefined {
    return this.index.facts.networkCalls.get(uri);
  }

  /** The file as it was when its version was released; undefined where that is not known. */
  released(uri: string): SkillFile | undefined {
    const text = this.index.facts.releasedTexts.get(uri);
    if (text === undefined) return undefined;
    const known = this.#released.get(uri) ?? new SkillFile(uri, text);
    this.#released.set(uri, known);
    return known;
  }

  /** The day, `2026-03-31`; undefined where no host has said. */
  get today(): string | undefined {
    return this.index.facts.today;
  }

  /** The clients of `SKILL.md` files that the user's settings name. */
  get clients(): readonly string[] | undefined {
    return this.index.facts.clients;
  }

  /** Returns `make(file, this)`. The results for one file are kept until `derive` is called for another file. */
  derive<Value>(file: SkillFile, make: (file: SkillFile, analysis: Analysis) => Value): Value {
    if (this.#derived?.file !== file) this.#derived = { file, values: new Map() };
    const { values } = this.#derived;
    if (!values.has(make)) values.set(make, make(file, this));
    return values.get(make) as Value;
  }

  #findUpward(own: string): Catalog | undefined {
    for (let folder = own; folder.includes('/'); folder = folderOf(folder)) {
      const catalog = this.index.catalogs.get(folder);
      if (catalog) return catalog;
    }
    return undefined;
  }
}
