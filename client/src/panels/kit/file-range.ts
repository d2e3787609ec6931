import type { TypeOf } from '../../../../server/src/protocol/request.ts';
import type { fileRange } from '../../../../server/src/protocol/shapes.ts';

/** A range of a file, in the position encoding of the language server protocol. */
export type FileRange = TypeOf<typeof fileRange>;

/** The start of a file, for links without a specific range. */
export const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
