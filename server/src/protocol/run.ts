/** A run of a skill: its request, its trace and its end (docs/run.md), as plain data. */
import type { ComposeError, ComposeRequest, ExitCondition, FileSpan, NodeKind } from '../composer/composition.ts';
import type { Json } from '../languages/yaml/node.ts';

export type RunValues = Readonly<Record<string, Json>>;

/** The result of a tool or a service in a sample (docs/format.md, section 2, "Stubs"). */
export interface Stub {
  readonly name: string;
  /** The result; if undefined, a result is generated. */
  readonly returns?: Json;
  /** The code of the error with which calls fail. */
  readonly fails?: string;
  /** The number of first calls that fail, after which calls return; undefined if every call fails. */
  readonly times?: number;
}

/** The answer of a sample to every interrupt with this name. */
export interface Answer {
  readonly name: string;
  readonly value: Json;
}

/** A change to the state, made in a debugger while the run is stopped before a node. */
export interface Patch {
  /** The number of nodes that were entered before, so 0 is before the first node. */
  readonly entered: number;
  readonly scope: 'input' | 'outputs' | 'flow' | 'results';
  /** The path of the value in the scope: a name, then keys and indexes. */
  readonly path: readonly string[];
  readonly value: Json;
}

/**
 * A request of a run with a model: the caller asks the model or calls the tool, and runs the skill again with one more
 * reply (docs/run.md, "With a model").
 */
export type RunQuery = ModelQuery | ToolQuery;

/** A request to a model for a tool call or an output. */
export interface ModelQuery {
  readonly kind: 'model';
  /** The path of the `plan` node. */
  readonly path: string;
  readonly label: string;
  readonly prompt: string;
  readonly tokens: number;
  /** The instructions of the stage, or the guidance; at the last `plan` also the end of the approach. */
  readonly instructions?: string;
  /** The calls of this skill so far, oldest first. */
  readonly results: readonly ToolResult[];
  /** The outputs of the composed skills and of the earlier stages of this skill, by the name of the step or stage. */
  readonly outputs: readonly { readonly name: string; readonly value: Json }[];
  /** The tools that may be called here. */
  readonly tools: readonly QueryTool[];
  /** The model that the skill or the sample names. */
  readonly model?: string;
  /** The output schema, at the last `plan` of a skill. */
  readonly schema?: Json;
}

/** A request for the result of a tool. */
export interface ToolQuery {
  readonly kind: 'tool';
  /** The path of the `call_tools` node. */
  readonly path: string;
  readonly tool: string;
  readonly input: RunValues;
}

export interface QueryTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input, with the constraints of the node. */
  readonly inputSchema?: Json;
}

/** Returns for people what a run with a model waits for. */
export const queryText = (query: RunQuery): string =>
  query.kind === 'model'
    ? `\`${query.path}\` waits for the model.`
    : `\`${query.path}\` waits for the result of \`${query.tool}\`.`;

/** The reply to a `RunQuery`. */
export type RunReply =
  | { readonly kind: 'call'; readonly tool: string; readonly input: RunValues }
  /** The text of a model's output. The run parses it, if there is an output schema. */
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'result'; readonly value: Json }
  /** A model or a tool that failed. Retries depend on the code. */
  | { readonly kind: 'failure'; readonly code: string; readonly message: string };

/**
 * Answers a query of a run. `events` are the events since the query before. Without a reply, the run pauses at the query.
 */
export type AskMore = (query: RunQuery, events: readonly RunEvent[]) => Promise<RunReply | undefined>;

/** An assertion on an output, as JSON, with its place. */
export interface OutputAssertion extends FileSpan {
  readonly assertion: Json;
  /** True if `check` reports an error or a warning in it, so that it is not checked. */
  readonly isInvalid?: true;
}

/** A run in which nothing is sent and nothing is started. The same request always gives the same trace. */
export interface RunRequest {
  readonly compose: ComposeRequest;
  /** The recorded output of the sample. */
  readonly recorded?: { readonly value: Json; readonly text: string };
  /** The assertions of the sample on the output, as in the file. */
  readonly expected: readonly OutputAssertion[];
  readonly stubs: readonly Stub[];
  readonly answers: readonly Answer[];
  /** The answers of the user to the interrupts that `answers` does not answer, in the order in which they fire. */
  readonly answered: readonly Json[];
  readonly patches: readonly Patch[];
  /**
   * The replies so far in a run with a model, in the order of its queries; undefined in a dry run. A query without a
   * reply ends the run.
   */
  readonly replies?: readonly RunReply[];
  /** The number of nodes after which the run ends. */
  readonly maxSteps: number;
  /** True if the events contain the state before each node. */
  readonly detailed: boolean;
}

/** The origin of a value. */
export type ValueSource = 'recorded' | 'stub' | 'generated' | 'answer' | 'model' | 'tool' | 'fallback' | 'flow';

/** The state before a node. Unchanged values are the same objects in all states. */
export interface RunState {
  readonly input: RunValues;
  /** The inputs of the composite, and the mapped outputs of its steps. */
  readonly flow: RunValues;
  /** The output of each step, by the name of the step. */
  readonly outputs: RunValues;
  /** The calls of tools with their results, oldest first. */
  readonly results: readonly ToolResult[];
  /** The tool that the next node calls. */
  readonly wanted?: { readonly tool: string; readonly input: RunValues };
  readonly output: Json;
}

export interface ToolResult {
  readonly tool: string;
  readonly input: RunValues;
  readonly result: Json;
}

