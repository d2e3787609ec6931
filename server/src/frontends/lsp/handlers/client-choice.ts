/** Handles the choice of target clients: the candidates, and the changes that save a choice (docs/clients.md, "Choose clients"). */
import type { Connection } from 'vscode-languageserver';
import { findClient, unknownClient } from '../../../clients/facts/clients.ts';
import { clientChoice } from '../../../features/clients/client-choice.ts';
import { saveChoice } from '../../../features/clients/set-clients.ts';
import { type Files, folderUri } from '../../../io/files.ts';
import { frameworkPrograms } from '../../../io/framework-programs.ts';
import { UserError } from '../../../io/user-error.ts';
import { ClientChoiceRequest, SetClientsRequest } from '../../../protocol.ts';
import type { Session } from '../../../services/session/session.ts';
import { onRequest } from './guard.ts';

export function handleClientChoice(connection: Connection, session: Session, files: Files): void {
  /** Returns a URI whose folder is the workspace folder, or the folder of the file. */
  const placeOf = (uri: string): string => {
    const folder = folderUri(uri);
    return session.analysis.index.graph.roots.includes(folder) ? `${folder}/` : uri;
  };
  onRequest(connection, ClientChoiceRequest, async ({ uri }) => {
    await session.read();
    const place = placeOf(uri);
    const root = session.analysis.index.graph.roots.find((one) => place.startsWith(`${one}/`));
    const programs = root === undefined ? undefined : await frameworkPrograms(files, root);
    return clientChoice(session.analysis, place, programs);
  });
  onRequest(connection, SetClientsRequest, async ({ uri, clients }) => {
    await session.read();
    const unknown = clients.find((id) => !findClient(id));
    if (unknown !== undefined) throw new UserError(unknownClient(unknown));
    const { analysis, locate } = session;
    const saved = saveChoice(analysis, placeOf(uri), [...new Set(clients)]);
    if ('problem' in saved) return saved;
    const file = saved.catalog && analysis.file(saved.catalog.uri);
    const edits = saved.catalog?.edits ?? [];
    return {
      catalog: file
        ? { uri: file.uri, edits: edits.map(({ span, newText }) => ({ range: locate.range(file, span), newText })) }
        : null,
      settings: saved.settings ?? null,
    };
  });
}
