/** What a run needs from outside: a model, tools, services, answers, and a listener for its events. */
import type { FileSpan, GraphNode, Subgraph } from '../../composer/composition.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { Question, RunEvent, RunState, RunValues, ValueSource } from '../../protocol.ts';
import type { Evaluate, State } from './state.ts';

/** A node of a shape with its path, for example `road/plan_1`. */
export interface Spot {
  readonly node: GraphNode;
  readonly shape: Subgraph;
  readonly path: string;
}

/** The reply of the model to a `plan` node: a tool to call, or an output. */
export type Reply =
  | { readonly call: string; readonly input: RunValues; readonly from: ValueSource }
  | { readonly output: Json; readonly from: ValueSource };

export interface CallResult {
  readonly value: Json;
  readonly from: ValueSource;
}

/** A call of a tool that the model requests. */
export interface ToolRequest {
  readonly tool: string;
  readonly input: RunValues;
}

type Later<Value> = Value | Promise<Value>;

/** The parts of the state that a user has changed. */
export type Changes = Partial<Pick<RunState, 'input' | 'flow' | 'outputs' | 'results'>>;

export interface World {
  readonly plan: (spot: Spot, state: State) => Later<Reply>;
  /** Calls a tool. Throws a `Failure` with the code of the tool's error. */
  readonly call: (spot: Spot, tool: string, input: RunValues) => Later<CallResult>;
  /** Calls the backing service of a contract. Throws a `Failure` with the code of the service's error. */
  readonly serve: (spot: Spot, input: RunValues) => Later<CallResult>;
  /** Returns the answer to an interrupt, or throws to end the run there. `call` is the call that it is about. */
  readonly ask: (question: Question, call?: ToolRequest) => Later<unknown>;
  /** Returns whether an interrupt without a condition fires that only a judgement can raise. */
  readonly raises: (interrupt: string) => boolean;
  readonly evaluate: Evaluate;
  /** The variables of conditions beside the parameters: the scope, the source and the model. */
  readonly variables: RunValues;
  readonly tell: (event: RunEvent) => void;
  /** Returns the state that a user has changed before the node; undefined without a change. */
  readonly changed?: (state: RunState, path: string) => Changes | undefined;
  /** Returns the prompt of the skill at a `plan` node, for its event. */
  readonly planned?: (spot: Spot, state: State) => Pick<Extract<RunEvent, { kind: 'enter' }>, 'prompt'>;
  /** Returns the number of replies that the run has used. */
  readonly repliesUsed?: () => number;
  /** The number of nodes after which the run fails; no limit if undefined. */
  readonly maxSteps?: number;
  /** True if an interrupt pauses the run, and its answer runs the node again from its start. */
  readonly pauses?: boolean;
  /** True if parallel nodes run one after another, in the order of the file. */
  readonly isInOrder: boolean;
  /** Without it, no time passes: there are no timeouts, and no pauses before retries. */
  readonly time?: {
    /** Does work; after the time in milliseconds, aborts the signal and throws `late`. */
    readonly within: <Value>(
      milliseconds: number,
      late: Failure,
      work: (signal: AbortSignal) => Promise<Value>,
    ) => Promise<Value>;
    readonly pause: (milliseconds: number) => Promise<void>;
  };
  /** True if events contain the state before each node. */
  readonly isDetailed?: boolean;
}

/** A failure with a code, as services and tools report it, or with a code of the run itself. */
export class Failure extends Error {
  readonly code: string;
  /** False for failures of the run itself, which are never retried. */
  readonly isRetried: boolean;
  /** The node at which the run failed. */
  spot: Spot | undefined;
  /** The place of the cause, if it is not the node. */
  readonly place: FileSpan | undefined;

  constructor(code: string, message: string = code, isRetried = true, place?: FileSpan) {
    super(message);
    // LangGraph's server reports the name.
    this.name = code;
    this.code = code;
    this.isRetried = isRetried;
    this.place = place;
  }
}
