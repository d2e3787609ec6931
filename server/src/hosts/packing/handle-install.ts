/** `skill/installPreview` and `skill/install`. */
import type { Connection } from 'vscode-languageserver';
import {
  type InstallParams,
  type InstallPreviewParams,
  type InstallPreviewReply,
  InstallPreviewRequest,
  type InstallReply,
  InstallRequest,
} from '../../protocol.ts';
import type { Session } from '../session/session.ts';
import { type OpenPlace, uriAt } from './place.ts';
import type { Prepared } from './prepare.ts';
import { Refusal } from './refusal.ts';

export function handleInstall(connection: Connection, session: Session, place: OpenPlace, trusted: boolean): void {
  const prepare = async ({ folder, source, to }: InstallPreviewParams): Promise<Prepared> => {
    // The catalog of a workspace that nobody trusts could call a tool harmless.
    if (!trusted) throw new Refusal('Skills are installed into workspaces that you trust: trust this one first.');
    const root = place(folder);
    await session.read();
    const { prepareInstall } = await import('./prepare.ts');
    return prepareInstall({ place: root, index: session.analysis.index, source, to });
  };
  /** One after another, so that each sees what the one before has written. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Reply>(work: () => Promise<Reply>): Promise<Reply | { readonly problem: string }> => {
    const done = last.then(work).catch((error: unknown) => {
      if (error instanceof Refusal) return { problem: error.message };
      throw error;
    });
    last = done.catch(() => undefined);
    return done;
  };

  connection.onRequest<InstallPreviewReply, void>(InstallPreviewRequest, (params: InstallPreviewParams) =>
    inTurn(async () => (await prepare(params)).view),
  );
  connection.onRequest<InstallReply, void>(InstallRequest, (params: InstallParams) =>
    inTurn(async () => {
      const prepared = await prepare(params);
      if (prepared.view.digest !== params.digest) {
        throw new Refusal(
          'Nothing is installed: the source or the workspace has changed since the preview. Look at it once more.',
        );
      }
      const { applyInstall } = await import('./apply.ts');
      const written = await applyInstall(prepared, params.force);
      // A client may not hear of files in folders that are new.
      session.receive({ kind: 'watched', uris: written.map((path) => uriAt(prepared.place, path)) });
      return { written };
    }),
  );
}
