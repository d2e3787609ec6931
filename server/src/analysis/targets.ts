/**
 * Finds the target clients of a `SKILL.md`: the clients in the user's settings, else the clients in the file's catalog,
 * else the clients whose folders the workspace contains (docs/clients.md, "Target clients").
 */

import type { Client } from '../clients/facts/client.ts';
import { type ClientsById, clients } from '../clients/facts/clients.ts';
import { hasCertainBudget, type Listing } from '../clients/matrix/budget.ts';
import type { ClientRow } from '../clients/matrix/cell.ts';
import { pathsOfClient, placeIn } from '../clients/matrix/client-folders.ts';
import { isFoundInPlace } from '../clients/matrix/prediction.ts';
import { type FileLink, folderName, type Subject, subjectOf } from '../clients/matrix/subject.ts';
import type { FileEntry, SkillFile } from '../skill/skill-file.ts';
import type { Plugins } from '../skill-folder/plugins.ts';
import { clientFileOf, decoded, folderOf } from '../vocabulary/dialect.ts';
import { isInFolder } from '../workspace/catalog.ts';
import type { Index } from '../workspace/workspace-index.ts';
import type { ListingSource, Listings } from './listings.ts';

/** The data that determines the target clients and their rows. */
/** Links with their URIs, by name. */
export type LinksByName = ReadonlyMap<string, readonly (readonly [uri: string, link: FileLink])[]>;

export interface TargetSource extends ListingSource {
  readonly index: Index;
  readonly clientsById: ClientsById;
  readonly plugins: Pick<Plugins, 'shipping' | 'all'>;
  readonly partial: boolean;
  /** The symbolic links to `SKILL.md` files, by the name of the file's folder. */
  readonly linksByName: LinksByName;
  clientRows(file: Pick<FileEntry, 'uri' | 'text' | 'summary'>, asked: readonly Client[]): readonly ClientRow[];
}

export interface Targets {
  readonly clients: readonly Client[];
  /**
   * False if the clients are inferred from folders. An inferred client has no findings for files outside its folders.
   */
  readonly isChosen: boolean;
}

/** Returns the target clients of a `SKILL.md` (docs/clients.md, "Target clients"). */
export function targetsOf(analysis: TargetSource, subject: Pick<Subject, 'uri' | 'folders'>): Targets {
  const beside = targetsBeside(analysis, subject.uri);
  if (beside.isChosen) {
    const only = onlyFor(analysis, subject.uri);
    const chosen = only ? beside.clients.filter((client) => only.some((one) => isMeant(one, client))) : beside.clients;
    const isRead = chosen.some((client) => placeIn(client, subject) !== undefined);
    const concerned = chosen.filter((client) => isRead || !isOutside(client, subject));
    return { ...beside, clients: concerned.filter((client) => !isForOtherFolder(client, chosen, subject)) };
  }
  // Leaves out clients that do not read the folder of the file, or read it only with a setting.
  const reads = (client: Client): boolean => {
    const place = placeIn(client, subject);
    return place !== undefined && !place.dir.conditional;
  };
  return { ...beside, clients: beside.clients.filter(reads) };
}

/** Returns whether a client is meant by a name in a catalog: a framework without a folder means each of its folders. */
export const isMeant = (named: Client, client: Client): boolean =>
  named === client || (isSameFramework(named, client) && named.dirs.value.length === 0);

/** Returns whether a skill is not in the folder of a framework. Without a folder, each skill may be in it. */
const isOutside = (client: Client, subject: Pick<Subject, 'folders'>): boolean =>
  client.framework !== undefined && client.dirs.value.length > 0 && placeIn(client, subject) === undefined;

const isSameFramework = (a: Client, b: Client): boolean =>
  a.framework !== undefined && a.framework.package === b.framework?.package;

/**
 * Returns whether a framework has a folder that does not concern a skill, because it has another folder that contains
 * the skill. The first folder concerns the skills that are in none of them.
 */
function isForOtherFolder(client: Client, all: readonly Client[], subject: Pick<Subject, 'folders'>): boolean {
  const same = all.filter((other) => isSameFramework(client, other));
  if (same.length < 2) return false;
  const reading = same.filter((one) => placeIn(one, subject));
  return reading.length > 0 ? !reading.includes(client) : same[0] !== client;
}

/**
 * Returns the clients that the skills in the folder of a file are for, according to the catalog
 * (docs/clients.md, "Skills for some of the clients"); undefined for all target clients. The longest path decides.
 */
function onlyFor(analysis: TargetSource, uri: string): readonly Client[] | undefined {
  const { agentSkills, folder } = analysis.parsedCatalogOf(uri);
  if (agentSkills.only.size === 0) return undefined;
  // A folder above the catalog has no effect.
  const path = decoded(folderOf(uri).slice(folder.length + 1));
  const paths = [...agentSkills.only.keys()].filter((one) => isInFolder(path, one));
  const [longest] = paths.sort((a, b) => b.length - a.length);
  const ids = longest === undefined ? undefined : agentSkills.only.get(longest);
  // A misspelt ID must not hide all findings about the clients.
  const found = ids?.flatMap((id) => analysis.clientsById.find(id) ?? []);
  return found?.length ? found : undefined;
}

