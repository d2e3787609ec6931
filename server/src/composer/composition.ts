/** The request and the result of the composer (docs/composer.md, "Request and result"), as plain data. */

import type { Json } from '../languages/yaml/node.ts';
import type {
  FileSpan,
  InvocationPlaces,
  InvocationSource,
  MemoryItem,
  PackageService,
  SkillPackage,
  ToolDescriptor,
} from '../skill/package.ts';
import type { Retry } from '../skill/retry.ts';
import type { ErrorKind } from '../vocabulary/known-names.ts';

export type {
  FileSpan,
  Invocation,
  InvocationContext,
  InvocationSource,
  MemoryItem,
  SkillPackage,
  ToolDescriptor,
} from '../skill/package.ts';
export type { ErrorKind } from '../vocabulary/known-names.ts';

/** The capabilities of the caller; `all` for an unknown caller. The composer never widens the capabilities. */
export interface CapabilitySet {
  /** The profile's name, for messages. */
  readonly caller: string | undefined;
  readonly scopes: readonly string[] | 'all';
  readonly tools: readonly string[] | 'all';
}

export interface Limits {
  /** The maximum number of examples in the prompt. */
  readonly examples: number;
  /** The maximum number of tokens in the prompt; otherwise undefined. */
  readonly contextTokens: number | undefined;
  /** An upper bound for the exit condition's limit on tool calls; undefined to keep the contract's limit. */
  readonly maxToolCalls: number | undefined;
}

export interface ComposeRequest {
  readonly skillPackage: SkillPackage;
  /** The user's text, or the prompt of a scheduled task, unchanged. */
  readonly userRequest: string;
  readonly invocationSource: InvocationSource;
  /** Undefined means workspace scope. */
  readonly channelId: string | undefined;
  /** The thread of the caller's turn; undefined if there is no thread, as in a preview. */
  readonly threadId: string | undefined;
  readonly memoryContext: readonly MemoryItem[];
  /** The tool surface, already limited to the tools that the caller may use. */
  readonly availableTools: readonly ToolDescriptor[];
  readonly callerCapabilities: CapabilitySet;
  readonly parameters: Readonly<Record<string, Json>>;
  /** The names of the parameters that are not in `parameters`, because their values have too many levels. */
  readonly tooDeep?: readonly string[];
  /** True if missing parameters are generated (docs/composer.md, "Generated values"). */
  readonly makesUp: boolean;
  /** The names of the parameters whose values were generated. */
  readonly madeUp: readonly string[];
  readonly model: string | undefined;
  /** The model for which template variants are chosen, then its family in the catalog. */
  readonly modelNames: readonly string[];
  readonly limits: Limits;
  /** The IDs of artifacts to leave out without replacement, for example those that a budget error suggests. */
  readonly without: readonly string[];
  /** True if a test of an undefined value fails, as the catalog says (docs/templates.md, "Undefined values"). */
  readonly strictTemplates?: true;
  /**
   * The location of the invocation in a file. If the location is undefined, errors in the invocation are shown at the
   * contract.
   */
  readonly places: InvocationPlaces | undefined;
}

export interface ComposeError extends FileSpan {
  readonly kind: ErrorKind;
  /** A sentence that describes the fault. */
  readonly message: string;
  /** A sentence that describes the fix. */
  readonly suggestion: string;
  /** The key, parameter, tool or artifact that the error is about. */
  readonly subject: string;
  /**
   * For `ArtifactBudgetExceeded`: the IDs of the artifacts to leave out, and the number of tokens in the prompt without
   * these artifacts.
   */
  readonly trimming?: { readonly without: readonly string[]; readonly tokens: number };
}

/** The block of the prompt that a segment belongs to. */
export type PromptPart = 'framing' | 'context' | 'examples' | 'request';

/**
 * A part `[start, end)` of the prompt, in UTF-16 code units. The segments cover the prompt without gaps or overlaps.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly part: PromptPart;
  /**
   * `authored`: copied from the file; `value`: printed by an expression, or passed by the invocation; `madeUp`: a
   * `value` that was made up; `fixed`: headings and spacing that the composer adds; `gap`: the source of a failing
   * expression, in a prompt that does not compose.
   */
  readonly kind: 'authored' | 'value' | 'madeUp' | 'fixed' | 'gap';
  /** The location of the text; undefined for text that is not in a file. */
  readonly source: FileSpan | undefined;
  /** The ID of the artifact that the text is from. */
  readonly artifact: string | undefined;
  /** The number of tokens that begin in the segment. */
  readonly tokens: number;
}

