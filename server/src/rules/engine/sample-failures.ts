/**
 * Selects the composer's errors that the rule `sample-fails` reports. Other rules report most errors where they occur;
 * only the remaining errors are reported at the sample.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import type { ComposeError } from '../../composer/composition.ts';
import { requiresUndeclared } from '../../composer/validate.ts';
import { requiresTools, type SampleEntry } from '../../skill/contract.ts';
import { unexpectedOutcome } from '../../skill/package-samples.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { overlaps, type Span } from '../../text.ts';
import { AUTHORING_TOOLS, ERROR_KINDS } from '../../vocabulary/known-names.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';
import { draftsOf, severityOf } from './check.ts';
import { rules } from './index.ts';
import type { FindingEffect } from './rule.ts';

/** A sample with the composer's errors. The list is empty if the sample composes. */
export interface SampleOutcome {
  readonly sample: string;
  readonly errors: readonly ComposeError[];
}

/**
 * Returns the failures of a file's samples that no rule reports. The samples must have been composed from `analysis`,
 * because the spans of the errors refer to the files in that analysis.
 */
export function findSampleFailures(
  analysis: Analysis,
  file: SkillFile,
  outcomes: readonly SampleOutcome[],
): readonly SampleFailure[] {
  return outcomes.flatMap(({ sample, errors }) => {
    const own = file.contract.samples.find(({ name }) => name === sample);
    if (own?.fails) return unexpectedFailures(analysis, file, own, errors);
    return errors
      .filter((error) => !isReported(analysis, file, error))
      .map(({ uri, span, message, suggestion }) => ({
        sample,
        message: isAdvice(suggestion) ? `${message} ${suggestion}` : message,
        cause: uri === file.uri && own && overlaps(own.span, span) ? undefined : { uri, span },
      }));
  });
}

/**
 * Returns the failure of a sample with `expect.fails` that composes, or fails with other errors. `invalid-sample` does
 * not report the parameters of such a sample, and reports an unknown kind of error.
 */
function unexpectedFailures(
  analysis: Analysis,
  file: SkillFile,
  { name: sample, span, fails }: SampleEntry,
  errors: readonly ComposeError[],
): readonly SampleFailure[] {
  if (!fails || !Object.hasOwn(ERROR_KINDS, fails.name)) return [];
  const message = unexpectedOutcome(
    fails.name,
    errors.map(({ kind }) => kind),
  );
  const open = errors.filter((error) => error.kind === 'ParameterMismatch' || !isReported(analysis, file, error));
  if (message === undefined || (open.length === 0 && errors.length > 0)) return [];
  const [error] = open;
  const cause = error && !(error.uri === file.uri && overlaps(span, error.span)) ? error : undefined;
  return [{ sample, message, cause: cause && { uri: cause.uri, span: cause.span }, isUnexpected: true }];
}

/**
 * A suggestion that is only a name is already in the message. A suggestion with "at this place" would be wrong at the
 * sample.
 */
const isAdvice = (suggestion: string): boolean => suggestion.includes(' ') && !suggestion.includes('at this place');

/** Returns whether a rule reports the cause of the error, in this file or in the file of a composed skill. */
function isReported(analysis: Analysis, file: SkillFile, error: ComposeError): boolean {
  switch (error.kind) {
    case 'MissingRequiredField':
    case 'InvalidComposition':
    case 'ParameterMismatch':
      return true;
    case 'UnknownTool':
      return !isDeclaredAndKnown(analysis, file, error);
    case 'MalformedTemplate':
      return isTemplateReported(analysis, file, error.span);
    case 'CapabilityNarrowing':
      return requiresUndeclared({ requiresTools: requiresTools(file.contract), tools: file.contract.tools });
    case 'ArtifactBudgetExceeded':
      return marksOf(analysis, file, 'every-prompt').length > 0;
  }
}

/**
 * Returns whether the tool is known and declared, so that no other rule reports the tool. The caller then lacks the
 * tool.
 */
function isDeclaredAndKnown(analysis: Analysis, file: SkillFile, { subject, span }: ComposeError): boolean {
  const { contract } = file;
  const catalog = analysis.catalogOf(file.uri);
  const known = !catalog.toolsKnown || analysis.isKnownTool(catalog, subject) || AUTHORING_TOOLS.includes(subject);
  const inComposed = contract.composes.some((entry) => overlaps(entry.span, span));
  return known && (inComposed || contract.tools.some(({ name }) => name === subject));
}

function isTemplateReported(analysis: Analysis, file: SkillFile, place: Span): boolean {
  if (marksOf(analysis, file, 'all-templates').length > 0 || isMarked(analysis, file, 'template', place)) return true;
  // An error in a composed skill has the span of the entry that composes it. The finding is in the composed skill's
  // file.
  if (!file.contract.composes.some(({ span }) => overlaps(span, place))) return false;
  const root = analysis.graph.skills.get(file.uri);
  return (root ? analysis.graph.closureOf(root) : []).some(({ uri }) => {
    const composed = analysis.file(uri);
    return composed !== undefined && marksOf(analysis, composed, 'template', 'all-templates').length > 0;
  });
}

const isMarked = (analysis: Analysis, file: SkillFile, prevented: FindingEffect, place: Span): boolean =>
  marksOf(analysis, file, prevented).some((span) => overlaps(span, place) || span.start === place.start);

/** Returns the spans of findings of rules that are on with the wanted effects, including those of related locations in the file. */
const marksOf = (analysis: Analysis, file: SkillFile, ...wanted: readonly FindingEffect[]): readonly Span[] =>
  rules
    .filter(
      (rule) =>
        rule.prevents?.some((one) => wanted.includes(one)) &&
        rule.dialects.includes(file.dialect) &&
        severityOf(analysis, file.uri, rule) !== 'off',
    )
    .flatMap((rule) => draftsOf(file, analysis, rule))
    .flatMap(({ span, related = [] }) => [
      span,
      ...related.flatMap((place) => (place.uri === file.uri ? [place.span] : [])),
    ]);
