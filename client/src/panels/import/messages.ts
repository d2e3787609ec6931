/**
 * The messages between the import panel (in the extension host) and its page (in the webview). The panel asks the server
 * what an import would do, and the page shows it. The page sends `ready` each time its script starts.
 */
import type { InstallView } from '../../../../server/src/protocol.ts';
import type { Versioned } from '../kit/kept-state.ts';

export type { InstallView } from '../../../../server/src/protocol.ts';

export type ImportedSkill = InstallView['skills'][number];

/** The page keeps nothing. */
export interface ImportState extends Versioned {
  readonly version: 1;
}

/** Page → panel. */
export type ToImportPanel =
  | { readonly type: 'ready' }
  /** The user consents to what is shown; `force` also to the loss of local edits. */
  | { readonly type: 'import'; readonly force: boolean }
  | { readonly type: 'cancel' };

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
