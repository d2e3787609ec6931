/** A call as the protocol hands it to the authoring tools, and what they give back. */
import type { Reason, Refusal } from '../../authoring/refusal.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What a person said where the call had to ask; undefined where nobody was asked yet, or nobody can be. */
  readonly answer: 'accepted' | 'declined' | undefined;
  /** Whether the client can ask a person. */
  readonly canAsk: boolean;
}

export type Reply =
  | { readonly kind: 'result'; readonly result: Result }
  /** The call is to be made again with the person's answer. */
  | { readonly kind: 'ask'; readonly question: string };

export interface Result {
  readonly [key: string]: unknown;
  readonly ok: boolean;
}

export interface Authoring {
  call(call: ToolCall): Promise<Reply>;
  dispose(): void;
}

/** Why a call gets no result: thrown where it is found out, and told by `answer`. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: Reason;
  /** What else the answer tells. */
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

/** The result, unless it is a refusal. */
export function accepted<T extends object>(result: T | Refusal): T {
  if ('reason' in result) throw new Refused(result);
  return result;
}
