/** The interface between the protocol and the authoring tools: calls and replies. */
import type { Reason, Refusal } from '../../authoring/refusal.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /**
   * The user's answer to the question that this call asked before; undefined if the user has not been asked yet, or
   * cannot be asked.
   */
  readonly answer: 'accepted' | 'declined' | undefined;
  /** True if the client can ask the user. */
  readonly canAsk: boolean;
}

export type Reply =
  | { readonly kind: 'result'; readonly result: AuthoringResult }
  /** The client must ask the user and call again with the answer. */
  | { readonly kind: 'ask'; readonly question: string };

export interface AuthoringResult {
  readonly [key: string]: unknown;
  readonly ok: boolean;
}

export interface Authoring {
  call(call: ToolCall): Promise<Reply>;
  dispose(): void;
}

/** The refusal of a call. `Authoring.call` converts it to a result. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: Reason;
  /** Additional fields of the result. */
  readonly details: object;

  constructor({ reason, message }: Refusal, details: object = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

export function refuse(reason: Reason, message: string, details: object = {}): never {
  throw new Refused({ reason, message }, details);
}

/** Returns the result; throws `Refused` if it is a refusal. */
export function accepted<T extends object>(result: T | Refusal): T {
  if ('reason' in result) throw new Refused(result);
  return result;
}
