/** How full the lists of clients are with the skills of one catalog, or of a workspace without one. */
import type { AgentSkills } from '../agent-skills/around.ts';
import {
  type Entries,
  entriesOf,
  entryOf,
  type ListEntry,
  type Listing,
  listingOf,
  withEntry,
} from '../agent-skills/budget.ts';
import { placeIn } from '../agent-skills/placed.ts';
import type { Subject } from '../agent-skills/subject.ts';
import { same } from '../skill/summary.ts';
import type { Client } from '../vocabulary/client.ts';
import type { Catalog } from '../workspace/catalog.ts';

/** What lists are made of. */
export interface Listed {
  readonly agentSkills: AgentSkills;
  findCatalog(uri: string): Catalog | undefined;
  settledCatalogOf(uri: string): Catalog;
  /** The clients that the settings name. */
  readonly clients: readonly string[] | undefined;
}

/** What of each skill is in a list; without a client the descriptions alone, as they are written. */
type Lists = Map<Client | undefined, Entries>;

export class Listings {
  readonly #listed: Listed;
  /** By the catalog that governs the skills, what somebody has asked for. */
  readonly #lists: Map<string | undefined, Lists>;

  constructor(listed: Listed, lists: Map<string | undefined, Lists> = new Map()) {
    this.#listed = listed;
    this.#lists = lists;
  }

  /** The lists of the same catalogs and settings after some files changed. */
  after(listed: Listed, changed: Iterable<string>): Listings {
    if (!same(this.#listed.agentSkills.owners, listed.agentSkills.owners)) return new Listings(listed);
    const lists = new Map([...this.#lists].map(([catalog, known]) => [catalog, new Map(known)]));
    const next = new Listings(listed, lists);
    for (const uri of concerned(this.#listed.agentSkills, listed.agentSkills, changed)) {
      const [before, now] = [this.#listed.agentSkills.find(uri), listed.agentSkills.find(uri)];
      const known = lists.get(listed.findCatalog(uri)?.uri);
      for (const [client, entries] of known ?? []) {
        const entryBefore = before && this.#entryOf(client, before);
        known?.set(client, withEntry(entries, entryBefore, now && next.#entryOf(client, now)));
      }
    }
    return next;
  }

  /** The list of a client beside a file; undefined where it has no budget of a known size. */
  find(client: Client, uri: string): Listing | undefined {
    const { contextTokens } = this.#listed.settledCatalogOf(uri).agentSkills;
    return listingOf(client, this.#entriesBeside(client, uri), contextTokens);
  }

  /** The file with the longest description beside this one; of several the first by its URI. */
  longestBeside(uri: string): string | undefined {
    return this.#entriesBeside(undefined, uri).heaviest[0]?.uri;
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
    const { agentSkills, clients } = this.#listed;
    if (!client) return describedEntry(subject);
    const targets = this.#listed.settledCatalogOf(subject.uri).agentSkills;
    // Where folders tell which clients are meant, what lies elsewhere is in none of their lists.
    const isGuessed = !(clients ?? targets.clients) && agentSkills.owners.includes(client);
    if (isGuessed && !placeIn(client, subject)) return undefined;
    return agentSkills.isListed(subject, client) ? entryOf(client, subject, targets.contextTokens) : undefined;
  }
}

function describedEntry({ uri, facts }: Subject): ListEntry | undefined {
  const cost = facts.keys.find(({ name }) => name === 'description')?.length.characters ?? 0;
  return cost === 0 ? undefined : { uri, name: '', cost, ofDescription: cost };
}

/** The files whose entries may be others, as the files with these names are. */
function concerned(before: AgentSkills, after: AgentSkills, changed: Iterable<string>): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const uri of changed) {
    const [old, now] = [before.find(uri), after.find(uri)];
    if (old === now) continue;
    uris.add(uri);
    for (const { uri: other } of [...(old ? before.like(old) : []), ...(now ? after.like(now) : [])]) uris.add(other);
  }
  return uris;
}
