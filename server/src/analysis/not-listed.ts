/**
 * Finds the `SKILL.md` files that a target client does not list, or whose description its model sees only in part
 * (docs/clients.md, "Skills that are not listed").
 */
import { Map as PersistentMap } from 'immutable';
import type { Client } from '../clients/facts/client.ts';
import { clients } from '../clients/facts/clients.ts';
import type { ListEntry, Listing } from '../clients/matrix/budget.ts';
import { isAboutPlace, stepOf } from '../clients/matrix/causes.ts';
import type { ClientRow, Reason } from '../clients/matrix/cell.ts';
import type { FileEntry } from '../skill/skill-file.ts';
import { isEqualData, type SkillSummary } from '../skill/summary.ts';
import { folderOf, nameFromUri } from '../vocabulary/dialect.ts';
import { isInWorkspace } from '../workspace/workspace-index.ts';
import { affectedFiles, type Listings } from './listings.ts';
import { findsCopy, overListings, type TargetRows, type TargetSource, targetRows, targetsBeside } from './targets.ts';

// The reasons that rules report and that the count is made from.

/** Returns the reasons for one kind of loss in the row of a client. */
type ReasonsOf = (row: ClientRow) => readonly Reason[];

/** The steps whose causes can be checked although the frontmatter does not parse. */
const BEFORE_KEYS: ReadonlySet<string> = new Set(['find', 'open', 'parse']);

/**
 * Returns false for reasons that depend on unverified facts, reasons that the author intends, and reasons that cannot be
 * checked while the frontmatter does not parse.
 */
export const isReported = (
  { summary: { broken } }: { readonly summary: Pick<SkillSummary, 'broken'> },
  { cause, certainty, isIntended }: Reason,
): boolean =>
  cause !== undefined && certainty !== 'unverified' && !isIntended && (!broken || BEFORE_KEYS.has(stepOf(cause)));

/** Returns the reasons for which a client does not load a skill, and those for which it does not show the skill. */
export function unlistedReasons(
  analysis: TargetSource,
  uri: string,
  { rows, isChosen }: Omit<TargetRows, 'clients'>,
): readonly (readonly [loss: 'load' | 'show', reasonsOf: ReasonsOf])[] {
  // If the target clients are guessed and one client finds the skill, the folder is intended for that client.
  const isFoundByGuess = !isChosen && rows.some(({ found }) => found.outcome === 'yes');
  return [
    ['load', isFoundByGuess ? () => [] : notFoundReasons(analysis, uri, isChosen)],
    ['load', ({ loaded }) => (loaded.outcome === 'no' ? loaded.reasons : [])],
    ['show', ({ listed }) => (listed.outcome === 'no' ? listed.reasons : [])],
  ];
}

/** Returns whether a cause is in a folder that the client reads. */
const isInOwnFolder = ({ cause }: Reason): boolean =>
  cause !== undefined && isAboutPlace(cause) && cause.code !== 'find/folder' && cause.code !== 'find/file-name';

/**
 * Returns the reasons why a client does not find the skill. A skill that is in another client's folder is reported only
 * if the author named the target clients and the client finds no copy of the skill.
 */
function notFoundReasons(analysis: TargetSource, uri: string, isChosen: boolean): ReasonsOf {
  const { agentSkills } = analysis;
  const subject = agentSkills.find(uri);
  // A file in the folder of another skill is part of that skill.
  if (!subject || agentSkills.isWithinSkill(subject)) return () => [];
  return ({ client, found }) => {
    if (found.outcome !== 'no') return [];
    if (found.reasons.some(isInOwnFolder)) return found.reasons;
    if (!isChosen || findsCopy(analysis, subject, client)) return [];
    return found.reasons;
  };
}

/** The reasons for which the list contains a skill without its description, and those for which it is cut. */
export const cutReasons: { readonly whole: ReasonsOf; readonly part: ReasonsOf } = {
  whole: ({ listed }) => (listed.outcome === 'no' ? [] : listed.reasons),
  // If the model does not see the skill, nothing is cut.
  part: ({ listed, cut }) => (listed.outcome === 'no' ? [] : cut.reasons),
};

// The losses of a workspace.

/** The data that the losses are computed from. */
export interface LossSource extends TargetSource {
  readonly listings: Listings;
}

/**
 * A target client that does not list a skill, or shows its description or name only in part. `elsewhere`: the skill is in
 * a folder of another target client, so that it is only for that one.
 */
export interface ListLoss {
  readonly client: Client;
  readonly kind: 'not-listed' | 'cut' | 'elsewhere';
  /** The first reason that a rule reports; undefined if the client's list is over its budget. */
  readonly reason: Reason | undefined;
  /** The list over its budget, and the entry of the skill; undefined if there is a reason. */
  readonly inList?: { readonly listing: Listing; readonly entry: ListEntry };
}

