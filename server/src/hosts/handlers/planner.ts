/** What a planner asks of all skills: which answer a request, and the catalog that it is given. */
import type { Connection } from 'vscode-languageserver';
import { matchView, USUAL_TOP } from '../../features/match-view.ts';
import { type MatchParams, type MatchReply, MatchRequest } from '../../protocol.ts';
import { INVOCATION_SOURCES } from '../../skill/package-samples.ts';
import type { Composing } from '../composing/composing.ts';
import { handlePlannerCatalog } from '../planner/handle-catalog.ts';
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
