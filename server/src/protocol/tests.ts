/** The tests of a skill, and what came of them: the params and replies (docs/testing-vscode.md). */
import type { TestResult } from '../testing/result.ts';
import type { Range } from '../text.ts';
import type { OnWire } from './on-wire.ts';

export interface TestsParams {
  readonly uri: string;
}

/** A sample, or an example with an output. */
export interface TestCase {
  readonly kind: 'sample' | 'example';
  readonly name: string;
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

export interface RunTestsParams extends TestsParams {
  /** Only these samples and examples, by their names. */
  readonly only?: readonly string[];
  /** Only tests whose name, or whose skill's name, has it. */
  readonly filter?: string;
  /** Every sample is held against a kept prompt, not those alone that say so. */
  readonly snapshots?: boolean;
}

interface PlacedResult extends TestResult {
  readonly uri: string;
}

/** `null` where the file is no skill. */
export interface RunTestsReply extends TestsReply {
  /** Null where `tests` is. */
  readonly results: readonly OnWire<PlacedResult>[] | null;
}

export interface KeepPromptParams extends TestsParams {
  readonly sample: string;
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

/** `should`: whether the request is to lead to the skill. The reply is a `KeepPromptReply`. */
export interface KeepRoutingCaseParams extends TestsParams {
  readonly request: string;
  readonly should: boolean;
}
