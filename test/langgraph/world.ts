/** What a shape runs in: a scripted model, tools and services that are functions, and a record of what happened. */
import type { Json } from '../../server/src/languages/yaml/node.ts';

export type Values = Readonly<Record<string, Json>>;

/** What the model says when a `plan` node asks it: one tool to call, or what it has worked out. */
export type Reply = { readonly call: string; readonly input?: Values } | { readonly output: Json };

/** Where something happens: the names of the skills from the top, then the node, `road/plan_1`. */
export type Spot = string;

export interface World {
  /** What the model says at each `plan`, in order; the last is said again and again. */
  readonly says: Readonly<Record<Spot, readonly Reply[]>>;
  readonly tools?: Readonly<Record<string, (input: Values) => Json | Promise<Json>>>;
  readonly services?: Readonly<Record<Spot, (input: Values) => Json>>;
  /** Interrupts that nothing but judgement can raise, such as `on_ambiguous_input` without a condition. */
  readonly raises?: readonly string[];
  readonly ambient?: Values;
}

/** A failure with a code, as services and tools report it. */
export class Failure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
