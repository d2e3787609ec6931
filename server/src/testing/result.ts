/** The result of a test (docs/testing.md). */
import type { Span } from '../text.ts';

export type TestKind = 'composes' | 'prompt' | 'snapshot' | 'example' | 'routing' | 'output' | 'path' | 'evals';

export type TestStatus = 'passed' | 'failed' | 'warned' | 'skipped';

export interface TestResult {
  readonly kind: TestKind;
  /** Unique among the results of its kind in a file. */
  readonly name: string;
  /** The name of the sample, example or case; undefined for a test of the whole file. */
  readonly of?: string;
  readonly status: TestStatus;
  /** True if the test was not run, because a part of it cannot be read. */
  readonly isNotRun?: true;
  /** True for a result that concerns tests with any name, so that every filter selects it. */
  readonly isOfFile?: true;
  /** The reason why the test did not pass, as a sentence. */
  readonly message?: string;
  /** The question for a model, and the status of the test if the model does not give the expected answer. */
  readonly question?: { readonly text: string; readonly otherwise: 'failed' | 'warned' };
  /** The two strings of a comparison. */
  readonly expected?: string;
  readonly actual?: string;
  /** True if `expected` and `actual` are strings of the same kind, so that a diff is useful. */
  readonly comparable?: true;
  /** The span of the test in its file. */
  readonly span: Span;
  /** The location that caused the result. */
  readonly source?: { readonly uri: string; readonly span: Span };
}

/** Removes `source` if it is the location of the test itself, in the file with this URI. */
export function withoutOwnSource(result: TestResult, uri: string): TestResult {
  const { source, span, ...rest } = result;
  const isOwn = source?.uri === uri && source.span.start === span.start && source.span.end === span.end;
  return isOwn ? { ...rest, span } : result;
}

/** Makes the names unique, because the outputs and answers from a model are found by name. */
export function numbered(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let nth = 2; taken.has(own); nth++) own = `${name} (${nth})`;
    taken.add(own);
    return own;
  });
}
