/** The type of rules. A rule finds one kind of defect in a file, from the file and the analysis. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Severity } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Dialect } from '../../vocabulary/dialect.ts';

/**
 * The source that justifies a rule. A rule whose source is a heuristic may be wrong, so its severity is `hint` or
 * `off`.
 */
export type Evidence =
  | { readonly kind: 'spec'; readonly source: string }
  | { readonly kind: 'vendor'; readonly source: string; readonly checked: string }
  | { readonly kind: 'heuristic'; readonly source: string };

export interface Rule {
  /** The name of the rule, of its file `rules/GROUP/NAME.ts` and of its page `docs/rules/NAME.md`. */
  readonly name: string;
  /** The number of the rule, such as `E010`. */
  readonly number?: string;
  readonly severity: Severity | 'off';
  readonly evidence: Evidence;
  readonly dialects: readonly Dialect[];
  /** The dialects in which the rule is off unless a catalog or a setting sets its severity. */
  readonly offIn?: readonly Dialect[];
  /**
   * `composition` for rules whose findings the composition graph counts; `release` for rules that compare the version
   * with the released text.
   */
  readonly about?: 'composition' | 'release';
  /** True if the rule also runs when the frontmatter does not parse. */
  readonly readsBroken?: boolean;
  /**
   * True if the rule reads only keys of its own frontmatter. If the frontmatter does not parse, the findings about keys that
   * are read for certain are kept (`certain-findings.ts`).
   */
  readonly readsCertainKeys?: true;
  /** False if comments cannot suppress the findings. */
  readonly isSuppressible?: false;
  /** The effects of a finding on composing. `sample-fails` does not report errors that these effects explain. */
  readonly prevents?: readonly FindingEffect[];
  /** True if a test in which the rule reports an error or a warning is not run (see `test-problems.ts`). */
  readonly readsTests?: true;
  /** True if findings with equal messages in many skills have one cause, unless a draft names its cause itself. */
  readonly hasSharedCauses?: true;
  /** True if the findings exist only because of the target clients. Their fixes include the choice of other clients. */
  readonly isAboutTargets?: true;
  /**
   * Returns false while facts that the rule needs are unknown. Suppressions of the rule are then not reported as
   * unused.
   */
  isDecided?(file: SkillFile, analysis: Analysis): boolean;
  /**
   * Finds the defects of a file. The rule runs again when a fact that it read changes.
   * `table` contains all rules, for the rules that check names of rules.
   */
  check(file: SkillFile, analysis: Analysis, table: readonly Rule[]): Iterable<Draft>;
}

/**
 * The effect of a finding: `template` breaks the template at its span, `all-templates` breaks all templates of the
 * file, `every-prompt` means that every prompt is over the budget. With `composition`, the composer refuses the skill
 * for an error in `composes`, `execution` or the `when` of an interrupt, and with `output` for an error in the output
 * schema.
 */
export type FindingEffect = 'template' | 'all-templates' | 'every-prompt' | 'composition' | 'output';

/** Returns the severity of a rule as text for people, with the dialects in which it is off. */
export const severityText = ({ severity, offIn }: Rule): string =>
  offIn === undefined ? severity : `${severity} in \`SKILL.md\`, otherwise off`;

/** Returns the number of a rule, or its name if it has no number. */
export const codeOf = ({ name, number }: Rule): string => number ?? name;

/** Returns whether a word in a comment or a setting is the name or the number of a rule. */
export const isNamed = (rule: Rule, word: string): boolean => rule.name === word || codeOf(rule) === word;

/** The dialects of this project's own format. */
export const SKILLS: readonly Dialect[] = ['composer', 'contract'];
