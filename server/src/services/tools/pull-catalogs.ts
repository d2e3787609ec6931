/** Updates the snapshots beside the catalogs that name servers, for the command line and for editors. */

import { basename, dirname, join } from 'node:path';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import {
  type FaultyTool,
  type LeftOutTools,
  leftOutTools,
  notOfferedSentence,
} from '../../clients/tools/tool-effects.ts';
import { toolNotes } from '../../clients/tools/tool-faults.ts';
import { inFolder } from '../../io/held-folder.ts';
import { readNamed } from '../../io/read-file.ts';
import type { AssertInside } from '../../io/real-path.ts';
import { toUserError, UserError } from '../../io/user-error.ts';
import { createFile, replaceFile } from '../../io/write-file.ts';
import { counted } from '../../languages/schema/model.ts';
import { listed } from '../../nearest.ts';
import { MAX_FILE_BYTES } from '../../protocol/files.ts';
import { showInvisible } from '../../text.ts';
import { compareSnapshots, describeChange, type ToolChange } from '../../tools/compare.ts';
import { type ShownServer, showServer } from '../../tools/expand.ts';
import { type ToolSource, toolSources, usesUnder } from '../../tools/sources.ts';
import { faultyTools, SNAPSHOT_NAME, type Snapshot } from '../../workspace/tool-snapshot.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import type { askServer, Limits } from './ask-server.ts';
import { type Plan, type PlannedServer, type PlanOptions, planPull } from './plan.ts';
import { type Pull, pullTools, type ServerReport } from './pull.ts';

export interface CatalogSource {
  readonly uri: string;
  readonly path: string;
  readonly sources: readonly ToolSource[];
}

/** Returns the catalogs that take tools from servers, sorted by path. Throws a `UserError` if no catalog does. */
export function catalogSources(
  analysis: Analysis,
  pathOf: (uri: string) => string,
  isSelected: (uri: string) => boolean = () => true,
): readonly CatalogSource[] {
  const found = [...analysis.index.catalogs.values()].flatMap(({ uri }) => {
    if (!isSelected(uri)) return [];
    const file = analysis.file(uri);
    const sources = file ? toolSources(file) : [];
    return sources.length === 0 ? [] : [{ uri, path: pathOf(uri), sources }];
  });
  if (found.length > 0) return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  throw new UserError(
    'No catalog imports tools from servers. Add `- from: .vscode/mcp.json` under `tools` in `skills.config.yaml`.',
  );
}

export interface PlannedCatalog extends CatalogSource {
  readonly plan: Plan;
  /** The current text of the snapshot; undefined if it does not exist. */
  readonly before: string | undefined;
}

export async function planCatalogs(
  sources: readonly CatalogSource[],
  options: PlanOptions,
): Promise<readonly PlannedCatalog[]> {
  const planned: PlannedCatalog[] = [];
  for (const source of sources) {
    const folder = dirname(source.path);
    const plan = await planPull(folder, source.sources, options);
    planned.push({ ...source, plan, before: await findSnapshot(join(folder, SNAPSHOT_NAME)) });
  }
  return planned;
}

async function findSnapshot(path: string): Promise<string | undefined> {
  const content = await readNamed(path);
  if (content.kind !== 'unreadable') return content.kind === 'text' ? content.text : undefined;
  throw new UserError(`\`${SNAPSHOT_NAME}\` cannot be read: ${UNREADABLE[content.reason].reason}. Remove it first.`);
}

export interface ToStart extends ShownServer {
  readonly name: string;
  readonly file: string;
}

/** Returns the servers to start or call, as the user is asked to confirm them. */
export const serversToStart = (planned: readonly PlannedCatalog[]): readonly ToStart[] =>
  planned.flatMap(({ plan }) => plan.servers.map(shownServer));

const shownServer = ({ name, file, ready }: PlannedServer): ToStart => ({ name, file, ...showServer(ready) });

export interface PulledCatalog extends PlannedCatalog {
  readonly pull: Pull;
}

