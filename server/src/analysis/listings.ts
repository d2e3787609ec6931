/** Computes how full each client's skill list is, for one catalog or for a workspace without a catalog. */

import type { Client } from '../clients/facts/client.ts';
import type { ModelChoice } from '../clients/facts/models.ts';
import type { AgentSkills } from '../clients/matrix/agent-skills.ts';
import {
  type Entries,
  entriesOf,
  entryOf,
  type ListEntry,
  type Listing,
  listingOf,
  withEntry,
} from '../clients/matrix/budget.ts';
import { placeIn } from '../clients/matrix/client-folders.ts';
import { type ListPosition, positionIn } from '../clients/matrix/list-line.ts';
import type { Subject } from '../clients/matrix/subject.ts';
import { isEqualData } from '../skill/summary.ts';
import type { Catalog } from '../workspace/catalog.ts';

/** The data that the lists are made from. */
export interface ListingSource {
  readonly agentSkills: AgentSkills;
  findCatalog(uri: string): Catalog | undefined;
  parsedCatalogOf(uri: string): Catalog;
  /** The clients that the settings name. */
  readonly clients: readonly string[] | undefined;
  /** The models that the settings name. */
  readonly model: ModelChoice;
}

/** Returns the models of the user for the lists that a file belongs to: those of the settings, or of its catalog. */
export const modelBeside = (source: Pick<ListingSource, 'model' | 'parsedCatalogOf'>, uri: string): ModelChoice =>
  source.model ?? source.parsedCatalogOf(uri).agentSkills.model;

/**
 * The entries of each client's list. Under the key `undefined`, entries contain only the descriptions, with their
 * length in the source.
 */
type Lists = Map<Client | undefined, Entries>;

/** The skill lists of all clients, computed on first use. */
export class Listings {
  readonly #listed: ListingSource;
  /** The lists that were requested so far, by the URI of the catalog that governs their skills. */
  readonly #lists: Map<string | undefined, Lists>;

  constructor(listed: ListingSource, lists: Map<string | undefined, Lists> = new Map()) {
    this.#listed = listed;
    this.#lists = lists;
  }

  /** Returns the lists after some files changed, for the same catalogs and settings. */
  after(listed: ListingSource, changed: Iterable<string>): Listings {
    if (!isEqualData(this.#listed.agentSkills.owners, listed.agentSkills.owners)) return new Listings(listed);
    const lists = new Map([...this.#lists].map(([catalog, known]) => [catalog, new Map(known)]));
    const next = new Listings(listed, lists);
    for (const uri of affectedFiles(this.#listed.agentSkills, listed.agentSkills, changed)) {
      const [before, now] = [this.#listed.agentSkills.find(uri), listed.agentSkills.find(uri)];
      const known = lists.get(listed.findCatalog(uri)?.uri);
      for (const [client, entries] of known ?? []) {
        const entryBefore = before && this.#entryOf(client, before);
        known?.set(client, withEntry(entries, entryBefore, now && next.#entryOf(client, now)));
      }
    }
    return next;
  }

  /** Returns the client's list that the file belongs to; undefined if the size of the list's budget is not known. */
  find(client: Client, uri: string): Listing | undefined {
    return listingOf(client, this.#entriesBeside(client, uri), modelBeside(this.#listed, uri));
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

  #entriesBeside(client: Client | undefined, uri: string): Entries {
    const catalog = this.#listed.findCatalog(uri)?.uri;
    const lists: Lists = this.#lists.get(catalog) ?? new Map();
    this.#lists.set(catalog, lists);
    const known = lists.get(client) ?? entriesOf(this.#allEntries(client, catalog));
    lists.set(client, known);
    return known;
  }

  #allEntries(client: Client | undefined, catalog: string | undefined): readonly ListEntry[] {
    const { agentSkills } = this.#listed;
    return [...agentSkills.subjects].flatMap((subject) =>
      this.#listed.findCatalog(subject.uri)?.uri === catalog ? (this.#entryOf(client, subject) ?? []) : [],
    );
  }

  #entryOf(client: Client | undefined, subject: Subject): ListEntry | undefined {
    // No rule reports on a file that only clients read.
    if (!client) return this.#listed.agentSkills.isOfWorkspace(subject) ? describedEntry(subject) : undefined;
    const others = this.#listed.agentSkills.withSimilarName(subject);
    return this.#isInList(client, subject) ? entryOf(client, subject, others) : undefined;
  }

  #isInList(client: Client, subject: Subject): boolean {
    const { agentSkills, clients } = this.#listed;
    // If the clients are inferred from folders, skills outside of these folders are not in their lists.
    const named = clients ?? this.#listed.parsedCatalogOf(subject.uri).agentSkills.clients;
    const isGuessed = !named && agentSkills.owners.includes(client);
    return !(isGuessed && !placeIn(client, subject)) && agentSkills.isListed(subject, client) !== 'no';
  }
}

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
