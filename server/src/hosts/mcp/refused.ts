/** Why a call gets no result: thrown where it is found out, and told by `answer`. */
import type { Reason, Refusal } from '../../authoring/refusal.ts';

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
