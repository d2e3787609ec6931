/** What the composer takes and gives (docs/composer.md, "Request and result"). All of it is plain data. */

import type { Json } from '../languages/yaml/node.ts';
import type {
  FileSpan,
  InvocationPlaces,
  InvocationSource,
  Retry,
  SkillPackage,
  ToolDescriptor,
} from '../skill/package.ts';

export type {
  FileSpan,
  Invocation,
  InvocationContext,
  InvocationSource,
  SkillPackage,
  ToolDescriptor,
} from '../skill/package.ts';

/** What the caller holds; `all` where nothing is known of the caller. The composer reads it and never widens it. */
export interface CapabilitySet {
  /** The profile's name, for messages. */
  readonly caller: string | undefined;
  readonly scopes: readonly string[] | 'all';
  readonly tools: readonly string[] | 'all';
}

export interface MemoryItem {
  readonly id: string;
  readonly tier: string;
  readonly text: string;
}

export interface Limits {
  /** How many examples the prompt takes. */
  readonly examples: number;
  /** How many tokens the prompt may have; undefined where there is no limit. */
  readonly contextTokens: number | undefined;
  /** Bounds the exit condition; undefined leaves the contract's own. */
  readonly maxToolCalls: number | undefined;
}

export interface ComposeRequest {
  readonly skillPackage: SkillPackage;
  /** The user's words, or a scheduled task's prompt, verbatim. */
  readonly userRequest: string;
  readonly invocationSource: InvocationSource;
  /** Undefined means workspace scope. */
  readonly channelId: string | undefined;
  /** The thread of the caller's turn; undefined where the caller has none, as in a preview. */
  readonly threadId: string | undefined;
  readonly memoryContext: readonly MemoryItem[];
  /** The tool surface, already intersected with what the caller holds. */
  readonly availableTools: readonly ToolDescriptor[];
  readonly callerCapabilities: CapabilitySet;
  readonly parameters: Readonly<Record<string, Json>>;
  /** The names of those parameters that nobody gave (docs/composer.md, "Made-up values"): no error is theirs. */
  readonly madeUp: readonly string[];
  /** The model variant that templates are chosen for. */
  readonly model: string | undefined;
  readonly limits: Limits;
  /** Ids of artifacts to leave out, as a suggested trimming names them. No others take their places. */
  readonly without: readonly string[];
  /** Where a file has the invocation; undefined shows its errors at the contract. */
  readonly places: InvocationPlaces | undefined;
}

export type ErrorKind =
  | 'MissingRequiredField'
  | 'MalformedTemplate'
  | 'UnknownTool'
  | 'ParameterMismatch'
  | 'ArtifactBudgetExceeded'
  | 'CapabilityNarrowing';

export interface ComposeError extends FileSpan {
  readonly kind: ErrorKind;
  /** What is wrong and why. */
  readonly message: string;
  /** How to correct it. */
  readonly suggestion: string;
  /** The key, parameter, tool or artifact that the error is about. */
  readonly subject: string;
  /** For `ArtifactBudgetExceeded`: the ids to leave out, and the tokens that the prompt has then. */
  readonly trimming?: { readonly without: readonly string[]; readonly tokens: number };
}

/** Which block of the prompt a segment belongs to. */
export type PromptPart = 'framing' | 'context' | 'examples' | 'request';

/** A stretch `[start, end)` of the prompt in UTF-16 units. Segments tile the prompt. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly part: PromptPart;
  /**
   * `authored`: copied from the file; `value`: printed by an expression, or given by the invocation; `madeUp`: the same with
   * a value that nobody gave; `fixed`: the composer's own headings and spacing; `gap`: the source of what failed, in a
   * prompt that does not compose.
   */
  readonly kind: 'authored' | 'value' | 'madeUp' | 'fixed' | 'gap';
  /** Where it came from; undefined for what no file has. */
  readonly source: FileSpan | undefined;
  /** The artifact that it came from. */
  readonly artifact: string | undefined;
  /** The tokens that begin in it. */
  readonly tokens: number;
}

export interface ArtifactRef {
  /** The id of the skill that has it: of the one that is composed, or of one that it composes. */
  readonly skill: string;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** The skill's version: artifacts have none of their own. */
  readonly version: string;
  /** Of its stretch of the skill's file. */
  readonly digest: string;
}

/** A skill's file that was read. */
export interface SkillRef {
  readonly id: string;
  readonly version: string;
  readonly digest: string;
}

/** Why something that was considered was taken or not. */
export interface Decision extends FileSpan {
  /** `prose` is text of the body that goes nowhere; its `span` is the text. */
  readonly subject: 'artifact' | 'prose' | 'tool' | 'interrupt' | 'approach' | 'skill';
  readonly name: string;
  /** The id of the artifact that it is about, or in which the prose stands. */
  readonly artifact: string | undefined;
  readonly taken: boolean;
  /** In plain words, without a full stop: `it has no tags, so it fits every request`. */
  readonly reason: string;
}

export type NodeKind =
  | 'validate_input'
  | 'plan'
  | 'call_tools'
  | 'check_exit'
  /** A composed skill; `subgraph` is its own shape. */
  | 'skill'
  /** The call of a backing service, which a contract has instead of a loop. */
  | 'call_service'
  /** Where several nodes begin side by side, and where all of them must have ended. */
  | 'parallel'
  | 'join'
  /** Goes on along the first edge whose condition holds, else along the one without. */
  | 'branch'
  /** As `parallel`; `until` is among what begins here, and edges from it cancel what is no longer needed. */
  | 'speculate';

