/** The tests that drive VS Code with the keyboard, as a user does. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

export const outside = table<Workbench>();

/** Adds a test that drives the workbench from outside. */
export const test = outside.test;
