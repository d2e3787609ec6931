/** `skill/match`: which skills answer a request. */
import type { Connection } from 'vscode-languageserver';
import { matchView, USUAL_TOP } from '../../features/match-view.ts';
import { type MatchParams, type MatchReply, MatchRequest } from '../../protocol.ts';
import { INVOCATION_SOURCES } from '../../skill/package-samples.ts';
import type { Session } from '../session/session.ts';
import { attempt } from './guard.ts';

export function handleMatch(connection: Connection, session: Session): void {
  connection.onRequest<MatchReply | null, void>(MatchRequest, async (params: MatchParams) => {
    await session.read();
    const { request, top = USUAL_TOP, channel, profile } = params;
    const source = INVOCATION_SOURCES.find((known) => known === params.source) ?? 'agent-selected';
    return attempt(connection, 'match', () =>
      matchView(session.analysis, { request, top: Math.max(1, top), source, channel, profile }),
    );
  });
}
