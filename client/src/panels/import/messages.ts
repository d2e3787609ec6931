/**
 * The messages between the import panel (in the extension host) and its page (in the webview). The panel asks the server
 * what an import would do, and the page shows it. The page sends `ready` each time its script starts.
 */
import * as v from 'valibot';
import type { TypeOf } from '../../../../server/src/protocol/request.ts';
import type { InstallView } from '../../../../server/src/protocol.ts';
import type { Versioned } from '../kit/kept-state.ts';

export type { InstallView } from '../../../../server/src/protocol.ts';

export type ImportedSkill = InstallView['skills'][number];

/** The page keeps nothing. */
export interface ImportState extends Versioned {
  readonly version: 1;
}

/** Page → panel. A page shows files of strangers, so its messages are checked. */
export const toImportPanel = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  /** The user consents to what is shown; `force` also to the loss of local edits. */
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
      /** Why the import that was asked for was not done. */
      readonly problem: string | null;
    }
  /** Nothing of the source can be imported. */
  | { readonly type: 'refused'; readonly problem: string };
