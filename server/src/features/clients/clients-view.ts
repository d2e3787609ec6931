/**
 * The client matrix of one `SKILL.md`: all clients, the targets among them, and the listing line that each model sees.
 */

import type { Analysis } from '../../analysis/analysis.ts';
import { sameNames } from '../../analysis/same-names.ts';
import { findsCopy, listedClients, targetRows, targetsBeside } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { countEntries, type Listing, outcomeIn } from '../../clients/matrix/budget.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { isAboutPlace } from '../../clients/matrix/causes.ts';
import { type Cell, type ClientRow, COLUMNS, type Reason } from '../../clients/matrix/cell.ts';
import { listText } from '../../clients/matrix/limit-text.ts';
import { type ListedAs, listLine } from '../../clients/matrix/list-line.ts';
import { isObserved } from '../../clients/matrix/prediction.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import { withList } from '../../clients/matrix/with-list.ts';
import { estimateTokens } from '../../composer/tokens-estimate.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { spanAfter } from '../../languages/yaml/source-spans.ts';
import type {
  BundledFile,
  ClientCell,
  ClientReason,
  ClientsView,
  ClientView,
  ListFill,
  ListingLine,
} from '../../protocol/clients-view.ts';
import type { ClientList } from '../../protocol/graph-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../skill-folder/links.ts';
import { type MentionedFile, mentionedFiles } from '../../skill-folder/mentioned-files.ts';
import type { Span } from '../../text.ts';
import { decoded } from '../../vocabulary/dialect.ts';

/** The maximum number of listed files. */
const MAX_FILES = 200;

/** Returns the matrix of a `SKILL.md`; undefined for other files. */
export function clientsView(analysis: Analysis, file: SkillFile): ClientsView | undefined {
  if (file.dialect !== 'agent-skill') return undefined;
  const targets = targetRows(analysis, file);
  const isTarget = new Set(targets.clients);
  const bundled = bundledFiles(analysis, file);
  return {
    uri: file.uri,
    isChosen: targets.isChosen,
    clients: analysis.clientRows(file, listedClients(targets.clients)).map((row) => {
      const listing = isTarget.has(row.client) ? analysis.listings.find(row.client, file.uri) : undefined;
      return viewOf(analysis, file, row, isTarget.has(row.client), listing);
    }),
    sameNames: sameNames(analysis, file.uri)
      .slice(0, MAX_FILES)
      .map((one) => ({ ...one, path: shownPath(analysis, one.uri) })),
    files: bundled.slice(0, MAX_FILES),
    moreFiles: Math.max(0, bundled.length - MAX_FILES),
    unreadFiles: analysis.folder(file.uri)?.unread ?? 0,
  };
}

/** Returns the path of a file in its workspace folder, or the last parts of its path outside of all folders. */
function shownPath({ index }: Analysis, uri: string): string {
  const root = index.graph.roots.find((one) => uri.startsWith(`${one}/`));
  return root === undefined ? decoded(uri).split('/').slice(-4).join('/') : decoded(uri.slice(root.length + 1));
}

export function viewOf(
  analysis: Analysis,
  file: SkillFile,
  row: ClientRow,
  isTarget: boolean,
  listing: Listing | undefined,
): ClientView {
  const { id, name } = row.client;
  const listed = listing && outcomeIn(listing, file.uri);
  const line = row.listed.outcome === 'no' ? undefined : listingLine(analysis, file, row.client, listed);
  const shown = withList(row, listing, file.uri);
  const cells = Object.fromEntries(COLUMNS.map((column) => [column, cellOf(file, shown[column])]));
  return {
    id,
    name,
    isTarget,
    ...(isTarget && isFoundElsewhere(analysis, file, row) && { isElsewhere: true }),
    isObserved: isObserved(row.client),
    cells: cells as ClientView['cells'],
    ...(line && { line }),
    ...(listing && listed && { budget: { ...fillOf(listing), entryOutcome: listed.outcome } }),
  };
}

/** Returns whether a client finds a copy of a skill or a link to it, but not the file itself. */
function isFoundElsewhere(analysis: Analysis, { uri }: SkillFile, { client, found }: ClientRow): boolean {
  const subject = found.outcome === 'no' ? analysis.agentSkills.find(uri) : undefined;
  return subject !== undefined && findsCopy(analysis, subject, client);
}

const cellOf = (file: SkillFile, { outcome, reasons }: Cell<string>): ClientCell => ({
  outcome,
  reasons: reasonsOf(file, reasons),
});

/** Returns the reasons with the locations of their causes in the file. */
export const reasonsOf = (file: SkillFile, reasons: readonly Reason[]): readonly ClientReason[] =>
  reasons.map(({ text, source, checked, certainty, cause }) => ({
    text,
    source,
    checked,
    certainty,
    ...(cause && !isAboutPlace(cause) && { place: { uri: file.uri, span: spanOfCause(file, cause) } }),
  }));

