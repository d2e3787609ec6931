/** The replies for the preview: a composition, the samples, and a saved sample. */
import type { ComposeResult, Invocation } from '../composer/composition.ts';
import type { Gate } from '../composer/prepare.ts';
import type { Range } from '../text.ts';
import type { Call } from './clients-view.ts';
import type { OnWire } from './tests.ts';

/** `null` where the file is no skill, or a newer request came. */
export interface ComposeReply {
  readonly uri: string;
  /** The version of the buffer that was composed; null for a file that is not open. */
  readonly version: number | null;
  readonly name: string;
  readonly skillVersion: string;
  readonly result: OnWire<ComposeResult>;
  /** Why the planner would not dispatch the invocation. */
  readonly gates: readonly OnWire<Gate>[];
  /** The invocation as it was composed, defaults filled in. */
  readonly invocation: Invocation;
  /** The names of the parameters in it that were made up, which they are where no sample is given. */
  readonly madeUp: readonly string[];
  /** How long composing took in the worker. */
  readonly milliseconds: number;
  /** False where no catalog says which tools there are, so that every declared one counted as available. */
  readonly toolsKnown: boolean;
  /** Of a `SKILL.md` that takes arguments or has commands: how it is called. */
  readonly call?: Call;
}

export interface NamedInvocation {
  readonly name: string;
  readonly range: Range;
  readonly invocation: Invocation;
}

/** `null` where the file is no skill. */
export interface SamplesReply {
  readonly uri: string;
  readonly name: string;
  readonly samples: readonly NamedInvocation[];
  /** The inputs of the skill's examples that are data. */
  readonly examples: readonly NamedInvocation[];
  /** The parameters as JSON Schema, for a form; undefined where the schema is missing or wrong. */
  readonly schema: unknown;
  readonly profiles: readonly string[];
  /** Those of the catalog, then those that only the skill names. */
  readonly models: readonly string[];
}

export type SaveSampleReply =
  | { readonly version: number | null; readonly edits: readonly { readonly range: Range; readonly newText: string }[] }
  | { readonly problem: string };