interface FileLosses {
  /** The target clients of the file, without those for which it is elsewhere. */
  readonly clients: readonly Client[];
  /** True if these are only some of the clients that the author chose. */
  readonly isForSome: boolean;
  /** The losses without those that the budget of a list causes. At most one for each client. */
  readonly losses: readonly ListLoss[];
}

/** A list of a target client that loses the descriptions of the least used skills, which are not known. */
export interface OverfullList {
  readonly listing: Listing;
  /** The minimum number of descriptions that the list loses. */
  readonly removed: number;
}

/**
 * The numbers of skills, of those that a client does not list, and of those that are cut. `isMinimum`: more skills may be
 * cut, because it is not known which descriptions a list loses.
 */
interface Counts {
  readonly skills: number;
  readonly notListed: number;
  readonly cut: number;
  readonly isMinimum: boolean;
}

/** The number of skills that are only for some of the clients that their author chose. */
export interface SkillsForSome {
  readonly clients: readonly Client[];
  readonly skills: number;
}

export interface ListCounts extends Counts {
  /** The largest number of skills first. */
  readonly onlyFor: readonly SkillsForSome[];
  /** The number of `SKILL.md` files without a target client, which `skills` does not include. */
  readonly withoutTarget: number;
  /** The counts of each target client. */
  readonly clients: readonly (Counts & { readonly client: Client })[];
}

interface Files {
  readonly all: PersistentMap<string, FileLosses>;
  /** The files with losses. */
  readonly lossy: PersistentMap<string, FileLosses>;
  /** The number of files with target clients, and of files for each target client. */
  readonly targeted: number;
  readonly byClient: PersistentMap<Client, number>;
  /** The number of skills only for some clients, by the IDs of the clients, joined with commas. */
  readonly forSome: PersistentMap<string, number>;
}

const NO_FILES: Files = {
  all: PersistentMap(),
  lossy: PersistentMap(),
  targeted: 0,
  byClient: PersistentMap(),
  forSome: PersistentMap(),
};

/** The losses of all `SKILL.md` files below workspace folders. Computed on first use. */
export class ListLosses {
  readonly #analysis: LossSource;
  #files: Files = NO_FILES;
  /** The files whose losses are not computed yet. */
  readonly #waiting: Set<string>;
  #found: Found | undefined;
  /** The result for an earlier state. */
  #before: Found | undefined;

  constructor(analysis: LossSource, waiting: Iterable<string> = analysis.agentSkills.uris) {
    this.#analysis = analysis;
    this.#waiting = new Set(waiting);
  }

