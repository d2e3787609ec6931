import type { Range } from '../../../../server/src/protocol.ts';

/** A range of a file, in the position encoding of the language server protocol. */
export interface Place {
  readonly uri: string;
  readonly range: Range;
}
