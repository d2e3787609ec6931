/** What a rule is: one kind of defect, found by a function of one file and the analysis. */
import type { Analysis } from '../analysis/analysis.ts';
import type { Draft, FileEdits, Fix, Severity } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { TextEdit } from '../text.ts';
import type { Dialect } from '../vocabulary/dialect.ts';

/** What stands behind a rule. A heuristic is a hint or off: it may be wrong. */
export type Evidence =
  | { readonly kind: 'spec'; readonly source: string }
  | { readonly kind: 'vendor'; readonly source: string; readonly checked: string }
  | { readonly kind: 'heuristic'; readonly source: string };

export interface Rule {
  /** Also the file's name and the page's: `rules/NAME.ts`, `docs/rules/NAME.md`. */
  readonly name: string;
  /** A number such as `E010` where the rule has one, else the name. */
  readonly code: string;
  readonly severity: Severity | 'off';
  readonly evidence: Evidence;
  readonly dialects: readonly Dialect[];
  /** True for a rule that judges what stays readable beside a frontmatter that does not parse. */
  readonly readsBroken?: boolean;
  /** False while what the rule reports is not known yet, so that no comment can be called unused. */
  isJudged?(file: SkillFile, analysis: Analysis): boolean;
  /**
   * What the rule reads is observed: while that stands, so does what it found. `table` holds all rules, for the few that
   * judge the names of rules.
   */
  check(file: SkillFile, analysis: Analysis, table: readonly Rule[]): Iterable<Draft>;
}

/** The dialects that this project's own format has. */
export const SKILLS: readonly Dialect[] = ['composer', 'contract'];

/** A fix within the document itself. */
export const fixHere = (file: SkillFile, title: string, edits: readonly TextEdit[], safe = false): Fix => ({
  title,
  safe,
  edits: [{ uri: file.uri, edits }],
});

/** A fix in other files, or in several. */
export const fixIn = (title: string, edits: readonly FileEdits[], safe = false): Fix => ({ title, safe, edits });
