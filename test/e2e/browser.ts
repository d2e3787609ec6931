/** Tests in a VS Code whose extensions run only in the browser, without Node. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

/** Opens a workbench on a copy of a folder in `test/e2e`, or on an empty folder if no name is given. */
export type OpenInBrowser = (name?: string) => Promise<Workbench>;

/** The workspace is on a machine with VS Code's server, on which the extension does not run. */
export const withServer = table<OpenInBrowser>();

/** The workspace is in the browser's memory, as in vscode.dev: without a machine, a disk or a search. */
export const withoutServer = table<OpenInBrowser>();