/** A file that the body of a `SKILL.md` refers to, which a model reads when needed. */
interface Named {
  readonly uri: string;
  readonly path: string;
  readonly span: Span;
  readonly isThere: boolean | undefined;
}

/** Returns the files in links, code and commands of the body, in order, without duplicates. */
export function bundledFiles(analysis: Analysis, file: SkillFile): readonly BundledFile[] {
  const linked = linkTargets(file).map((target): Named => ({ ...target, isThere: analysis.exists(target.uri) }));
  const mentioned = mentionedFiles(file).flatMap((mention) => findNamed(analysis, mention));
  const files = new Map<string, BundledFile>();
  for (const { uri, path, span, isThere } of [...linked, ...mentioned].sort((a, b) => a.span.start - b.span.start)) {
    if (uri === file.uri || files.has(uri)) continue;
    files.set(uri, { uri, path, link: { uri: file.uri, span }, ...(isThere !== undefined && { isThere }) });
  }
  return [...files.values()];
}

/**
 * Finds the file for a path in code. The path may belong to the project: a missing file counts only if its folder
 * exists.
 */
function findNamed(analysis: Analysis, { uris, path, span, folder }: MentionedFile): readonly Named[] {
  const own = uris[0] ?? folder;
  const there = uris.find((uri) => analysis.exists(uri) === true);
  if (there !== undefined) return [{ uri: there, path, span, isThere: true }];
  if (analysis.exists(own) === undefined) return [{ uri: own, path, span, isThere: undefined }];
  return analysis.exists(folder) === true ? [{ uri: own, path, span, isThere: false }] : [];
}

/** Returns the entry that a model sees before it chooses a skill, cut as the client cuts it. */
function listingLine(
  { agentSkills }: Analysis,
  file: SkillFile,
  client: Client,
  listed: ListedAs = { outcome: 'whole' },
): ListingLine | undefined {
  const { agentSkill } = file.summary;
  const subject = agentSkills.find(file.uri) ?? (agentSkill && subjectOf(file.uri, agentSkill));
  const line = subject && listLine(client, subject, listed, agentSkills.rivalsOf(client, subject));
  if (!line) return undefined;
  const { text, isExact, isCut, shown } = line;
  const hidden = isCut ? hiddenPart(file, shown) : undefined;
  return { text, tokens: estimateTokens(text), isExact, ...(hidden && { hidden: { uri: file.uri, span: hidden } }) };
}

function hiddenPart({ text, frontmatter }: SkillFile, kept: number): Span | undefined {
  const value = findValue(frontmatter.tree.root, 'description');
  return value?.kind === 'scalar' ? spanAfter(text, value, kept) : undefined;
}

/** The maximum number of affected entries of a listing that are named; the others are only counted. */
const MAX_TOUCHED = 50;

function fillOf(listing: Listing): ListFill {
  const { client, limit, entries, used, dropped, shortenedTo } = listing;
  return {
    limit: limit.amount,
    unit: limit.unit,
    total: limit.total,
    builtIn: limit.builtIn,
    ...(limit.model && { context: limit.model.context }),
    ...(limit.model?.name !== undefined && { model: limit.model.name }),
    text: listText(listing),
    used,
    skills: countEntries(entries).skills,
    dropped,
    ...(shortenedTo !== undefined && { shortenedTo }),
    touched: touchedIn(listing),
    certainty: client.listing.budget.certainty ?? 'read',
  };
}

function touchedIn({ entries, outcomeOf }: Listing): ListFill['touched'] {
  const touched: ListFill['touched'][number][] = [];
  for (const skill of entries.inOrder) {
    const entryOutcome = outcomeOf(skill);
    if (entryOutcome !== 'whole' && entryOutcome !== 'maybe')
      touched.push({ uri: skill.uri, name: skill.name, entryOutcome });
    if (touched.length >= MAX_TOUCHED) break;
  }
  return touched;
}

/** Returns the listings of all target clients for the skills of each catalog. The folder is empty without a catalog. */
export function clientLists(analysis: Analysis): readonly ClientList[] {
  const first = new Map<string, string>();
  for (const { uri } of analysis.agentSkills.subjects) {
    const folder = analysis.findCatalog(uri)?.folder ?? '';
    if (!first.has(folder)) first.set(folder, uri);
  }
  return [...first].flatMap(([folder, uri]) =>
    targetsBeside(analysis, uri).clients.flatMap((client) => {
      const listing = analysis.listings.largest(client, uri);
      return listing ? [{ folder, client: client.name, fill: fillOf(listing) }] : [];
    }),
  );
}
