/** The tests of a skill, and what came of them: the replies (docs/testing-vscode.md). */
import type { TestResult } from '../testing/result.ts';
import type { Range, Span } from '../text.ts';

/** A sample, an example with an output, a request that is to lead to the skill or not, or a case of its evals. */
export interface TestCase {
  readonly kind: 'sample' | 'example' | 'routing' | 'evals';
  readonly name: string;
  /** The skill, or a file in its `evals/`. */
  readonly uri: string;
  readonly range: Range;
  /** The assertions that only a model can answer, by the names of their results. */
  readonly semantic: readonly { readonly name: string; readonly range: Range }[];
}

/** `null` where the file is no skill. */
export interface TestsReply {
  readonly uri: string;
  readonly name: string;
  /** Where the skill's name is written, else the beginning of the file. */
  readonly range: Range;
  /** Null where the frontmatter does not parse, as in the midst of typing: what was known before is the better guess. */
  readonly tests: readonly TestCase[] | null;
}

/** A sample and a case of `evals/` may go by one name. */
export interface RunKey {
  readonly kind: 'sample' | 'evals';
  readonly sample: string;
}

interface PlacedResult extends TestResult {
  readonly uri: string;
}

/** `null` where the file is no skill. */
export interface RunTestsReply extends TestsReply {
  /** Null where `tests` is. */
  readonly results: readonly OnWire<PlacedResult>[] | null;
  /** Where the given outputs are recorded; `other` must not be there then. Nothing is written. */
  readonly outputs: readonly { readonly uri: string; readonly other: string; readonly text: string }[];
}

/** A tool that a composition makes available; a stub answers in its place. */
export interface ModelTool {
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema; null where it is not known. */
  readonly inputSchema: unknown;
  readonly stub: { readonly returns: unknown } | null;
}

/** What a model is asked for a sample. */
export interface ModelRun extends RunKey {
  readonly prompt: string;
  readonly tokens: number;
  /** The model that the sample names. */
  readonly model: string | null;
  readonly tools: readonly ModelTool[];
}

/** `null` where the file is no skill. */
export interface ModelRunsReply {
  readonly uri: string;
  readonly runs: readonly ModelRun[];
  /** How many assertions only a model can answer. */
  readonly questions: number;
}

export type KeepPromptReply =
  | {
      readonly version: number | null;
      /** Those of the skill; none where it is written there. */
      readonly edits: readonly { readonly range: Range; readonly newText: string }[];
      /** The file to be written; null where there is none, or it is so already. */
      readonly kept: { readonly uri: string; readonly text: string } | null;
    }
  | { readonly problem: string };

/**
 * A value as it goes over the wire: every place `{uri, span}` in it becomes `{uri, range}`, in the position encoding that
 * was agreed upon.
 */
export type OnWire<T> = T extends { readonly uri: string; readonly span: Span }
  ? { readonly [Key in Exclude<keyof T, 'span'>]: OnWire<T[Key]> } & { readonly range: Range }
  : T extends readonly (infer Item)[]
    ? readonly OnWire<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: OnWire<T[Key]> }
      : T;
