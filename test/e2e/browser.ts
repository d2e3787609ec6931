/** Tests in a VS Code whose extensions run in the browser alone, with no Node anywhere. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

/** Opens a workbench on a copy of a folder of `test/e2e`; without a name on an empty one. */
export type OpenInBrowser = (name?: string) => Promise<Workbench>;

/** The workspace is on a machine with VS Code's server, which the extension does not run on. */
export const withServer = table<OpenInBrowser>();

/** The workspace is in the memory of the browser, as with vscode.dev: there is no machine, no disk and no search. */
export const withoutServer = table<OpenInBrowser>();