export interface ArtifactRef {
  /** The ID of the skill that contains the artifact: the requested skill, or one that it composes. */
  readonly skill: string;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The version of the skill. Artifacts themselves have no version. */
  readonly version: string;
  /** The digest of the artifact's text in the file. */
  readonly digest: string;
}

/** A skill file that was read. */
export interface SkillRef {
  readonly id: string;
  readonly version: string;
  readonly digest: string;
}

/** The decision on whether the composition uses an artifact, a tool or another item, with the reason. */
export interface Decision extends FileSpan {
  /** `prose` is text in the body that the composition does not use; `span` is the span of this text. */
  readonly subject: 'artifact' | 'prose' | 'tool' | 'interrupt' | 'approach' | 'skill';
  readonly name: string;
  /** The ID of the artifact that the decision is about, or that contains the prose. */
  readonly artifact: string | undefined;
  readonly taken: boolean;
  /** A clause without a period, for example `it has no tags, so it fits every request`. */
  readonly reason: string;
}

export type NodeKind =
  | 'validate_input'
  | 'plan'
  | 'call_tools'
  | 'check_exit'
  /** A composed skill; `subgraph` is the graph of this skill. */
  | 'skill'
  /** A call to the backing service. In a contract, this call replaces the loop. */
  | 'call_service'
  /** The start of nodes that run in parallel; `join` waits for all these nodes. */
  | 'parallel'
  | 'join'
  /** Continues along the first edge whose condition holds, else along the edge without a condition. */
  | 'branch'
  /**
   * The start of nodes that run in parallel, as for `parallel`. The `cancel` edges of the node `until` lead to nodes
   * that may no longer be needed when `until` ends.
   */
  | 'speculate';

export interface GraphNode extends FileSpan {
  /** Letters, digits and `_`; unique in the graph. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
  /**
   * For `validate_input`: the JSON Schema of the input, which is validated after its defaults are filled in. For
   * `check_exit`: the JSON Schema of the output, which is validated if it is the exit condition.
   */
  readonly schema?: Json;
  /** The stage of the approach; `index` is counted from 1. */
  readonly stage?: { readonly index: number; readonly name: string };
  /**
   * For `plan`: the introduction of the approach if this is the first stage, then the text of the stage. For
   * `check_exit`: the closing text.
   */
  readonly instructions?: string;
  /** For `plan`: the text of an approach without stages. */
  readonly guidance?: string;
  /** For `call_tools`: the names of the tools that may be called here, a subset of `toolAvailability`. */
  readonly tools?: readonly string[];
  /** For `call_tools`: JSON Schema fragments that narrow the input of a tool, by tool name. */
  readonly constraints?: Readonly<Record<string, Json>>;
  /** For `skill`: `name` is the name of the skill; `step` is the name by which steps refer to it. */
  readonly skill?: {
    readonly name: string;
    readonly step: string;
    readonly version: string | undefined;
    readonly inputMapping: Readonly<Record<string, string>>;
    readonly outputMapping: Readonly<Record<string, string>>;
    readonly inputs: Json | undefined;
  };
  readonly subgraph?: Subgraph;
  /** For `call_service`: the service, and the limits of its calls. */
  readonly service?: PackageService;
  /** For `parallel` and `speculate`: the ID of the `join` node, to which every node of the group leads. */
  readonly join?: string;
  /** For `speculate`: the ID of the node that decides which other nodes are cancelled. */
  readonly until?: string;
  /** If undefined, a failure ends the run. */
  readonly retry?: Retry;
  readonly timeoutMs?: number;
  /** The names of the interrupts that fire at this node. */
  readonly interrupts: readonly string[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /**
   * `loop` leads back to `plan`. `branch` has a condition, or is followed if no condition holds. `cancel` is not
   * followed: when `from` has ended, `to` is cancelled and its results are dropped, unless the condition in `unless`
   * holds.
   */
  readonly kind: 'next' | 'loop' | 'branch' | 'cancel';
  /** An expression that reads `input` and the outputs of steps, as in the source. */
  readonly condition?: string;
  /** For `cancel`: the `keep_when` of the step, as in the source. */
  readonly unless?: string;
  readonly label?: string;
  /** For `branch`: the inputs that are known before the run rule this edge out. */
  readonly untaken?: true;
}

/** An interrupt with the node that fires it. Several nodes can fire interrupts with the same name. */
export interface SubgraphInterrupt extends FileSpan {
  readonly name: string;
  readonly node: string;
  readonly when?: string;
  readonly message?: string;
  /** For `before_write`: the tools whose calls fire the interrupt. */
  readonly tools?: readonly string[];
}

export type ExitCondition =
  | { readonly on: 'output_schema'; readonly schema: Json; readonly maxToolCalls?: number }
  | { readonly on: 'tool_budget'; readonly maxToolCalls: number }
  | { readonly on: 'interrupt'; readonly name: string; readonly maxToolCalls?: number }
  | { readonly on: 'caller'; readonly maxToolCalls?: number };

/** A declared error of a graph. */
export interface GraphError {
  readonly code: string;
  /** `never`: a failure with this code is not retried; `once`: it is retried once. */
  readonly retry?: string;
  /** Replaces the result of a run that fails with this code, after its retries. */
  readonly fallback?: GraphFallback;
}

export type GraphFallback =
  | { readonly value: Json }
  /** A value with references such as `$input.x`. */
  | { readonly mapping: Json }
  /** A skill that runs with the inputs of the failed one. Without a `subgraph`, it cannot be run. */
  | {
      readonly skill: { readonly name: string; readonly version: string | undefined };
      readonly subgraph?: Subgraph;
    };

/** A graph that a runtime can run, which begins at its only `validate_input` node and ends after `check_exit`. */
export interface Subgraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly toolAvailability: readonly string[];
  readonly interrupts: readonly SubgraphInterrupt[];
  /** The errors that a caller of the graph may see; undefined if the skill declares none. */
  readonly errors?: readonly GraphError[];
  /** If the budget for tool calls is used up, a `plan` that needs another call continues at `check_exit`. */
  readonly exitCondition: ExitCondition;
  /** True if the skill lets a model choose the graph, so that this graph is the default loop. */
  readonly delegated: boolean;
}

