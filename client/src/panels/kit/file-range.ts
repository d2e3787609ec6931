import type { TypeOf } from '../../../../server/src/protocol/request.ts';
import type { fileRange } from '../../../../server/src/protocol/shapes.ts';

/** A range of a file, in the position encoding of the language server protocol. */
export type FileRange = TypeOf<typeof fileRange>;

/** Where a file is opened of which no place is meant. */
export const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
