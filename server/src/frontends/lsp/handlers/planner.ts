/** Handles the requests for the planner catalog, as `skill-composer catalog` prints it, and for matches. */
import type { Connection } from 'vscode-languageserver';
import { invocationContextOf } from '../../../analysis/package-of.ts';
import { UserError } from '../../../io/user-error.ts';
import { catalogJson, type PlannerEntry, plannerEntry } from '../../../planner/entry.ts';
import { catalogRows, namedSkills, offeredSkills } from '../../../planner/offered.ts';
import { MAX_TOKENS, plannerDraft } from '../../../planner/prompt.ts';
import { registryRow } from '../../../planner/registry.ts';
import { MatchRequest, type PlannerCatalogParams, PlannerCatalogRequest } from '../../../protocol.ts';
import { printedJson } from '../../../reports/json.ts';
import { matchView, USUAL_TOP } from '../../../reports/match.ts';
import { registryTable } from '../../../reports/tables.ts';
import { knownNames } from '../../../services/composing/compose-samples.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import type { Session } from '../../../services/session/session.ts';
import { INVOCATION_SOURCES } from '../../../skill/package-samples.ts';
import type { FileEntry, SkillFile } from '../../../skill/skill-file.ts';
import { decoded } from '../../../vocabulary/dialect.ts';
import { onRequest } from './guard.ts';

/** Handles `skill/catalog`. Reuses the entries of files that have not changed since the last request. */
function handlePlannerCatalog(connection: Connection, session: Session, composing: Composing): void {
  const entries = new WeakMap<FileEntry, PlannerEntry>();
  /** The token counts in the last reply, by text. */
  let known: ReadonlyMap<string, number> = new Map();

  const countAll = async (texts: readonly string[]): Promise<readonly number[]> => {
    const before = known;
    const unknown = [...new Set(texts)].filter((text) => !before.has(text));
    const counted = await composing.count(unknown);
    const fresh = new Map(unknown.map((text, at) => [text, counted[at] ?? 0]));
    const counts = texts.map((text) => fresh.get(text) ?? before.get(text) ?? 0);
    known = new Map(texts.map((text, at) => [text, counts[at] ?? 0]));
    return counts;
  };

  const textOf = async ({ profile, surface, format, folders }: PlannerCatalogParams): Promise<string | undefined> => {
    const analysis = surface === undefined ? session.analysis : session.analysis.onSurface(surface);
    const { files, graph } = analysis.index;
    const entryOf = (uri: string): PlannerEntry => {
      const stored = files.get(uri) as FileEntry;
      const entry = entries.get(stored) ?? plannerEntry(analysis.file(uri) as SkillFile);
      entries.set(stored, entry);
      return entry;
    };
    if (format === 'markdown') {
      const all = namedSkills(analysis, graph.skills.keys()).flatMap(({ uri }) => analysis.file(uri) ?? []);
      return registryTable(all.map((file) => registryRow(analysis, file)));
    }
    const uris = offeredSkills(analysis, graph.skills.keys(), profile).map(({ uri }) => uri);
    if (format === 'json') {
      return printedJson(catalogJson(catalogRows(analysis, uris, entryOf, (uri) => pathIn(folders ?? [], uri))));
    }
    const draft = plannerDraft(uris, entryOf, { maxTokens: MAX_TOKENS, isSelection: false });
    return draft.within(MAX_TOKENS, await countAll(draft.texts))?.text;
  };

  onRequest(connection, PlannerCatalogRequest, async (params: PlannerCatalogParams) => {
    await session.read();
    const profiles = profilesIn(session);
    if (params.profile !== undefined && !profiles.includes(params.profile)) {
      throw new UserError(`Unknown profile \`${params.profile}\`.${knownNames(params.profile, profiles, 'profiles')}`);
    }
    const text = await textOf(params);
    return text === undefined ? null : { text, profiles };
  });
}

/** Returns the profile names from all catalogs in the workspace. */
function profilesIn({ analysis }: Session): readonly string[] {
  const names = [...analysis.index.catalogs.values()].flatMap(({ uri }) =>
    invocationContextOf(analysis, uri).profiles.map(({ name }) => name),
  );
  return [...new Set(names)].sort();
}

function pathIn(folders: readonly string[], uri: string): string {
  const folder = folders.map((one) => one.replace(/\/?$/, '/')).find((one) => uri.startsWith(one));
  return decoded(folder === undefined ? uri : uri.slice(folder.length));
}

/** Handles the requests of a planner: the skills that match a request, and the planner catalog. */
export function handlePlanner(connection: Connection, session: Session, composing: Composing): void {
  handleMatch(connection, session);
  handlePlannerCatalog(connection, session, composing);
}

function handleMatch(connection: Connection, session: Session): void {
  onRequest(connection, MatchRequest, async (params) => {
    await session.read();
    const { request, top = USUAL_TOP, channel, profile, surface, uri: from } = params;
    const source = INVOCATION_SOURCES.find((known) => known === params.source) ?? 'agent-selected';
    return matchView(session.analysis, { request, top: Math.max(1, top), source, channel, profile, surface, from });
  });
}
