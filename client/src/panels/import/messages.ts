/**
 * The messages between the import panel (in the extension host) and its page (in the webview). The panel requests the
 * effects of an import from the server, and the page shows them. The page sends `ready` each time its script starts.
 */
import * as v from 'valibot';
import type { TypeOf } from '../../../../server/src/protocol/request.ts';
import type { InstallView } from '../../../../server/src/protocol.ts';
import type { Versioned } from '../kit/saved-state.ts';

export { mayRun, runsUnreviewed } from '../../../../server/src/protocol/packing.ts';
export type { InstallView } from '../../../../server/src/protocol.ts';

export type ImportedSkill = InstallView['skills'][number];

/** The saved state of the page, which is empty. */
export interface ImportState extends Versioned {
  readonly version: 1;
}

/** The messages from the page to the panel, validated because a page shows untrusted files. */
export const toImportPanel = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  /** The user accepts the shown import; `force` also accepts the loss of local edits. */
  v.object({ type: v.literal('import'), force: v.boolean() }),
  v.object({ type: v.literal('cancel') }),
]);
export type ToImportPanel = TypeOf<typeof toImportPanel>;

/** Panel → page. */
export type ToImportPage =
  | {
      readonly type: 'show';
      readonly view: InstallView;
      /** The name of the workspace folder. */
      readonly folder: string;
      /** The reason why the last import failed. */
      readonly problem: string | null;
    }
  /** The source cannot be imported. */
  | { readonly type: 'refused'; readonly problem: string };
