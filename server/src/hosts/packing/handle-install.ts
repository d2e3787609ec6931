/** `skill/installPreview` and `skill/install`, in Node alone: what is asked for is a path of this machine. */
import type { Connection } from 'vscode-languageserver';
import {
  type InstallParams,
  type InstallPreviewParams,
  type InstallPreviewReply,
  InstallPreviewRequest,
  type InstallReply,
  InstallRequest,
} from '../../protocol.ts';
import { toPath } from '../disk/paths.ts';
import type { Session } from '../session/session.ts';
import type { Prepared } from './prepare.ts';
import { Refusal } from './refusal.ts';

export function handleInstall(connection: Connection, session: Session, trusted: boolean): void {
  const prepare = async ({ folder, source, to }: InstallPreviewParams): Promise<Prepared> => {
    // The catalog of a workspace that nobody trusts could call a tool harmless.
    if (!trusted) throw new Refusal('Skills are installed into workspaces that you trust: trust this one first.');
    if (!folder.startsWith('file:')) throw new Refusal('Skills are installed into folders of this machine.');
    await session.read();
    const { prepareInstall } = await import('./prepare.ts');
    const root = toPath(folder);
    return prepareInstall({ root, cwd: root, index: session.analysis.index, source, to });
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
      return { written: await applyInstall(prepared, params.force) };
    }),
  );
}
