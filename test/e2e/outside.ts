/** The tests at the keyboard of a VS Code: what a person does and sees. */
import { table } from './table.ts';
import type { Workbench } from './workbench.ts';

export const outside = table<Workbench>();

/** Adds a test that drives the workbench from outside. */
export const test = outside.test;
