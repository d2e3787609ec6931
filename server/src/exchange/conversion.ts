import type { Span } from '../text.ts';

export const TARGETS = ['skill-md', 'record', 'agent-skill', 'package'] as const;

export type Target = (typeof TARGETS)[number];

export interface OutputFile {
  /** Below the folder that is written to, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The first file is the result; the others belong to it. */
export interface Converted {
  readonly files: readonly OutputFile[];
  readonly lost: readonly Lost[];
  /** The folder beside the source whose files go along as they are, and where they go. */
  readonly along?: { readonly from: string; readonly to: string };
}

/** Why nothing can be made of the source, at its place. */
export interface ConversionProblem {
  readonly problem: string;
  readonly span?: Span;
}

export type Conversion = Converted | ConversionProblem;

/** What a conversion leaves behind, or changes, with its place in the source. */
export interface Lost {
  readonly what: string;
  readonly span: Span;
  readonly why: string;
}

export const NOWHERE: Span = { start: 0, end: 0 };
