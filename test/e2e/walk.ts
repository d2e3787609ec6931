/** Walks: what a person does from an open folder to what they came for, in a VS Code of their own. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

/**
 * Opens a workbench on a copy of a folder below `test/e2e/walks`; without a name on an empty folder. Driven by tests, the
 * oldest VS Code answers dialogs itself, unless they are asked for; and every folder is trusted, unless it is to be asked.
 */
export type OpenFolder = (name?: string, how?: 'with dialogs' | 'untrusted') => Promise<Workbench>;

export const walks = table<OpenFolder>();

/** Adds a walk. */
export const walk = walks.test;
