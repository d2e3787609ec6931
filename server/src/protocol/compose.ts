/** The replies for the preview: a composition, the samples, and a saved sample. */
import type { ComposeResult, Invocation } from '../composer/composition.ts';
import type { Gate } from '../composer/prepare.ts';
import type { Range, Span } from '../text.ts';
import type { Call } from './clients-view.ts';
import type { OnWire } from './shapes.ts';

/** The composition of a skill. */
export interface ComposeReply {
  readonly uri: string;
  /** The version of the buffer that was composed; null for a file that is not open. */
  readonly version: number | null;
  readonly name: string;
  readonly skillVersion: string;
  readonly result: OnWire<ComposeResult>;
  /** The reasons why the planner would not dispatch the invocation. */
  readonly gates: readonly OnWire<Gate>[];
  /** The tools of the skill and of its composed skills that exist, but that the caller may not use. */
  readonly denied: readonly string[];
  /** The invocation as it was composed, including defaults. */
  readonly invocation: Invocation;
  /** The names of the parameters that have generated values. Values are generated only if no sample is given. */
  readonly madeUp: readonly string[];
  /** The duration of composing in the worker. */
  readonly milliseconds: number;
  /** False if no catalog lists the tools. In this case, all declared tools count as available. */
  readonly toolsKnown: boolean;
  /** The invocation of a `SKILL.md` that has arguments or commands. */
  readonly call?: Call;
  /** The number of tokens of the prompt of a `SKILL.md`, as all views estimate it, because each client has its own tokenizer. */
  readonly estimate?: number;
  /** The expectations of the sample; undefined without a sample, and with values that differ from it. */
  readonly expected?: OnWire<CheckedExpectations>;
}

/** The expectations of a sample that need only its composition. */
export interface CheckedExpectations {
  readonly failed: readonly FailedExpectation[];
  /** True if the sample also expects something of a run or an output, which is not checked here. */
  readonly isPartial: boolean;
}

interface FailedExpectation {
  readonly message: string;
  /** True for an assertion whose failure is only a warning. */
  readonly isSoft: boolean;
  readonly uri: string;
  readonly span: Span;
}

export interface NamedInvocation {
  readonly name: string;
  readonly range: Range;
  readonly invocation: Invocation;
}

/** `null` if the file is not a skill. */
export interface SamplesReply {
  readonly uri: string;
  readonly name: string;
  readonly samples: readonly NamedInvocation[];
  /** The example inputs of the skill that are data. */
  readonly examples: readonly NamedInvocation[];
  /** The parameters as JSON Schema, for a form; undefined if the schema is missing or invalid. */
  readonly schema: unknown;
  readonly profiles: readonly string[];
  /** The models in the catalog, then the models that are named only in the skill. */
  readonly models: readonly string[];
}

export type SaveSampleReply =
  | { readonly version: number | null; readonly edits: readonly { readonly range: Range; readonly newText: string }[] }
  | { readonly problem: string };
