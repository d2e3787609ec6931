/** The environment of a run: a scripted model, tools and services that are functions, and a record of events. */
import type { Json } from '../../server/src/languages/yaml/node.ts';

export type Values = Readonly<Record<string, Json>>;

/** The reply of the model to a `plan` node: a tool to call, or an output. */
export type Reply = { readonly call: string; readonly input?: Values } | { readonly output: Json };

/** The path of a node: the names of the skills from the top, then the node, for example `road/plan_1`. */
export type NodePath = string;

export interface Environment {
  /** The replies of the model at each `plan`, in order; the last reply is repeated. */
  readonly says: Readonly<Record<NodePath, readonly Reply[]>>;
  readonly tools?: Readonly<Record<string, (input: Values) => Json | Promise<Json>>>;
  readonly services?: Readonly<Record<NodePath, (input: Values) => Json>>;
  /** Interrupts that only a judgement can raise, such as `on_ambiguous_input` without a condition. */
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
