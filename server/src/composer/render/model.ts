/** What rendering takes and gives; `render.ts` exports these types. */
import type { Json } from '../../languages/yaml/node.ts';
import type { Span } from '../../text.ts';

/** A template that may be rendered or included, under the name that `{% include %}` uses. */
export interface TemplateSource {
  readonly name: string;
  readonly uri: string;
  /** Its place in the file: `text` is the file's text there. */
  readonly span: Span;
  readonly text: string;
  /** The artifact's id, opaque here. */
  readonly artifact: string;
}

/** `main` is the name of one of `templates`; of several with one name the first counts. */
export interface RenderRequest {
  readonly main: string;
  readonly templates: readonly TemplateSource[];
  readonly context: Readonly<Record<string, Json>>;
  /** The names of parameters whose values were made up. */
  readonly madeUp?: readonly string[];
}

/**
 * A stretch `[start, end)` of the output, in UTF-16 units. `authored` is literal text of a template, `value` what an
 * expression printed, `madeUp` if it read a value that was made up. `span` is its node's place in the file.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: 'authored' | 'value' | 'madeUp';
  readonly uri: string;
  readonly span: Span;
  readonly artifact: string;
}

export type FailureReason =
  | 'syntax'
  | 'undefined'
  | 'unknown-filter'
  | 'unknown-test'
  | 'unknown-function'
  | 'missing-template'
  | 'invalid-operation'
  | 'fuel'
  | 'memory'
  | 'output'
  | 'panic'
  | 'recursion';

export interface RenderFailure {
  readonly reason: FailureReason;
  readonly message: string;
  readonly uri: string;
  readonly span: Span;
  /** The known name nearest to a misspelt one; the message does not have it. */
  readonly suggestion?: string;
}

/**
 * `read` are the artifacts of the main template and of all that it takes in, whether or not a run comes to them. The pieces tile the text. Not `exact`: they could not be told apart, and one piece stands for all.
 */
export type RenderResult = { readonly read: readonly ReadTemplate[] } & (
  | { readonly ok: true; readonly text: string; readonly pieces: readonly Piece[]; readonly exact: boolean }
  | { readonly ok: false; readonly failure: RenderFailure }
);

/** A template that was read; `by` is the name of the one that takes it in, undefined for the main one. */
export interface ReadTemplate {
  readonly artifact: string;
  readonly by: string | undefined;
}
