/** Adds tools of the editor to the snapshot. The server makes the text, and the client writes it. */
import type { Connection } from 'vscode-languageserver';
import { isBelow } from '../../../io/globs.ts';
import { isUserError } from '../../../io/user-error.ts';
import { EditorToolsRequest } from '../../../protocol.ts';
import type { OpenFolderAccess } from '../../../services/packing/folder-access.ts';
import type { Session } from '../../../services/session/session.ts';
import { editorTool, printSnapshot, withEditorTools } from '../../../tools/snapshot.ts';
import { SNAPSHOT_NAME } from '../../../workspace/tool-snapshot.ts';
import { onRequest } from './guard.ts';

export function handleEditorTools(connection: Connection, session: Session, openFolder: OpenFolderAccess): void {
  onRequest(connection, EditorToolsRequest, async ({ folder, tools }) => {
    await session.read();
    try {
      await openFolder(folder);
      const { analysis } = session;
      const below = [...analysis.index.catalogs.values()].filter(({ uri }) => isBelow(uri, [folder]));
      const [catalog] = below.sort((a, b) => a.folder.length - b.folder.length);
      if (!catalog)
        return { problem: 'This folder has no catalog. Create one first, because the tools are saved beside it.' };
      const uri = `${catalog.folder}/${SNAPSHOT_NAME}`;
      if (analysis.unreadable(uri)) return { problem: `\`${SNAPSHOT_NAME}\` cannot be read. Remove it first.` };
      const before = analysis.index.snapshots.get(catalog.folder);
      const taken = (before?.tools ?? []).filter(({ from }) => from === 'editor').map(({ name }) => name);
      if (!tools) return { uri, text: '', taken };
      return { uri, text: printSnapshot(withEditorTools(before, tools.map(editorTool))), taken };
    } catch (error) {
      if (error instanceof RangeError || isUserError(error)) return { problem: error.message };
      throw error;
    }
  });
}