  /** Returns the losses after some files changed, for the same catalogs and settings. */
  after(analysis: LossSource, changed: Iterable<string>): ListLosses {
    const before = this.#analysis;
    const isSame =
      !before.partial &&
      !analysis.partial &&
      before.index.graph.roots === analysis.index.graph.roots &&
      isEqualData(before.agentSkills.owners, analysis.agentSkills.owners);
    if (!isSame) return new ListLosses(analysis);
    const next = new ListLosses(analysis, [...this.#waiting, ...changedFiles(before, analysis, changed)]);
    next.#files = this.#files;
    next.#before = this.#found ?? this.#before;
    return next;
  }

  /**
   * Computes the losses of one more file. Returns false if no file is left, or while files are being read. A caller can
   * thus spread the first computation of many files over time.
   */
  readNext(): boolean {
    const [uri] = this.#waiting;
    if (uri === undefined || this.#analysis.partial) return false;
    this.#waiting.delete(uri);
    this.#files = updated(this.#files, this.#analysis, [uri]);
    return true;
  }

  /** The files with losses, by URI. Empty while files are being read. */
  get lossy(): Found['losses'] {
    return this.#find().losses;
  }

  /** The lists that lose descriptions of unknown skills. Empty while files are being read. */
  get overfull(): readonly OverfullList[] {
    return this.#find().overfull;
  }

  /** Returns the losses of a file; undefined if it has no target client, or while files are being read. */
  find(uri: string): readonly ListLoss[] | undefined {
    if (this.#analysis.partial || !this.#read().all.get(uri)?.clients.length) return undefined;
    return this.lossy.get(uri) ?? [];
  }

  /** Returns the clients that a file is for, if the author chose further clients; else an empty list. */
  onlyFor(uri: string): readonly Client[] {
    const file = this.#analysis.partial ? undefined : this.#read().all.get(uri);
    return file?.isForSome ? file.clients : [];
  }

  /** The counts; undefined while files are being read, because they would be wrong. */
  get counts(): ListCounts | undefined {
    if (this.#analysis.partial) return undefined;
    const { all, targeted, byClient, forSome } = this.#read();
    const { lost } = this.#find();
    const known = [...new Set([...clients, ...byClient.keys()])];
    const counted = known.flatMap((client) => {
      const skills = byClient.get(client, 0);
      if (skills === 0) return [];
      const lists = this.overfull.filter(({ listing }) => listing.client === client);
      const removed = lists.reduce((sum, one) => sum + one.removed, 0);
      const cut = Math.max(lost.cut.get(client) ?? 0, removed);
      return [{ client, skills, notListed: lost['not-listed'].get(client) ?? 0, cut, isMinimum: removed > 0 }];
    });
    return {
      ...{ skills: targeted, notListed: lost['not-listed'].get('any') ?? 0 },
      cut: Math.max(lost.cut.get('any') ?? 0, ...counted.map(({ cut }) => cut)),
      isMinimum: counted.some(({ isMinimum }) => isMinimum),
      withoutTarget: all.size - targeted,
      clients: counted,
      onlyFor: [...forSome]
        .flatMap(([ids, skills]) =>
          skills === 0
            ? []
            : [{ clients: ids.split('\n').flatMap((id) => this.#analysis.clientsById.find(id) ?? []), skills }],
        )
        .sort((a, b) => b.skills - a.skills || orderOf(a) - orderOf(b)),
    };
  }

  #find(): Found {
    if (this.#found) return this.#found;
    const found = this.#analysis.partial ? NOTHING : withBudgets(this.#analysis, this.#read(), this.#before);
    this.#found = found;
    this.#before = undefined;
    return found;
  }

  #read(): Files {
    if (this.#waiting.size > 0) this.#files = updated(this.#files, this.#analysis, this.#waiting);
    this.#waiting.clear();
    return this.#files;
  }
}

const orderOf = ({ clients: [first] }: SkillsForSome): number => (first ? clients.indexOf(first) : 0);

/** Returns the files whose losses may have changed. */
function* changedFiles(before: LossSource, after: LossSource, changed: Iterable<string>): Iterable<string> {
  const uris = [...changed];
  yield* uris;
  yield* affectedFiles(before.agentSkills, after.agentSkills, uris);
  for (const uri of uris) {
    if (before.agentSkills.find(uri) && after.agentSkills.find(uri)) continue;
    // Files below the folder of a skill belong to that skill.
    const folder = `${folderOf(uri)}/`;
    for (const other of after.agentSkills.uris) if (other.startsWith(folder)) yield other;
  }
  const links = [before.index.facts.links, after.index.facts.links] as const;
  if (links[0] === links[1]) return;
  for (const uri of new Set(links.flatMap((one) => [...one.keys()]))) {
    if (links[0].get(uri) === links[1].get(uri)) continue;
    const subject = after.agentSkills.find(uri);
    if (!subject) {
      for (const other of after.agentSkills.named(nameFromUri(uri))) yield other.uri;
      continue;
    }
    yield uri;
    for (const other of after.agentSkills.withSimilarName(subject)) yield other.uri;
  }
}

/** Returns the files with new losses for some of them. */
function updated(files: Files, analysis: LossSource, uris: Iterable<string>): Files {
  const [all, lossy, byClient] = [files.all.asMutable(), files.lossy.asMutable(), files.byClient.asMutable()];
  const forSome = files.forSome.asMutable();
  let { targeted } = files;
  const count = ({ clients, isForSome }: FileLosses, difference: 1 | -1): void => {
    if (clients.length > 0) targeted += difference;
    for (const client of clients) byClient.set(client, byClient.get(client, 0) + difference);
    const ids = isForSome ? clients.map(({ id }) => id).join('\n') : '';
    if (ids !== '') forSome.set(ids, forSome.get(ids, 0) + difference);
  };
  let isChanged = false;
  for (const uri of uris) {
    const [before, now] = [all.get(uri), lossesOf(analysis, uri)];
    if (isEqualData(before, now)) continue;
    isChanged = true;
    if (before) count(before, -1);
    if (now) count(now, 1);
    if (now) all.set(uri, now);
    else all.delete(uri);
    if (now && now.losses.length > 0) lossy.set(uri, now);
    else lossy.delete(uri);
  }
  if (!isChanged) return files;
  return {
    ...{ all: all.asImmutable(), lossy: lossy.asImmutable(), targeted },
    ...{ byClient: byClient.asImmutable(), forSome: forSome.asImmutable() },
  };
}

/** Returns the losses that the rules report; undefined for a file that is not a `SKILL.md` of the workspace. */
function lossesOf(analysis: LossSource, uri: string): FileLosses | undefined {
  const entry = analysis.agentSkills.find(uri) && analysis.index.files.get(uri);
  return entry && isInWorkspace(analysis.index.graph, uri) ? lossesInRows(analysis, entry) : undefined;
}

function lossesInRows(analysis: LossSource, entry: FileEntry): FileLosses {
  const targets = targetRows(analysis, entry);
  const unlisted = unlistedReasons(analysis, entry.uri, targets);
  const find = (row: ClientRow, all: readonly ReasonsOf[]): Reason | undefined =>
    all
      .flatMap((reasonsOf) => reasonsOf(row))
      .find((one) => one.isLoss && one.certainty !== 'partial' && isReported(entry, one));
  const isRead = targets.rows.some(({ found }) => found.outcome !== 'no');
  const losses = targets.rows.flatMap((row): readonly ListLoss[] => {
    const { client } = row;
    const reason = find(
      row,
      unlisted.map(([, reasonsOf]) => reasonsOf),
    );
    const isElsewhere = isRead && reason?.cause?.code === 'find/folder';
    if (reason) return [{ client, kind: isElsewhere ? 'elsewhere' : 'not-listed', reason }];
    const cut = find(row, [cutReasons.whole, cutReasons.part]);
    return cut ? [{ client, kind: 'cut', reason: cut }] : [];
  });
  const others = losses.flatMap(({ kind, client }) => (kind === 'elsewhere' ? [client] : []));
  const own = targets.clients.filter((client) => !others.includes(client));
  const isForSome = own.length < targetsBeside(analysis, entry.uri).clients.length && targets.isChosen;
  return { clients: own, isForSome, losses };
}

interface Found {
  readonly losses: ReadonlyMap<string, readonly ListLoss[]>;
  readonly overfull: readonly OverfullList[];
  /** The numbers of files that each client loses, and that any client loses. */
  readonly lost: Readonly<Record<ListLoss['kind'], ReadonlyMap<Client | 'any', number>>>;
  /** The data that the result was made from. */
  readonly files: Files;
  readonly listings: readonly Listing[];
}

const NOTHING: Found = {
  ...{ losses: new Map(), overfull: [], files: NO_FILES, listings: [] },
  lost: { 'not-listed': new Map(), cut: new Map(), elsewhere: new Map() },
};

/**
 * Adds the entries that the clients' lists drop or shorten. Reads only the lists that are over their budget. Returns
 * `before` if it was made from the same data, which is the case after most edits.
 */
function withBudgets(analysis: LossSource, files: Files, before: Found | undefined): Found {
  const { all, lossy } = files;
  // The empty URI is that of a file without a catalog.
  const uris = ['', ...[...analysis.index.catalogs.values()].map((catalog) => catalog.uri)];
  const listings = uris.flatMap((uri) => overListings(analysis, uri));
  if (before?.files === files && isSameLists(before.listings, listings)) return before;
  const losses = new Map([...lossy].map(([uri, one]) => [uri, one.losses]));
  const overfull: OverfullList[] = [];
  for (const listing of listings) {
    const { client, dropped: removed, entries, outcomeOf } = listing;
    if (entries.inOrder.some((entry) => outcomeOf(entry) === 'maybe')) overfull.push({ listing, removed });
    for (const entry of entries.inOrder) {
      const kind = lossIn(listing, entry);
      const known = losses.get(entry.uri) ?? [];
      const own = known.find((loss) => loss.client === client);
      if (!kind || !all.get(entry.uri)?.clients.includes(client)) continue;
      if (own && (own.kind !== 'cut' || own.kind === kind)) continue;
      const loss = { client, kind, reason: undefined, inList: { listing, entry } };
      losses.set(entry.uri, [...known.filter((other) => other !== own), loss]);
    }
  }
  return { losses, overfull, lost: countLost(losses.values()), files, listings };
}

const isSameLists = (before: readonly Listing[], now: readonly Listing[]): boolean =>
  before.length === now.length &&
  now.every(({ client, entries, limit }, at) => {
    const other = before[at];
    return other?.client === client && other.entries === entries && other.limit.amount === limit.amount;
  });

function countLost(all: Iterable<readonly ListLoss[]>): Found['lost'] {
  const lost = {
    'not-listed': new Map<Client | 'any', number>(),
    cut: new Map<Client | 'any', number>(),
    elsewhere: new Map<Client | 'any', number>(),
  };
  for (const losses of all) {
    const kinds = new Set(losses.map(({ kind }) => kind));
    for (const kind of kinds) lost[kind].set('any', (lost[kind].get('any') ?? 0) + 1);
    for (const { kind, client } of losses) lost[kind].set(client, (lost[kind].get(client) ?? 0) + 1);
  }
  return lost;
}

function lossIn({ outcomeOf }: Listing, entry: ListEntry): ListLoss['kind'] | undefined {
  const outcome = outcomeOf(entry);
  if (outcome === 'dropped') return 'not-listed';
  const isCut =
    outcome === 'shortened' || outcome === 'first-line' || (outcome === 'name-only' && entry.ofDescription > 0);
  return isCut ? 'cut' : undefined;
}
