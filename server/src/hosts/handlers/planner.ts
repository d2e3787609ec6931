/** What a planner asks of all skills: which answer a request, and the catalog that it is given. */
import type { Connection } from 'vscode-languageserver';
import { matchView, USUAL_TOP } from '../../features/match-view.ts';
import { type PlannerEntry, plannerEntry } from '../../planner/entry.ts';
import { offeredSkills } from '../../planner/offered.ts';
import { MAX_TOKENS, plannerDraft } from '../../planner/prompt.ts';
import {
  type MatchParams,
  type MatchReply,
  MatchRequest,
  type PlannerCatalogReply,
  PlannerCatalogRequest,
} from '../../protocol.ts';
import { INVOCATION_SOURCES } from '../../skill/package-samples.ts';
import type { FileEntry, SkillFile } from '../../skill/skill-file.ts';
import type { Composing } from '../composing/composing.ts';
import type { Session } from '../session/session.ts';
import { attempt } from './guard.ts';

export function handlePlanner(connection: Connection, session: Session, composing: Composing): void {
  handleMatch(connection, session);
  handlePlannerCatalog(connection, session, composing);
}

function handleMatch(connection: Connection, session: Session): void {
  connection.onRequest<MatchReply | null, void>(MatchRequest, async (params: MatchParams) => {
    await session.read();
    const { request, top = USUAL_TOP, channel, profile } = params;
    const source = INVOCATION_SOURCES.find((known) => known === params.source) ?? 'agent-selected';
    return attempt(connection, 'match', () =>
      matchView(session.analysis, { request, top: Math.max(1, top), source, channel, profile }),
    );
  });
}

/** What did not change since the catalog was last asked for is not made again. */
function handlePlannerCatalog(connection: Connection, session: Session, composing: Composing): void {
  const entries = new WeakMap<FileEntry, PlannerEntry>();
  /** The tokens of the texts of the last answer. */
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

  connection.onRequest<PlannerCatalogReply | null, void>(PlannerCatalogRequest, async () => {
    await session.read();
    const { analysis } = session;
    const { files, graph } = analysis.index;
    const entryOf = (uri: string): PlannerEntry => {
      const stored = files.get(uri) as FileEntry;
      const entry = entries.get(stored) ?? plannerEntry(analysis.file(uri) as SkillFile);
      entries.set(stored, entry);
      return entry;
    };
    const uris = offeredSkills(analysis, graph.skills.keys(), undefined).map(({ uri }) => uri);
    const draft = plannerDraft(uris, entryOf, { maxTokens: MAX_TOKENS, isSelection: false });
    const prompt = draft.within(MAX_TOKENS, await countAll(draft.texts));
    return prompt ? { text: prompt.text } : null;
  });
}
