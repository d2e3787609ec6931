/** Handles the requests for installing and packing skills. */
import { type Connection, MessageType } from 'vscode-languageserver';
import { toUserError, UserError, userMessage } from '../../../io/user-error.ts';
import { isInFolder } from '../../../packing/unit.ts';
import { shownView } from '../../../packing/view.ts';
import {
  EmitPreviewRequest,
  type EmitReply,
  EmitRequest,
  InstalledRequest,
  type InstallPreviewParams,
  InstallPreviewRequest,
  InstallRequest,
  type PackParams,
  type PackReply,
  PackRequest,
} from '../../../protocol.ts';
import { oneAfterAnother } from '../../../services/one-after-another.ts';
import { isInsideFolder, type OpenFolderAccess, uriAt } from '../../../services/packing/folder-access.ts';
import type { Prepared } from '../../../services/packing/prepare.ts';
import type { Session } from '../../../services/session/session.ts';
import { showMessage } from './client.ts';
import { onRequest } from './guard.ts';

export function handleInstall(
  connection: Connection,
  session: Session,
  openFolder: OpenFolderAccess,
  trusted: boolean,
): void {
  const prepare = async ({ folder: folderUri, source, to }: InstallPreviewParams): Promise<Prepared> => {
    // The catalog of an untrusted workspace could declare a tool as harmless.
    if (!trusted)
      throw new UserError('Skills can only be installed into a trusted workspace. Trust this workspace first.');
    const folder = await openFolder(folderUri, (line) => showMessage(connection, MessageType.Info, [line]));
    await folder.settle();
    await session.read();
    const { prepareInstall } = await import('../../../services/packing/prepare.ts');
    return prepareInstall({ folder, index: session.analysis.index, source, to });
  };
  const inTurn = problemsInTurn();
  onRequest(connection, InstallPreviewRequest, (params) => inTurn(async () => shownView((await prepare(params)).view)));
  onRequest(connection, InstallRequest, (params) =>
    inTurn(async () => {
      const prepared = await prepare(params);
      if (prepared.view.digest !== params.digest) {
        throw new UserError(
          'Not installed: the source or the workspace has changed since the preview. Review the new preview first.',
        );
      }
      const { applyInstall } = await import('../../../services/packing/apply.ts');
      const written = await applyInstall(prepared, params.force);
      // Some clients do not report files in new folders.
      session.receive({ kind: 'watched', uris: written.map((path) => uriAt(prepared.folder, path)) });
      return { written };
    }),
  );
}

/** Returns the reply of the work, or the message of its `UserError`. */
const orProblem = async <Reply>(work: () => Promise<Reply>): Promise<Reply | { readonly problem: string }> => {
  try {
    return await work();
  } catch (error) {
    return { problem: userMessage(error) };
  }
};

/** Like `oneAfterAnother`: each piece of work sees the files that the earlier work has written. */
function problemsInTurn(): typeof orProblem {
  const inTurn = oneAfterAnother();
  return (work) => inTurn(() => orProblem(work));
}

/** Handles `skill/emit` and `skill/emitPreview`. `home` is the URI of the user's home. */
export function handleEmit(
  connection: Connection,
  session: Session,
  openFolder: OpenFolderAccess,
  { trusted, home }: { readonly trusted: boolean; readonly home: string | undefined },
): void {
  const inTurn = problemsInTurn();
  onRequest(connection, EmitRequest, ({ folder: folderUri, uri, more, clients, again, overwrite, unsaved = [] }) =>
    inTurn(async (): Promise<EmitReply> => {
      if (!trusted)
        throw new UserError('Skills can only be converted in a trusted workspace. Trust this workspace first.');
      await session.read();
      await session.catalogLoaded(uri);
      const { emitFrom } = await import('../../../services/packing/emit.ts');
      const folder = await openFolder(folderUri, (line) => showMessage(connection, MessageType.Info, [line]));
      const { written, ...reply } = await emitFrom(session.analysis, folder, {
        ...{ uri, more, clients, again, overwrite, unsaved, home },
      });
      // Some clients do not report files in new folders.
      if (written.length > 0) session.receive({ kind: 'watched', uris: written });
      return reply;
    }),
  );
  onRequest(connection, EmitPreviewRequest, ({ folder: folderUri, uri, target }) =>
    inTurn(async () => {
      if (!trusted)
        throw new UserError('Skills can only be converted in a trusted workspace. Trust this workspace first.');
      await session.read();
      await session.catalogLoaded(uri);
      const { previewEmit } = await import('../../../services/packing/emit.ts');
      return previewEmit(session.analysis, await openFolder(folderUri), { uri, target, home });
    }),
  );
}

/** Handles `skill/installed`: reads from disk the lock file and the files that it lists. */
export function handleInstalled(connection: Connection, session: Session, openFolder: OpenFolderAccess): void {
  onRequest(connection, InstalledRequest, async ({ folder: folderUri }) => {
    await session.read();
    const { openLock } = await import('../../../services/packing/installed.ts');
    const { checkInstalled } = await import('../../../services/packing/installed.ts');
    return orProblem(async () => {
      const folder = await openFolder(folderUri);
      const { lock } = await openLock(folder);
      const checked = await checkInstalled(folder, session.analysis.index);
      const skills = checked.flatMap(({ name, path, files, changes }) => {
        const before = lock.get(name);
        return before
          ? [{ uri: uriAt(folder, path), origin: before.origin, version: before.version ?? null, files, changes }]
          : [];
      });
      return { skills };
    });
  });
}

/** Handles `skill/pack`. */
export function handlePack(connection: Connection, openFolder: OpenFolderAccess): void {
  onRequest(connection, PackRequest, async (params) => {
    const packed = pack(params, openFolder).catch((error: unknown) => {
      throw toUserError(error, (reason) => `The archive cannot be written: ${reason}.`);
    });
    return orProblem(() => packed);
  });
}

async function pack({ folder: folderUri, uris, out }: PackParams, openFolder: OpenFolderAccess): Promise<PackReply> {
  const { packTo } = await import('../../../services/packing/pack.ts');
  const { isOfSkill } = await import('../../../services/packing/collect.ts');
  const folder = await openFolder(folderUri);
  const namedPaths = uris.map((uri) => folder.relativePathOfUri(uri));
  const outside = namedPaths.find((path) => !isInsideFolder(path));
  if (outside !== undefined)
    throw new UserError(`\`${outside}\` is outside the workspace folder. Pack it from its own workspace.`);
  const isWanted = (path: string) =>
    namedPaths.some((one) => path === one || (isOfSkill(path) && isInFolder(one, path)));
  const { paths, collected } = await packTo({
    folder,
    out,
    wanted: (all) => new Set(all.filter(isWanted)),
    namedPaths,
    shown: namedPaths.map((path) => (path === '' ? 'The folder' : `\`${path}\``)).join(', '),
  });
  return { paths, leftOut: collected.leftOut };
}
