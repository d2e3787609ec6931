/** Handles the requests for the composition graph and the call hierarchy. */
import type { Connection } from 'vscode-languageserver';
import { clientLists } from '../../../features/clients/clients-view.ts';
import { countSeverities, graphView, hasCompositions, severityFromLsp } from '../../../features/graph/graph-view.ts';
import { incomingCalls, outgoingCalls, prepareCallHierarchy } from '../../../features/navigation/call-hierarchy.ts';
import { withRanges } from '../../../features/preview/with-ranges.ts';
import { GraphRequest, HasCompositionsRequest, onRequest } from '../../../protocol.ts';
import type { Session } from '../../session/session.ts';
import type { Shown } from './client.ts';
import { attempt, createGuard } from './guard.ts';

export function handleGraph(connection: Connection, session: Session, shown: Shown): void {
  const guarded = createGuard(connection, session);
  const { locate } = session;

  onRequest(connection, GraphRequest, async (params) => {
    const uri = params?.uri;
    shown.graph = true;
    // The graph would be wrong without the files that have not been read yet.
    if (session.analysis.partial) await session.checked();
    const { analysis } = session;
    if (uri !== undefined && !analysis.graph.skills.has(uri)) return null;
    // Counts the reported diagnostics, which are already computed.
    const countFindings = (file: string) =>
      countSeverities(session.report(file).items.map(({ severity }) => severityFromLsp(severity)));
    return attempt(connection, 'graph', () =>
      withRanges(analysis, locate, {
        ...graphView(analysis, { ...(uri === undefined ? {} : { roots: [uri] }), countFindings }),
        lists: clientLists(analysis),
      }),
    );
  });
  onRequest(connection, HasCompositionsRequest, async () => {
    shown.graph = true;
    await session.checked();
    return hasCompositions(session.analysis);
  });

  connection.languages.callHierarchy.onPrepare(
    guarded('callHierarchy', (analysis, file, { position }) =>
      prepareCallHierarchy(analysis, file, locate.offset(file, position), locate),
    ),
  );
  connection.languages.callHierarchy.onIncomingCalls(({ item }) =>
    attempt(connection, 'incomingCalls', () => incomingCalls(session.analysis, item.uri, locate)),
  );
  connection.languages.callHierarchy.onOutgoingCalls(({ item }) =>
    attempt(connection, 'outgoingCalls', () => outgoingCalls(session.analysis, item.uri, locate)),
  );
}
