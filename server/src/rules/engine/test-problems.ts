/**
 * Finds the tests of a skill that cannot be run as they are written, because `check` reports a part of them
 * (docs/testing.md, "Tests that cannot be read").
 */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Finding } from '../../finding.ts';
import { isUnclosed } from '../../languages/yaml/frontmatter.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type TestPart, testPartAt, testParts, withTestKeys } from '../../skill/test-parts.ts';
import type { Span } from '../../text.ts';
import { isSkillDialect } from '../../vocabulary/dialect.ts';
import { invalidValue } from '../any-file/invalid-value.ts';
import { invalidYaml } from '../any-file/invalid-yaml.ts';
import { missingFrontmatter } from '../any-file/missing-frontmatter.ts';
import { unreadableFile } from '../any-file/unreadable-file.ts';
import { findingsOf, MAX_FINDINGS } from './check.ts';
import { rules } from './index.ts';
import { mergeFindings } from './merge-findings.ts';
import type { Rule } from './rule.ts';
import { applySuppressions } from './unused-suppression.ts';

/** A problem in a test, with the message of `check`. */
export interface TestProblem {
  readonly part: TestPart;
  readonly span: Span;
  readonly message: string;
}

/**
 * Returns the errors and warnings in the tests of a skill, and their unknown keys, in the order of the file. Configured
 * severities do not apply, because a rule that is off does not make a test readable; comments at the line do.
 */
export function testProblems(analysis: Analysis, file: SkillFile): readonly TestProblem[] {
  const parts = testParts(file);
  if (parts.length === 0) return [];
  const read = withTestKeys(file);
  const found = rules
    .filter((rule) => rule.readsTests && rule.dialects.includes(read.dialect))
    .flatMap((rule) => findingsOf(unconfigured, rule, () => draftsIn(parts, read, analysis, rule)));
  const merged = mergeFindings(found, () => false);
  return applySuppressions(read, merged)
    .kept.flatMap((finding) => problemOf(parts, finding))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

const unconfigured = (): undefined => undefined;

/** Returns the first drafts of a rule in the tests. Only a severity that the draft itself has can be too low. */
function draftsIn(parts: readonly TestPart[], file: SkillFile, analysis: Analysis, rule: Rule): readonly Draft[] {
  const found: Draft[] = [];
  for (const draft of rule.check(file, analysis, rules)) {
    if (draft.severity === 'hint' || !testPartAt(parts, draft.span)) continue;
    if (found.push(draft) >= MAX_FINDINGS) break;
  }
  return found;
}

function problemOf(parts: readonly TestPart[], { span, message }: Finding): readonly TestProblem[] {
  const part = testPartAt(parts, span);
  return part ? [{ part, span, message }] : [];
}

/** Returns why no test of a skill can be run: the file cannot be read, or its frontmatter does not parse. */
export function fileProblem(analysis: Analysis, file: SkillFile): Pick<TestProblem, 'span' | 'message'> | undefined {
  if (!file.isSkill || !isSkillDialect(file.dialect)) return undefined;
  const isUnreadable = analysis.unreadable(file.uri) !== undefined;
  const { tree } = file.frontmatter;
  // A `SKILL.md` without frontmatter has its tests in other files.
  const isEmpty = file.dialect !== 'agent-skill' && tree.root?.kind !== 'map';
  if (!isUnreadable && !tree.broken && !isUnclosed(file.frontmatter) && !isEmpty) return undefined;
  const causes = isUnreadable ? [unreadableFile] : [invalidYaml, missingFrontmatter, invalidValue];
  const [draft] = causes.flatMap((rule) => [...rule.check(file, analysis, rules)]);
  return draft ?? { span: { start: 0, end: 0 }, message: 'The frontmatter is invalid. Fix its YAML first.' };
}
