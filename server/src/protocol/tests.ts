/** The replies about the tests of a skill and their results (docs/testing-vscode.md). */
import type { TestResult } from '../testing/result.ts';
import type { Range } from '../text.ts';
import type { ChoiceReply } from './chosen.ts';
import type { Stub } from './run.ts';
import type { OnWire } from './shapes.ts';

/**
 * A sample, an example with an output, a request that must or must not select the skill, or a case in the skill's
 * `evals/`.
 */
export interface TestCase {
  readonly kind: 'sample' | 'example' | 'routing' | 'evals';
  readonly name: string;
  /** The skill, or a file in its `evals/`. */
  readonly uri: string;
  readonly range: Range;
  /** The assertions that only a model can check, with the names of their results. */
  readonly semantic: readonly { readonly name: string; readonly range: Range }[];
}

/** `null` if the file is not a skill. */
export interface TestsReply {
  readonly uri: string;
  readonly name: string;
  /** The range of the skill's name, or the start of the file if the skill has no name. */
  readonly range: Range;
  /**
   * Null if the frontmatter does not parse, for example while the author is typing. In this case, the client keeps the
   * earlier tests.
   */
  readonly tests: readonly TestCase[] | null;
}

/** The key of a run. The key includes the kind, because a sample and a case in `evals/` may have the same name. */
export interface RunKey {
  readonly kind: 'sample' | 'evals';
  readonly sample: string;
}

interface PlacedResult extends TestResult {
  readonly uri: string;
}

/** `null` if the file is not a skill. */
export interface RunTestsReply extends TestsReply {
  /** If `tests` is null, the reason why no test can be run, as one failed result. Null if a newer run replaces this one. */
  readonly results: readonly OnWire<PlacedResult>[] | null;
  /**
   * The files that record the given outputs. The client writes the file `uri` only if the file `other` does not exist.
   * The server writes nothing.
   */
  readonly outputs: readonly { readonly uri: string; readonly other: string; readonly text: string }[];
}

/** A tool that a composition makes available. The stub answers a call; without its result, the tool is called. */
export interface ModelTool {
  readonly name: string;
  readonly description: string | null;
  /** JSON Schema; null if unknown. */
  readonly inputSchema: unknown;
  readonly stub: Omit<Stub, 'name'> | null;
}

/** The prompt and the tools that a model gets for a sample. */
export interface ModelRun extends RunKey {
  readonly prompt: string;
  readonly tokens: number;
  /** The model that the sample names. */
  readonly model: string | null;
  readonly tools: readonly ModelTool[];
}

/** `null` if the file is not a skill. */
export interface ModelRunsReply {
  readonly uri: string;
  readonly runs: readonly ModelRun[];
  /** The number of assertions that only a model can check. */
  readonly questions: number;
  /** The routing cases of a `SKILL.md` that its first target client lists; null for another file. */
  readonly routing: RoutingRuns | null;
}

/** The routing cases as questions for a model: `choice` has one question for each case, in the same order. */
export interface RoutingRuns {
  readonly choice: ChoiceReply;
  /** The name of each case, and whether its request must choose the skill. */
  readonly cases: readonly { readonly name: string; readonly should: boolean }[];
}

export type KeepPromptReply =
  | {
      readonly version: number | null;
      /** The edits to the skill; none if the skill already contains the assertion. */
      readonly edits: readonly { readonly range: Range; readonly newText: string }[];
      /** The file to write; null if no file is needed or the file is up to date. */
      readonly kept: { readonly uri: string; readonly text: string } | null;
    }
  | { readonly problem: string };