/** Asks all servers for their tools. Calls `onAnswer` with the number of servers that are done. */
export async function askAll(
  planned: readonly PlannedCatalog[],
  ask: typeof askServer,
  limits: Limits,
  onAnswer: (done: number) => void,
): Promise<readonly PulledCatalog[]> {
  const pulled: PulledCatalog[] = [];
  let before = 0;
  for (const one of planned) {
    const done = before;
    const pull = await pullTools(one.plan, one.before, ask, limits, (count) => onAnswer(done + count));
    pulled.push({ ...one, pull });
    before += one.plan.servers.length;
  }
  return pulled;
}

/** The result of asking a catalog's servers. */
export interface CatalogPull {
  /** The paths of the catalog and the snapshot, as messages show them. */
  readonly file: string;
  readonly snapshot: string;
  readonly differs: boolean;
  readonly written: boolean;
  readonly servers: readonly ServerReport[];
  readonly changes: readonly ReportedChange[];
  /** The names of tools that several servers provide, with the names of these servers. */
  readonly shared: readonly { readonly tool: string; readonly servers: readonly string[] }[];
  /** The tools that clients leave out. */
  readonly notOffered: readonly (LeftOutTools & { readonly server: string })[];
  /** Further faults of definitions, as sentences. */
  readonly notes: readonly string[];
}

interface ReportedChange {
  readonly change: ToolChange;
  readonly skills: readonly { readonly name: string; readonly file: string }[];
}

interface UpdateOptions {
  readonly check: boolean;
  readonly shown: (path: string) => string;
  /** Throws a `UserError` if nothing may be written in a folder. */
  readonly assertInside?: AssertInside;
}

/** Writes the snapshot if it differs, except with `check`, and returns the changes. Throws a `UserError`. */
export async function updateSnapshot(
  analysis: Analysis,
  { uri, path, pull, before }: PulledCatalog,
  { check, shown, assertInside }: UpdateOptions,
  fileOf: (uri: string) => string,
): Promise<CatalogPull> {
  const target = join(dirname(path), SNAPSHOT_NAME);
  const differs = before !== pull.text;
  const written = differs && !check && pull.servers.some(({ status }) => status === 'pulled' || status === 'off');
  if (written) await write(target, before, pull.text, shown(target), assertInside);
  const usesOf = usesUnder(analysis, uri);
  // The first snapshot has no changes.
  const compared = pull.before ? compareSnapshots(pull.before, pull.snapshot) : [];
  const changes = compared.map((change) => {
    const skills = usesOf(change.tool, change.server);
    return { change, skills: skills.map((skill) => ({ name: skill.name, file: fileOf(skill.uri) })) };
  });
  const file = join(shown(dirname(path)), basename(path)).replaceAll('\\', '/');
  const shared = sharedNames(pull.snapshot);
  const { clients, isChosen } = targetsBeside(analysis, uri);
  const notes = pull.snapshot.tools.flatMap((tool) =>
    tool.server === undefined ? [] : toolNotes({ ...tool }, tool.server),
  );
  const notOffered = notOfferedBy(pull.snapshot, isChosen ? clients.map(({ id }) => id) : undefined);
  return { file, snapshot: shown(target), differs, written, servers: pull.servers, changes, shared, notOffered, notes };
}

function notOfferedBy(snapshot: Snapshot, clients: readonly string[] | undefined): CatalogPull['notOffered'] {
  const byServer = new Map<string, FaultyTool[]>();
  for (const tool of faultyTools(snapshot)) byServer.set(tool.server, [...(byServer.get(tool.server) ?? []), tool]);
  return [...byServer].flatMap(([server, tools]) =>
    leftOutTools(tools, clients).map((leftOut) => ({ server, ...leftOut })),
  );
}

async function write(
  path: string,
  before: string | undefined,
  text: string,
  shown: string,
  assertInside?: AssertInside,
): Promise<void> {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    throw new UserError(`\`${shown}\` would be too large to be read. List fewer servers in \`servers\`.`);
  }
  try {
    await inFolder(dirname(path), '', async (folder) => {
      await assertInside?.(folder.at('.'), dirname(path));
      const target = folder.at(SNAPSHOT_NAME);
      const isNew = before === undefined;
      const done = isNew ? await createFile(target, text) : await replaceFile(target, { old: before, text });
      if (done === 'changed') throw new Error('another program changed it meanwhile, or it is a link');
    });
  } catch (error) {
    throw toUserError(error, (reason) => `\`${shown}\` cannot be written: ${reason}.`);
  }
}

