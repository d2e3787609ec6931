/** Computes how full each client's skill list is, for one catalog or for a workspace without a catalog. */

import type { Client } from '../clients/facts/client.ts';
import { findClient } from '../clients/facts/clients.ts';
import type { ModelChoice } from '../clients/facts/models.ts';
import type { AgentSkills } from '../clients/matrix/agent-skills.ts';
import {
  type Entries,
  entriesOf,
  entryOf,
  hasBudget,
  type ListEntry,
  type Listing,
  listingOf,
  withEntry,
} from '../clients/matrix/budget.ts';
import { isReadFrom, placeIn, startIn } from '../clients/matrix/client-folders.ts';
import { type ListPosition, positionIn } from '../clients/matrix/list-line.ts';
import { pathOf, type Subject, subjectOf } from '../clients/matrix/subject.ts';
import type { PluginFolder } from '../clients/pipeline/plugin-rules.ts';
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';
import { isEqualData } from '../skill/summary.ts';
import { clientFileOf, fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import type { Catalog } from '../workspace/catalog.ts';
import type { Index } from '../workspace/workspace-index.ts';

/** The data that the lists are made from. */
export interface ListingSource {
  readonly index: Pick<Index, 'files'>;
  readonly agentSkills: AgentSkills;
  findCatalog(uri: string): Catalog | undefined;
  parsedCatalogOf(uri: string): Catalog;
  /** The clients that the settings name. */
  readonly clients: readonly string[] | undefined;
  /** The models that the settings name. */
  readonly model: ModelChoice;
  readonly graph: { readonly roots: readonly string[] };
  /** The plugins whose folders contain a file, the innermost first. */
  readonly pluginsAround: (uri: string) => readonly PluginFolder[];
}

/** Returns the models of the user for the lists that a file belongs to: those of the settings, or of its catalog. */
export const modelBeside = (source: Pick<ListingSource, 'model' | 'parsedCatalogOf'>, uri: string): ModelChoice =>
  source.model ?? source.parsedCatalogOf(uri).agentSkills.model;

/**
 * The entries of each client's lists, by the folder in which the client is started; undefined for a workspace folder.
 * Under the key `undefined`, entries contain only the descriptions, with their length in the source.
 */
type Lists = Map<Client | undefined, Map<string | undefined, Entries>>;

/** The skill lists of all clients, computed on first use. */
export class Listings {
  readonly #listed: ListingSource;
  /** The paths of the workspace folders. */
  readonly #roots: readonly string[];
  /** The lists that were requested so far, by the URI of the catalog that governs their skills. */
  readonly #lists: Map<string | undefined, Lists>;
  /** The folders in which each client finds skills, as `#startsBeside` returns them, by the URI of the catalog. */
  readonly #starts: Map<string | undefined, Map<Client, ReadonlySet<string>>>;
  /** The skills by their project for each client, as `#findBases` returns them. Not kept after a change. */
  readonly #byBase = new Map<Client, ReadonlyMap<string | undefined, readonly Subject[]>>();
  /** The entry of each skill in the lists of a client, wherever it is started. Not kept after a change. */
  readonly #entries = new Map<Client, Map<Subject, ListEntry | undefined>>();
  /** The lists with their sizes, of the entries in `#lists`. */
  readonly #listings: WeakMap<Entries, { readonly listing: Listing | undefined }>;

  constructor(
    listed: ListingSource,
    lists: Map<string | undefined, Lists> = new Map(),
    starts: Map<string | undefined, Map<Client, ReadonlySet<string>>> = new Map(),
    listings: WeakMap<Entries, { readonly listing: Listing | undefined }> = new WeakMap(),
  ) {
    this.#listed = listed;
    this.#roots = listed.graph.roots.map(pathOf);
    this.#lists = lists;
    this.#starts = starts;
    this.#listings = listings;
  }

  /** Returns the lists after some files changed, for the same catalogs and settings. */
  after(listed: ListingSource, changed: Iterable<string>): Listings {
    if (!isEqualData(this.#listed.agentSkills.owners, listed.agentSkills.owners)) return new Listings(listed);
    if (this.#listed.graph.roots !== listed.graph.roots) return new Listings(listed);
    const lists = new Map([...this.#lists].map(([catalog, known]) => [catalog, copied(known)]));
    const isIn = ({ agentSkills }: ListingSource, uri: string): boolean => agentSkills.find(uri) !== undefined;
    const uris = [...changed];
    const isSameSet = uris.every((uri) => isIn(this.#listed, uri) === isIn(listed, uri));
    const next = new Listings(listed, lists, isSameSet ? this.#starts : new Map(), this.#listings);
    // A new or deleted skill may hide a command, or no longer.
    const isCommand = (uri: string): boolean => isListedCommand(uri) || pluginsWithCommand(listed, uri) !== undefined;
    const isAboutCommands = uris.some(isCommand) || !isSameSet;
    for (const known of isAboutCommands ? lists.values() : []) known.delete(CLAUDE);
    for (const uri of affectedFiles(this.#listed.agentSkills, listed.agentSkills, uris)) {
      const [before, now] = [this.#listed.agentSkills.find(uri), listed.agentSkills.find(uri)];
      const known = lists.get(listed.findCatalog(uri)?.uri);
      for (const [client, byStart] of known ?? []) {
        for (const [start, entries] of byStart) {
          const entryBefore = before && this.#entryOf(client, before, start);
          byStart.set(start, withEntry(entries, entryBefore, now && next.#entryOf(client, now, start)));
        }
      }
    }
    return next;
  }

  /** Returns the client's list that the file belongs to; undefined if the size of the list's budget is not known. */
  find(client: Client, uri: string): Listing | undefined {
    return hasBudget(client) ? this.#listingOf(client, uri, this.#entriesBeside(client, uri)) : undefined;
  }

  /**
   * Returns the position of a skill in the client's list of the workspace's skills and its own ones; undefined if the
   * client's order is not known, or if the skill is not listed.
   */
  positionOf(client: Client, uri: string): ListPosition | undefined {
    return positionIn(client, this.#entriesBeside(client, uri).inOrder, uri);
  }

  /**
   * Returns the file with the longest description among the files that are listed with `uri`. If several files have
   * descriptions of this length, returns the first file by URI.
   */
  longestBeside(uri: string): string | undefined {
    return this.#entriesBeside(undefined, uri).heaviest[0]?.uri;
  }

  /**
   * Returns the skills in the client's list that the file belongs to, without regard to its budget; in the client's order,
   * or by name if this order is not known.
   */
  skillsOf(client: Client, uri: string): readonly Subject[] {
    return this.#entriesBeside(client, uri).inOrder.flatMap((entry) => this.#listed.agentSkills.find(entry.uri) ?? []);
  }

  /**
   * Returns the largest list of the client for the files that the catalog of a file governs: that of a client which is
   * started in the workspace folder, or in a folder of packages.
   */
  largest(client: Client, uri: string): Listing | undefined {
    if (!hasBudget(client)) return undefined;
    const lists = [undefined, ...this.#startsBeside(client, uri)].map((start) =>
      this.#listingOf(client, uri, this.#entriesFrom(client, uri, start)),
    );
    return lists.reduce((best, one) => (one && (!best || one.used > best.used) ? one : best), undefined);
  }

  /** Returns a string that is equal for the files of one list of a client. */
  keyOf(client: Client, uri: string): string {
    const subject = this.#listed.agentSkills.find(uri);
    return [client.id, this.#listed.findCatalog(uri)?.uri, subject && this.#startOf(client, subject)].join(' ');
  }

  #listingOf(client: Client, uri: string, entries: Entries): Listing | undefined {
    const known = this.#listings.get(entries) ?? {
      listing: listingOf(client, entries, modelBeside(this.#listed, uri)),
    };
    this.#listings.set(entries, known);
    return known.listing;
  }

  #entriesBeside(client: Client | undefined, uri: string): Entries {
    const subject = client && this.#listed.agentSkills.find(uri);
    return this.#entriesFrom(client, uri, subject && this.#startOf(client, subject));
  }

  /** Returns the folders below the workspace folder in which a client finds other skills, for the catalog of a file. */
  #startsBeside(client: Client, uri: string): ReadonlySet<string> {
    const catalog = this.#listed.findCatalog(uri)?.uri;
    const starts = this.#starts.get(catalog) ?? new Map<Client, ReadonlySet<string>>();
    this.#starts.set(catalog, starts);
    const ofCatalog = (one: Subject): boolean => this.#listed.findCatalog(one.uri)?.uri === catalog;
    const find = () =>
      [...this.#listed.agentSkills.subjects].flatMap((one) => {
        const start = this.#startOf(client, one);
        return start !== undefined && ofCatalog(one) ? [start] : [];
      });
    const known = starts.get(client) ?? new Set(find());
    starts.set(client, known);
    return known;
  }

  #startOf(client: Client, subject: Subject): string | undefined {
    return startIn(placeIn(client, subject), this.#roots);
  }

  /**
   * Returns the skills that a client may find if it is started in a folder, because their project is this folder or one
   * above it, or is not known. All skills for a workspace folder, in which a client may find those of several projects.
   */
  #mayBeReadFrom(client: Client | undefined, start: string | undefined): Iterable<Subject> {
    if (!client || start === undefined) return this.#listed.agentSkills.subjects;
    const byBase = this.#byBase.get(client) ?? this.#findBases(client);
    this.#byBase.set(client, byBase);
    const found = [...(byBase.get(undefined) ?? []), ...(byBase.get('') ?? [])];
    for (let end = start.length; end > 0; end = start.lastIndexOf('/', end - 1))
      found.push(...(byBase.get(start.slice(0, end)) ?? []));
    return found;
  }

  /** Returns the skills by the folder of the project in which a client finds them. */
  #findBases(client: Client): ReadonlyMap<string | undefined, readonly Subject[]> {
    const found = new Map<string | undefined, Subject[]>();
    for (const subject of this.#listed.agentSkills.subjects) {
      const placed = placeIn(client, subject);
      const base = placed && ['', ...placed.base].join('/');
      const same = found.get(base);
      if (same) same.push(subject);
      else found.set(base, [subject]);
    }
    return found;
  }

  #entriesFrom(client: Client | undefined, uri: string, start: string | undefined): Entries {
    const catalog = this.#listed.findCatalog(uri)?.uri;
    const lists: Lists = this.#lists.get(catalog) ?? new Map();
    this.#lists.set(catalog, lists);
    const byStart = lists.get(client) ?? new Map<string | undefined, Entries>();
    lists.set(client, byStart);
    const known = byStart.get(start) ?? entriesOf(this.#allEntries(client, catalog, start));
    byStart.set(start, known);
    return known;
  }

  #allEntries(
    client: Client | undefined,
    catalog: string | undefined,
    start: string | undefined,
  ): readonly ListEntry[] {
    const isGoverned = (uri: string): boolean => this.#listed.findCatalog(uri)?.uri === catalog;
    const skills = [...this.#mayBeReadFrom(client, start)].filter(({ uri }) => isGoverned(uri));
    const files = client === CLAUDE ? [...this.#listed.index.files.values()] : [];
    const commands = files.filter(({ uri }) => isListedCommand(uri) && isGoverned(uri));
    const ofPlugins = files.filter(({ uri }) => !isAgentSkillName(fileNameOf(uri)) && isGoverned(uri));
    return [
      ...skills.flatMap((subject) => this.#entryOf(client, subject, start) ?? []),
      ...commands.flatMap((file) => this.#commandEntry(file, start) ?? []),
      ...ofPlugins.flatMap((file) => this.#pluginCommandEntry(file, start) ?? []),
    ];
  }

  /** Returns the entry of a command of a plugin in the list of Claude Code; undefined for another file. */
  #pluginCommandEntry({ uri, text }: FileEntry, start: string | undefined): ListEntry | undefined {
    const plugins = pluginsWithCommand(this.#listed, uri);
    const { agentSkill } = plugins ? new SkillFile(`${folderOf(uri)}/SKILL.md`, text).summary : {};
    const entry = agentSkill && this.#entryOf(CLAUDE, subjectOf(uri, agentSkill, undefined, { plugins }), start);
    return entry && { ...entry, uri, sortKey: `\uFFFF\uFFFF${entry.name}`, isCommand: true };
  }

  /**
   * Returns the entry of a command in the list of Claude Code, which reads a command as a skill, and lists it after the
   * skills (observed: 2.1.332, 2026-11-30); undefined if it is hidden, or has the name of a skill.
   */
  #commandEntry({ uri, text }: FileEntry, start: string | undefined): ListEntry | undefined {
    const root = clientFileOf(uri)?.root ?? '';
    const name = uri.slice(`${root}/commands/`.length, -'.md'.length).replaceAll('/', ':');
    const at = `${root}/skills/${name}/SKILL.md`;
    const { agentSkill } = new SkillFile(at, text).summary;
    const subject = agentSkill && subjectOf(at, agentSkill);
    if (!CLAUDE || !subject) return undefined;
    const { agentSkills } = this.#listed;
    if (agentSkills.find(at) || agentSkills.hasCopy(subject, (one) => placeIn(CLAUDE, one) !== undefined))
      return undefined;
    const entry = this.#entryOf(CLAUDE, subject, start);
    return entry && { ...entry, uri, sortKey: `\uFFFF${entry.sortKey}`, isCommand: true };
  }

  #entryOf(client: Client | undefined, subject: Subject, start: string | undefined): ListEntry | undefined {
    // No rule reports on a file that only clients read.
    if (!client) return this.#listed.agentSkills.isOfWorkspace(subject) ? describedEntry(subject) : undefined;
    const isRead =
      start === undefined ? this.#startOf(client, subject) === undefined : isReadFrom(start, placeIn(client, subject));
    if (!isRead) return undefined;
    const entries = this.#entries.get(client) ?? new Map<Subject, ListEntry | undefined>();
    this.#entries.set(client, entries);
    if (!entries.has(subject)) entries.set(subject, this.#makeEntry(client, subject));
    return entries.get(subject);
  }

  #makeEntry(client: Client, subject: Subject): ListEntry | undefined {
    if (!this.#isInList(client, subject)) return undefined;
    const entry = entryOf(client, subject, this.#listed.agentSkills.rivalsOf(client, subject));
    // Claude Code lists the skills of plugins after their commands (observed: 2.1.332, 2026-11-30).
    const isLast = client === CLAUDE && subject.file.plugins !== undefined && !placeIn(client, subject);
    return isLast ? { ...entry, sortKey: `\uFFFF\uFFFF\uFFFF${entry.sortKey}` } : entry;
  }

  #isInList(client: Client, subject: Subject): boolean {
    const { agentSkills, clients } = this.#listed;
    // If the clients are inferred from folders, skills outside of these folders are not in their lists.
    const named = clients ?? this.#listed.parsedCatalogOf(subject.uri).agentSkills.clients;
    const isGuessed = !named && agentSkills.owners.includes(client);
    return !(isGuessed && !placeIn(client, subject)) && agentSkills.isListed(subject, client) !== 'no';
  }
}

/** The client that lists commands as skills. */
const CLAUDE = findClient('claude-code');

/** Returns the plugins around a file if it is a command with a description in one of them. */
function pluginsWithCommand({ pluginsAround }: ListingSource, uri: string): readonly PluginFolder[] | undefined {
  if (!uri.endsWith('.md')) return undefined;
  const plugins = pluginsAround(uri);
  if (plugins.length === 0) return undefined;
  const path = pathOf(uri);
  return plugins.some(({ commands }) => commands.some((one) => one.path === path && one.isDescribed))
    ? plugins
    : undefined;
}

/** Returns whether a file is a command of a project. */
export function isListedCommand(uri: string): boolean {
  const file = clientFileOf(uri);
  return file?.kind === 'command' && file.root.endsWith('/.claude');
}

const copied = (lists: Lists): Lists => new Map([...lists].map(([client, byStart]) => [client, new Map(byStart)]));

function describedEntry({ uri, facts }: Subject): ListEntry | undefined {
  const cost = facts.keys.find(({ name }) => name === 'description')?.length.characters ?? 0;
  return cost === 0 ? undefined : { uri, name: '', sortKey: '', ofRest: 0, cost, ofDescription: cost };
}

/** Returns the files whose entries may change: the changed files and the files with the same names. */
export function affectedFiles(before: AgentSkills, after: AgentSkills, changed: Iterable<string>): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const uri of changed) {
    const [old, now] = [before.find(uri), after.find(uri)];
    if (old === now) continue;
    uris.add(uri);
    for (const { uri: other } of [
      ...(old ? before.withSimilarName(old) : []),
      ...(now ? after.withSimilarName(now) : []),
    ])
      uris.add(other);
  }
  return uris;
}
