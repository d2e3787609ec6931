/**
 * What is left to say of samples that do not compose (rule `sample-fails`). The composer names everything that is in its
 * way; most of that has a rule of its own, which reports it once, where it stands. One defect, one finding: only what no
 * other rule can see is a matter of the sample.
 */
import type { Analysis } from '../analysis/analysis.ts';
import type { ComposeError } from '../composer/composition.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { overlaps, type Span } from '../text.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import type { SampleFailure } from '../workspace/workspace-index.ts';

import { rules } from './index.ts';

/** A sample with the composer's errors; none where it composes. */
export interface SampleOutcome {
  readonly sample: string;
  readonly errors: readonly ComposeError[];
}

/** `index` is the snapshot that the samples were composed from: the places of the errors are places in its texts. */
export function findSampleFailures(
  analysis: Analysis,
  file: SkillFile,
  outcomes: readonly SampleOutcome[],
): readonly SampleFailure[] {
  return outcomes.flatMap(({ sample, errors }) => {
    const own = file.contract.samples.find(({ name }) => name === sample);
    return errors
      .filter((error) => !isReported(analysis, file, error))
      .map(({ uri, span, message, suggestion }) => ({
        sample,
        message: isAdvice(suggestion) ? `${message} ${suggestion}` : message,
        cause: uri === file.uri && own && overlaps(own.span, span) ? undefined : { uri, span },
      }));
  });
}

/** A bare name stands in the message already, and the finding does not stand at "this place". */
const isAdvice = (suggestion: string): boolean => suggestion.includes(' ') && !suggestion.includes('at this place');

/** Whether a rule reports the cause of the error already, here or in the file of a composed skill. */
function isReported(analysis: Analysis, file: SkillFile, error: ComposeError): boolean {
  switch (error.kind) {
    case 'MissingRequiredField':
      // For the framing no single rule answers: a body without a word has none.
      return error.subject !== 'framing' || isMarked(analysis, file, FRAMING_RULES, error.span);
    case 'ParameterMismatch':
      return true;
    case 'UnknownTool':
      return !isDeclaredAndKnown(analysis, file, error);
    case 'MalformedTemplate':
      return isTemplateReported(analysis, file, error.span);
    case 'CapabilityNarrowing':
    case 'ArtifactBudgetExceeded':
      return false;
  }
}

const FRAMING_RULES = ['missing-key', 'missing-frontmatter', 'invalid-yaml', 'invalid-value', 'unknown-artifact'];

/** What is unknown, or is not in `tools`, has rules of its own. The rest is there, but not for this caller. */
function isDeclaredAndKnown(analysis: Analysis, file: SkillFile, { subject, span }: ComposeError): boolean {
  const { contract } = file;
  const catalog = analysis.catalogOf(file.uri);
  const known = !catalog.toolsKnown || analysis.isKnownTool(catalog, subject) || AUTHORING_TOOLS.includes(subject);
  const inComposed = contract.composes.some((entry) => overlaps(entry.span, span));
  return known && (inComposed || contract.tools.some(({ name }) => name === subject));
}

const TEMPLATE_RULES = [
  'undefined-variable',
  'unknown-filter',
  'unknown-test',
  'missing-include',
  'invalid-condition',
  'unknown-artifact',
];

function isTemplateReported(analysis: Analysis, file: SkillFile, place: Span): boolean {
  // Where one tag does not parse, what the engine says of the others is a cascade.
  if (marksOf(analysis, file, ['template-syntax']).length > 0) return true;
  if (isMarked(analysis, file, TEMPLATE_RULES, place)) return true;
  // What fails in a composed skill is shown at the entry that leads there; its file has the finding.
  if (!file.contract.composes.some(({ span }) => overlaps(span, place))) return false;
  const root = analysis.graph.skills.get(file.uri);
  return (root ? analysis.graph.closureOf(root) : []).some(({ uri }) => {
    const composed = analysis.file(uri);
    return composed !== undefined && marksOf(analysis, composed, [...TEMPLATE_RULES, 'template-syntax']).length > 0;
  });
}

const isMarked = (analysis: Analysis, file: SkillFile, names: readonly string[], place: Span): boolean =>
  marksOf(analysis, file, names).some((span) => overlaps(span, place) || span.start === place.start);

/** All places that the findings of these rules mark in the document, the related ones included. */
const marksOf = (analysis: Analysis, file: SkillFile, names: readonly string[]): readonly Span[] =>
  rules
    .filter(({ name, dialects }) => names.includes(name) && dialects.includes(file.dialect))
    .flatMap((rule) => [...rule.check(file, analysis, rules)])
    .flatMap(({ span, related = [] }) => [
      span,
      ...related.flatMap((place) => (place.uri === file.uri ? [place.span] : [])),
    ]);
