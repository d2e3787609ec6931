/** Findings: what is wrong at a place, and the edits that fix it. */
import type { Span, TextEdit } from './text.ts';

export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** A place in any file, and what it has to do with the finding. */
export interface RelatedPlace {
  readonly uri: string;
  readonly span: Span;
  readonly message: string;
}

/** Edits to one file; `uri` is the file's, which need not be the one with the finding. */
export interface FileEdits {
  readonly uri: string;
  readonly edits: readonly TextEdit[];
}

/**
 * One way to solve a finding. A `safe` fix cannot change what the author meant: `check --fix` and
 * `source.fixAll` apply it unasked. The first fix of a finding is the preferred one.
 */
export interface Fix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly FileEdits[];
  /** The name of a skill that hosts which can make files make. */
  readonly creates?: string;
  /** A file beside the skill that the same hosts make. */
  readonly createsFile?: { readonly uri: string; readonly text: string };
}

/** A finding that is the same defect as one of other rules at its place, which then tells of both. */
export interface Join {
  readonly rules: readonly string[];
  /** The sentence that the other finding's message goes on with. */
  readonly told: string;
}

/** How much of a defect there is, so that a baseline can let it fall and not rise. `of` names what is counted: `tokens`. */
export interface Measure {
  readonly of: string;
  readonly amount: number;
}

/** One defect at one place. */
export interface Finding {
  readonly rule: string;
  /** The rule's number where it has one (`E010`), else its name; editors show the name. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, why, and what to do. Plain text; code in backticks. */
  readonly message: string;
  readonly span: Span;
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
  /** Shown struck through or faded where the editor can. */
  readonly tag?: 'unnecessary' | 'deprecated';
  readonly joins?: Join;
  /** Its message also tells of another finding, which no editor makes by itself. */
  readonly hasJoined?: true;
  readonly measure?: Measure;
  /** A baseline knows it. */
  readonly isKnown?: true;
}

/** What a rule yields: a finding without its rule, code and severity. */
export interface Draft {
  readonly span: Span;
  readonly message: string;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: readonly Fix[];
  readonly tag?: Finding['tag'];
  readonly joins?: Join;
  readonly measure?: Measure;
  /** Only where one case of the rule has another severity than the rule's own. */
  readonly severity?: Severity;
}
