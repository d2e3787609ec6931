/** What a test found (docs/testing.md). */
import type { Span } from '../text.ts';

export type TestKind = 'composes' | 'prompt' | 'snapshot' | 'example' | 'routing' | 'output' | 'evals';

export type TestStatus = 'passed' | 'failed' | 'warned' | 'skipped';

export interface TestResult {
  readonly kind: TestKind;
  /** Unique among the results of its kind in a file. */
  readonly name: string;
  /** The sample, example or case that it holds; undefined where it is about the whole file. */
  readonly of?: string;
  readonly status: TestStatus;
  /** Why it did not pass, as a sentence. */
  readonly message?: string;
  /** What a model may be asked in place of skipping it, and the status where its answer is no. */
  readonly question?: { readonly text: string; readonly otherwise: 'failed' | 'warned' };
  /** Both sides of a comparison, as texts. */
  readonly expected?: string;
  readonly actual?: string;
  /** The two are texts of one kind, so that their difference tells something. */
  readonly comparable?: true;
  /** Where the test is written. */
  readonly span: Span;
  /** What in a skill decided. */
  readonly source?: { readonly uri: string; readonly span: Span };
}

/** The place that decided is named where it is another than that of the test, in the file with this URI. */
export function withoutOwnPlace(result: TestResult, uri: string): TestResult {
  const { source, span, ...rest } = result;
  const isOwn = source?.uri === uri && source.span.start === span.start && source.span.end === span.end;
  return isOwn ? { ...rest, span } : result;
}
