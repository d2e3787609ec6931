/** The reason why a write is refused (docs/mcp.md, "Refusals"): a code for programs, and a message for people. */

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

/** The new text, or the reason why the text cannot be written. */
export type Rewriting = { readonly text: string } | Refusal;

export const isRefused = <T extends object>(result: T | Refusal): result is Refusal => 'reason' in result;
