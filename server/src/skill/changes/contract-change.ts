/** A change of a contract since a baseline (docs/format.md, section 4, "Breaking changes"). */
import type { Span } from '../../text.ts';

export type Bump = 'major' | 'minor' | 'patch';

export interface ContractChange {
  readonly bump: Bump;
  /** Where in the contract: `output_schema.slug`, `effects`. */
  readonly path: string;
  /** A part of a sentence: "the output `slug` was removed". */
  readonly message: string;
  /** In the new file; for what is gone, the place where it would be. */
  readonly span: Span;
}
