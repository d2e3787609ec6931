import type { Span } from '../text.ts';

export const TARGETS = ['skill-md', 'record', 'agent-skill', 'package'] as const;

export type ConversionTarget = (typeof TARGETS)[number];

export interface OutputFile {
  /** The path relative to the output folder, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The URI of the skill that the file is made from, if this is a composed skill. */
  readonly from?: string;
}

/** The result of a conversion: the first file is the skill, and the other files belong to this skill. */
export interface Converted {
  readonly files: readonly OutputFile[];
  readonly losses: readonly Loss[];
  /**
   * The folder of the source, and the output folder into which the other files in the source folder are copied
   * unchanged.
   */
  readonly copied?: { readonly from: string; readonly to: string };
  /** True if the result is the file from which a record was made, byte for byte. */
  readonly isRestored?: true;
  /** The files that the text links to, which are copied unchanged if they exist. */
  readonly linked?: readonly LinkedFile[];
  /** The files that the text links to, but that are not copied, for example because they are skills. */
  readonly uncopied?: readonly LinkedFile[];
  /** The skills that do not exist although the source composes them, so that the result has no pages for them. */
  readonly missing?: readonly MissingSkill[];
}

export interface MissingSkill {
  readonly name: string;
  /** The span of the entry in the source through which this skill is composed. */
  readonly span: Span;
}

export interface LinkedFile {
  /** The URI of the file. */
  readonly from: string;
  /** The path relative to the output folder, with `/`. */
  readonly path: string;
  /** The span of the first link in the source. */
  readonly span: Span;
}

/** The reason why the source cannot be converted, with its span in the source. */
export interface ConversionProblem {
  readonly problem: string;
  readonly span?: Span;
}

export type Conversion = Converted | ConversionProblem;

/** A part of the source that the conversion omits or changes, with its span in the source. */
export interface Loss {
  readonly what: string;
  readonly span: Span;
  readonly why: string;
  /** True if the content is kept, and only its meaning or a new value is worth knowing. */
  readonly isNote?: true;
}

export const NO_SPAN: Span = { start: 0, end: 0 };