export interface GraphNode extends FileSpan {
  /** Unique in its shape: letters, digits and `_`. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
  /** For `validate_input`: validates the input, once its defaults are filled in. */
  readonly schema?: Json;
  /** Of a staged loop, counted from 1. */
  readonly stage?: { readonly index: number; readonly name: string };
  /** For `plan`: the stage's own text, behind what the approach says before its stages; for `check_exit` what it says after. */
  readonly instructions?: string;
  /** For `plan`: the prose of an approach without stages. */
  readonly guidance?: string;
  /** For `call_tools`: what may be called here, within the shape's availability. */
  readonly tools?: readonly string[];
  /** For `call_tools`: JSON Schema fragments that narrow the input of tools that may be called here, by the tool's name. */
  readonly constraints?: Readonly<Record<string, Json>>;
  /** For `skill`. `skill` is its name, `step` what steps call it. */
  readonly skill?: {
    readonly name: string;
    readonly step: string;
    readonly version: string | undefined;
    readonly inputMapping: Readonly<Record<string, string>>;
    readonly outputMapping: Readonly<Record<string, string>>;
    readonly inputs: Json | undefined;
  };
  readonly subgraph?: Subgraph;
  /** For `parallel` and `speculate`: the node where the group comes together, once for each that began in it. */
  readonly join?: string;
  /** For `speculate`: the node that decides. */
  readonly until?: string;
  /** Undefined: a failure ends the whole. */
  readonly retry?: Retry;
  readonly timeoutMs?: number;
  /** The names of the interrupts that fire here. */
  readonly interrupts: readonly string[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /**
   * `loop` leads back to `plan`; `branch` has a condition, or is taken where no condition holds. `cancel` leads nowhere:
   * when `from` has ended, what `to` does is cancelled and what it did is dropped, unless `unless` holds.
   */
  readonly kind: 'next' | 'loop' | 'branch' | 'cancel';
  /** An expression over `input` and the steps' outputs, as written. */
  readonly condition?: string;
  /** For `cancel`: the `keep_when` of the step, as written. */
  readonly unless?: string;
  readonly label?: string;
}

/** An interrupt at the node that fires it. One name may stand at several nodes. */
export interface SubgraphInterrupt extends FileSpan {
  readonly name: string;
  readonly node: string;
  readonly when?: string;
  readonly message?: string;
  /** For `before_write`: the tools that it fires for. */
  readonly tools?: readonly string[];
}

export type ExitCondition =
  | { readonly on: 'output_schema'; readonly schema: Json; readonly maxToolCalls?: number }
  | { readonly on: 'tool_budget'; readonly maxToolCalls: number }
  | { readonly on: 'interrupt'; readonly name: string; readonly maxToolCalls?: number }
  | { readonly on: 'caller'; readonly maxToolCalls?: number };

/** What the main graph can run. It begins at the one node of kind `validate_input` and ends behind `check_exit`. */
export interface Subgraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly toolAvailability: readonly string[];
  readonly interrupts: readonly SubgraphInterrupt[];
  /** Once the budget of calls is used up, a `plan` that wants another goes on to `check_exit`, past all nodes between. */
  readonly exitCondition: ExitCondition;
  /** True where the skill lets a model choose the shape; this is the default loop then. */
  readonly delegated: boolean;
}

export interface InvocationRecord {
  readonly skillId: string;
  readonly skillVersion: string;
  /** The skill, and behind it all that it composes at any depth, each once. */
  readonly skills: readonly SkillRef[];
  readonly invocationSource: InvocationSource;
  readonly threadId: string | null;
  readonly channelId: string | null;
  readonly usedArtifacts: readonly ArtifactRef[];
  readonly expectedToolCalls: readonly string[];
  readonly succeeded: boolean;
  readonly error: ErrorKind | null;
}

/** A check on the output as its artifact declares it (docs/format.md, section 5). */
export interface Assertion extends FileSpan {
  /** The artifact's id. */
  readonly artifact: string;
  readonly assertion: Json;
}

export interface Composition {
  readonly prompt: string;
  readonly segments: readonly Segment[];
  readonly subgraph: Subgraph;
  readonly usedArtifacts: readonly ArtifactRef[];
  /** A hint at the sequence, not enforced. */
  readonly expectedToolCalls: readonly string[];
  readonly declaredInterrupts: readonly string[];
  readonly exitCondition: ExitCondition;
  /** A list where the skill names several, in order of preference. */
  readonly modelPreference: string | readonly string[] | null;
  /** What the skill reports while it runs, as the contract has it. */
  readonly progress: Json;
  /** Checks on the output, of the artifacts that were used. */
  readonly assertions: readonly Assertion[];
  readonly decisions: readonly Decision[];
  /** The ids of the memory items that the prompt depends on. */
  readonly memoryDependencies: readonly string[];
  readonly tokens: { readonly tokenizer: string; readonly total: number; readonly budget: number | null };
  /** What rendered the templates. */
  readonly engine: { readonly name: string; readonly version: string };
  readonly invocationRecord: InvocationRecord;
}

/** The prompt of a skill that does not compose, as far as it goes. */
export type PartialPrompt = Pick<Composition, 'prompt' | 'segments' | 'tokens'>;

export type ComposeResult =
  | { readonly ok: true; readonly composition: Composition }
  | {
      readonly ok: false;
      readonly errors: readonly ComposeError[];
      /** Without a framing that could be meant, only the other parts; empty where there are none. */
      readonly partial: PartialPrompt;
      readonly decisions: readonly Decision[];
      readonly invocationRecord: InvocationRecord;
    };
