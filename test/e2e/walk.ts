/** Walks: complete tasks of a user, from an open folder to the result, each in a new VS Code. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

/**
 * Opens a workbench on a copy of a folder below `test/e2e/walks`, or on an empty folder if no name is given. In tests,
 * the oldest VS Code answers dialogs itself unless they are enabled, and every folder is trusted unless the trust
 * question is enabled. Only a new user sees the notification of the first start.
 */
export type OpenFolder = (name?: string, how?: 'with dialogs' | 'untrusted' | 'new user') => Promise<Workbench>;

export const walks = table<OpenFolder>();

/** Adds a walk. */
export const walk = walks.test;
