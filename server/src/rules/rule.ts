/** What a rule is: one kind of defect, found by a function of one file and the analysis. */
import type { Analysis } from '../analysis/analysis.ts';
import type { Draft, FileEdits, Fix, RelatedPlace, Severity } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span, TextEdit } from '../text.ts';
import type { Dialect } from '../vocabulary/dialect.ts';

/** Why a rule says what it says. A heuristic may be wrong, so its severity is `hint` or `off`. */
export type Evidence =
  | { readonly kind: 'spec'; readonly source: string }
  | { readonly kind: 'vendor'; readonly source: string; readonly checked: string }
  | { readonly kind: 'heuristic'; readonly source: string };

export interface Rule {
  /** Also the name of its file and its page: `rules/NAME.ts`, `docs/rules/NAME.md`. */
  readonly name: string;
  /** Such as `E010`, where it has one. */
  readonly number?: string;
  readonly severity: Severity | 'off';
  readonly evidence: Evidence;
  readonly dialects: readonly Dialect[];
  /** How a skill composes others, which the composition graph counts; or whether its name is that of its file. */
  readonly about?: 'composition' | 'file-name';
  /** True for a rule that also runs where the frontmatter does not parse. */
  readonly readsBroken?: boolean;
  /** False where no comment can suppress its findings. */
  readonly isSuppressible?: false;
  /** What cannot be composed at the places of its findings; `sample-fails` does not report that again. */
  readonly prevents?: readonly Prevented[];
  /** The editors that check the same by themselves; see `editor-checks.ts`. */
  readonly checkedBy?: readonly string[];
  /** False while the facts that the rule needs are not known, so that no suppression of it is called unused. */
  isDecided?(file: SkillFile, analysis: Analysis): boolean;
  /**
   * Finds the defects of a file. It runs again when something changes that it read.
   * `table` holds all rules, for the few that check the names of rules.
   */
  check(file: SkillFile, analysis: Analysis, table: readonly Rule[]): Iterable<Draft>;
}

/**
 * `all-templates`: where there is one finding, no template of the file can be rendered; `every-prompt`: none is within the
 * budget.
 */
export type Prevented = 'template' | 'all-templates' | 'every-prompt';

/** The number of a rule, or its name where it has none. */
export const codeOf = ({ name, number }: Rule): string => number ?? name;

/** Whether a comment or a setting means the rule by this word. */
export const isCalled = (rule: Rule, word: string): boolean => rule.name === word || codeOf(rule) === word;

/** The dialects that this project's own format has. */
export const SKILLS: readonly Dialect[] = ['composer', 'contract'];

/** The fix within the file itself; none without an edit. */
export const fixHere = ({ uri }: SkillFile, title: string, edits: readonly TextEdit[], safe = false): Fix[] =>
  fixIn(title, [{ uri, edits }], safe);

/** The fix in other files, or in several; none where one of them has no edit. */
export const fixIn = (title: string, edits: readonly FileEdits[], safe = false): Fix[] =>
  edits.every((one) => one.edits.length > 0) ? [{ title, safe, edits }] : [];

/** Further places in the file itself. */
export const placesHere = (
  { uri }: SkillFile,
  places: readonly { readonly span: Span }[],
  message: string,
): RelatedPlace[] => places.map(({ span }) => ({ uri, span, message }));