interface Placed {
  /** The names of the steps from the top, then the node, for example `road/plan_1`. */
  readonly path: string;
}

/** An interrupt that waits for an answer. */
export interface Question extends FileSpan {
  readonly name: string;
  readonly path: string;
  readonly message?: string;
  /** The schema of the answer; undefined if every answer is accepted. */
  readonly schema?: Json;
  /** The reason why the previous answer was not accepted. */
  readonly problem?: string;
}

/** A prompt that a run composes for the model. */
export interface RunPrompt {
  readonly text: string;
  readonly tokens: number;
  /** The IDs of the artifacts in the prompt. */
  readonly artifacts: readonly string[];
  /** The model that the sample or the skill names. */
  readonly model?: string;
}

export type RunEvent = Placed &
  (
    | ({
        readonly kind: 'enter';
        readonly node: NodeKind;
        readonly label: string;
        /** The name of the step or of the stage; part of the path that a sample expects. */
        readonly step?: string;
        /** The input of the skill, for `validate_input` and `skill`. */
        readonly input?: RunValues;
        readonly prompt?: RunPrompt;
        /** For `plan`: the instructions of its stage, or the guidance. */
        readonly instructions?: string;
        readonly tools?: readonly string[];
        readonly state?: RunState;
        /** The number of replies that a run with a model used before this node. */
        readonly replies?: number;
      } & FileSpan)
    /** A call of a tool; a retry calls it again. */
    | { readonly kind: 'call'; readonly tool: string; readonly input: RunValues }
    | { readonly kind: 'result'; readonly tool: string; readonly value: Json; readonly from: ValueSource }
    /** A call of a tool, a service or the model that failed with a code. `tool` is `model` for the model. */
    | { readonly kind: 'failure'; readonly tool: string; readonly code: string }
    | { readonly kind: 'output'; readonly value: Json; readonly from: ValueSource }
    | { readonly kind: 'condition'; readonly condition: string; readonly holds: boolean; readonly to: string }
    | { readonly kind: 'retry'; readonly attempt: number; readonly of: number; readonly code: string }
    | {
        readonly kind: 'interrupt';
        readonly name: string;
        readonly message?: string;
        readonly answer?: Json;
        /** Set if the interrupt is the exit condition, so that nobody is asked. */
        readonly ends?: true;
      }
    | { readonly kind: 'budget'; readonly used: number; readonly of: number }
    /** The results of a speculated step are dropped. */
    | { readonly kind: 'cancel'; readonly step: string }
    | { readonly kind: 'patch'; readonly scope: Patch['scope']; readonly name: string; readonly value: Json }
    | { readonly kind: 'warning'; readonly message: string }
    | { readonly kind: 'leave'; readonly to: readonly string[] }
  );

export type RunEnd =
  /** The exit condition is met. */
  | { readonly kind: 'met'; readonly on: ExitCondition['on']; readonly output: Json }
  /** The run ended without its exit condition. */
  | { readonly kind: 'unmet'; readonly on: ExitCondition['on']; readonly message: string; readonly output: Json }
  /** The codes are in docs/subgraph.md, "Failures"; others come from stubs. */
  | ({ readonly kind: 'failed'; readonly code: string; readonly message: string; readonly path: string } & FileSpan)
  | { readonly kind: 'waiting'; readonly question: Question }
  /** A run with a model that needs one more reply. */
  | { readonly kind: 'asking'; readonly query: RunQuery };

export interface Trace {
  readonly events: readonly RunEvent[];
  readonly end: RunEnd;
  /** The steps and stages of the top skill in the order in which they began, without cancelled steps. */
  readonly path: readonly string[];
  /** The names of the interrupts that fired, in all skills. */
  readonly interrupts: readonly string[];
  /** The assertions on recorded outputs and on outputs of a model, without those that only a model can decide. */
  readonly assertions: { readonly run: number; readonly passed: number };
}

/** An event without the data that only a debugger shows. Its values are texts, which are cut if they are long. */
export type ShownRunEvent = ShownEventOf<RunEvent>;

type Hidden = 'state' | 'replies' | 'prompt' | 'instructions' | keyof FileSpan;
type Texts<Of> = { readonly [Key in keyof Of]: Key extends 'input' | 'value' | 'answer' ? string : Of[Key] };
type ShownEventOf<Event> = Event extends unknown ? Texts<Omit<Event, Hidden>> : never;

/** The reply to `skill/run`: a trace for a view. */
export interface ShownRun {
  readonly uri: string;
  readonly events: readonly ShownRunEvent[];
  readonly end:
    | { readonly kind: 'met'; readonly output: string }
    /** A run that failed at the node `path`, or ended without its exit condition. */
    | { readonly kind: 'failed'; readonly message: string; readonly path?: string }
    | { readonly kind: 'waiting'; readonly question: Omit<Question, keyof FileSpan> };
}

/** Where a debug session is in the run of a skill. */
export interface DebugProgress {
  /** The name of the sample; undefined if the run has no sample. */
  readonly sample?: string;
  /** The URIs of the skill and of its composed skills. */
  readonly files: readonly string[];
  readonly run: ShownRun;
  /** The number of events up to the position, including the event at the position; at the end, one more than all events. */
  readonly past: number;
}

/** A change of a `DebugProgress`: only the position, unless the run is another one. */
export type DebugMove = DebugProgress | Pick<DebugProgress, 'past'>;

/** The trace, or the composer's errors, if the skill does not compose. */
export type RunResult =
  | ({ readonly ok: true } & Trace)
  | { readonly ok: false; readonly errors: readonly ComposeError[] };
