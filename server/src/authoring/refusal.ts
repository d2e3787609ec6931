/** Why a write is not made (docs/mcp.md, "Refusals"): a word for programs, and a sentence that says what to do. */

export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
}

export type Reason =
  | 'ambiguous-skill'
  | 'cancelled'
  | 'changed'
  | 'declined'
  | 'duplicate-artifact'
  | 'exists'
  | 'invalid'
  | 'invalid-argument'
  | 'invalid-content'
  | 'link'
  | 'no-account'
  | 'no-such-artifact'
  | 'no-such-fix'
  | 'no-such-sample'
  | 'no-such-skill'
  | 'not-composed'
  | 'not-editable'
  | 'outside-root'
  | 'reserved-source'
  | 'too-large'
  | 'unknown-kind'
  | 'unreadable'
  | 'used'
  | 'write-failed';

export const refusal = (reason: Reason, message: string): Refusal => ({ reason, message });

/** A text as it would be, or why it cannot be. */
export type Rewriting = { readonly text: string } | Refusal;

export const isRefused = <T extends object>(result: T | Refusal): result is Refusal => 'reason' in result;
