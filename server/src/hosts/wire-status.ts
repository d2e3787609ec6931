/** The status bar's requests, and the news that the index changed. */
import type { Connection } from 'vscode-languageserver';
import { about, countDialects } from '../features/about.ts';
import { namesInUse } from '../features/names-in-use.ts';
import {
  type AboutParams,
  type AboutReply,
  AboutRequest,
  type NewCatalogParams,
  type NewCatalogReply,
  NewCatalogRequest,
  type ReportReply,
  ReportRequest,
  StatusNotification,
  type StatusParams,
} from '../protocol.ts';
import { CATALOG_NAME } from '../vocabulary/dialect.ts';
import { attempt } from './guard.ts';
import type { Session } from './session.ts';
import { ENGINE_VERSION, VERSION } from './version.ts';

export interface StatusWiring {
  /** Tells the client how the index stands, if it wants to know. */
  tell(): void;
}

/** What is told of a burst of changes is told once. */
const PACE_MS = 200;

export function wireStatus(connection: Connection, session: Session): StatusWiring {
  /** A client that shows no status would call the notification unknown. */
  let isShown = false;
  let isWaiting = false;
  let told = '';

  const tell = (): void => {
    const { partial, graph, catalogs } = session.snapshot();
    const status: StatusParams = { ready: !partial, skills: graph.skills.size };
    // A catalog that came or went changes what is said of a file, although no number changes.
    const state = JSON.stringify([status, [...catalogs.values()].map(({ uri, tools }) => [uri, tools.size])]);
    if (!isShown || state === told) return;
    told = state;
    void connection.sendNotification(StatusNotification, status);
  };
  const tellSoon = (): void => {
    if (!isShown || isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      tell();
    }, PACE_MS);
  };
  session.onText(tellSoon);

  connection.onRequest<AboutReply | null, void>(AboutRequest, ({ uri }: AboutParams) => {
    isShown = true;
    return attempt(connection, 'about', () => about(session.index(), uri));
  });
  connection.onRequest<ReportReply | null, void>(ReportRequest, () =>
    attempt(connection, 'report', () => ({
      server: VERSION,
      engine: `MiniJinja ${ENGINE_VERSION}`,
      files: countDialects(session.index()),
    })),
  );
  connection.onRequest<NewCatalogReply, void>(NewCatalogRequest, async ({ folder }: NewCatalogParams) => {
    // What is not read yet would be missing in it.
    await session.checked();
    // Only who makes a catalog pays for the templates' engine.
    const { scaffoldCatalog } = await import('../scaffold/catalog.ts');
    const names = namesInUse(session.index(), folder);
    return { fileName: CATALOG_NAME, text: scaffoldCatalog(names), tools: names.tools.length };
  });

  return { tell };
}
