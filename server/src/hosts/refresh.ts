/** Asks the client to ask again for what is shown all the time, where other files may have changed it. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import type { Session } from './session.ts';

/** What is told of a burst of changes is told once. */
const PACE_MS = 200;

export interface Refresh {
  /** The lenses may be others than before, for instance after a change of the settings. */
  lenses(): void;
}

export function refreshFeatures(connection: Connection, session: Session, { workspace }: ClientCapabilities): Refresh {
  // A client that goes away in the meantime answers with an error, which concerns nobody.
  const lenses = (): void => {
    if (workspace?.codeLens?.refreshSupport) void connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
  };
  const tokens = (): void => {
    if (workspace?.semanticTokens?.refreshSupport) void connection.languages.semanticTokens.refresh().catch(() => {});
  };
  let { graph, catalogs } = session.snapshot();
  let isWaiting = false;
  const tell = (): void => {
    ({ graph, catalogs } = session.snapshot());
    lenses();
    tokens();
  };
  session.onText(() => {
    const now = session.snapshot();
    if (now.partial || isWaiting || (now.graph === graph && now.catalogs === catalogs)) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      tell();
    }, PACE_MS);
  });
  // Until all is read nobody is known to compose a skill, and no name is unknown.
  void session.checked().then(tell);
  return { lenses };
}
