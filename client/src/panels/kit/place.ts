import type { Range } from '../../../../server/src/protocol.ts';

/** A range of a file, in the position encoding of the language server protocol. */
export interface Place {
  readonly uri: string;
  readonly range: Range;
}

/** Where a file is opened of which no place is meant. */
export const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