/** Returns the target clients of all files with the same catalog as `uri`. */
export function targetsBeside(analysis: TargetSource, uri: string): Targets {
  const named = analysis.clients ?? analysis.parsedCatalogOf(uri).agentSkills.clients;
  if (named) {
    const found = named.flatMap((id) => analysis.clientsById.find(id) ?? []);
    return { clients: [...new Set(found)], isChosen: true };
  }
  return { clients: analysis.partial ? [] : analysis.agentSkills.owners, isChosen: false };
}

/** Returns all clients that views list: the frameworks only if they are target clients. */
export const listedClients = (targets: readonly Client[]): readonly Client[] => [
  ...clients,
  ...targets.filter(({ framework }) => framework),
];

/** Returns the folders of the frameworks that settings and catalogs name, below the folders in which their programs run. */
export function frameworkFolders(analysis: TargetSource): readonly string[] {
  const { clientsById, index } = analysis;
  const ofCatalogs = [...index.catalogs.values()].flatMap(({ agentSkills }) => agentSkills.clients ?? []);
  const found = [...(analysis.clients ?? []), ...ofCatalogs].flatMap((id) => clientsById.find(id) ?? []);
  return [...new Set(found.filter(({ framework }) => framework).flatMap(pathsOfClient))];
}

/**
 * Returns the target clients for which the content of a file matters: of a `SKILL.md`, but frameworks only if they find the
 * skill, because it may be for another client; or Claude Code for one of its commands, unless the author chose other
 * clients. None for other files, or while other files are being read.
 */
export function targetClients(analysis: TargetSource, { uri, dialect, summary }: SkillFile): readonly Client[] {
  if (dialect === 'client-file') return isCommand(analysis, uri) ? clientsOfCommand(analysis, uri) : [];
  const subject = summary.agentSkill && subjectOf(uri, summary.agentSkill);
  return subject && !analysis.partial ? targetsOfContent(analysis, subject).clients : [];
}

/** Returns `targetsOf` without the frameworks that do not find the skill. */
export function targetsOfContent(analysis: TargetSource, subject: Subject): Targets {
  const { clients: all, isChosen } = targetsOf(analysis, subject);
  return { isChosen, clients: all.filter((one) => !isOutside(one, subject) || findsCopy(analysis, subject, one)) };
}

/** Returns true if the client finds a copy of a skill, or the skill through a link to it. */
export function findsCopy({ agentSkills, linksByName }: TargetSource, subject: Subject, client: Client): boolean {
  if (agentSkills.hasCopy(subject, (other) => isFoundInPlace(client, other))) return true;
  for (const [uri, link] of linksByName.get(folderName(subject)) ?? []) {
    if (!agentSkills.find(uri) && isFoundInPlace(client, subjectOf(uri, subject.facts, link))) return true;
  }
  return false;
}

/** Returns whether a file is a command in a folder `.claude` or in a plugin. */
export function isCommand({ plugins }: Pick<TargetSource, 'plugins'>, uri: string): boolean {
  const file = clientFileOf(uri);
  if (file?.kind !== 'command') return false;
  return file.root.endsWith('/.claude') || plugins.all.some(({ root }) => root === file.root);
}

function clientsOfCommand(analysis: TargetSource, uri: string): readonly Client[] {
  const { clients: targets, isChosen } = targetsBeside(analysis, uri);
  const known = isChosen ? targets : clients;
  return analysis.partial ? [] : known.filter(({ id }) => id === 'claude-code');
}

/** The target clients of a file, each with its row. Rows are missing while other files are being read. */
export interface TargetRows extends Targets {
  readonly rows: readonly ClientRow[];
}

/** Returns the target clients with their rows. Parses nothing. */
export function targetRows(analysis: TargetSource, file: Pick<FileEntry, 'uri' | 'text' | 'summary'>): TargetRows {
  const { agentSkill } = file.summary;
  const targets = agentSkill ? targetsOf(analysis, subjectOf(file.uri, agentSkill)) : { clients: [], isChosen: false };
  const rows = targets.clients.length > 0 && !analysis.partial ? analysis.clientRows(file, targets.clients) : [];
  return { ...targets, rows };
}

/** Returns the lists of the target clients that contain the file, and lose text because they are longer than the limit. */
export const overListings = (
  analysis: TargetSource & { readonly listings: Listings },
  uri: string,
): readonly Listing[] =>
  targetsBeside(analysis, uri).clients.flatMap((client) => {
    const listing = hasCertainBudget(client) ? analysis.listings.largest(client, uri) : undefined;
    return listing?.entries.inOrder.some((entry) => listing.outcomeOf(entry) !== 'whole') ? [listing] : [];
  });
