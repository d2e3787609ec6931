/** What a rule is: one kind of defect, judged by a function of the snapshot and one document. */
import type { Draft, FileEdits, Fix, Severity } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { TextEdit } from '../text.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';

/** What stands behind a rule. A heuristic is a hint or off: it may be wrong. */
export type Evidence =
  | { readonly kind: 'spec'; readonly source: string }
  | { readonly kind: 'vendor'; readonly source: string; readonly checked: string }
  | { readonly kind: 'heuristic'; readonly source: string };

export interface Rule {
  /** Also the file's name and the page's: `rules/NAME.ts`, `docs/rules/NAME.md`. */
  readonly name: string;
  /** The number in the composability specification where there is one, else the name. */
  readonly code: string;
  readonly severity: Severity | 'off';
  readonly evidence: Evidence;
  readonly dialects: readonly Dialect[];
  /** True for a rule that judges what stays readable beside a frontmatter that does not parse. */
  readonly readsBroken?: boolean;
  /**
   * True for a rule that looks at the frontmatter and at what the workspace knows, and at no body of any file. What it said
   * stands until one of those changes: of 70 rules half need not be asked again for a word typed in a body.
   */
  readonly readsHeadOnly?: boolean;
  /** False while what the rule reports is not known yet, so that no comment can be called unused. */
  isJudged?(index: WorkspaceIndex, document: SkillDocument): boolean;
  /** `table` holds all rules, for the few that judge the names of rules. */
  check(index: WorkspaceIndex, document: SkillDocument, table: readonly Rule[]): Iterable<Draft>;
}

/** The dialects that this project's own format has. */
export const SKILLS: readonly Dialect[] = ['composer', 'contract'];

/** A fix within the document itself. */
export const fixHere = (document: SkillDocument, title: string, edits: readonly TextEdit[], safe = false): Fix => ({
  title,
  safe,
  edits: [{ uri: document.uri, edits }],
});

/** A fix in other files, or in several. */
export const fixIn = (title: string, edits: readonly FileEdits[], safe = false): Fix => ({ title, safe, edits });
