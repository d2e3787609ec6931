/**
 * The messages between client and server beyond the standard protocol. The client imports only this file of the server.
 * This file contains only types, schemas, constants, the check of globs and the reading of a model's choice, so that no
 * other server code is bundled into the client.
 */
export type {
  Composition,
  ExitCondition,
  GraphEdge,
  Invocation,
  InvocationSource,
  PromptPart,
} from './composer/composition.ts';
export type * from './protocol/abilities-view.ts';
export * from './protocol/chosen.ts';
export type * from './protocol/client-choice.ts';
export type * from './protocol/clients-view.ts';
export type * from './protocol/compose.ts';
export * from './protocol/files.ts';
export type * from './protocol/graph-view.ts';
export type * from './protocol/observing.ts';
export type * from './protocol/packing.ts';
export * from './protocol/request.ts';
export * from './protocol/requests.ts';
export type * from './protocol/run.ts';
export * from './protocol/settings.ts';
export type { OnWire } from './protocol/shapes.ts';
export type * from './protocol/skill-list.ts';
export type * from './protocol/tests.ts';
export type * from './protocol/tools.ts';
export type { Position, Range } from './text.ts';

/** The name that settings, diagnostics and logs use, both in the editor and on the command line. */
export const SECTION = 'skillComposer';
