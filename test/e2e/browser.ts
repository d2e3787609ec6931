/** Tests in a VS Code whose extensions run only in the browser, without Node. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

/** Opens a workbench on a copy of a folder of `test/e2e`, or on an empty one without a name. */
export type OpenInBrowser = (name?: string) => Promise<Workbench>;

/** The workspace is on a machine with VS Code's server, on which the extension does not run. */
export const withServer = table<OpenInBrowser>();

/** The workspace is in the memory of the browser, as with vscode.dev: it has no machine, no disk and no search. */
export const withoutServer = table<OpenInBrowser>();