export interface InvocationRecord {
  readonly skillId: string;
  readonly skillVersion: string;
  /** The skill, then all skills of its closure, each once. */
  readonly skills: readonly SkillRef[];
  readonly invocationSource: InvocationSource;
  readonly threadId: string | null;
  readonly channelId: string | null;
  readonly usedArtifacts: readonly ArtifactRef[];
  readonly expectedToolCalls: readonly string[];
  readonly declaredInterrupts: readonly string[];
  readonly succeeded: boolean;
  readonly error: ErrorKind | null;
}

/** A check of the output, as declared in an artifact (docs/format.md, section 5). */
export interface Assertion extends FileSpan {
  /** The ID of the artifact that declares the check. */
  readonly artifact: string;
  readonly assertion: Json;
  /** True if `check` reports an error or a warning in it. Such an assertion is not checked. */
  readonly isInvalid?: true;
}

export interface Composition {
  readonly prompt: string;
  readonly segments: readonly Segment[];
  readonly subgraph: Subgraph;
  readonly usedArtifacts: readonly ArtifactRef[];
  /** The likely sequence of calls, also of composed skills, which is not enforced. */
  readonly expectedToolCalls: readonly string[];
  /** The interrupts that the subgraph may fire, also of composed skills. */
  readonly declaredInterrupts: readonly string[];
  readonly exitCondition: ExitCondition;
  /** A list, in order of preference, if the skill names several models. */
  readonly modelPreference: string | readonly string[] | null;
  /** The contract's key `progress`: the progress that the skill reports during a run. */
  readonly progress: Json;
  /** The checks of the output that the used artifacts declare. */
  readonly assertions: readonly Assertion[];
  readonly decisions: readonly Decision[];
  /** The IDs of the memory items that the prompt depends on. */
  readonly memoryDependencies: readonly string[];
  readonly tokens: { readonly tokenizer: string; readonly total: number; readonly budget: number | null };
  /** The template engine that rendered the prompt. */
  readonly engine: { readonly name: string; readonly version: string };
  readonly invocationRecord: InvocationRecord;
}

/** The parts of a prompt that can be shown for a skill that does not compose. */
export type PartialPrompt = Pick<Composition, 'prompt' | 'segments' | 'tokens'>;

export type ComposeResult =
  | { readonly ok: true; readonly composition: Composition }
  | {
      readonly ok: false;
      readonly errors: readonly ComposeError[];
      /**
       * The part of the prompt that can be shown, which may be empty, and has no framing if no framing can be chosen.
       */
      readonly partial: PartialPrompt;
      readonly decisions: readonly Decision[];
      readonly invocationRecord: InvocationRecord;
    };
