/** The composition graph for people: the graph itself, who composes whom, and what follows from parts. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import { countSeverities, severityNumbered } from '../features/graph/count-findings.ts';
import { graphView, hasCompositions } from '../features/graph/graph-view.ts';
import { INLAY_HINTS, inlayHints } from '../features/inlay-hints.ts';
import { incomingCalls, outgoingCalls, prepareCallHierarchy } from '../features/navigation/call-hierarchy.ts';
import { onWire } from '../features/preview/with-places.ts';
import {
  GraphChangedNotification,
  type GraphParams,
  type GraphReply,
  GraphRequest,
  HasCompositionsRequest,
  type InlayHintSettings,
  type Settings,
} from '../protocol.ts';
import { isOnComposition } from '../rules/check-composition.ts';
import { attempt, createGuard } from './guard.ts';
import type { Session } from './session.ts';

export interface GraphWiring {
  setSettings(settings: Settings): void;
}

/** What is told of a burst of changes is told once. */
const PACE_MS = 200;

export function wireGraph(connection: Connection, session: Session, capabilities: ClientCapabilities): GraphWiring {
  const guarded = createGuard(connection, session);
  const { locate } = session;
  let hints: InlayHintSettings = INLAY_HINTS;
  /** True once a client has asked about graphs, and so may show one. */
  let isShown = false;

  connection.onRequest<GraphReply | null, void>(GraphRequest, async (params: GraphParams | null) => {
    const uri = params?.uri;
    isShown = true;
    // A graph without what is not read yet would be another one.
    if (session.snapshot().partial) await session.checked();
    const index = session.index();
    if (uri !== undefined && !index.graph.skills.has(uri)) return null;
    // What is counted is what the problems show, which is checked already.
    const countFindings = (file: string) =>
      countSeverities(
        session.reports
          .of(file)
          .items.flatMap(({ code, severity }) => (isOnComposition(code) ? severityNumbered(severity) : [])),
      );
    return attempt(connection, 'graph', () =>
      onWire(index, locate, graphView(index, { ...(uri === undefined ? {} : { roots: [uri] }), countFindings })),
    );
  });

  connection.onRequest<boolean, void>(HasCompositionsRequest, async () => {
    isShown = true;
    await session.checked();
    return hasCompositions(session.snapshot());
  });

  connection.languages.callHierarchy.onPrepare(
    guarded('callHierarchy', (index, document, { position }) =>
      prepareCallHierarchy(index, document, locate.offset(document, position), locate),
    ),
  );
  connection.languages.callHierarchy.onIncomingCalls(({ item }) =>
    attempt(connection, 'incomingCalls', () => incomingCalls(session.index(), item.uri, locate)),
  );
  connection.languages.callHierarchy.onOutgoingCalls(({ item }) =>
    attempt(connection, 'outgoingCalls', () => outgoingCalls(session.index(), item.uri, locate)),
  );
  connection.languages.inlayHint.on(
    guarded('inlayHint', (index, document, { range }) => inlayHints(index, document, range, hints, locate)),
  );

  const isRefreshable = capabilities.workspace?.inlayHint?.refreshSupport === true;
  const tell = (): void => {
    if (isRefreshable) void connection.languages.inlayHint.refresh().catch(() => {});
    if (isShown) void connection.sendNotification(GraphChangedNotification);
  };
  let { graph } = session.snapshot();
  let isWaiting = false;
  /** The rules of the settings: they decide what counts as an error. */
  let severities: string | undefined;
  const tellSoon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      tell();
    }, PACE_MS);
  };
  session.onText((_, affected) => {
    const now = session.snapshot();
    // What concerns all files, such as a catalog with severities, changes the counted findings.
    if (now.partial || (now.graph === graph && affected !== 'all')) return;
    ({ graph } = now);
    tellSoon();
  });
  // Until all is read there are no hints.
  void session.checked().then(() => {
    ({ graph } = session.snapshot());
    tell();
  });

  return {
    setSettings({ inlayHints: given, rules }) {
      const nextSeverities = JSON.stringify(rules ?? {});
      if (severities !== undefined && severities !== nextSeverities) tellSoon();
      severities = nextSeverities;
      const next = { ...INLAY_HINTS, ...given };
      if (JSON.stringify(next) === JSON.stringify(hints)) return;
      hints = next;
      if (isRefreshable) void connection.languages.inlayHint.refresh().catch(() => {});
    },
  };
}