function sharedNames({ tools }: Snapshot): CatalogPull['shared'] {
  const servers = new Map<string, string[]>();
  for (const { name, server } of tools) {
    if (server !== undefined) servers.set(name, [...(servers.get(name) ?? []), server]);
  }
  return [...servers].filter(([, all]) => all.length > 1).map(([tool, all]) => ({ tool, servers: all }));
}

// The result of a pull as lines of text.

/** The maximum number of listed changes that affect no skill. */
const MAX_QUIET = 20;

export function pullLines({
  snapshot,
  differs,
  written,
  servers,
  changes,
  shared,
  notOffered,
  notes,
}: CatalogPull): readonly string[] {
  const breaking = changes.filter(isBreaking);
  const others = changes.filter((one) => !isBreaking(one));
  const line = ({ change, skills }: ReportedChange): string => `  ${describeChange(change, skills)}`;
  return [
    `${snapshot}: ${outcomeOf({ differs, written, servers })}`,
    ...servers.map((server) => `  ${serverLine(server)}`),
    ...(notOffered.length > 0 ? ['Not offered to models:'] : []),
    ...notOffered.slice(0, MAX_QUIET).map((one) => `  ${notOfferedSentence(one, one.server)}`),
    ...(notOffered.length > MAX_QUIET ? [`  and ${notOffered.length - MAX_QUIET} more.`] : []),
    ...(notes.length > 0 ? ['Definitions to correct:'] : []),
    ...notes.slice(0, MAX_QUIET).map((note) => `  ${note}`),
    ...(notes.length > MAX_QUIET ? [`  and ${notes.length - MAX_QUIET} more.`] : []),
    ...(breaking.length > 0 ? ['Breaking changes:', ...breaking.map(line)] : []),
    ...(others.length > 0 ? ['Other changes:', ...others.slice(0, MAX_QUIET).map(line)] : []),
    ...(others.length > MAX_QUIET ? [`  and ${others.length - MAX_QUIET} more.`] : []),
    ...shared.map(
      ({ tool, servers }) =>
        `\`${tool}\` is a tool of ${listed(servers)}. A skill that names this tool may get it from any of these servers.`,
    ),
  ].map(showInvisible);
}

function outcomeOf({ differs, written, servers }: Pick<CatalogPull, 'differs' | 'written' | 'servers'>): string {
  if (written) return 'written';
  if (!differs) return 'up to date';
  return servers.every(isMissed) ? 'not written, because no server answered' : 'out of date';
}

/** Returns whether a change affects skills. */
export const isBreaking = ({ change, skills }: ReportedChange): boolean => skills.length > 0 && change.kind !== 'added';

/** Returns whether an enabled server did not answer. */
export const isMissed = ({ status }: ServerReport): boolean => status === 'failed' || status === 'skipped';

/** Returns a line for each enabled server that did not answer, with the reason. */
export const missedLines = ({ servers }: CatalogPull): readonly string[] =>
  servers.filter(isMissed).map((server) => showInvisible(serverLine(server)));

function serverLine({ name, file, status, version, tools, reason }: ServerReport): string {
  switch (status) {
    case 'pulled':
      return `${name}${version === undefined ? '' : ` ${version}`}: ${counted(tools, 'tool')}${reason === undefined ? '' : `; ${reason}`}`;
    case 'failed':
      return `${name} (${file}) ${reason}${keeping(tools)}`;
    case 'skipped':
      return `${name} (${file}) is skipped: ${reason}${keeping(tools)}`;
    case 'off':
      return `${name} (${file}) is left out: ${reason}`;
  }
}

/** Returns the sentence on the tools of a server that did not answer. */
const keeping = (tools: number): string => (tools === 0 ? '' : ` The snapshot keeps its ${counted(tools, 'tool')}.`);
